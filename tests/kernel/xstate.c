/*
 * Loaded before a user-mode kernel (LD_PRELOAD), so that it runs on processors
 * with a larger register state than it knows.
 *
 * Linux 6.1 as a process keeps the registers of its processes in a buffer of
 * fixed size: enough up to AVX-512, not for AMX.  It reads the first part of a
 * larger state, and the host refuses to take back only a part ("ptrace set fp
 * regs failed").  Here the rest comes from the traced process itself.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

#ifndef NT_X86_XSTATE
#define NT_X86_XSTATE 0x202
#endif

typedef long ptrace_call(int request, pid_t pid, void *address, void *data);

/* Not on the stack: the kernel's stacks are small.  It has one thread. */
static unsigned char state[65536];

static long get_part(ptrace_call *real, pid_t pid, void *kind, struct iovec *part)
{
	struct iovec whole = { state, sizeof state };
	long result = real(PTRACE_GETREGSET, pid, kind, &whole);

	if (result)
		return result;
	if (part->iov_len > whole.iov_len)
		part->iov_len = whole.iov_len;
	memcpy(part->iov_base, state, part->iov_len);
	return 0;
}

static long set_part(ptrace_call *real, pid_t pid, void *kind, struct iovec *part)
{
	struct iovec whole = { state, sizeof state };
	long result = real(PTRACE_GETREGSET, pid, kind, &whole);

	if (result)
		return result;
	if (part->iov_len >= whole.iov_len)
		return real(PTRACE_SETREGSET, pid, kind, part);
	memcpy(state, part->iov_base, part->iov_len);
	return real(PTRACE_SETREGSET, pid, kind, &whole);
}

long ptrace(enum __ptrace_request request, ...)
{
	ptrace_call *real;
	void *address, *data;
	va_list args;
	pid_t pid;

	va_start(args, request);
	pid = va_arg(args, pid_t);
	address = va_arg(args, void *);
	data = va_arg(args, void *);
	va_end(args);
	*(void **)&real = dlsym(RTLD_NEXT, "ptrace");
	if (address == (void *)NT_X86_XSTATE && request == PTRACE_GETREGSET)
		return get_part(real, pid, address, data);
	if (address == (void *)NT_X86_XSTATE && request == PTRACE_SETREGSET)
		return set_part(real, pid, address, data);
	return real((int)request, pid, address, data);
}
