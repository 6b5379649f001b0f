// The loops of the discrete Fourier transform. Every element goes through the operations of the plain radix-2 algorithm, in their
// order: which of them share a pass over memory, and how many a vector holds, changes no byte.
#include "Lanes.h"
#include <string.h>

#pragma STDC FP_CONTRACT OFF

// a + w·b and a − w·b in place of a and b; the last two are the twiddle factor w.
#define BUTTERFLY(type, a_re, a_im, b_re, b_im, c, s) \
    do { \
        const type turned_re = (b_re) * (c) - (b_im) * (s), turned_im = (b_re) * (s) + (b_im) * (c); \
        (b_re) = (a_re) - turned_re; \
        (b_im) = (a_im) - turned_im; \
        (a_re) = (a_re) + turned_re; \
        (a_im) = (a_im) + turned_im; \
    } while (0)

// The same for a factor of 1 and of -i: with b turned already.
#define SUM_AND_DIFFERENCE(type, a_re, a_im, b_re, b_im, turned_b_re, turned_b_im) \
    do { \
        const type turned_re = (turned_b_re), turned_im = (turned_b_im); \
        (b_re) = (a_re) - turned_re; \
        (b_im) = (a_im) - turned_im; \
        (a_re) = (a_re) + turned_re; \
        (a_im) = (a_im) + turned_im; \
    } while (0)

// MARK: The first three stages

