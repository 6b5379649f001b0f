// What is used of libebur128: result, name, parameters, arguments, and the result without the library.
#pragma once

#define EBUR128_FUNCTIONS(F) \
    F(ebur128_state *, ebur128_init, (unsigned channels, unsigned long rate, int mode), (channels, rate, mode), 0) \
    F(void, ebur128_destroy, (ebur128_state **state), (state), (void)0) \
    F(int, ebur128_set_channel, (ebur128_state *state, unsigned channel, int role), (state, channel, role), 1) \
    F(int, ebur128_add_frames_float, (ebur128_state *state, const float *frames, size_t count), (state, frames, count), 1) \
    F(int, ebur128_loudness_global, (ebur128_state *state, double *value), (state, value), 1) \
    F(int, ebur128_loudness_momentary, (ebur128_state *state, double *value), (state, value), 1) \
    F(int, ebur128_loudness_shortterm, (ebur128_state *state, double *value), (state, value), 1) \
    F(int, ebur128_loudness_range, (ebur128_state *state, double *value), (state, value), 1) \
    F(int, ebur128_true_peak, (ebur128_state *state, unsigned channel, double *value), (state, channel, value), 1)
