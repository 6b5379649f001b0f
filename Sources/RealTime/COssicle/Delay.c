// Delays that move. Samples are made in the middle between any two of the stretch that is read, by one filter for all frames and both
// ears of a voice; between those, eight taps are as good as twenty-four between the samples themselves. The taps are polynomials of the
// place between two samples (Farrow's structure), and as long as a delay stays between the same two, neighbouring outputs take
// neighbouring samples: a lane is an output.
#include <string.h>
#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

enum { weights = 13, taps = 8, pairs = taps / 2, powers = 5, group = 16, longest_run = 128, longest_stretch = 384, most_cells = 8 };

typedef uint32_t lanes_of_bits __attribute__((vector_size(64)));
typedef int32_t lanes_of_ints __attribute__((vector_size(64)));
typedef uint64_t lanes_of_places __attribute__((vector_size(128)));

// MARK: Middles

// middles[i] is the middle between frames i and i + 1 of the stretch; `samples` begins `weights` - 1 before. Of a multiple of `group`
// frames. Halves of a group, because many vectors that lie across two lines of the cache cost less when they are short.
INLINE void find_middles(const float *half_band, const float *samples, float *restrict middles, size_t n) {
    for (size_t i = 0; i < n; i += group) {
        const float *const x = samples + (weights - 1) + i, *const y = x + 8;
        lanes8 sum = (LOAD8(x) + LOAD8(x + 1)) * half_band[0], next = (LOAD8(y) + LOAD8(y + 1)) * half_band[0];
#pragma clang loop unroll(full)
        for (size_t k = 1; k < weights; k++) {
            sum += (LOAD8(x - k) + LOAD8(x + 1 + k)) * half_band[k];
            next += (LOAD8(y - k) + LOAD8(y + 1 + k)) * half_band[k];
        }
        STORE8(middles + i, sum);
        STORE8(middles + i + 8, next);
    }
}

// n frames from `first` on, a slot or a multiple of the ring's size beside it.
INLINE void find_middles_in_ring(const ossicle_delay_line *line, int64_t first, float *middles, size_t n) {
    const size_t size = (size_t)line->size;
    size_t slot = (size_t)(first - (weights - 1)) & (size - 1);
    for (size_t done = 0; done < n;) {
        const size_t part = n - done < size - slot ? n - done : size - slot;
        find_middles(line->half_band, line->ring + slot, middles + done, part);
        done += part, slot = 0;
    }
}

// MARK: Eight taps

// What a ramp is read from. A cell is what lies between two samples: half a frame, or a frame of the ring's own samples.
typedef struct {
    const float *ring, *middles, *polynomials;
    // The frame of the first middle, counted from that in `slot`.
    int64_t first;
    int32_t slot, mask;
    // Bits of a place within its cell: 31, or 32 where there are no middles.
    int shift;
} delay_source;

// The eight samples around a cell, every second one in either row.
typedef struct {
    const float *even, *odd;
    size_t stride;
} delay_window;

// Of the first of up to `group` outputs; those of the others follow.
INLINE delay_window window_at(const delay_source *source, int64_t cell) {
    const int64_t begin = cell - (pairs - 1), frame = source->shift == 32 ? begin : begin >> 1;
    const float *const sample = source->ring + ((source->slot + (int32_t)frame) & source->mask);
    if (source->shift == 32) return (delay_window){sample, sample + 1, 2};
    const float *const middle = source->middles + (frame - source->first);
    return begin & 1 ? (delay_window){middle, sample + 1, 1} : (delay_window){sample, middle, 1};
}

INLINE const float *sample_of(const delay_window *window, size_t tap) {
    return (tap & 1 ? window->odd : window->even) + (tap >> 1) * window->stride;
}

// `t` is where in the cell each output lies, from -1/2 to 1/2.
INLINE void read_cell(lanes *value, delay_window window, const lanes *t, const float *polynomials) {
    lanes sums[pairs], differences[pairs];
#pragma clang loop unroll(full)
    for (size_t j = 0; j < pairs; j++) {
        const lanes before = LOAD(sample_of(&window, pairs - 1 - j)), after = LOAD(sample_of(&window, pairs + j));
        sums[j] = after + before, differences[j] = after - before;
    }
#pragma clang loop unroll(full)
    for (size_t k = powers; k-- > 0;) {
        const lanes *const x = k & 1 ? differences : sums;
        const float *const c = polynomials + pairs * k;
        const lanes coefficient = ((x[0] * c[0] + x[1] * c[1]) + x[2] * c[2]) + x[3] * c[3];
        *value = k == powers - 1 ? coefficient : coefficient + *t * *value;
    }
}

INLINE uint32_t cell_mask(const delay_source *source) { return source->shift == 32 ? 0xffffffff : 0x7fffffff; }

