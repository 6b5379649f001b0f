// The part of libopus' binary interface that is used, in our own declarations: a build needs no headers of libopus'.
#pragma once
#include <RuntimeLibrary.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct OpusMSDecoder OpusMSDecoder;
typedef struct OpusMSEncoder OpusMSEncoder;

#define OPUS_INVALID_PACKET (-4)
#define OPUS_UNIMPLEMENTED (-5)
#define OPUS_APPLICATION_VOIP 2048
#define OPUS_APPLICATION_AUDIO 2049
#define OPUS_SET_BITRATE_REQUEST 4002
#define OPUS_SET_VBR_REQUEST 4006
#define OPUS_SET_COMPLEXITY_REQUEST 4010
#define OPUS_SET_INBAND_FEC_REQUEST 4012
#define OPUS_SET_PACKET_LOSS_PERC_REQUEST 4014
#define OPUS_SET_VBR_CONSTRAINT_REQUEST 4020
#define OPUS_GET_LOOKAHEAD_REQUEST 4027
#define OPUS_RESET_STATE 4028
#define OPUS_SET_GAIN_REQUEST 4034

#include "functions.h"
OPUS_FUNCTIONS(RUNTIME_DECLARE)

/// Looks for libopus, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_opus(void);

// The calls that set and get have a variable number of arguments, which neither Swift nor a stub can pass on. They return 0, or an error.

int ossicle_opus_encoder_set(OpusMSEncoder *encoder, int request, int32_t value);
int ossicle_opus_encoder_get(OpusMSEncoder *encoder, int request, int32_t *value);
int ossicle_opus_decoder_set(OpusMSDecoder *decoder, int request, int32_t value);
int ossicle_opus_decoder_reset(OpusMSDecoder *decoder);
