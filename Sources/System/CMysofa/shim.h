// The part of libmysofa's binary interface that is used, in our own declarations: a build needs no headers of libmysofa's.
#pragma once
#include <RuntimeLibrary.h>
#include <stdbool.h>
#include <stddef.h>

struct MYSOFA_ATTRIBUTE {
    struct MYSOFA_ATTRIBUTE *next;
    char *name, *value;
};
struct MYSOFA_ARRAY {
    float *values;
    unsigned elements;
    struct MYSOFA_ATTRIBUTE *attributes;
};
/// What a file holds; the library makes it, and what follows here in newer versions is left out.
struct MYSOFA_HRTF {
    unsigned I, C, R, E, N, M;
    struct MYSOFA_ARRAY ListenerPosition, ReceiverPosition, SourcePosition, EmitterPosition, ListenerUp, ListenerView;
    struct MYSOFA_ARRAY DataIR, DataSamplingRate, DataDelay;
    struct MYSOFA_ATTRIBUTE *attributes;
};

#include "functions.h"
MYSOFA_FUNCTIONS(RUNTIME_DECLARE)

/// Looks for libmysofa, once; whether it is there. Call it before a child process reads with it.
bool ossicle_load_mysofa(void);

// libmysofa 1.3 may crash on a damaged file. It therefore reads in a process of its own, whose reply is:
//
//   u32 x 8      magic "SOFA", error of libmysofa, I, C, R, E, N, M
//   attributes   of the file
//   9 x          u32 count, f32 x count, attributes       in the order of `ossicle_sofa_describe`
//   attributes   u32 count, count x (name, value)

/// Writes the reply about the bytes of a file: what a `ReaderProcess` runs.
void ossicle_sofa_describe(int file, const void *bytes, size_t size);
