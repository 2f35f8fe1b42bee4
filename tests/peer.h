/* libsepol's security server, for comparisons and measurements.  Its names
 * clash with ours, so it is linked into one object of which only these can be
 * seen.  As libsepol's server is one for the process, so is this.
 *
 * No bool: libsepol 3.4 has a member of that name. */
#ifndef TESTS_PEER_H
#define TESTS_PEER_H

#include <stddef.h>
#include <stdint.h>

/* Functions that return int give 0 when they fail. */
int peer_load(const void *image, size_t size); /* conditionals in the policy's states */
void peer_free(void);

/* Of a context; 0 when it is not valid.  libsepol compares with all contexts that
 * it has a SID for, so many are slow until they are forgotten. */
uint32_t peer_sid(const char *context);
int peer_forget(void);

struct peer_decision { uint32_t allowed, auditallow, auditdeny; };
int peer_access(uint32_t source, uint32_t target, uint32_t class, struct peer_decision *ret);

int peer_set_bool(const char *name, int on);
/* Walks along the list of port labels: the number of the record, from 1, or 0. */
uint32_t peer_port_record(uint8_t protocol, uint16_t port);
/* The same of nodes; width: of the address in bytes, 4 or 16. */
uint32_t peer_node_record(const unsigned char *address, uint32_t width);

#endif
