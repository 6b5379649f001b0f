// The loops of the phase vocoder. Each element goes through the operations of the plain loop in their order, and the one sum has
// eight partial sums whatever the vectors are.
#include "Lanes.h"
#include <string.h>

#pragma STDC FP_CONTRACT OFF

typedef int32_t bits8 __attribute__((vector_size(32)));

// MARK: Windows

CLONES
void ossicle_multiply(const float *a, const float *b, float *output, size_t n) {
    for (size_t i = 0; i < n; i++) output[i] = a[i] * b[i];
}

CLONES
void ossicle_add_window(const float *restrict signal, float gain, const float *restrict shape, float *restrict sums, size_t n) {
    for (size_t i = 0; i < n; i++) sums[i] += signal[i] * gain * shape[i];
}

CLONES
void ossicle_add_weights(const float *a, const float *b, float power, float *restrict weights, float *restrict powers, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const float weight = a[i] * b[i];
        weights[i] += weight;
        powers[i] += weight * power;
    }
}

CLONES
void ossicle_divide_by_weights(const float *restrict sums, const float *restrict weights, float least, float *restrict output, size_t n) {
    for (size_t i = 0; i < n; i++) output[i] = sums[i] / (weights[i] > least ? weights[i] : least);
}

CLONES
float ossicle_energy(const float *signal, size_t n) {
    lanes8 sum = {0};
    for (size_t i = 0; i < n; i += 8) {
        const lanes8 part = LOAD8(signal + i);
        sum += part * part;
    }
    const lanes4 four = __builtin_shufflevector(sum, sum, 0, 1, 2, 3) + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
    return (four[0] + four[2]) + (four[1] + four[3]);
}

// MARK: Spectra

CLONES
void ossicle_turn_spectrum(const float *restrict real, const float *restrict imaginary, const float *restrict cosines,
                           const float *restrict sines, float *restrict turned_real, float *restrict turned_imaginary, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const float x = real[i], y = imaginary[i];
        turned_real[i] = x * cosines[i] - y * sines[i];
        turned_imaginary[i] = x * sines[i] + y * cosines[i];
    }
}

CLONES
void ossicle_spectrum_energies(const float *real, const float *imaginary, size_t channels, size_t stride,
                               float *restrict energies, size_t n) {
    for (size_t i = 0; i < n; i++) energies[i] = real[i] * real[i] + imaginary[i] * imaginary[i];
    for (size_t channel = 1; channel < channels; channel++) {
        const float *re = real + channel * stride, *im = imaginary + channel * stride;
        for (size_t i = 0; i < n; i++) energies[i] += re[i] * re[i] + im[i] * im[i];
    }
}

CLONES
void ossicle_mark_peaks(const float *energies, uint8_t *restrict marks, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const float *e = energies + i;
        marks[i] = (e[0] > e[-1]) & (e[0] > e[-2]) & (e[0] >= e[1]) & (e[0] >= e[2]);
    }
}

CLONES
void ossicle_find_turns(const float *last_real, const float *last_imaginary, const float *previous_real, const float *previous_imaginary,
                        size_t channels, size_t stride, const float *real, const float *imaginary, const uint8_t *marks,
                        float *restrict turned_real, float *restrict turned_imaginary, size_t n) {
    for (size_t bin = 1; bin + 1 < n; bin += 8) {
        // The last eight again, where fewer are left.
        if (bin + 9 > n) bin = n - 9;
        uint64_t marked;
        memcpy(&marked, marks + bin, sizeof marked);
        if (!marked) continue;
        lanes8 re = {0}, im = {0};
        for (size_t channel = 0; channel < channels; channel++) {
            for (size_t i = channel * stride + bin - 1; i < channel * stride + bin + 2; i++) {
                const lanes8 a = LOAD8(last_real + i), b = LOAD8(last_imaginary + i);
                const lanes8 c = LOAD8(previous_real + i), d = LOAD8(previous_imaginary + i);
                re += a * c + b * d;
                im += b * c - a * d;
            }
        }
        const lanes8 x = LOAD8(real + bin), y = LOAD8(imaginary + bin);
        const lanes8 turned_x = x * re - y * im, turned_y = x * im + y * re;
        const lanes8 size = __builtin_elementwise_sqrt(turned_x * turned_x + turned_y * turned_y);
        const bits8 turns = (size > 1e-30f) & (size < __builtin_inff());
        STORE8(turned_real + bin, (lanes8)(((bits8)(turned_x / size) & turns) | ((bits8)x & ~turns)));
        STORE8(turned_imaginary + bin, (lanes8)(((bits8)(turned_y / size) & turns) | ((bits8)y & ~turns)));
    }
}
