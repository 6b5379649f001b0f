// SHA-256 (FIPS 180-4) by the processor's own instructions, where it has them.
#include "COssicle.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#include <string.h>

typedef uint32_t words4 __attribute__((vector_size(16)));

// Asked once: under a hypervisor an answer takes microseconds.
static int has_instructions(void) {
    enum { unknown, no, yes };
    static _Atomic int known = unknown;
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == unknown) {
        unsigned a, b, c, d;
        // Byte shuffles (SSSE3) come with every processor that has the extensions.
        answer = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) ? yes : no;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer == yes;
}

// Words 4 n ... 4 n + 3 of the schedule, of which the last sixteen are kept.
#define NEXT_WORDS(w, n) \
    _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32((w)[(n) & 3], (w)[((n) + 1) & 3]), \
                                       _mm_alignr_epi8((w)[((n) + 3) & 3], (w)[((n) + 2) & 3], 4)), (w)[((n) + 3) & 3])

__attribute__((target("sha,ssse3")))
static void absorb_by_instructions(const uint32_t *constants, uint32_t *state, const uint8_t *blocks, size_t count) {
    const __m128i big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    words4 abcd, efgh;
    memcpy(&abcd, state, sizeof abcd);
    memcpy(&efgh, state + 4, sizeof efgh);
    // The instructions take two rounds from a, b, e, f and c, d, g, h, the first in the highest lane.
    __m128i abef = (__m128i)__builtin_shufflevector(abcd, efgh, 5, 4, 1, 0);
    __m128i cdgh = (__m128i)__builtin_shufflevector(abcd, efgh, 7, 6, 3, 2);
    for (; count > 0; count--, blocks += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];
        for (int n = 0; n < 4; n++) w[n] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)blocks + n), big_endian);
#pragma clang loop unroll(full)
        for (int n = 0; n < 16; n++) {
            if (n >= 4) w[n & 3] = NEXT_WORDS(w, n);
            const __m128i k = _mm_add_epi32(w[n & 3], _mm_loadu_si128((const __m128i *)constants + n));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    abcd = __builtin_shufflevector((words4)abef, (words4)cdgh, 3, 2, 7, 6);
    efgh = __builtin_shufflevector((words4)abef, (words4)cdgh, 1, 0, 5, 4);
    memcpy(state, &abcd, sizeof abcd);
    memcpy(state + 4, &efgh, sizeof efgh);
}

int ossicle_sha256_absorb(const uint32_t *constants, uint32_t *state, const uint8_t *blocks, size_t count) {
    if (!has_instructions()) return 0;
    absorb_by_instructions(constants, state, blocks, count);
    return 1;
}
#else
int ossicle_sha256_absorb(const uint32_t *constants, uint32_t *state, const uint8_t *blocks, size_t count) {
    (void)constants, (void)state, (void)blocks, (void)count;
    return 0;
}
#endif
