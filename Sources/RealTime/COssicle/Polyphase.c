#include "Lanes.h"

#pragma STDC FP_CONTRACT OFF

CLONES
void ossicle_polyphase(const float *rows, size_t taps, const float *source, const ossicle_place *places, float *output, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const float *row = rows + (size_t)places[i].row * taps, *next = row + taps, *window = source + places[i].window;
        const float weight = places[i].weight;
        lanes8 sum = {0};
        for (size_t k = 0; k < taps; k += 8) {
            const lanes8 a = LOAD8(row + k);
            sum += (a + (LOAD8(next + k) - a) * weight) * LOAD8(window + k);
        }
        const lanes4 four = __builtin_shufflevector(sum, sum, 0, 1, 2, 3) + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
        output[i] = (four[0] + four[2]) + (four[1] + four[3]);
    }
}

CLONES
void ossicle_delay_places(const ossicle_delay_ramp *ramp, ossicle_place *places, size_t n) {
    const ossicle_delay_ramp r = *ramp;
    for (int32_t i = 0; i < (int32_t)n; i++) {
        double delay = r.start + r.change * ((double)(r.index + i) * r.scale);
        delay = delay < r.least ? r.least : delay;
        delay = delay > r.most ? r.most : delay;
        int32_t whole = (int32_t)delay;
        whole += (double)whole < delay;
        const double position = ((double)whole - delay) * (double)r.phases;
        const int32_t row = (int32_t)position;
        places[i] = (ossicle_place){(r.slot + i - whole) & r.mask, row, (float)(position - (double)row)};
    }
}
