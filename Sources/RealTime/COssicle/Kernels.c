// The loops that are written in C. Lanes are outputs, so that no sum depends on the vector width.
#include <stdbool.h>
#include <string.h>
#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

// MARK: Finite impulse response

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

// MARK: Gains

#define GAIN(line, i) ((line).start + (line).change * ((float)((line).index + (int32_t)(i)) * (line).step))

CLONES
void ossicle_glide(const float *from, ossicle_line line, float *to, size_t n) {
    // Each frame is read before it is written, so that the two may be one memory.
#pragma clang loop vectorize(assume_safety)
    for (size_t i = 0; i < n; i++) to[i] = from[i] * GAIN(line, i);
}

CLONES
void ossicle_add_gliding(const float *from, ossicle_line line, float *to, size_t n) {
#pragma clang loop vectorize(assume_safety)
    for (size_t i = 0; i < n; i++) to[i] += from[i] * GAIN(line, i);
}

// MARK: Polyphase interpolation

INLINE lanes4 folded(const lanes8 *sum) {
    return __builtin_shufflevector(*sum, *sum, 0, 1, 2, 3) + __builtin_shufflevector(*sum, *sum, 4, 5, 6, 7);
}

// One place in each channel. On a row the difference to the next one is not read.
INLINE void filter(const float *row, size_t taps, const float *const *sources, size_t channels, ossicle_place place, bool is_on_row,
                   lanes4 *sums) {
    const float *rise = row + taps;
    lanes8 sum[2] = {{0}};
    for (size_t k = 0; k < taps; k += 8) {
        const lanes8 tap = is_on_row ? LOAD8(row + k) : LOAD8(row + k) + LOAD8(rise + k) * place.weight;
        for (size_t channel = 0; channel < channels; channel++) sum[channel] += tap * LOAD8(sources[channel] + place.window + k);
    }
    for (size_t channel = 0; channel < channels; channel++) sums[4 * channel] = folded(&sum[channel]);
}

// Eight running sums each, folded to four; their last two additions for four outputs at once, each in the order of one alone.
INLINE void store_four(const lanes4 *sums, float *output) {
    const lanes4 ab = __builtin_shufflevector(sums[0], sums[1], 0, 4, 1, 5) + __builtin_shufflevector(sums[0], sums[1], 2, 6, 3, 7);
    const lanes4 cd = __builtin_shufflevector(sums[2], sums[3], 0, 4, 1, 5) + __builtin_shufflevector(sums[2], sums[3], 2, 6, 3, 7);
    STORE4(output, __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
}

INLINE void polyphase(const float *rows, size_t taps, const float *const *sources, size_t channels, const ossicle_place *places,
                      float *const *outputs, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const ossicle_place *p = places + i;
        lanes4 sums[8];
        if (p[0].weight == 0 && p[1].weight == 0 && p[2].weight == 0 && p[3].weight == 0) {
            for (int j = 0; j < 4; j++) filter(rows + (size_t)p[j].row * 2 * taps, taps, sources, channels, p[j], true, sums + j);
        } else {
            for (int j = 0; j < 4; j++) filter(rows + (size_t)p[j].row * 2 * taps, taps, sources, channels, p[j], false, sums + j);
        }
        for (size_t channel = 0; channel < channels; channel++) store_four(sums + 4 * channel, outputs[channel] + i);
    }
    for (; i < n; i++) {
        lanes4 sums[8];
        filter(rows + (size_t)places[i].row * 2 * taps, taps, sources, channels, places[i], false, sums);
        for (size_t channel = 0; channel < channels; channel++) {
            const lanes4 four = sums[4 * channel];
            outputs[channel][i] = (four[0] + four[2]) + (four[1] + four[3]);
        }
    }
}

// 32 taps as a constant leave no loop around four vectors.
CLONES
void ossicle_polyphase(const float *rows, size_t taps, const float *source, const ossicle_place *places, float *output, size_t n) {
    if (taps == 32) polyphase(rows, 32, &source, 1, places, &output, n);
    else polyphase(rows, taps, &source, 1, places, &output, n);
}

CLONES
void ossicle_polyphase_pair(const float *rows, size_t taps, const float *one, const float *two, const ossicle_place *places,
                            float *one_output, float *two_output, size_t n) {
    const float *const sources[] = {one, two};
    float *const outputs[] = {one_output, two_output};
    if (taps == 32) polyphase(rows, 32, sources, 2, places, outputs, n);
    else polyphase(rows, taps, sources, 2, places, outputs, n);
}

// MARK: Feedback delay network

enum { lines = 16 };

