#pragma once
#include <pulse/pulseaudio.h>
#include <stdbool.h>
#include "functions.h"

/// Looks for libpulse, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_pulse(void);

#define PULSE_RENAME(result, name, parameters, arguments, otherwise) extern __typeof__(name) name __asm__("ossicle_" #name);
PULSE_FUNCTIONS(PULSE_RENAME)
