// The part of FluidSynth's binary interface that is used, in our own declarations: a build needs no headers of FluidSynth's.
#pragma once
#include <stdbool.h>

typedef struct FluidSettings FluidSettings;
typedef struct FluidSynthesiser FluidSynthesiser;
typedef void (*ossicle_fluid_log)(int level, const char *message, void *data);

enum { OSSICLE_FLUID_OK = 0, OSSICLE_FLUID_FAILED = -1 };
/// Levels of messages: panic, error, warning, information, debugging.
enum { OSSICLE_FLUID_LOG_LEVELS = 5 };

#include "functions.h"

#define FLUID_DECLARE(result, name, parameters, arguments, otherwise) result name parameters __asm__("ossicle_" #name);
FLUID_FUNCTIONS(FLUID_DECLARE)

/// Looks for libfluidsynth, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_fluidsynth(void);
