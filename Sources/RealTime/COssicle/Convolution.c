// The loops of the partitioned convolution. A lane is a bin or a frame, and each has its own sum in one order: how work is cut, and
// how many a vector holds, changes no byte.
#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

// MARK: In and out of the complex domain

CLONES
void ossicle_twist(const float *earlier, const float *later, const float *cosines, const float *sines, float *restrict real,
                   float *restrict imaginary, size_t n) {
    for (size_t i = 0; i < n; i += 8) {
        const lanes8 a = LOAD8(earlier + i), b = LOAD8(later + i), c = LOAD8(cosines + i), s = LOAD8(sines + i);
        STORE8(real + i, a * c - b * s);
        STORE8(imaginary + i, a * s + b * c);
    }
}

CLONES
void ossicle_untwist(const float *real, const float *imaginary, const float *cosines, const float *sines, float *restrict output,
                     size_t n) {
    for (size_t i = 0; i < n; i += 8)
        STORE8(output + i, LOAD8(imaginary + i) * LOAD8(cosines + i) - LOAD8(real + i) * LOAD8(sines + i));
}

// MARK: A stage of radix eight

// x[0 … 7] become the eight sums of x[k]·e^(−2πi·rk/8), r = 0 … 7.
INLINE void sums_of_eight(lanes8 *re, lanes8 *im) {
    // Even and odd sums over the halves, the latter turned by their eighths of a circle.
    const float eighth = 0.70710678118654752f;
    for (int k = 0; k < 4; k++) {
        const lanes8 a_re = re[k], a_im = im[k], b_re = re[k + 4], b_im = im[k + 4];
        re[k] = a_re + b_re, im[k] = a_im + b_im;
        re[k + 4] = a_re - b_re, im[k + 4] = a_im - b_im;
    }
    const lanes8 r5 = (re[5] + im[5]) * eighth, i5 = (im[5] - re[5]) * eighth;
    const lanes8 r6 = im[6], i6 = -re[6];
    const lanes8 r7 = (im[7] - re[7]) * eighth, i7 = (re[7] + im[7]) * -eighth;
    re[5] = r5, im[5] = i5, re[6] = r6, im[6] = i6, re[7] = r7, im[7] = i7;
    for (int half = 0; half < 8; half += 4) {
        lanes8 *const r = re + half, *const i = im + half;
        const lanes8 a_re = r[0] + r[2], a_im = i[0] + i[2], b_re = r[1] + r[3], b_im = i[1] + i[3];
        const lanes8 c_re = r[0] - r[2], c_im = i[0] - i[2], d_re = i[1] - i[3], d_im = r[3] - r[1];
        r[0] = a_re + b_re, i[0] = a_im + b_im;
        r[1] = a_re - b_re, i[1] = a_im - b_im;
        r[2] = c_re + d_re, i[2] = c_im + d_im;
        r[3] = c_re - d_re, i[3] = c_im - d_im;
    }
}

// Where sum r stands behind `sums_of_eight`.
static const int place_of[8] = {0, 4, 2, 6, 1, 5, 3, 7};

CLONES
void ossicle_eighths_apart(float *real, float *imaginary, const float *cosines, const float *sines, size_t m, size_t from, size_t n) {
    for (size_t j = from; j < from + n; j += 8) {
        lanes8 re[8], im[8];
        for (int k = 0; k < 8; k++) re[k] = LOAD8(real + k * m + j), im[k] = LOAD8(imaginary + k * m + j);
        sums_of_eight(re, im);
        STORE8(real + j, re[0]), STORE8(imaginary + j, im[0]);
        for (int r = 1; r < 8; r++) {
            const lanes8 a = re[place_of[r]], b = im[place_of[r]];
            const lanes8 c = LOAD8(cosines + (r - 1) * m + j), s = LOAD8(sines + (r - 1) * m + j);
            STORE8(real + r * m + j, a * c - b * s);
            STORE8(imaginary + r * m + j, a * s + b * c);
        }
    }
}

CLONES
void ossicle_eighths_together(float *real, float *imaginary, const float *cosines, const float *sines, size_t m, size_t from,
                              size_t n) {
    for (size_t j = from; j < from + n; j += 8) {
        // With the parts swapped the forward sums are the inverse ones.
        lanes8 re[8], im[8];
        im[0] = LOAD8(real + j), re[0] = LOAD8(imaginary + j);
        for (int r = 1; r < 8; r++) {
            const lanes8 a = LOAD8(real + r * m + j), b = LOAD8(imaginary + r * m + j);
            const lanes8 c = LOAD8(cosines + (r - 1) * m + j), s = LOAD8(sines + (r - 1) * m + j);
            im[r] = a * c + b * s;
            re[r] = b * c - a * s;
        }
        sums_of_eight(re, im);
        for (int k = 0; k < 8; k++) {
            STORE8(real + k * m + j, im[place_of[k]]);
            STORE8(imaginary + k * m + j, re[place_of[k]]);
        }
    }
}

// MARK: Products of spectra

CLONES
void ossicle_convolve_spectra(const float *signals, size_t newest, const float *response, size_t count, size_t bins, size_t from,
                              size_t n, int adds, float *restrict real, float *restrict imaginary) {
    for (size_t k = from; k < from + n; k += 16) {
        lanes re = {0}, im = {0};
        if (adds) re = LOAD(real + k), im = LOAD(imaginary + k);
        size_t slot = newest;
        for (size_t p = 0; p < count; p++) {
            const float *const x = signals + 2 * bins * slot + k, *const h = response + 2 * bins * p + k;
            const lanes a = LOAD(x), b = LOAD(x + bins), c = LOAD(h), d = LOAD(h + bins);
            re += a * c - b * d;
            im += a * d + b * c;
            slot = slot == 0 ? count - 1 : slot - 1;
        }
        STORE(real + k, re), STORE(imaginary + k, im);
    }
}

CLONES
void ossicle_add(const float *signal, float *sums, size_t n) {
    for (size_t i = 0; i < n; i++) sums[i] += signal[i];
}
