/* Caches over small policies for the tests of avc/. */
#ifndef TESTS_AVC_FIXTURE_H
#define TESTS_AVC_FIXTURE_H

#include "avc/policy-avc.h"
#include "base/buffer.h"
#include "ir/policy.h"

/* The image of a policy with these rules, which may speak of class file { read
 * write ioctl }, class process { fork }, types ta to td and tp, which is
 * permissive, user ua, role ra, boolean b1, which is off. */
struct buffer avc_image_of(const char *rules, enum policy_unknown unknown);

/* A cache over images made by avc_image_of(). */
struct avc *avc_over(const struct buffer *images, uint32_t n, const struct avc_options *options);

/* Sid of ua:ra:TYPE; numbers of `file` and of its permissions. */
avc_sid avc_sid_of(struct avc_thread *thread, const char *type);

enum { FILE_ID = 1, PROCESS_ID };
enum { FILE_READ = 1, FILE_WRITE = 2, FILE_IOCTL = 4, PROCESS_FORK = 1 };

#endif
