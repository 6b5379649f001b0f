#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// A library that may crash on a damaged file reads it in a process of its own, which writes down what it has found: the reply.
// Numbers in it are in the machine's order. Nothing in it is to be trusted: whatever the child has become may have written it.

/// What the child does: writes on `file` its reply about the bytes.
typedef void (*ossicle_reader)(int file, const void *bytes, size_t size);

static inline int ossicle_put(int file, const void *bytes, size_t size) {
    const char *at = (const char *)bytes;
    while (size > 0) {
        ssize_t written = write(file, at, size);
        if (written <= 0) return 0;
        at += written;
        size -= (size_t)written;
    }
    return 1;
}

static inline int ossicle_put_word(int file, uint32_t word) { return ossicle_put(file, &word, sizeof word); }

/// u32 bytes, then as many bytes.
static inline int ossicle_put_text(int file, const char *text) {
    uint32_t length = text ? (uint32_t)strlen(text) : 0;
    return ossicle_put_word(file, length) && ossicle_put(file, text, length);
}

/// Leaves the child nothing open but `file`, which becomes its descriptor 3; input and output are /dev/null. Returns 3, or -1.
static inline int ossicle_reader_keep_only(int file) {
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere < 0) return -1;
    // Above 3 first, so that none of the four overwrites another.
    file = fcntl(file, F_DUPFD, 4);
    nowhere = fcntl(nowhere, F_DUPFD, 4);
    if (file < 0 || nowhere < 0 || dup2(file, 3) < 0) return -1;
    for (int standard = 0; standard < 3; standard++)
        if (dup2(nowhere, standard) < 0) return -1;
    if (syscall(SYS_close_range, 4u, ~0u, 0u) == 0) return 3;
    // Before Linux 5.9.
    struct rlimit open_files = {0, 0};
    getrlimit(RLIMIT_NOFILE, &open_files);
    for (rlim_t other = 4; other < open_files.rlim_cur && other < 1 << 20; other++) close((int)other);
    return 3;
}

/// Bytes of address space the process has, and those it may write to; they were copied from the parent's. 0 when unknown.
static inline void ossicle_inherited(uint64_t *space, uint64_t *writable) {
    char text[128] = {0};
    unsigned long long all = 0, data = 0;
    int file = open("/proc/self/statm", O_RDONLY);
    ssize_t count = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    if (count <= 0 || sscanf(text, "%llu %*u %*u %*u %*u %llu", &all, &data) != 2) all = data = 0;
    *space = all * (uint64_t)sysconf(_SC_PAGESIZE);
    *writable = data * (uint64_t)sysconf(_SC_PAGESIZE);
}

static inline void ossicle_limit(int resource, uint64_t most) {
    struct rlimit limit = {most, most};
    setrlimit(resource, &limit);
}

// What a reader needs of the system: its memory, its reply, its end. All else fails with EPERM.
#if defined(__x86_64__)
#define OSSICLE_READER_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OSSICLE_READER_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/// Refuses every call of the system but those in the list. False where the kernel has no such filters: the other bounds stand without it.
static inline int ossicle_reader_refuse_calls(void) {
#ifdef OSSICLE_READER_ARCHITECTURE
#define OSSICLE_ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OSSICLE_READER_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        OSSICLE_ALLOW(write), OSSICLE_ALLOW(read), OSSICLE_ALLOW(close), OSSICLE_ALLOW(exit), OSSICLE_ALLOW(exit_group),
        OSSICLE_ALLOW(mmap), OSSICLE_ALLOW(munmap), OSSICLE_ALLOW(mremap), OSSICLE_ALLOW(mprotect), OSSICLE_ALLOW(madvise), OSSICLE_ALLOW(brk),
        OSSICLE_ALLOW(futex), OSSICLE_ALLOW(sched_yield), OSSICLE_ALLOW(clock_gettime), OSSICLE_ALLOW(getpid), OSSICLE_ALLOW(gettid),
        OSSICLE_ALLOW(rt_sigaction), OSSICLE_ALLOW(rt_sigprocmask), OSSICLE_ALLOW(rt_sigreturn), OSSICLE_ALLOW(tgkill), OSSICLE_ALLOW(getrandom),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
#undef OSSICLE_ALLOW
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
#else
    return 0;
#endif
}

/// Bounds of a reading.
struct ossicle_reader_bounds {
    /// Bytes of memory the library may take.
    uint64_t memory;
    /// Seconds of work, and seconds altogether.
    unsigned work, time;
};

/// Makes the child a process that can do nothing but compute within its bounds and write on the descriptor that comes back; -1 when that fails.
static inline int ossicle_reader_confine(int file, struct ossicle_reader_bounds bounds) {
    // A crash here is silent, and the child does not outlive its parent.
    const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGXCPU, SIGPIPE, SIGALRM, SIGTERM, SIGINT, SIGHUP};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(bounds.time);
    uint64_t space, writable;
    ossicle_inherited(&space, &writable);
    if (space > 0) {
        // What malloc has reserved for threads counts as space already, but not as writable.
        ossicle_limit(RLIMIT_AS, space + bounds.memory);
        ossicle_limit(RLIMIT_DATA, writable + bounds.memory);
    }
    ossicle_limit(RLIMIT_CORE, 0);
    ossicle_limit(RLIMIT_CPU, bounds.work);
    ossicle_limit(RLIMIT_FSIZE, 0);
    int reply = ossicle_reader_keep_only(file);
    if (reply < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    ossicle_limit(RLIMIT_NOFILE, 0);
    ossicle_reader_refuse_calls();
    return reply;
}

/// Begins to read in a child process. Its reply comes out of `*reading`, which the caller reads to the end and closes; then
/// `ossicle_reader_end(*child)`. Returns 0, or the error of the system.
static inline int ossicle_reader_begin(ossicle_reader read, const void *bytes, size_t size, struct ossicle_reader_bounds bounds, int *reading, int *child) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return errno;
    pid_t pid = fork();
    if (pid == 0) {
        int reply = ossicle_reader_confine(ends[1], bounds);
        if (reply >= 0) read(reply, bytes, size);
        _exit(0);
    }
    int error = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return error;
    }
    *reading = ends[0];
    *child = pid;
    return 0;
}

/// Ends the child, if it still runs, and waits for it.
static inline void ossicle_reader_end(int child) {
    kill(child, SIGKILL);
    while (waitpid(child, 0, 0) < 0 && errno == EINTR) {}
}
