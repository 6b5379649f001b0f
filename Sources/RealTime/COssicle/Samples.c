// Samples between the forms that files have and doubles. Every operation is exact or rounded once, so that clones agree.
#include <string.h>
#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

enum { PIECE = 256 };

// Doubles of this size have a unit in the last place of 1: adding it and taking it away rounds to the nearest integer, ties to even.
static const double ROUNDING = 0x1.8p52;

// The nearest of the integers from -scale to scale - 1; NaN stays.
INLINE double nearest_step(double sample, double scale) {
    const double scaled = sample * scale;
    const double above = scaled < -scale ? -scale : scaled;
    const double held = above > scale - 1 ? scale - 1 : above;
    return (held + ROUNDING) - ROUNDING;
}

CLONES
int ossicle_round_to_steps(const double *samples, double *target, size_t count, double scale) {
    // Magnitudes are in the order of their bits: one above single precision's, or not a number, carries into the sign.
    const uint64_t room = 0x7fffffffffffffff - 0x47efffffe0000000;
    uint64_t carries = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, samples + i, sizeof bits);
        carries |= (bits & 0x7fffffffffffffff) + room;
    }
    if (carries >> 63) return 0;
    const double step = 1 / scale;
    for (size_t i = 0; i < count; i++) target[i] = nearest_step(samples[i], scale) * step;
    return 1;
}

// The low half of the word, as a sample in 16 bits.
INLINE uint32_t word_16(double sample) {
    const double step = nearest_step(sample, 32768);
    return (uint32_t)(int32_t)(step == step ? step : 0) & 0xffff;
}

CLONES
void ossicle_pack_16_pairs(const double *left, const double *right, void *target, size_t count) {
    unsigned char *next = target;
    for (size_t start = 0; start < count; start += PIECE, next += 4 * PIECE) {
        const size_t length = count - start < PIECE ? count - start : PIECE;
        uint32_t frames[PIECE];
        for (size_t i = 0; i < length; i++) {
            const uint32_t first = word_16(left[start + i]), second = word_16(right[start + i]);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            frames[i] = first | second << 16;
#else
            frames[i] = first << 16 | second;
#endif
        }
        memcpy(next, frames, length * sizeof *frames);
    }
}

CLONES
void ossicle_pack_16(const double *samples, void *target, size_t stride, size_t count) {
    unsigned char *next = target;
    for (size_t start = 0; start < count; start += PIECE) {
        const size_t length = count - start < PIECE ? count - start : PIECE;
        int16_t words[PIECE];
        for (size_t i = 0; i < length; i++) {
            const double step = nearest_step(samples[start + i], 32768);
            words[i] = (int16_t)(int32_t)(step == step ? step : 0);
        }
        for (size_t i = 0; i < length; i++, next += stride) memcpy(next, words + i, sizeof words[i]);
    }
}

CLONES
void ossicle_widen_clamped(const float *samples, double *target, size_t count, double peak) {
    for (size_t i = 0; i < count; i++) {
        const double sample = samples[i];
        const double above = sample < -peak ? -peak : sample;
        const double held = above > peak ? peak : above;
        target[i] = held == held ? held : 0;
    }
}
