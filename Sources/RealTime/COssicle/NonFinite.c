#include <string.h>
#include "Lanes.h"

#define EXPONENT 0x7f800000u

INLINE uint32_t bits_of(const float *sample) {
    uint32_t bits;
    memcpy(&bits, sample, sizeof bits);
    return bits;
}

// Looking at the exponent changes no sample and raises no flag; the compiler makes vectors of it.
CLONES
static uint32_t has_non_finite(const float *samples, size_t count) {
    uint32_t found = 0;
    for (size_t i = 0; i < count; i++) found |= (bits_of(samples + i) & EXPONENT) == EXPONENT;
    return found;
}

size_t ossicle_clear_non_finite(float *samples, size_t count) {
    if (!has_non_finite(samples, count)) return 0;
    size_t cleared = 0;
    for (size_t i = 0; i < count; i++) {
        if ((bits_of(samples + i) & EXPONENT) != EXPONENT) continue;
        samples[i] = 0;
        cleared++;
    }
    return cleared;
}
