#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// A library that may crash on a damaged file reads it in a process of its own, which writes down what it has found: the account.
// Numbers in it are in the machine's order. Nothing in it is to be trusted: whatever the child has become may have written it.

/// What the child does: writes on `file` its account of the bytes.
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

/// Begins to read in a child process. Its account comes out of `*reading`, which the caller reads to the end and closes; then
/// `ossicle_reader_end(*child)`. Returns 0, or the error of the system.
static inline int ossicle_reader_begin(ossicle_reader read, const void *bytes, size_t size, int *reading, int *child) {
    int ends[2];
    if (pipe(ends)) return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = fork();
    if (pid == 0) {
        // A crash here is silent, and an endless loop ends after 20 s of work.
        const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGXCPU, SIGPIPE, SIGALRM};
        for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, 0);
        struct rlimit no_core = {0, 0}, work = {20, 20};
        setrlimit(RLIMIT_CORE, &no_core);
        setrlimit(RLIMIT_CPU, &work);
        alarm(120);
        int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere >= 0) dup2(nowhere, 2);
        close(ends[0]);
        read(ends[1], bytes, size);
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