// Four rows of four become four columns.
INLINE void transpose(const float *a, const float *b, const float *c, const float *d, float *to, size_t stride) {
    const lanes4 ab = __builtin_shufflevector(LOAD4(a), LOAD4(b), 0, 4, 1, 5), AB = __builtin_shufflevector(LOAD4(a), LOAD4(b), 2, 6, 3, 7);
    const lanes4 cd = __builtin_shufflevector(LOAD4(c), LOAD4(d), 0, 4, 1, 5), CD = __builtin_shufflevector(LOAD4(c), LOAD4(d), 2, 6, 3, 7);
    STORE4(to, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
    STORE4(to + stride, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
    STORE4(to + 2 * stride, __builtin_shufflevector(AB, CD, 0, 1, 4, 5));
    STORE4(to + 3 * stride, __builtin_shufflevector(AB, CD, 2, 3, 6, 7));
}

// One frame through a state-variable section with the coefficients alpha, beta, gamma, d, p, q: y of x, and the state for the next.
#define SECTION(x, y, c, s) \
    const lanes y = c[3] * x + c[4] * s[0] + c[5] * s[1]; \
    do { \
        const lanes e = x - s[1]; \
        s[1] = s[1] + c[1] * s[0] + c[2] * e; \
        s[0] = c[0] * s[0] + c[1] * e; \
    } while (0)

// Lanes are lines here: a filter's sum runs along time. Two sections at a time: each waits for its own state of the frame before,
// and meanwhile the other goes on.
CLONES
void ossicle_fdn_filter(const float *sections, float *state, size_t section_count, float *frames, size_t n) {
    enum { coefficients = 6, states = 2 };
    for (size_t j = 0; j + 2 <= section_count; j += 2) {
        lanes first[coefficients], second[coefficients], s[states], t[states];
        for (int k = 0; k < coefficients; k++) {
            first[k] = LOAD(sections + (coefficients * j + k) * lines);
            second[k] = LOAD(sections + (coefficients * (j + 1) + k) * lines);
        }
        for (int k = 0; k < states; k++) {
            s[k] = LOAD(state + (states * j + k) * lines);
            t[k] = LOAD(state + (states * (j + 1) + k) * lines);
        }
        for (size_t i = 0; i < n; i++) {
            const lanes x = LOAD(frames + lines * i);
            SECTION(x, y, first, s);
            SECTION(y, z, second, t);
            STORE(frames + lines * i, z);
        }
        for (int k = 0; k < states; k++) {
            STORE(state + (states * j + k) * lines, s[k]);
            STORE(state + (states * (j + 1) + k) * lines, t[k]);
        }
    }
}

CLONES
void ossicle_fdn_gather(const ossicle_samples *ends, float *frames, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t line = 0; line < lines; line += 4) {
            const ossicle_samples *end = ends + line;
            transpose(end[0] + i, end[1] + i, end[2] + i, end[3] + i, frames + lines * i + line, lines);
        }
    for (; i < n; i++)
        for (size_t line = 0; line < lines; line++) frames[lines * i + line] = ends[line][i];
}

// Sums and differences over each of the four bits of the line number: the upper two bits by halves, the lower two by neighbours.
INLINE void hadamard(lanes8 v[lines]) {
    lanes8 w[lines];
    for (int i = 0; i < 8; i++) { w[i] = v[i] + v[i + 8]; w[i + 8] = v[i] - v[i + 8]; }
    for (int i = 0; i < 4; i++) {
        v[i] = w[i] + w[i + 4];
        v[i + 4] = w[i] - w[i + 4];
        v[i + 8] = w[i + 8] + w[i + 12];
        v[i + 12] = w[i + 8] - w[i + 12];
    }
    for (int i = 0; i < 8; i++) { w[i] = v[2 * i] + v[2 * i + 1]; w[i + 8] = v[2 * i] - v[2 * i + 1]; }
    for (int i = 0; i < 8; i++) { v[i] = w[2 * i] + w[2 * i + 1]; v[i + 8] = w[2 * i] - w[2 * i + 1]; }
}

INLINE void put(float *to, const lanes8 *value, size_t n) {
    if (n >= 8) STORE8(to, *value);
    else for (size_t i = 0; i < n; i++) to[i] = (*value)[i];
}

// Lanes are frames here: the sums run across lines.
CLONES
void ossicle_fdn_mix(const float *frames, const float *mono, const float *output_gains, const float *input_gains,
                     const ossicle_samples *outputs, size_t output_count, const ossicle_samples *ends, size_t n) {
    for (size_t i = 0; i < n; i += 8) {
        float rows[lines][8];
        for (size_t line = 0; line < lines; line += 4)
            for (size_t at = 0; at < 8; at += 4) {
                const float *frame = frames + lines * (i + at) + line;
                transpose(frame, frame + lines, frame + 2 * lines, frame + 3 * lines, &rows[line][at], 8);
            }
        lanes8 out[lines], fed[lines];
        for (int line = 0; line < lines; line++) {
            fed[line] = LOAD8(rows[line]);
            out[line] = fed[line] * output_gains[line];
        }
        hadamard(out);
        for (size_t line = 0; line < output_count; line++) put(outputs[line] + i, &out[line], n - i);
        hadamard(fed);
        const lanes8 input = LOAD8(mono + i);
        for (int line = 0; line < lines; line++) {
            fed[line] = fed[line] * 0.25f + input_gains[line] * input;
            put(ends[line] + i, &fed[line], n - i);
        }
    }
}

// MARK: Octave bands

enum { band_sections = 10, wide = 16 };

typedef int32_t ints4 __attribute__((vector_size(16)));
typedef int32_t ints8 __attribute__((vector_size(32)));

// The ten sections of a cascade as a pipeline: eight lanes, then two of four. States, and what comes in and out.
typedef struct {
    lanes8 s[2], x, y;
} low_bands;
typedef struct {
    lanes4 s[2], x, y;
} high_bands;

// Coefficients alpha, beta, gamma, d, p, q of eight and of four sections, by how much they change on the way, and which frame
// each section has got to.
typedef struct {
    lanes8 low[6], low_change[6], low_frame;
    lanes4 high[6], high_change[6], high_frame;
    float step;
} band_coefficients;

#define BAND_STEP(type, bands, input, C) \
    do { \
        const type x = input, s0 = (bands)->s[0], s1 = (bands)->s[1], beta = C(1), e = x - s1; \
        (bands)->y = C(3) * x + C(4) * s0 + C(5) * s1; \
        (bands)->s[1] = s1 + beta * s0 + C(2) * e; \
        (bands)->s[0] = C(0) * s0 + beta * e; \
    } while (0)

// Every section takes what the one before it put out two steps earlier, so that no step has to wait for the last.
INLINE void band_step(low_bands *low, high_bands *high, band_coefficients *c, bool moves, float input) {
    lanes8 below = low->x;
    const lanes4 above = high->x;
    below[0] = input;
    low->x = __builtin_shufflevector(low->y, low->y, 0, 0, 1, 2, 3, 4, 5, 6);
    high->x = __builtin_shufflevector(__builtin_shufflevector(low->y, low->y, 4, 5, 6, 7), high->y, 3, 4, 5, 6);
    const lanes8 at = c->low_frame * c->step;
    const lanes4 at_high = c->high_frame * c->step;
#define LOW(k) (moves ? c->low[k] + c->low_change[k] * at : c->low[k])
#define HIGH(k) (moves ? c->high[k] + c->high_change[k] * at_high : c->high[k])
    BAND_STEP(lanes8, low, below, LOW);
    BAND_STEP(lanes4, high, above, HIGH);
#undef LOW
#undef HIGH
    c->low_frame += 1;
    c->high_frame += 1;
}

#define CHOSEN(type, ints, mask, new, old) ((type)(((ints)(new) & (mask)) | ((ints)(old) & ~(mask))))

// The same where only sections `least` to `most` have a frame of this call: the states of the others stay.
INLINE void partial_band_step(low_bands *low, high_bands *high, band_coefficients *c, bool moves, float input, int32_t least,
                              int32_t most) {
    static const ints8 numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    static const ints4 last = {8, 9, 10, 11};
    const lanes8 s0 = low->s[0], s1 = low->s[1];
    const lanes4 t0 = high->s[0], t1 = high->s[1];
    const ints8 moving = (numbers >= least) & (numbers <= most);
    const ints4 moving_last = (last >= least) & (last <= most);
    band_step(low, high, c, moves, input);
    low->s[0] = CHOSEN(lanes8, ints8, moving, low->s[0], s0);
    low->s[1] = CHOSEN(lanes8, ints8, moving, low->s[1], s1);
    high->s[0] = CHOSEN(lanes4, ints4, moving_last, high->s[0], t0);
    high->s[1] = CHOSEN(lanes4, ints4, moving_last, high->s[1], t1);
}

INLINE void bands(band_coefficients c, bool moves, float *state, const float *from, float *to, int32_t n) {
    enum { last = 2 * (band_sections - 1) };
    low_bands low = {.y = {0}};
    high_bands high = {.y = {0}};
    for (int k = 0; k < 2; k++) low.s[k] = LOAD8(state + wide * k), high.s[k] = LOAD4(state + wide * k + 8);
    int32_t t = 0;
    for (; t < last; t++) partial_band_step(&low, &high, &c, moves, t < n ? from[t] : 0, t < n ? 0 : (t - n) / 2 + 1, t / 2);
    for (; t < n; t++) {
        band_step(&low, &high, &c, moves, from[t]);
        to[t - last] = high.y[1];
    }
    for (; t < n + last; t++) {
        partial_band_step(&low, &high, &c, moves, 0, (t - n) / 2 + 1, band_sections - 1);
        to[t - last] = high.y[1];
    }
    for (int k = 0; k < 2; k++) {
        STORE8(state + wide * k, low.s[k]);
        STORE4(state + wide * k + 8, high.s[k]);
    }
}

CLONES
void ossicle_bands(const float *sections, float *state, const float *from, float *to, size_t n) {
    band_coefficients c;
    for (int k = 0; k < 6; k++) c.low[k] = LOAD8(sections + wide * k), c.high[k] = LOAD4(sections + wide * k + 8);
    bands(c, false, state, from, to, (int32_t)n);
}

CLONES
void ossicle_bands_moving(const float *start, const float *end, float index, float step, float *state, const float *from, float *to,
                          size_t n) {
    static const lanes8 numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    static const lanes4 last = {8, 9, 10, 11};
    band_coefficients c = {.low_frame = index - 2 * numbers, .high_frame = index - 2 * last, .step = step};
    for (int k = 0; k < 6; k++) {
        c.low[k] = LOAD8(start + wide * k), c.high[k] = LOAD4(start + wide * k + 8);
        c.low_change[k] = LOAD8(end + wide * k) - c.low[k], c.high_change[k] = LOAD4(end + wide * k + 8) - c.high[k];
    }
    bands(c, true, state, from, to, (int32_t)n);
}

// MARK: Sound field

// Four channels at a time share the sound and how far the line has come.
CLONES
void ossicle_field_add(const float *sound, const float *start, const float *end, float step, int32_t index, size_t moving,
                       const ossicle_samples *sums, size_t n) {
    for (size_t c = 0; c < lines; c += 4) {
        float *const s0 = sums[c], *const s1 = sums[c + 1], *const s2 = sums[c + 2], *const s3 = sums[c + 3];
        const float a0 = start[c], a1 = start[c + 1], a2 = start[c + 2], a3 = start[c + 3];
        const float e0 = end[c], e1 = end[c + 1], e2 = end[c + 2], e3 = end[c + 3];
        const float b0 = e0 - a0, b1 = e1 - a1, b2 = e2 - a2, b3 = e3 - a3;
#pragma clang loop vectorize(assume_safety)
        for (size_t i = 0; i < moving; i++) {
            const float x = sound[i], passed = (float)(index + (int32_t)i) * step;
            s0[i] += x * (a0 + b0 * passed);
            s1[i] += x * (a1 + b1 * passed);
            s2[i] += x * (a2 + b2 * passed);
            s3[i] += x * (a3 + b3 * passed);
        }
#pragma clang loop vectorize(assume_safety)
        for (size_t i = moving; i < n; i++) {
            const float x = sound[i];
            s0[i] += x * e0;
            s1[i] += x * e1;
            s2[i] += x * e2;
            s3[i] += x * e3;
        }
    }
}

CLONES
void ossicle_field_encode(const ossicle_samples *signals, const float *gains, const ossicle_samples *sums, size_t n) {
    for (size_t i = 0; i < n; i += 16)
        for (size_t channel = 0; channel < lines; channel += 4) {
            lanes added[4] = {{0}};
            for (size_t signal = 0; signal < lines; signal++) {
                const lanes x = LOAD(signals[signal] + i);
                for (int c = 0; c < 4; c++) added[c] += x * gains[lines * signal + channel + c];
            }
            for (int c = 0; c < 4; c++) {
                float *sum = sums[channel + c] + i;
                if (n - i >= 16) STORE(sum, LOAD(sum) + added[c]);
                else for (size_t j = 0; j < n - i; j++) sum[j] += added[c][j];
            }
        }
}

// MARK: Not finite

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

// Magnitudes compare as their bits do, and the largest of integers, unlike that of floats, does not depend on their order.
CLONES
uint32_t ossicle_largest_magnitude(const float *samples, size_t count, uint32_t so_far) {
    int32_t largest = (int32_t)so_far;
    for (size_t i = 0; i < count; i++) {
        const int32_t magnitude = (int32_t)(bits_of(samples + i) & 0x7fffffff);
        largest = magnitude > largest ? magnitude : largest;
    }
    return (uint32_t)largest;
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
