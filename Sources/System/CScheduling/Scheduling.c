// How a thread is scheduled, and which of its memory stays in.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Scheduling.h"

#if defined(__linux__)

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

uint64_t ossicle_thread_id(void) { return (uint64_t)syscall(SYS_gettid); }

bool ossicle_make_thread_realtime(int priority) {
    struct sched_param parameters;
    memset(&parameters, 0, sizeof parameters);
    parameters.sched_priority = priority;
    return pthread_setschedparam(pthread_self(), SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0;
}

bool ossicle_thread_is_realtime(void) {
    int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    return policy == SCHED_FIFO || policy == SCHED_RR;
}

bool ossicle_make_thread_nice(int nice) { return setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice) == 0; }

// MARK: The limit of real time

// Threads that the signal puts back to ordinary scheduling; 0 for a free place.
#define PLACES 64
static pid_t places[PLACES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool is_ready;

// Only what a signal handler may do.
static void demote(int signal) {
    (void)signal;
    int before = errno;
    struct sched_param parameters = { .sched_priority = 0 };
    for (int place = 0; place < PLACES; place++) {
        pid_t thread = __atomic_load_n(&places[place], __ATOMIC_ACQUIRE);
        if (thread) syscall(SYS_sched_setscheduler, thread, SCHED_OTHER, &parameters);
    }
    errno = before;
}

static bool prepare(uint64_t most) {
    struct sigaction action;
    if (sigaction(SIGXCPU, NULL, &action) != 0) return false;
    // A program that handles the signal itself is left alone, and has to see to its threads.
    if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL) {
        memset(&action, 0, sizeof action);
        action.sa_handler = demote;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        if (sigaction(SIGXCPU, &action, NULL) != 0) return false;
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_RTTIME, &limit) != 0) return false;
    // The signal comes well before the end, where there is one.
    rlim_t soft = (limit.rlim_max < most ? limit.rlim_max : most) / 4 * 3;
    if (limit.rlim_cur > soft) limit.rlim_cur = soft;
    return setrlimit(RLIMIT_RTTIME, &limit) == 0;
}

bool ossicle_limit_realtime(uint64_t most) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_RTTIME, &limit) != 0) return false;
    if (limit.rlim_max <= most) return true;
    limit.rlim_max = most;
    return setrlimit(RLIMIT_RTTIME, &limit) == 0;
}

bool ossicle_guard_realtime_thread(uint64_t most) {
    bool is_guarded = false;
    pthread_mutex_lock(&mutex);
    if (!is_ready) is_ready = prepare(most);
    for (int place = 0; is_ready && place < PLACES && !is_guarded; place++) {
        if (places[place]) continue;
        __atomic_store_n(&places[place], (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
        is_guarded = true;
    }
    pthread_mutex_unlock(&mutex);
    return is_guarded;
}

void ossicle_forget_realtime_thread(void) {
    pid_t thread = (pid_t)syscall(SYS_gettid);
    pthread_mutex_lock(&mutex);
    for (int place = 0; place < PLACES; place++)
        if (places[place] == thread) __atomic_store_n(&places[place], 0, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mutex);
}

// MARK: Memory

bool ossicle_lock_memory(const void *memory, size_t bytes) { return mlock(memory, bytes) == 0; }
void ossicle_unlock_memory(const void *memory, size_t bytes) { munlock(memory, bytes); }

__attribute__((noinline)) bool ossicle_lock_stack(void) {
    volatile char stack[65536];
    for (size_t byte = 0; byte < sizeof stack; byte += 1024) stack[byte] = 0;
    return mlock((const void *)stack, sizeof stack) == 0;
}

#else

uint64_t ossicle_thread_id(void) { return 0; }
bool ossicle_make_thread_realtime(int priority) { (void)priority; return false; }
bool ossicle_thread_is_realtime(void) { return false; }
bool ossicle_make_thread_nice(int nice) { (void)nice; return false; }
bool ossicle_guard_realtime_thread(uint64_t most) { (void)most; return false; }
bool ossicle_limit_realtime(uint64_t most) { (void)most; return false; }
void ossicle_forget_realtime_thread(void) {}
bool ossicle_lock_memory(const void *memory, size_t bytes) { (void)memory; (void)bytes; return false; }
void ossicle_unlock_memory(const void *memory, size_t bytes) { (void)memory; (void)bytes; }
bool ossicle_lock_stack(void) { return false; }

#endif

static int threads;
void ossicle_device_thread_begins(void) { __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED); }
void ossicle_device_thread_ends(void) { __atomic_sub_fetch(&threads, 1, __ATOMIC_RELAXED); }
int ossicle_device_threads(void) { return __atomic_load_n(&threads, __ATOMIC_RELAXED); }
