#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

enum { lines = 16, heard = 8 };

// Four rows of four become four columns.
INLINE void transpose(const float *a, const float *b, const float *c, const float *d, float *to, size_t stride) {
    const lanes4 ab = __builtin_shufflevector(LOAD4(a), LOAD4(b), 0, 4, 1, 5), AB = __builtin_shufflevector(LOAD4(a), LOAD4(b), 2, 6, 3, 7);
    const lanes4 cd = __builtin_shufflevector(LOAD4(c), LOAD4(d), 0, 4, 1, 5), CD = __builtin_shufflevector(LOAD4(c), LOAD4(d), 2, 6, 3, 7);
    STORE4(to, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
    STORE4(to + stride, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
    STORE4(to + 2 * stride, __builtin_shufflevector(AB, CD, 0, 1, 4, 5));
    STORE4(to + 3 * stride, __builtin_shufflevector(AB, CD, 2, 3, 6, 7));
}

// Lanes are lines here: a filter's sum runs along time.
CLONES
void ossicle_fdn_filter(const float *sections, float *state, size_t section_count, float *frames, size_t n) {
    for (size_t j = 0; j < section_count; j++) {
        const float *section = sections + 6 * lines * j;
        const lanes alpha = LOAD(section), beta = LOAD(section + 16), gamma = LOAD(section + 32);
        const lanes d = LOAD(section + 48), p = LOAD(section + 64), q = LOAD(section + 80);
        lanes s1 = LOAD(state + 32 * j), s2 = LOAD(state + 32 * j + 16);
        for (size_t i = 0; i < n; i++) {
            const lanes x = LOAD(frames + lines * i);
            const lanes e = x - s2;
            STORE(frames + lines * i, d * x + p * s1 + q * s2);
            s2 = s2 + beta * s1 + gamma * e;
            s1 = alpha * s1 + beta * e;
        }
        STORE(state + 32 * j, s1);
        STORE(state + 32 * j + 16, s2);
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
                     const ossicle_samples *outputs, const ossicle_samples *ends, size_t n) {
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
        for (int line = 0; line < heard; line++) put(outputs[line] + i, &out[line], n - i);
        hadamard(fed);
        const lanes8 input = LOAD8(mono + i);
        for (int line = 0; line < lines; line++) {
            fed[line] = fed[line] * 0.25f + input_gains[line] * input;
            put(ends[line] + i, &fed[line], n - i);
        }
    }
}
