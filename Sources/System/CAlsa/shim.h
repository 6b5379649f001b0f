// The part of ALSA's binary interface that is used, in our own declarations: a build needs no headers of ALSA's.
#pragma once
#include <stdbool.h>

typedef struct _snd_pcm snd_pcm_t;
typedef struct _snd_pcm_hw_params snd_pcm_hw_params_t;
typedef struct _snd_pcm_sw_params snd_pcm_sw_params_t;

/// Directions of a stream.
enum { OSSICLE_ALSA_PLAYBACK = 0, OSSICLE_ALSA_CAPTURE = 1 };
/// Opening fails at once where the device is in use.
enum { OSSICLE_ALSA_NONBLOCK = 1 };
/// One frame after the other, its channels side by side.
enum { OSSICLE_ALSA_INTERLEAVED = 3 };
/// Formats of samples with the lowest byte first; those with the highest first follow each. S24 is the lower three bytes of four.
enum { OSSICLE_ALSA_S16 = 2, OSSICLE_ALSA_S24 = 6, OSSICLE_ALSA_S32 = 10, OSSICLE_ALSA_FLOAT = 14 };

#include "functions.h"

#define ALSA_DECLARE(result, name, parameters, arguments, otherwise) result name parameters __asm__("ossicle_" #name);
ALSA_FUNCTIONS(ALSA_DECLARE)

/// Looks for libasound, once, and has it write nothing to standard error; whether it is there. Call it before any function of the library's.
bool ossicle_load_alsa(void);
