// Threads that render beside the audio thread. It publishes a stage, a number of strands that do not depend on each other; they and the
// audio thread claim strand after strand. Strands lie in lanes, one for each thread, which claims those of its own lane first: so the
// memory of a strand stays near one core. What no worker has claimed the audio thread runs itself, so a worker that does not get a core
// delays nothing; it waits only for strands that a worker has begun.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "COssicle.h"

#if defined(__linux__)

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The number of a stage, the next strand of the lane that is free, and the one behind its last: 32, 16 and 16 bits, so that one exchange
// claims a strand of this stage and no other.
typedef struct {
    _Alignas(64) uint64_t ticket;
} lane;

struct ossicle_workers {
    // Of the audio thread, then of the workers.
    lane lanes[OSSICLE_MOST_WORKERS + 1];
    // Strands of the stage that workers have finished; the audio thread waits on it.
    _Alignas(64) uint32_t done;
    uint32_t is_awaited;
    // Counts stages; workers sleep on it.
    _Alignas(64) uint32_t epoch;
    uint32_t asleep, ends;
    // Whether a render call is under way, and watched.
    uint32_t is_rendering, is_watched;
    // Of the stage: written before its tickets, read behind a claim.
    _Alignas(64) ossicle_work work;
    const void *context;
    ossicle_worker_setting setting;
    // Workers that there are, known once all are made; and those that have begun, for their numbers.
    unsigned count;
    uint32_t is_complete, begun;
    pthread_t threads[OSSICLE_MOST_WORKERS];
};

// How long a worker looks for the next stage before it sleeps: while a render call is under way, which has stages in quick succession,
// and after it. How long the audio thread looks for the end of a stage before it gives up its core, and then sleeps at a time.
enum { look_nanoseconds = 250000, last_look_nanoseconds = 20000, patience_nanoseconds = 50000, nap_nanoseconds = 500000 };

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void relax(void) {
    for (int i = 0; i < 16; i++) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield");
#endif
    }
}

// The sanitizer would take a futex for a lock: waking does not wait, and each wait is bounded.
static void wake(uint32_t *word, int threads) {
    ossicle_rtsan_pause();
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
    ossicle_rtsan_resume();
}

static void wait_while(uint32_t *word, uint32_t value, const struct timespec *longest) {
    ossicle_rtsan_pause();
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, longest, NULL, 0);
    ossicle_rtsan_resume();
}

static bool claim_in(lane *l, uint32_t *strand) {
    uint64_t ticket = __atomic_load_n(&l->ticket, __ATOMIC_ACQUIRE);
    while (((ticket >> 16) & 0xffff) < (ticket & 0xffff)) {
        *strand = (uint32_t)(ticket >> 16) & 0xffff;
        if (__atomic_compare_exchange_n(&l->ticket, &ticket, ticket + 0x10000, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return true;
    }
    return false;
}

/// Of its own lane, then of those of others.
static bool claim(ossicle_workers *w, unsigned thread, uint32_t *strand) {
    for (unsigned i = 0; i <= w->count; i++) {
        if (claim_in(&w->lanes[(thread + i) % (w->count + 1)], strand)) return true;
    }
    return false;
}

// MARK: Workers

/// Until no strand is free.
static bool take_part(ossicle_workers *w, unsigned thread) {
    uint32_t strand;
    bool has_worked = false;
    while (claim(w, thread, &strand)) {
        bool is_watched = __atomic_load_n(&w->is_watched, __ATOMIC_RELAXED);
        if (is_watched) ossicle_rtsan_enter();
        w->work(w->context, strand);
        if (is_watched) ossicle_rtsan_exit();
        __atomic_fetch_add(&w->done, 1, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&w->is_awaited, __ATOMIC_SEQ_CST)) wake(&w->done, 1);
        has_worked = true;
    }
    return has_worked;
}

static bool is_current(ossicle_workers *w, uint32_t epoch) {
    return __atomic_load_n(&w->epoch, __ATOMIC_SEQ_CST) == epoch && !__atomic_load_n(&w->ends, __ATOMIC_ACQUIRE);
}

static uint64_t longest_look(ossicle_workers *w) {
    return __atomic_load_n(&w->is_rendering, __ATOMIC_RELAXED) ? look_nanoseconds : last_look_nanoseconds;
}

static void *worker(void *pointer) {
    ossicle_workers *w = pointer;
    while (!__atomic_load_n(&w->is_complete, __ATOMIC_ACQUIRE)) relax();
    unsigned thread = __atomic_add_fetch(&w->begun, 1, __ATOMIC_RELAXED);
    ossicle_flush_denormals();
    if (w->setting.begin) w->setting.begin(w->setting.context);
    while (!__atomic_load_n(&w->ends, __ATOMIC_ACQUIRE)) {
        uint32_t epoch = __atomic_load_n(&w->epoch, __ATOMIC_SEQ_CST);
        if (take_part(w, thread)) continue;
        uint64_t begin = now();
        while (is_current(w, epoch) && now() - begin < longest_look(w)) relax();
        if (!is_current(w, epoch)) continue;
        __atomic_fetch_add(&w->asleep, 1, __ATOMIC_SEQ_CST);
        if (is_current(w, epoch)) wait_while(&w->epoch, epoch, NULL);
        __atomic_fetch_sub(&w->asleep, 1, __ATOMIC_SEQ_CST);
    }
    if (w->setting.end) w->setting.end(w->setting.context);
    return NULL;
}

// MARK: Audio thread

/// Something is new for so many threads at most.
static void call(ossicle_workers *w, uint32_t threads) {
    __atomic_fetch_add(&w->epoch, 1, __ATOMIC_SEQ_CST);
    uint32_t asleep = __atomic_load_n(&w->asleep, __ATOMIC_SEQ_CST);
    if (asleep > 0 && threads > 0) wake(&w->epoch, (int)(asleep < threads ? asleep : threads));
}

void ossicle_workers_begin(ossicle_workers *w, int is_watched) {
    __atomic_store_n(&w->is_watched, (uint32_t)is_watched, __ATOMIC_RELAXED);
    __atomic_store_n(&w->is_rendering, 1, __ATOMIC_RELAXED);
    call(w, OSSICLE_MOST_WORKERS);
}

void ossicle_workers_end(ossicle_workers *w) { __atomic_store_n(&w->is_rendering, 0, __ATOMIC_RELAXED); }

void ossicle_workers_run(ossicle_workers *w, ossicle_work work, const void *context, uint32_t own, uint32_t count) {
    w->work = work;
    w->context = context;
    __atomic_store_n(&w->done, 0, __ATOMIC_RELAXED);
    uint64_t stage = (__atomic_load_n(&w->lanes[0].ticket, __ATOMIC_RELAXED) >> 32) + 1, begin = own;
    for (unsigned i = 0; i <= w->count; i++) {
        uint64_t end = own + (uint64_t)(count - own) * (i + 1) / (w->count + 1);
        __atomic_store_n(&w->lanes[i].ticket, stage << 32 | begin << 16 | end, __ATOMIC_SEQ_CST);
        begin = end;
    }
    call(w, own > 0 ? count - own : count - 1);

    for (uint32_t strand = 0; strand < own; strand++) work(context, strand);
    uint32_t strand, expected = count - own;
    while (claim(w, 0, &strand)) {
        work(context, strand);
        expected--;
    }
    uint64_t end = 0;
    uint32_t done;
    while ((done = __atomic_load_n(&w->done, __ATOMIC_ACQUIRE)) != expected) {
        if (end == 0) end = now() + patience_nanoseconds;
        if (now() < end) {
            relax();
            continue;
        }
        // A worker has lost its core: this one may be the only one it can have.
        struct timespec longest = {0, nap_nanoseconds};
        __atomic_store_n(&w->is_awaited, 1, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&w->done, __ATOMIC_SEQ_CST) == done) wait_while(&w->done, done, &longest);
        __atomic_store_n(&w->is_awaited, 0, __ATOMIC_SEQ_CST);
    }
}

