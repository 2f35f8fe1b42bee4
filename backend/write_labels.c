/* Labelling records and genfs (policydb-format.md 9, 10.1). */
#include <string.h>

#include "backend/write.h"

static void write_sids(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->sids.n);
	for (uint32_t i = 0; i < policy->sids.n; i++) {
		put_u32(w, policy->sids.at[i].sid);
		put_context(w, &policy->sids.at[i].context);
	}
}

/* ---- SELinux ---- */

/* A kind that the format has kept and the language has lost. */
static void write_file_systems(struct writer *w)
{
	put_u32(w, 0);
}

static void write_ports(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->ports.n);
	for (uint32_t i = 0; i < policy->ports.n; i++) {
		put_u32(w, policy->ports.at[i].protocol);
		put_u32(w, policy->ports.at[i].low);
		put_u32(w, policy->ports.at[i].high);
		put_context(w, &policy->ports.at[i].context);
	}
}

static void write_netifs(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->netifs.n);
	for (uint32_t i = 0; i < policy->netifs.n; i++) {
		put_string(w, policy->netifs.at[i].name);
		put_context(w, &policy->netifs.at[i].interface);
		put_context(w, &policy->netifs.at[i].packet);
	}
}

static void put_nodes(struct writer *w, const struct policy_node *nodes, uint32_t n, size_t address_size)
{
	put_u32(w, n);
	for (uint32_t i = 0; i < n; i++) {
		buffer_put(w->image, nodes[i].address, address_size);
		buffer_put(w->image, nodes[i].mask, address_size);
		put_context(w, &nodes[i].context);
	}
}

static void write_nodes(struct writer *w)
{
	put_nodes(w, w->policy->nodes.at, w->policy->nodes.n, 4);
}

static void write_nodes6(struct writer *w)
{
	put_nodes(w, w->policy->nodes6.at, w->policy->nodes6.n, 16);
}

static void write_fs_uses(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->fs_uses.n);
	for (uint32_t i = 0; i < policy->fs_uses.n; i++) {
		put_u32(w, policy->fs_uses.at[i].behaviour);
		put_string(w, policy->fs_uses.at[i].name);
		put_context(w, &policy->fs_uses.at[i].context);
	}
}

static void write_ibpkeys(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->ibpkeys.n);
	for (uint32_t i = 0; i < policy->ibpkeys.n; i++) {
		buffer_put(w->image, policy->ibpkeys.at[i].prefix, sizeof policy->ibpkeys.at[i].prefix);
		put_u32(w, policy->ibpkeys.at[i].low);
		put_u32(w, policy->ibpkeys.at[i].high);
		put_context(w, &policy->ibpkeys.at[i].context);
	}
}

static void write_ibendports(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->ibendports.n);
	for (uint32_t i = 0; i < policy->ibendports.n; i++) {
		put_u32(w, (uint32_t)strlen(policy->ibendports.at[i].device));
		put_u32(w, policy->ibendports.at[i].port);
		put_text(w, policy->ibendports.at[i].device);
		put_context(w, &policy->ibendports.at[i].context);
	}
}

/* ---- Xen ---- */

static void write_pirqs(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->pirqs.n);
	for (uint32_t i = 0; i < policy->pirqs.n; i++) {
		put_u32(w, (uint32_t)policy->pirqs.at[i].low);
		put_context(w, &policy->pirqs.at[i].context);
	}
}

static void write_ioports(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->ioports.n);
	for (uint32_t i = 0; i < policy->ioports.n; i++) {
		put_u32(w, (uint32_t)policy->ioports.at[i].low);
		put_u32(w, (uint32_t)policy->ioports.at[i].high);
		put_context(w, &policy->ioports.at[i].context);
	}
}

static void write_iomems(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->iomems.n);
	for (uint32_t i = 0; i < policy->iomems.n; i++) {
		const struct policy_xen_span *span = &policy->iomems.at[i];

		if (has(w, FEATURE_WIDE_IOMEM)) {
			buffer_u64(w->image, span->low);
			buffer_u64(w->image, span->high);
		} else {
			put_u32(w, (uint32_t)span->low);
			put_u32(w, (uint32_t)span->high);
		}
		put_context(w, &span->context);
	}
}

static void write_pcidevices(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->pcidevices.n);
	for (uint32_t i = 0; i < policy->pcidevices.n; i++) {
		put_u32(w, (uint32_t)policy->pcidevices.at[i].low);
		put_context(w, &policy->pcidevices.at[i].context);
	}
}

static void write_devicetrees(struct writer *w)
{
	const struct policy *policy = w->policy;

	put_u32(w, policy->devicetrees.n);
	for (uint32_t i = 0; i < policy->devicetrees.n; i++) {
		put_string(w, policy->devicetrees.at[i].path);
		put_context(w, &policy->devicetrees.at[i].context);
	}
}

void write_ocontexts(struct writer *w)
{
	static void (*const selinux[])(struct writer *w) = {
		write_sids, write_file_systems, write_ports, write_netifs, write_nodes,
		write_fs_uses, write_nodes6, write_ibpkeys, write_ibendports,
	};
	static void (*const xen[])(struct writer *w) = {
		write_sids, write_pirqs, write_ioports, write_iomems, write_pcidevices, write_devicetrees,
	};

	for (uint32_t i = 0; i < w->features->ocontexts; i++)
		(w->policy->target == POLICY_XEN ? xen : selinux)[i](w);
}

/* ---- genfs ---- */

/* The paths of one file system, from record i on; returns the record behind. */
static uint32_t write_paths(struct writer *w, uint32_t i)
{
	const struct policy_genfs *genfs = w->policy->genfs.at;
	const char *fs = genfs[i].fs;
	size_t list, n = 0;

	put_string(w, fs);
	list = list_begin(w);
	for (; i < w->policy->genfs.n && strcmp(genfs[i].fs, fs) == 0; i++, n++) {
		put_string(w, genfs[i].path);
		put_u32(w, genfs[i].class);
		put_context(w, &genfs[i].context);
	}
	list_end(w, list, n);
	return i;
}

void write_genfs(struct writer *w)
{
	size_t list = list_begin(w), n = 0;

	for (uint32_t i = 0; i < w->policy->genfs.n; n++)
		i = write_paths(w, i);
	list_end(w, list, n);
}