// From the low bits of places, the cell's number taken off, 24 of which count.
INLINE void find_distance(lanes *t, const lanes_of_bits *within, const delay_source *source) {
    *t = __builtin_convertvector((lanes_of_ints)(*within >> (uint32_t)(source->shift - 24)), lanes) * 0x1p-24f - 0.5f;
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

// MARK: Reading

// Output by output, however far apart their cells are.
static void read_scattered(const delay_source *source, const ossicle_delay_ramp *ramp, float *output, size_t begin, size_t n) {
    float samples[taps][group];
    uint32_t low[group];
    for (size_t i = 0; i < group; i++) {
        const int64_t place = place_of(ramp, begin + (i < n ? i : n - 1));
        const delay_window window = window_at(source, place >> source->shift);
        low[i] = (uint32_t)place & cell_mask(source);
        for (size_t k = 0; k < taps; k++) samples[k][i] = *sample_of(&window, k);
    }
    lanes_of_bits within;
    lanes t, value;
    memcpy(&within, low, sizeof within);
    find_distance(&t, &within, source);
    read_cell(&value, (delay_window){samples[0], samples[1], 2 * group}, &t, source->polynomials);
    memcpy(output, &value, n * sizeof *output);
}

// A group of outputs whose cells, next to one another, are `moved` further on at the end than if the delay were the same: each cell is read
// for all of them. Of the places only the low bits count, except where cells differ.
INLINE void read_group(lanes *value, const delay_source *source, int64_t place, int64_t moved, uint64_t advance) {
    static const lanes_of_bits steps = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const lanes_of_bits within = ((uint32_t)place + steps * (uint32_t)advance) & cell_mask(source);
    const int64_t cell = place >> source->shift;
    lanes t, next;
    find_distance(&t, &within, source);
    read_cell(value, window_at(source, cell), &t, source->polynomials);
    if (moved == 0) return;
    static const lanes_of_places numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const lanes_of_places places = (uint64_t)place + numbers * advance;
    const lanes_of_ints cells = __builtin_convertvector(places >> (uint64_t)source->shift, lanes_of_ints)
        - (int32_t)cell - (lanes_of_ints)steps * (1 << (32 - source->shift));
    const int32_t direction = moved > 0 ? 1 : -1;
    for (int32_t at = direction; at != (int32_t)moved + direction; at += direction) {
        read_cell(&next, window_at(source, cell + at), &t, source->polynomials);
        const lanes_of_ints changes = cells == at;
        *value = (lanes)(((lanes_of_ints)*value & ~changes) | ((lanes_of_ints)next & changes));
    }
}

INLINE void read_ramp(const delay_source *from, const ossicle_delay_ramp *ramp, float *output, size_t begin, size_t n) {
    const ossicle_delay_ramp r = *ramp;
    const delay_source source = *from;
    // A line is followed by additions alone.
    const int is_straight = is_within(&r, begin, n);
    const uint64_t advance = ((uint64_t)1 << 32) - (uint64_t)r.step;
    int64_t place = place_of(&r, begin);
    for (size_t i = 0; i < n; i += group) {
        const size_t part = n - i < group ? n - i : group;
        const int64_t last = (int64_t)((uint64_t)place + (part - 1) * advance);
        const int64_t moved =
            (last >> source.shift) - (place >> source.shift) - ((int64_t)(part - 1) << (32 - source.shift));
        if (!is_straight || moved < -most_cells || moved > most_cells) {
            read_scattered(&source, &r, output + i, begin + i, part);
        } else {
            lanes value;
            read_group(&value, &source, place, moved, advance);
            if (part == group) STORE(output + i, value);
            else memcpy(output + i, &value, part * sizeof *output);
        }
        place = (int64_t)((uint64_t)place + group * advance);
    }
}

// Whether what n frames need fits the stretch; then they are read.
INLINE int read_stretch(const ossicle_delay_line *line, const ossicle_delay_ramp *ramps, const ossicle_samples *outputs, size_t count,
                        size_t begin, size_t n) {
    // What a group reads for outputs that do not count, or lie in another cell, may be beyond either end.
    float memory[longest_stretch + 3 * group], *const middles = memory + group;
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    for (size_t j = 0; j < count; j++) take_in_ramp(ramps + j, begin, n, &lowest, &highest);
    // A window of eight begins three halves before the one it stands behind.
    const int64_t first = (lowest >> 32) - 2, length = (highest >> 32) + 2 - first + 1;
    if (length > longest_stretch) return 0;
    find_middles_in_ring(line, line->slot + first, middles, (size_t)length);
    const delay_source source = {line->ring, middles, line->polynomials, first, line->slot, line->size - 1, 31};
    for (size_t j = 0; j < count; j++) read_ramp(&source, ramps + j, outputs[j] + begin, begin, n);
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
    const delay_source source = {line->ring, 0, line->coarse_polynomials, 0, line->slot, line->size - 1, 32};
    if (n > 0) read_ramp(&source, ramp, output, 0, n);
}
