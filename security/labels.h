/* Labels of what is not a file with a label of its own: ports, nodes,
 * interfaces, file systems, devices.
 *
 * Each question finds the record that the kernel would take, and when there is
 * none the initial SID that stands in for it.  Lists that may be long are indexed;
 * nothing allocates after labels_new(), and any number of threads may ask.
 *
 * Facts: security_port_sid() and its neighbours in the kernel's
 * security/selinux/ss/services.c; of Xen, xen/xsm/flask/ss/services.c. */
#ifndef SECURITY_LABELS_H
#define SECURITY_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/policy.h"
#include "security/security.h"

struct labels;

struct labels *labels_new(const struct security *security); /* its policy must outlive it */
void labels_free(struct labels *labels);
size_t labels_memory(const struct labels *labels); /* bytes, the policy itself not counted */

struct label {
	const struct policy_context *context; /* NULL: nothing labels it */
	const char *sid;                      /* the initial SID that stands in, or NULL: a record labels it */
};

/* Protocols as IP numbers them: tcp 6, udp 17, dccp 33, sctp 132. */
struct label label_port(const struct labels *labels, uint8_t protocol, uint16_t port);
/* Bytes in network order. */
struct label label_node(const struct labels *labels, const unsigned char address[4]);
struct label label_node6(const struct labels *labels, const unsigned char address[16]);
/* Of the interface; the second label is of its packets, which no kernel uses
 * any more. */
struct label label_netif(const struct labels *labels, const char *name, struct label *ret_packet);
struct label label_ibpkey(const struct labels *labels, const unsigned char prefix[8], uint16_t key);
struct label label_ibendport(const struct labels *labels, const char *device, uint8_t port);
struct label label_sid(const struct labels *labels, uint32_t sid);

/* A file on a file system without labels of its own; class 0: of any, which no
 * record that names a class is about.  The path begins with a slash. */
struct label label_genfs(const struct labels *labels, const char *fs, const char *path, uint32_t class);

/* How a file system is labelled; the context is that of the file system. */
enum label_behaviour { LABEL_XATTR = 1, LABEL_TRANS, LABEL_TASK, LABEL_GENFS, LABEL_NONE };
struct label label_fs(const struct labels *labels, const char *fs, enum label_behaviour *ret_behaviour);

/* Xen. */
struct label label_pirq(const struct labels *labels, uint64_t irq);
struct label label_ioport(const struct labels *labels, uint64_t port);
struct label label_iomem(const struct labels *labels, uint64_t frame);
struct label label_pcidevice(const struct labels *labels, uint64_t device);
struct label label_devicetree(const struct labels *labels, const char *path);

#endif