// Rows become columns.
INLINE void transpose(lanes8 *x) {
    lanes8 a[8], b[8];
    for (int i = 0; i < 8; i += 2) {
        a[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {
        for (int j = i; j < i + 2; j++) {
            b[j] = __builtin_shufflevector(a[j], a[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[j + 2] = __builtin_shufflevector(a[j], a[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int j = 0; j < 4; j++) {
        x[j] = __builtin_shufflevector(b[j], b[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        x[j + 4] = __builtin_shufflevector(b[j], b[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

// Eight transforms of eight elements, one in each lane; element i of all of them in re[i] and im[i].
INLINE void eight_transforms(lanes8 *re, lanes8 *im, const float *cosines, const float *sines) {
#pragma clang loop unroll(full)
    for (int half = 1; half < 8; half *= 2)
#pragma clang loop unroll(full)
        for (int start = 0; start < 8; start += 2 * half)
#pragma clang loop unroll(full)
            for (int k = 0; k < half; k++) {
                const int a = start + k, b = a + half;
                if (k == 0) SUM_AND_DIFFERENCE(lanes8, re[a], im[a], re[b], im[b], re[b], im[b]);
                else if (2 * k == half) SUM_AND_DIFFERENCE(lanes8, re[a], im[a], re[b], im[b], im[b], -re[b]);
                else BUTTERFLY(lanes8, re[a], im[a], re[b], im[b], cosines[half + k], sines[half + k]);
            }
}

// Of 64 elements in reversed order: eight transforms of eight neighbours.
INLINE void eights(float *real, float *imaginary, const float *cosines, const float *sines) {
    lanes8 re[8], im[8];
    for (int i = 0; i < 8; i++) re[i] = LOAD8(real + 8 * i), im[i] = LOAD8(imaginary + 8 * i);
    transpose(re);
    transpose(im);
    eight_transforms(re, im, cosines, sines);
    transpose(re);
    transpose(im);
    for (int i = 0; i < 8; i++) STORE8(real + 8 * i, re[i]), STORE8(imaginary + 8 * i, im[i]);
}

// The same from elements in their natural order, in a ring: what are neighbours in reversed order lie n / 8 apart here, eight columns
// wide. `first` is where the first of them is.
INLINE void eights_in_columns(const float *from_real, const float *from_imaginary, size_t first, float *real, float *imaginary,
                              const float *cosines, const float *sines, const uint32_t *reversed, size_t n) {
    static const size_t rows[8] = {0, 4, 2, 6, 1, 5, 3, 7};
    lanes8 re[8], im[8];
    for (int i = 0; i < 8; i++) {
        const size_t at = (first + rows[i] * (n / 8)) & (n - 1);
        re[i] = LOAD8(from_real + at);
        im[i] = LOAD8(from_imaginary + at);
    }
    eight_transforms(re, im, cosines, sines);
    transpose(re);
    transpose(im);
    for (int i = 0; i < 8; i++) {
        STORE8(real + 8 * reversed[i], re[i]);
        STORE8(imaginary + 8 * reversed[i], im[i]);
    }
}

// MARK: The other stages

// The butterflies of stages `half` and 2·`half` that share four vectors, in one pass.
#define TWO_STAGES \
    do { \
        const lanes8 c = LOAD8(cosines + half + k), s = LOAD8(sines + half + k); \
        const lanes8 near_c = LOAD8(cosines + 2 * half + k), near_s = LOAD8(sines + 2 * half + k); \
        const lanes8 far_c = LOAD8(cosines + 3 * half + k), far_s = LOAD8(sines + 3 * half + k); \
        float *const re = real + start + k, *const im = imaginary + start + k; \
        lanes8 r0 = LOAD8(re), r1 = LOAD8(re + half), r2 = LOAD8(re + 2 * half), r3 = LOAD8(re + 3 * half); \
        lanes8 i0 = LOAD8(im), i1 = LOAD8(im + half), i2 = LOAD8(im + 2 * half), i3 = LOAD8(im + 3 * half); \
        BUTTERFLY(lanes8, r0, i0, r1, i1, c, s); \
        BUTTERFLY(lanes8, r2, i2, r3, i3, c, s); \
        BUTTERFLY(lanes8, r0, i0, r2, i2, near_c, near_s); \
        BUTTERFLY(lanes8, r1, i1, r3, i3, far_c, far_s); \
        STORE8(re, r0), STORE8(re + half, r1), STORE8(re + 2 * half, r2), STORE8(re + 3 * half, r3); \
        STORE8(im, i0), STORE8(im + half, i1), STORE8(im + 2 * half, i2), STORE8(im + 3 * half, i3); \
    } while (0)

INLINE void stage(float *real, float *imaginary, const float *cosines, const float *sines, size_t n, size_t half) {
    for (size_t start = 0; start < n; start += 2 * half)
        for (size_t k = 0; k < half; k++) {
            float *const re = real + start + k, *const im = imaginary + start + k;
            BUTTERFLY(float, re[0], im[0], re[half], im[half], cosines[half + k], sines[half + k]);
        }
}

// From stage 8 on; n at least 64. Eight lanes: of sixteen, not all that two stages hold fits the registers of most processors.
INLINE void later_stages(float *real, float *imaginary, const float *cosines, const float *sines, size_t n) {
    size_t half = 8;
    for (; 2 * half < n; half *= 4)
        for (size_t start = 0; start < n; start += 4 * half)
            for (size_t k = 0; k < half; k += 8) TWO_STAGES;
    if (half < n)
        for (size_t k = 0; k < half; k += 8) {
            float *const re = real + k, *const im = imaginary + k;
            lanes8 r0 = LOAD8(re), r1 = LOAD8(re + half), i0 = LOAD8(im), i1 = LOAD8(im + half);
            const lanes8 c = LOAD8(cosines + half + k), s = LOAD8(sines + half + k);
            BUTTERFLY(lanes8, r0, i0, r1, i1, c, s);
            STORE8(re, r0), STORE8(re + half, r1), STORE8(im, i0), STORE8(im + half, i1);
        }
}

CLONES
void ossicle_fourier(float *restrict real, float *restrict imaginary, const float *restrict cosines,
                     const float *restrict sines, size_t n) {
    if (n >= 64) {
        for (size_t i = 0; i < n; i += 64) eights(real + i, imaginary + i, cosines, sines);
        later_stages(real, imaginary, cosines, sines, n);
    } else {
        for (size_t half = 1; half < n; half *= 2) stage(real, imaginary, cosines, sines, n, half);
    }
}

INLINE void fourier_from(const float *restrict from_real, const float *restrict from_imaginary, size_t begin, float *restrict real,
                         float *restrict imaginary, const float *restrict cosines, const float *restrict sines,
                         const uint32_t *restrict reversed, size_t n) {
    for (size_t column = 0; column < n / 8; column += 8)
        eights_in_columns(from_real, from_imaginary, begin + column, real, imaginary, cosines, sines, reversed + column, n);
    later_stages(real, imaginary, cosines, sines, n);
}

// The size of binaural voices as a constant spares the registers that hold addresses, and where in the ring they begin the sums.
CLONES
void ossicle_fourier_from(const float *restrict from_real, const float *restrict from_imaginary, size_t begin, float *restrict real,
                          float *restrict imaginary, const float *restrict cosines, const float *restrict sines,
                          const uint32_t *restrict reversed, size_t n) {
    if (n == 256 && begin == 0) fourier_from(from_real, from_imaginary, 0, real, imaginary, cosines, sines, reversed, 256);
    else if (n == 256 && begin == 128) fourier_from(from_real, from_imaginary, 128, real, imaginary, cosines, sines, reversed, 256);
    else fourier_from(from_real, from_imaginary, begin, real, imaginary, cosines, sines, reversed, n);
}

// What is in the cache anyway is copied faster than its elements change places one by one.
size_t ossicle_fourier_in_place(float *real, float *imaginary, const float *cosines, const float *sines, const uint32_t *reversed,
                                size_t n) {
    // Apart by no power of two, so that the parts do not share lines of the cache.
    float copy[2 * 2048 + 16];
    if (n < 64 || n > 2048) return 0;
    memcpy(copy, real, n * sizeof *copy);
    memcpy(copy + n + 16, imaginary, n * sizeof *copy);
    ossicle_fourier_from(copy, copy + n + 16, 0, real, imaginary, cosines, sines, reversed, n);
    return n;
}

// MARK: Real signals

#define REVERSED(x) __builtin_shufflevector(x, x, 7, 6, 5, 4, 3, 2, 1, 0)

// Bins k and m − k come out of the same pair: E + t·O and the conjugate of E − t·O, t = e^(−2πik/N), E and O the spectra of even
// and odd samples.
#define TAKE_APART(type, a_re, a_im, b_re, b_im, c, s) \
    do { \
        const type e_re = ((a_re) + (b_re)) * 0.5f, e_im = ((a_im) - (b_im)) * 0.5f; \
        const type o_re = ((a_im) + (b_im)) * 0.5f, o_im = ((b_re) - (a_re)) * 0.5f; \
        const type t_re = o_re * (c) - o_im * (s), t_im = o_re * (s) + o_im * (c); \
        (a_re) = e_re + t_re, (a_im) = e_im + t_im; \
        (b_re) = e_re - t_re, (b_im) = t_im - e_im; \
    } while (0)

#define PUT_TOGETHER(type, a_re, a_im, b_re, b_im, c, s) \
    do { \
        const type e_re = ((a_re) + (b_re)) * 0.5f, e_im = ((a_im) - (b_im)) * 0.5f; \
        const type t_re = ((a_re) - (b_re)) * 0.5f, t_im = ((a_im) + (b_im)) * 0.5f; \
        const type o_re = t_re * (c) + t_im * (s), o_im = t_im * (c) - t_re * (s); \
        (a_re) = e_re - o_im, (a_im) = e_im + o_re; \
        (b_re) = e_re + o_im, (b_im) = o_re - e_im; \
    } while (0)

// For every pair of bins k and m − k, 0 < k ≤ m/2. In the middle both are one, and the second is what is kept.
#define PAIRS(change) \
    do { \
        size_t k = 1; \
        for (; k + 8 <= m / 2; k += 8) { \
            float *const far_re = real + m - k - 7, *const far_im = imaginary + m - k - 7; \
            lanes8 a_re = LOAD8(real + k), a_im = LOAD8(imaginary + k); \
            lanes8 b_re = REVERSED(LOAD8(far_re)), b_im = REVERSED(LOAD8(far_im)); \
            const lanes8 c = LOAD8(cosines + k), s = LOAD8(sines + k); \
            change(lanes8, a_re, a_im, b_re, b_im, c, s); \
            STORE8(real + k, a_re), STORE8(imaginary + k, a_im); \
            STORE8(far_re, REVERSED(b_re)), STORE8(far_im, REVERSED(b_im)); \
        } \
        for (; k <= m / 2; k++) { \
            float a_re = real[k], a_im = imaginary[k], b_re = real[m - k], b_im = imaginary[m - k]; \
            change(float, a_re, a_im, b_re, b_im, cosines[k], sines[k]); \
            real[k] = a_re, imaginary[k] = a_im; \
            real[m - k] = b_re, imaginary[m - k] = b_im; \
        } \
    } while (0)

CLONES
void ossicle_take_spectra_apart(float *real, float *imaginary, const float *cosines, const float *sines, size_t m) {
    PAIRS(TAKE_APART);
}

CLONES
void ossicle_put_spectra_together(float *real, float *imaginary, const float *cosines, const float *sines, size_t m) {
    PAIRS(PUT_TOGETHER);
}

CLONES
void ossicle_deinterleave_pair(const float *signal, float *restrict even, float *restrict odd, size_t n) {
    for (size_t i = 0; i < n; i++) even[i] = signal[2 * i], odd[i] = signal[2 * i + 1];
}

CLONES
void ossicle_interleave_pair(const float *even, const float *odd, float *restrict signal, size_t n) {
    for (size_t i = 0; i < n; i++) signal[2 * i] = even[i], signal[2 * i + 1] = odd[i];
}