// MARK: Control side

ossicle_workers *ossicle_workers_start(unsigned count, ossicle_worker_setting setting) {
    ossicle_workers *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);
    if (!w) return NULL;
    *w = (ossicle_workers){.setting = setting};
    // Signals are the client's, except the one by which the system takes real time away, and faults.
    sigset_t blocked, before;
    sigfillset(&blocked);
    int kept[] = {SIGXCPU, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) sigdelset(&blocked, kept[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    while (w->count < count && w->count < OSSICLE_MOST_WORKERS && pthread_create(&w->threads[w->count], NULL, worker, w) == 0) {
        pthread_setname_np(w->threads[w->count], "ossicle.render");
        w->count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    __atomic_store_n(&w->is_complete, 1, __ATOMIC_RELEASE);
    if (w->count > 0) return w;
    free(w);
    return NULL;
}

void ossicle_workers_stop(ossicle_workers *w) {
    __atomic_store_n(&w->ends, 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&w->epoch, 1, __ATOMIC_SEQ_CST);
    wake(&w->epoch, OSSICLE_MOST_WORKERS);
    for (unsigned i = 0; i < w->count; i++) pthread_join(w->threads[i], NULL);
    free(w);
}

/// The first of the processors that share a core with this one; itself where the system does not say.
static int first_sibling(int processor) {
    char path[96];
    int first = processor;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", processor);
    FILE *file = fopen(path, "re");
    if (!file) return first;
    if (fscanf(file, "%d", &first) != 1) first = processor;
    fclose(file);
    return first;
}

unsigned ossicle_physical_cores(void) {
    cpu_set_t allowed, counted;
    CPU_ZERO(&counted);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
    for (int processor = 0; processor < CPU_SETSIZE; processor++) {
        if (!CPU_ISSET(processor, &allowed)) continue;
        int first = first_sibling(processor);
        if (first >= 0 && first < CPU_SETSIZE) CPU_SET(first, &counted);
    }
    int count = CPU_COUNT(&counted);
    return count > 0 ? (unsigned)count : 1;
}

#else

ossicle_workers *ossicle_workers_start(unsigned count, ossicle_worker_setting setting) {
    (void)count, (void)setting;
    return NULL;
}
void ossicle_workers_stop(ossicle_workers *w) { (void)w; }
void ossicle_workers_begin(ossicle_workers *w, int is_watched) { (void)w, (void)is_watched; }
void ossicle_workers_end(ossicle_workers *w) { (void)w; }
unsigned ossicle_physical_cores(void) { return 1; }

void ossicle_workers_run(ossicle_workers *w, ossicle_work work, const void *context, uint32_t own, uint32_t count) {
    (void)w, (void)own;
    for (uint32_t strand = 0; strand < count; strand++) work(context, strand);
}

#endif
