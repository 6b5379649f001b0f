// What is used of libsoxr: result, name, parameters, arguments, and the result without the library.
#pragma once

#define SOXR_FUNCTIONS(F) \
    F(soxr_io_spec_t, soxr_io_spec, (soxr_datatype_t input, soxr_datatype_t output), (input, output), (soxr_io_spec_t){0}) \
    F(soxr_quality_spec_t, soxr_quality_spec, (unsigned long recipe, unsigned long flags), (recipe, flags), (soxr_quality_spec_t){0}) \
    F(soxr_runtime_spec_t, soxr_runtime_spec, (unsigned threads), (threads), (soxr_runtime_spec_t){0}) \
    F(soxr_t, soxr_create, \
      (double from, double to, unsigned channels, soxr_error_t *error, const soxr_io_spec_t *samples, const soxr_quality_spec_t *quality, \
       const soxr_runtime_spec_t *runtime), \
      (from, to, channels, error, samples, quality, runtime), 0) \
    F(soxr_error_t, soxr_process, \
      (soxr_t converter, const void *input, size_t frames, size_t *taken, void *output, size_t room, size_t *given), \
      (converter, input, frames, taken, output, room, given), "libsoxr is missing") \
    F(void, soxr_delete, (soxr_t converter), (converter), (void)0)
