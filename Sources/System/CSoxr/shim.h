// The part of libsoxr's binary interface that is used, in our own declarations: a build needs no headers of libsoxr's.
#pragma once
#include <RuntimeLibrary.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct soxr *soxr_t;
/// Null, or words.
typedef const char *soxr_error_t;

/// Samples: interleaved, or a plane for each channel.
typedef enum { SOXR_FLOAT32_I = 0, SOXR_FLOAT64_S = 5 } soxr_datatype_t;

typedef struct {
    soxr_datatype_t itype, otype;
    double scale;
    void *reserved;
    unsigned long flags;
} soxr_io_spec_t;

typedef struct {
    double precision, phase_response, passband_end, stopband_begin;
    void *reserved;
    unsigned long flags;
} soxr_quality_spec_t;

typedef struct {
    unsigned log2_min_dft_size, log2_large_dft_size, coef_size_kbytes, num_threads;
    void *reserved;
    unsigned long flags;
} soxr_runtime_spec_t;

/// Recipes, phases that are added to them, and a flag.
enum {
    SOXR_LQ = 1,
    SOXR_16_BITQ = 3,
    SOXR_20_BITQ = 4,
    SOXR_24_BITQ = 5,
    SOXR_28_BITQ = 6,
    SOXR_VHQ = 6,
    SOXR_LINEAR_PHASE = 0x00,
    SOXR_MINIMUM_PHASE = 0x30,
    SOXR_STEEP_FILTER = 0x40,
    SOXR_ROLLOFF_NONE = 2
};

#include "functions.h"
SOXR_FUNCTIONS(RUNTIME_DECLARE)

/// Looks for libsoxr, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_soxr(void);
