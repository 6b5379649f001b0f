// Delays that move. Twice as many samples are made of the stretch that is read, by one filter for all frames and both ears of a voice;
// between those, eight taps are as good as twenty-four between the samples themselves.
#include <string.h>
#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

enum { weights = 13, taps = 8, group = 16, run = 32, longest_run = 128, longest_stretch = 384 };

typedef uint64_t lanes_of_places __attribute__((vector_size(64)));
typedef int32_t lanes_of_ints __attribute__((vector_size(32)));

// MARK: Twice as many samples

// doubled[2 i] is frame i of the stretch, doubled[2 i + 1] the middle between it and the next; `samples` begins `weights` - 1 before.
// Of a multiple of `group` frames.
INLINE void double_stretch(const float *half_band, const float *samples, float *restrict doubled, size_t groups) {
    const float *const x = samples + (weights - 1);
    // Not several vectors at a time: they would share what they load, and spill it.
#pragma clang loop vectorize(enable) interleave_count(1)
    for (size_t i = 0; i < groups * group; i++) {
        float sum = (x[i] + x[i + 1]) * half_band[0];
#pragma clang loop unroll(full)
        for (size_t k = 1; k < weights; k++) sum += (x[i - k] + x[i + 1 + k]) * half_band[k];
        doubled[2 * i] = x[i];
        doubled[2 * i + 1] = sum;
    }
}

// n frames from `first` on, a slot or a multiple of the ring's size beside it.
INLINE void double_ring(const ossicle_delay_line *line, int64_t first, float *doubled, size_t n) {
    const size_t size = (size_t)line->size;
    size_t slot = (size_t)(first - (weights - 1)) & (size - 1);
    for (size_t done = 0; done < n;) {
        const size_t part = n - done < size - slot ? n - done : size - slot;
        double_stretch(line->half_band, line->ring + slot, doubled + 2 * done, (part + group - 1) / group);
        done += part, slot = 0;
    }
}

// MARK: Eight taps

