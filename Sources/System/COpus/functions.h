// What is used of libopus: result, name, parameters, arguments, and the result without the library.
#pragma once

#define OPUS_FUNCTIONS(F) \
    F(const char *, opus_strerror, (int error), (error), "libopus is missing") \
    F(OpusMSDecoder *, opus_multistream_decoder_create, \
      (int32_t rate, int channels, int streams, int coupled, const unsigned char *mapping, int *error), \
      (rate, channels, streams, coupled, mapping, error), 0) \
    F(int, opus_multistream_decode_float, \
      (OpusMSDecoder *decoder, const unsigned char *packet, int32_t bytes, float *sound, int frames, int corrects), \
      (decoder, packet, bytes, sound, frames, corrects), OPUS_UNIMPLEMENTED) \
    F(void, opus_multistream_decoder_destroy, (OpusMSDecoder *decoder), (decoder), (void)0) \
    F(OpusMSEncoder *, opus_multistream_surround_encoder_create, \
      (int32_t rate, int channels, int family, int *streams, int *coupled, unsigned char *mapping, int application, int *error), \
      (rate, channels, family, streams, coupled, mapping, application, error), 0) \
    F(int, opus_multistream_encode_float, \
      (OpusMSEncoder *encoder, const float *sound, int frames, unsigned char *packet, int32_t room), \
      (encoder, sound, frames, packet, room), OPUS_UNIMPLEMENTED) \
    F(void, opus_multistream_encoder_destroy, (OpusMSEncoder *encoder), (encoder), (void)0)
