#pragma once
#include <opus/opus.h>
#include <opus/opus_multistream.h>

// The calls that set and get have a variable number of arguments, which Swift cannot pass.

static inline int ossicle_opus_encoder_set(OpusMSEncoder *encoder, int request, opus_int32 value) {
  return opus_multistream_encoder_ctl(encoder, request, value);
}

static inline int ossicle_opus_encoder_get(OpusMSEncoder *encoder, int request, opus_int32 *value) {
  return opus_multistream_encoder_ctl(encoder, request, value);
}

static inline int ossicle_opus_decoder_set(OpusMSDecoder *decoder, int request, opus_int32 value) {
  return opus_multistream_decoder_ctl(decoder, request, value);
}

static inline int ossicle_opus_decoder_reset(OpusMSDecoder *decoder) { return opus_multistream_decoder_ctl(decoder, OPUS_RESET_STATE); }