// Eight products become one sum for eight outputs at once, each in the order of one alone: halves of eight, of four, of two.
INLINE void store_eight(const lanes8 *sums, float *output) {
    lanes8 halves[4], quarters[2];
    for (int i = 0; i < 4; i++)
        halves[i] = __builtin_shufflevector(sums[i], sums[i + 4], 0, 1, 2, 3, 8, 9, 10, 11)
            + __builtin_shufflevector(sums[i], sums[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    for (int i = 0; i < 2; i++)
        quarters[i] = __builtin_shufflevector(halves[2 * i], halves[2 * i + 1], 0, 8, 1, 9, 4, 12, 5, 13)
            + __builtin_shufflevector(halves[2 * i], halves[2 * i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    STORE8(output, __builtin_shufflevector(quarters[0], quarters[1], 0, 1, 8, 9, 4, 5, 12, 13)
        + __builtin_shufflevector(quarters[0], quarters[1], 2, 3, 10, 11, 6, 7, 14, 15));
}

// Where so many outputs lie that the loops around them hold vectors: a window of the stretch, a row of taps, and how far to the next row.
typedef struct {
    _Alignas(32) int32_t windows[run], rows[run];
    float weights[run];
} delay_places;

// What the windows of a ramp lie in: samples half a frame apart, or the ring's own. `origin` is the place of the first sample of a window
// at its beginning.
typedef struct {
    const float *samples, *sloped_rows;
    int64_t origin;
    int32_t mask;
    int is_ring;
} delay_source;

// In frames times 2^32 behind the source's beginning: above the bits of a sample's distance, below it 6 bits of row and 24 of weight.
INLINE void put_places(delay_places *places, size_t i, const lanes_of_places *eight, const delay_source *source) {
    const lanes_of_places at = source->is_ring ? *eight >> 1 : *eight;
    const lanes_of_ints low = __builtin_convertvector(at, lanes_of_ints);
    *(lanes_of_ints *)(places->windows + i) = __builtin_convertvector(at >> 31, lanes_of_ints) & source->mask;
    *(lanes_of_ints *)(places->rows + i) = (low >> 21) & (0x3f * 2 * taps);
    STORE8(places->weights + i, __builtin_convertvector((low >> 1) & 0xffffff, lanes8) * 0x1p-24f);
}

INLINE void read_eight(const delay_places *places, size_t i, const delay_source *source, float *output) {
    lanes8 sums[8];
#pragma clang loop unroll(full)
    for (size_t j = 0; j < 8; j++) {
        const float *const row = source->sloped_rows + places->rows[i + j];
        sums[j] = (LOAD8(row) + LOAD8(row + taps) * places->weights[i + j]) * LOAD8(source->samples + places->windows[i + j]);
    }
    store_eight(sums, output);
}

INLINE void read_places(delay_places *places, const delay_source *source, float *output, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) read_eight(places, i, source, output + i);
    if (i < n) {
        float last[8];
        // What is read beyond the last is inside the stretch as well.
        for (size_t j = n; j < i + 8; j++) places->windows[j] = places->windows[i], places->rows[j] = places->rows[i];
        read_eight(places, i, source, last);
        memcpy(output + i, last, (n - i) * sizeof *last);
    }
}

// MARK: A ramp's places

INLINE int64_t held(const ossicle_delay_ramp *r, int64_t delay) {
    return delay < r->least ? r->least : delay > r->most ? r->most : delay;
}

INLINE int64_t delay_of(const ossicle_delay_ramp *r, size_t i) { return (int64_t)((uint64_t)r->delay + i * (uint64_t)r->step); }

// In frames times 2^32, from the slot of the first frame on.
INLINE int64_t place_of(const ossicle_delay_ramp *r, size_t i) { return ((int64_t)i << 32) - held(r, delay_of(r, i)); }

// In a straight line, what holds at both ends holds between.
INLINE int is_within(const ossicle_delay_ramp *r, size_t begin, size_t n) {
    const int64_t first = delay_of(r, begin), last = delay_of(r, begin + n - 1);
    return held(r, first) == first && held(r, last) == last;
}

INLINE void take_in(int64_t place, int64_t *lowest, int64_t *highest) {
    if (place < *lowest) *lowest = place;
    if (place > *highest) *highest = place;
}

// The least and the greatest place of n frames.
INLINE void take_in_ramp(const ossicle_delay_ramp *r, size_t begin, size_t n, int64_t *lowest, int64_t *highest) {
    const size_t step = is_within(r, begin, n) && n > 1 ? n - 1 : 1;
    for (size_t i = begin; i < begin + n; i += step) take_in(place_of(r, i), lowest, highest);
}

INLINE void read_ramp(const delay_source *source, const ossicle_delay_ramp *ramp, float *output, size_t begin, size_t n) {
    const ossicle_delay_ramp r = *ramp;
    const int straight = is_within(&r, begin, n);
    const uint64_t step = ((uint64_t)1 << 32) - (uint64_t)r.step;
    delay_places places;
    for (size_t done = 0; done < n; done += run) {
        if (straight) {
            const uint64_t first = (uint64_t)(place_of(&r, begin + done) - source->origin);
            const lanes_of_places count = {0, 1, 2, 3, 4, 5, 6, 7};
            lanes_of_places eight = first + count * step;
            for (size_t i = 0; i < run; i += 8, eight += 8 * step) put_places(&places, i, &eight, source);
        } else {
            for (size_t i = 0; i < run; i += 8) {
                lanes_of_places eight;
                for (size_t j = 0; j < 8; j++) eight[j] = (uint64_t)(place_of(&r, begin + done + i + j) - source->origin);
                put_places(&places, i, &eight, source);
            }
        }
        read_places(&places, source, output + begin + done, n - done < run ? n - done : run);
    }
}

// Whether what n frames need fits the stretch; then they are read.
INLINE int read_stretch(const ossicle_delay_line *line, const ossicle_delay_ramp *ramps, const ossicle_samples *outputs, size_t count,
                        size_t begin, size_t n) {
    float doubled[2 * (longest_stretch + group)];
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    for (size_t j = 0; j < count; j++) take_in_ramp(ramps + j, begin, n, &lowest, &highest);
    // A window of eight begins three halves before the one it stands behind.
    const int64_t first = (lowest >> 32) - 2, length = (highest >> 32) + 2 - first + 1;
    if (length > longest_stretch) return 0;
    double_ring(line, line->slot + first, doubled, (size_t)length);
    const delay_source source = {doubled, line->sloped_rows, first * ((int64_t)1 << 32) + 3 * ((int64_t)1 << 31), -1, 0};
    for (size_t j = 0; j < count; j++) read_ramp(&source, ramps + j, outputs[j], begin, n);
    return 1;
}

CLONES
void ossicle_delay_read(const ossicle_delay_line *line, const ossicle_delay_ramp *ramps, const ossicle_samples *outputs, size_t count,
                        size_t n) {
    if (n == 0 || n > longest_run || read_stretch(line, ramps, outputs, count, 0, n)) return;
    // Too fast, or too far apart: as many frames as fit, ear by ear.
    for (size_t j = 0; j < count; j++)
        for (size_t done = 0, part = n; done < n;) {
            if (part > n - done) part = n - done;
            if (read_stretch(line, ramps + j, outputs + j, 1, done, part)) done += part;
            else part /= 2;
        }
}

CLONES
void ossicle_delay_read_coarsely(const ossicle_delay_line *line, const ossicle_delay_ramp *ramp, float *output, size_t n) {
    const delay_source source = {line->ring, line->coarse_rows, (int64_t)(3 - line->slot) * ((int64_t)1 << 32), line->size - 1, 1};
    if (n > 0) read_ramp(&source, ramp, output, 0, n);
}
