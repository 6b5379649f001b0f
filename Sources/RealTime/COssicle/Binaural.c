// The loops of the binaural voices: the spectra of two ears, their filters, and what many voices add up to. A lane is a bin, whose
// sum has one order: the order of the voices.
#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

#define REVERSED(x) __builtin_shufflevector(x, x, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)

// Both ears' spectra, twice as large, out of the transform of left + i·right.
typedef struct {
    lanes left_re, left_im, right_re, right_im;
} ears;

INLINE void take_ears(ears *x, const float *re, const float *im, size_t n, size_t k) {
    const lanes a_re = LOAD(re + k), a_im = LOAD(im + k);
    const lanes b_re = REVERSED(LOAD(re + n - k - 15)), b_im = REVERSED(LOAD(im + n - k - 15));
    x->left_re = a_re + b_re, x->left_im = a_im - b_im;
    x->right_re = a_im + b_im, x->right_im = b_re - a_re;
}

// Adds one ear's bins, filtered.
INLINE void add_filtered(const lanes *re, const lanes *im, const float *filter, float *sum, size_t bins, size_t k) {
    const lanes c = LOAD(filter + k), s = LOAD(filter + bins + k);
    STORE(sum + k, LOAD(sum + k) + (*re * c - *im * s));
    STORE(sum + bins + k, LOAD(sum + bins + k) + (*re * s + *im * c));
}

INLINE void add_ears(const ears *x, const float *filters, float *sums, size_t bins, size_t k) {
    add_filtered(&x->left_re, &x->left_im, filters, sums, bins, k);
    add_filtered(&x->right_re, &x->right_im, filters + 2 * bins, sums + 2 * bins, bins, k);
}

// Bin 0 holds two real numbers per ear: 0 Hz, and half the sample rate in place of the imaginary part.
typedef struct {
    float of[4];
} edges;

INLINE edges edges_of(const float *x, size_t bins) { return (edges){{x[0], x[bins], x[2 * bins], x[3 * bins]}}; }

INLINE void add_edges(const float *re, const float *im, size_t n, edges filters, edges before, float *sums) {
    const size_t bins = n / 2;
    const edges x = {{2 * re[0], 2 * re[bins], 2 * im[0], 2 * im[bins]}};
    for (size_t part = 0; part < 4; part++) sums[part * bins] = before.of[part] + x.of[part] * filters.of[part];
}

CLONES
void ossicle_ears_add(const float *re, const float *im, size_t n, const float *filters, float *restrict sums) {
    const size_t bins = n / 2;
    const edges before = edges_of(sums, bins);
    for (size_t k = 0; k < bins; k += 16) {
        ears x;
        take_ears(&x, re, im, n, k);
        add_ears(&x, filters, sums, bins, k);
    }
    add_edges(re, im, n, edges_of(filters, bins), before, sums);
}

CLONES
void ossicle_ears_add_pair(const float *re, const float *im, size_t n, const float *old, const float *new,
                           float *restrict old_sums, float *restrict new_sums) {
    const size_t bins = n / 2;
    const edges old_before = edges_of(old_sums, bins), new_before = edges_of(new_sums, bins);
    for (size_t k = 0; k < bins; k += 16) {
        ears x;
        take_ears(&x, re, im, n, k);
        add_ears(&x, old, old_sums, bins, k);
        add_ears(&x, new, new_sums, bins, k);
    }
    add_edges(re, im, n, edges_of(old, bins), old_before, old_sums);
    add_edges(re, im, n, edges_of(new, bins), new_before, new_sums);
}

// Bins k ... k + 15 of one part of a filter on its way.
INLINE void approach(lanes *end, const ossicle_filter_way *way, size_t from, size_t to, const float *filters) {
    const lanes start = LOAD(filters + to);
    const lanes wanted = (LOAD(way->corners[0] + from) * way->weights[0] + LOAD(way->corners[1] + from) * way->weights[1])
        + LOAD(way->corners[2] + from) * way->weights[2];
    *end = way->share == 1 ? wanted : start + (wanted - start) * way->share;
}

// One ear of `x` through its filter as it is and as it becomes.
INLINE void turn_ear(const lanes *re, const lanes *im, const ossicle_filter_way *way, size_t ear, float *filters, float *old_sums,
                     float *new_sums, size_t bins, size_t k) {
    const size_t to = 2 * ear * bins, from = way->is_mirrored ? 2 * bins - to : to;
    lanes real, imaginary;
    approach(&real, way, from + k, to + k, filters);
    approach(&imaginary, way, from + bins + k, to + bins + k, filters);
    add_filtered(re, im, filters + to, old_sums + to, bins, k);
    STORE(filters + to + k, real);
    STORE(filters + to + bins + k, imaginary);
    add_filtered(re, im, filters + to, new_sums + to, bins, k);
}

