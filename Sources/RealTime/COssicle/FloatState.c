#include "COssicle.h"

#if defined(__x86_64__)
#include <immintrin.h>

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
