// What the processor and the tools are asked for.
#include "COssicle.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <time.h>
#endif

// MARK: Denormals

#if defined(__x86_64__)

// MXCSR bit 15: results are flushed to zero; bit 6: denormal operands count as zero.
uint64_t ossicle_flush_denormals(void) {
    unsigned int saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040);
    return saved;
}

void ossicle_restore_float_state(uint64_t saved) { _mm_setcsr((unsigned int)saved); }

#elif defined(__aarch64__)

// FPCR bit 24: flush to zero, operands and results.
uint64_t ossicle_flush_denormals(void) {
    uint64_t saved;
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved));
    __asm__ volatile("msr fpcr, %0" : : "r"(saved | (UINT64_C(1) << 24)));
    return saved;
}

void ossicle_restore_float_state(uint64_t saved) { __asm__ volatile("msr fpcr, %0" : : "r"(saved)); }

#else

uint64_t ossicle_flush_denormals(void) { return 0; }
void ossicle_restore_float_state(uint64_t saved) { (void)saved; }

#endif

// MARK: RealtimeSanitizer

#if defined(__ELF__)

// Undefined weak symbols are null where the sanitizer is not part of the program.
extern void __rtsan_ensure_initialized(void) __attribute__((weak));
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));
extern void __rtsan_disable(void) __attribute__((weak));
extern void __rtsan_enable(void) __attribute__((weak));

void ossicle_rtsan_ensure_initialized(void) { if (__rtsan_ensure_initialized) __rtsan_ensure_initialized(); }
void ossicle_rtsan_enter(void) { if (__rtsan_realtime_enter) __rtsan_realtime_enter(); }
void ossicle_rtsan_exit(void) { if (__rtsan_realtime_exit) __rtsan_realtime_exit(); }

// Pauses of this thread that have not ended.
static _Thread_local int pauses;

void ossicle_rtsan_pause(void) {
    if (!__rtsan_disable) return;
    pauses++;
    __rtsan_disable();
}

void ossicle_rtsan_resume(void) {
    if (!__rtsan_enable) return;
    pauses--;
    __rtsan_enable();
}

int ossicle_rtsan_end_pauses(void) {
    if (!__rtsan_enable) return 0;
    int ended = pauses;
    while (pauses > 0) ossicle_rtsan_resume();
    return ended;
}

void ossicle_rtsan_restore_pauses(int count) { while (count-- > 0) ossicle_rtsan_pause(); }

#else

void ossicle_rtsan_ensure_initialized(void) {}
void ossicle_rtsan_enter(void) {}
void ossicle_rtsan_exit(void) {}
void ossicle_rtsan_pause(void) {}
void ossicle_rtsan_resume(void) {}
int ossicle_rtsan_end_pauses(void) { return 0; }
void ossicle_rtsan_restore_pauses(int count) { (void)count; }

#endif

// MARK: Ticks

#if defined(__x86_64__)
uint64_t ossicle_ticks(void) { return __builtin_ia32_rdtsc(); }
#else
uint64_t ossicle_ticks(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#endif