CLONES
void ossicle_ears_turn(const float *re, const float *im, size_t n, const ossicle_filter_way *way, float *restrict filters,
                       float *restrict old_sums, float *restrict new_sums) {
    const size_t bins = n / 2;
    const edges old_before = edges_of(old_sums, bins), new_before = edges_of(new_sums, bins), old = edges_of(filters, bins);
    const ossicle_filter_way w = *way;
    for (size_t k = 0; k < bins; k += 16) {
        ears x;
        take_ears(&x, re, im, n, k);
        turn_ear(&x.left_re, &x.left_im, &w, 0, filters, old_sums, new_sums, bins, k);
        turn_ear(&x.right_re, &x.right_im, &w, 1, filters, old_sums, new_sums, bins, k);
    }
    add_edges(re, im, n, old, old_before, old_sums);
    add_edges(re, im, n, edges_of(filters, bins), new_before, new_sums);
}

CLONES
void ossicle_ears_apart(const float *re, const float *im, size_t n, float scale, float *restrict spectra) {
    const size_t bins = n / 2;
    for (size_t k = 0; k < bins; k += 16) {
        ears x;
        take_ears(&x, re, im, n, k);
        STORE(spectra + k, x.left_re * scale);
        STORE(spectra + bins + k, x.left_im * scale);
        STORE(spectra + 2 * bins + k, x.right_re * scale);
        STORE(spectra + 3 * bins + k, x.right_im * scale);
    }
    const edges x = {{2 * re[0], 2 * re[bins], 2 * im[0], 2 * im[bins]}};
    for (size_t part = 0; part < 4; part++) spectra[part * bins] = x.of[part] * scale;
}

CLONES
void ossicle_ears_together(const float *spectra, size_t n, float *restrict re, float *restrict im) {
    const size_t bins = n / 2;
    for (size_t k = 0; k < bins; k += 16) {
        const lanes left_re = LOAD(spectra + k), left_im = LOAD(spectra + bins + k);
        const lanes right_re = LOAD(spectra + 2 * bins + k), right_im = LOAD(spectra + 3 * bins + k);
        STORE(re + k, left_re - right_im);
        STORE(im + k, left_im + right_re);
        // The mirror of bin 0 is one place behind the end.
        STORE(re + n - k - 15, REVERSED(left_re + right_im));
        STORE(im + n - k - 15, REVERSED(right_re - left_im));
    }
    re[0] = spectra[0], re[bins] = spectra[bins];
    im[0] = spectra[2 * bins], im[bins] = spectra[3 * bins];
}

CLONES
void ossicle_spectra_filter(const ossicle_product *products, size_t count, size_t n, float *restrict sum) {
    const size_t bins = n / 2;
    for (size_t k = 0; k < bins; k += 16) {
        lanes re = {0}, im = {0};
        for (size_t i = 0; i < count; i++) {
            const float *x = products[i].signal + k, *h = products[i].filter + k;
            const lanes x_re = LOAD(x), x_im = LOAD(x + bins), c = LOAD(h), s = LOAD(h + bins);
            re += x_re * c - x_im * s;
            im += x_re * s + x_im * c;
        }
        STORE(sum + k, re);
        STORE(sum + bins + k, im);
    }
    float edges[2] = {0};
    for (size_t i = 0; i < count; i++) {
        edges[0] += products[i].signal[0] * products[i].filter[0];
        edges[1] += products[i].signal[bins] * products[i].filter[bins];
    }
    sum[0] = edges[0], sum[bins] = edges[1];
}

CLONES
void ossicle_blend(const float *a, const float *b, const float *c, const float *weights, const float *from, float share,
                   float *to, size_t n) {
    for (size_t k = 0; k < n; k += 16) {
        const lanes wanted = (LOAD(a + k) * weights[0] + LOAD(b + k) * weights[1]) + LOAD(c + k) * weights[2];
        const lanes start = LOAD(from + k);
        STORE(to + k, share == 1 ? wanted : start + (wanted - start) * share);
    }
}

void ossicle_prefetch(const float *memory, size_t n) {
    enum { line = 16, lines = 8 };
    for (; n >= line * lines; memory += line * lines, n -= line * lines)
#pragma clang loop unroll(full)
        for (size_t i = 0; i < lines; i++) __builtin_prefetch(memory + line * i, 0, 2);
    for (size_t i = 0; i < n; i += line) __builtin_prefetch(memory + i, 0, 2);
}
