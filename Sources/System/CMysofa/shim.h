#pragma once
#include <errno.h>
#include <fcntl.h>
#include <mysofa.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// libmysofa 1.3 may crash on a damaged file. It therefore reads in a process of its own, which writes down what it has found:
//
//   u32 x 8      magic "SOFA", error of libmysofa, I, C, R, E, N, M
//   attributes   of the file
//   9 x          u32 count, f32 x count, attributes       in the order of `ossicle_sofa_describe`
//   attributes   u32 count, count x (name, value)
//   text         u32 bytes, then as many bytes
//
// Numbers are in the machine's order. Nothing here is to be trusted by the reader: whatever the child has become may have written it.

static inline int ossicle_sofa_put(int file, const void *bytes, size_t size) {
    const char *at = (const char *)bytes;
    while (size > 0) {
        ssize_t written = write(file, at, size);
        if (written <= 0) return 0;
        at += written;
        size -= (size_t)written;
    }
    return 1;
}

static inline int ossicle_sofa_put_text(int file, const char *text) {
    uint32_t length = text ? (uint32_t)strlen(text) : 0;
    return ossicle_sofa_put(file, &length, sizeof length) && ossicle_sofa_put(file, text, length);
}

static inline int ossicle_sofa_put_attributes(int file, const struct MYSOFA_ATTRIBUTE *first) {
    uint32_t count = 0;
    for (const struct MYSOFA_ATTRIBUTE *a = first; a && count < 1024; a = a->next) count++;
    if (!ossicle_sofa_put(file, &count, sizeof count)) return 0;
    for (const struct MYSOFA_ATTRIBUTE *a = first; count > 0; a = a->next, count--)
        if (!ossicle_sofa_put_text(file, a->name) || !ossicle_sofa_put_text(file, a->value)) return 0;
    return 1;
}

static inline int ossicle_sofa_put_array(int file, const struct MYSOFA_ARRAY *array) {
    uint32_t count = array->values ? array->elements : 0;
    return ossicle_sofa_put(file, &count, sizeof count) && ossicle_sofa_put(file, array->values, (size_t)count * sizeof(float))
        && ossicle_sofa_put_attributes(file, array->attributes);
}

static inline void ossicle_sofa_describe(int file, const void *bytes, size_t size) {
    int error = 0;
    struct MYSOFA_HRTF *set = mysofa_load_data((const char *)bytes, size, &error);
    uint32_t head[8] = {0x41464F53, (uint32_t)error};
    if (!set) {
        ossicle_sofa_put(file, head, 8);
        return;
    }
    head[1] = 0;
    head[2] = set->I, head[3] = set->C, head[4] = set->R, head[5] = set->E, head[6] = set->N, head[7] = set->M;
    if (!ossicle_sofa_put(file, head, sizeof head) || !ossicle_sofa_put_attributes(file, set->attributes)) return;
    const struct MYSOFA_ARRAY *arrays[9] = {
        &set->ListenerPosition, &set->ListenerView, &set->ListenerUp, &set->ReceiverPosition, &set->SourcePosition, &set->EmitterPosition,
        &set->DataIR, &set->DataSamplingRate, &set->DataDelay,
    };
    for (int i = 0; i < 9; i++)
        if (!ossicle_sofa_put_array(file, arrays[i])) return;
}

/// Begins to read a SOFA file in a child process. Its account comes out of `*reading`, which the caller reads to the end and closes; then
/// `ossicle_sofa_end(*child)`. Returns 0, or the error of the system.
static inline int ossicle_sofa_begin(const void *bytes, size_t size, int *reading, int *child) {
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
        ossicle_sofa_describe(ends[1], bytes, size);
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
static inline void ossicle_sofa_end(int child) {
    kill(child, SIGKILL);
    while (waitpid(child, 0, 0) < 0 && errno == EINTR) {}
}
