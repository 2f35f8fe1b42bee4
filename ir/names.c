#include "ir/names.h"

#include <stddef.h>
#include <strings.h>

static const char *const capabilities[] = {
	"network_peer_controls",
	"open_perms",
	"extended_socket_class",
	"always_check_network",
	"cgroup_seclabel",
	"nnp_nosuid_transition",
	"genfs_seclabel_symlinks",
	"ioctl_skip_cloexec",
	"userspace_initial_context",
	"netlink_xperm",
	"netif_wildcard",
	"genfs_seclabel_wildcard",
	"functionfs_seclabel",
	"memfd_class",
	"bpf_token_perms",
};

/* From number 1. */
static const char *const selinux_sids[] = {
	"kernel", "security", "unlabeled", "fs", "file", "file_labels", "init", "any_socket", "port", "netif",
	"netmsg", "node", "igmp_packet", "icmp_socket", "tcp_socket", "sysctl_modprobe", "sysctl", "sysctl_fs",
	"sysctl_kernel", "sysctl_net", "sysctl_net_unix", "sysctl_vm", "sysctl_dev", "kmod", "policy",
	"scmp_packet", "devnull",
};

static const char *const xen_sids[] = {
	"xen", "dom0", "domio", "domxen", "unlabeled", "security", "ioport", "iomem", "irq", "device", "domU", "domDM",
};

#define COUNT(array) ((uint32_t)(sizeof (array) / sizeof (array)[0]))

const char *capability_name(uint32_t bit)
{
	return bit < COUNT(capabilities) ? capabilities[bit] : NULL;
}

int capability_find(const char *name, uint32_t *ret_bit)
{
	for (uint32_t bit = 0; bit < COUNT(capabilities); bit++) {
		if (!strcasecmp(capabilities[bit], name)) {
			*ret_bit = bit;
			return 0;
		}
	}
	return -1;
}

uint32_t initial_sid_count(enum policy_target target)
{
	return target == POLICY_XEN ? COUNT(xen_sids) : COUNT(selinux_sids);
}

const char *initial_sid_name(enum policy_target target, uint32_t sid)
{
	if (!sid || sid > initial_sid_count(target))
		return NULL;
	return target == POLICY_XEN ? xen_sids[sid - 1] : selinux_sids[sid - 1];
}
