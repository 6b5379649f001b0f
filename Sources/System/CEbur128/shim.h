// The part of libebur128's binary interface that tests use as an oracle, in our own declarations.
#pragma once
#include <RuntimeLibrary.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct ossicle_ebur128_state ebur128_state;

/// What is measured; roles of channels.
enum {
    EBUR128_MODE_M = 0x01,
    EBUR128_MODE_S = 0x03,
    EBUR128_MODE_I = 0x05,
    EBUR128_MODE_LRA = 0x0B,
    EBUR128_MODE_TRUE_PEAK = 0x31,
    EBUR128_UNUSED = 0,
    EBUR128_CENTER = 3,
    EBUR128_LEFT_SURROUND = 4,
    EBUR128_RIGHT_SURROUND = 5
};

#include "functions.h"
EBUR128_FUNCTIONS(RUNTIME_DECLARE)

/// Looks for libebur128, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_ebur128(void);
