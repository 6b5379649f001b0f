// The part of libmpg123's binary interface that is used, in our own declarations: a build needs no headers of libmpg123's.
#pragma once
#include <RuntimeLibrary.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct mpg123_handle_struct mpg123_handle;

/// Parameters; bits of the first two; results.
enum {
    MPG123_FLAGS = 1,
    MPG123_REMOVE_FLAGS = 13,
    MPG123_QUIET = 0x20,
    MPG123_GAPLESS = 0x40,
    MPG123_FORCE_FLOAT = 0x400,
    MPG123_SKIP_ID3V2 = 0x2000,
    MPG123_IGNORE_INFOFRAME = 0x4000,
    MPG123_NO_READAHEAD = 0x400000,
    MPG123_OK = 0,
    MPG123_NEW_FORMAT = -11
};

#include "functions.h"
MPG123_FUNCTIONS(RUNTIME_DECLARE)

/// Looks for libmpg123, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_mpg123(void);
