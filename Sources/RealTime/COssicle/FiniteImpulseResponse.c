#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

CLONES
void ossicle_fir(const float *signal, const float *taps, size_t tap_count, float *output, size_t frames) {
    const float *newest = signal + (tap_count - 1);
    size_t i = 0;
    // Four groups at once hide the latency of the additions.
    for (; i + 48 < frames; i += 64) {
        lanes a = {0}, b = {0}, c = {0}, d = {0};
        for (size_t k = 0; k < tap_count; k++) {
            const float *x = newest + i - k;
            a += taps[k] * LOAD(x);
            b += taps[k] * LOAD(x + 16);
            c += taps[k] * LOAD(x + 32);
            d += taps[k] * LOAD(x + 48);
        }
        STORE(output + i, a);
        STORE(output + i + 16, b);
        STORE(output + i + 32, c);
        STORE(output + i + 48, d);
    }
    for (; i < frames; i += 16) {
        lanes a = {0};
        for (size_t k = 0; k < tap_count; k++) a += taps[k] * LOAD(newest + i - k);
        STORE(output + i, a);
    }
}

CLONES
void ossicle_fir_pair(const float *signal, const float *taps, const float *other_taps, size_t tap_count,
                      float *output, float *other_output, size_t frames) {
    const float *newest = signal + (tap_count - 1);
    size_t i = 0;
    // What is loaded once serves both filters: unaligned loads are what limits the single one.
    for (; i + 16 < frames; i += 32) {
        lanes a = {0}, b = {0}, c = {0}, d = {0};
        for (size_t k = 0; k < tap_count; k++) {
            const lanes x = LOAD(newest + i - k), y = LOAD(newest + i + 16 - k);
            a += taps[k] * x;
            b += taps[k] * y;
            c += other_taps[k] * x;
            d += other_taps[k] * y;
        }
        STORE(output + i, a);
        STORE(output + i + 16, b);
        STORE(other_output + i, c);
        STORE(other_output + i + 16, d);
    }
    for (; i < frames; i += 16) {
        lanes a = {0}, c = {0};
        for (size_t k = 0; k < tap_count; k++) {
            const lanes x = LOAD(newest + i - k);
            a += taps[k] * x;
            c += other_taps[k] * x;
        }
        STORE(output + i, a);
        STORE(other_output + i, c);
    }
}
