// What is used of libFLAC: result, name, parameters, arguments, and the result without the library.
#pragma once

#define FLAC_FUNCTIONS(F) \
    F(FLAC__StreamDecoder *, FLAC__stream_decoder_new, (void), (), 0) \
    F(void, FLAC__stream_decoder_delete, (FLAC__StreamDecoder *decoder), (decoder), (void)0) \
    F(FLAC__StreamDecoderInitStatus, FLAC__stream_decoder_init_stream, \
      (FLAC__StreamDecoder *decoder, FLAC__StreamDecoderReadCallback read, ossicle_flac_unused seek, ossicle_flac_unused tell, \
       ossicle_flac_unused length, ossicle_flac_unused atEnd, FLAC__StreamDecoderWriteCallback write, ossicle_flac_unused metadata, \
       FLAC__StreamDecoderErrorCallback error, void *client), \
      (decoder, read, seek, tell, length, atEnd, write, metadata, error, client), FLAC__STREAM_DECODER_INIT_STATUS_MEMORY_ALLOCATION_ERROR) \
    F(int, FLAC__stream_decoder_process_until_end_of_metadata, (FLAC__StreamDecoder *decoder), (decoder), 0) \
    F(int, FLAC__stream_decoder_process_single, (FLAC__StreamDecoder *decoder), (decoder), 0) \
    F(int, FLAC__stream_decoder_flush, (FLAC__StreamDecoder *decoder), (decoder), 0) \
    F(FLAC__StreamEncoder *, FLAC__stream_encoder_new, (void), (), 0) \
    F(void, FLAC__stream_encoder_delete, (FLAC__StreamEncoder *encoder), (encoder), (void)0) \
    F(int, FLAC__stream_encoder_set_channels, (FLAC__StreamEncoder *encoder, uint32_t value), (encoder, value), 0) \
    F(int, FLAC__stream_encoder_set_bits_per_sample, (FLAC__StreamEncoder *encoder, uint32_t value), (encoder, value), 0) \
    F(int, FLAC__stream_encoder_set_sample_rate, (FLAC__StreamEncoder *encoder, uint32_t value), (encoder, value), 0) \
    F(int, FLAC__stream_encoder_set_streamable_subset, (FLAC__StreamEncoder *encoder, int value), (encoder, value), 0) \
    F(int, FLAC__stream_encoder_set_compression_level, (FLAC__StreamEncoder *encoder, uint32_t value), (encoder, value), 0) \
    F(int, FLAC__stream_encoder_set_blocksize, (FLAC__StreamEncoder *encoder, uint32_t value), (encoder, value), 0) \
    F(FLAC__StreamEncoderInitStatus, FLAC__stream_encoder_init_stream, \
      (FLAC__StreamEncoder *encoder, FLAC__StreamEncoderWriteCallback write, ossicle_flac_unused seek, ossicle_flac_unused tell, \
       FLAC__StreamEncoderMetadataCallback metadata, void *client), \
      (encoder, write, seek, tell, metadata, client), FLAC__STREAM_ENCODER_INIT_STATUS_ENCODER_ERROR) \
    F(int, FLAC__stream_encoder_process_interleaved, (FLAC__StreamEncoder *encoder, const int32_t *samples, uint32_t frames), \
      (encoder, samples, frames), 0) \
    F(int, FLAC__stream_encoder_finish, (FLAC__StreamEncoder *encoder), (encoder), 0) \
    F(int, FLAC__stream_encoder_get_state, (const FLAC__StreamEncoder *encoder), (encoder), -1)
