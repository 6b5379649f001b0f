// The part of libFLAC's binary interface that is used, in our own declarations: a build needs no headers of libFLAC's.
#pragma once
#include <RuntimeLibrary.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ossicle_flac_encoder FLAC__StreamEncoder;
typedef struct ossicle_flac_decoder FLAC__StreamDecoder;

typedef enum { FLAC__STREAM_ENCODER_INIT_STATUS_OK = 0, FLAC__STREAM_ENCODER_INIT_STATUS_ENCODER_ERROR = 1 } FLAC__StreamEncoderInitStatus;
typedef enum { FLAC__STREAM_DECODER_INIT_STATUS_OK = 0, FLAC__STREAM_DECODER_INIT_STATUS_MEMORY_ALLOCATION_ERROR = 3 } FLAC__StreamDecoderInitStatus;
typedef enum { FLAC__STREAM_ENCODER_WRITE_STATUS_OK = 0 } FLAC__StreamEncoderWriteStatus;
typedef enum { FLAC__STREAM_DECODER_READ_STATUS_CONTINUE = 0, FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM = 1 } FLAC__StreamDecoderReadStatus;
typedef enum { FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE = 0, FLAC__STREAM_DECODER_WRITE_STATUS_ABORT = 1 } FLAC__StreamDecoderWriteStatus;
typedef enum {
    FLAC__STREAM_DECODER_ERROR_STATUS_LOST_SYNC = 0,
    FLAC__STREAM_DECODER_ERROR_STATUS_BAD_HEADER = 1,
    FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH = 2
} FLAC__StreamDecoderErrorStatus;
typedef enum { FLAC__METADATA_TYPE_STREAMINFO = 0 } FLAC__MetadataType;

/// The beginning of a frame: its header, of which the last fields are left out.
typedef struct {
    uint32_t blocksize, sample_rate, channels;
    int channel_assignment;
    uint32_t bits_per_sample;
} FLAC__FrameHeader;
typedef struct {
    FLAC__FrameHeader header;
} FLAC__Frame;

typedef struct {
    uint32_t min_blocksize, max_blocksize, min_framesize, max_framesize, sample_rate, channels, bits_per_sample;
    uint64_t total_samples;
    uint8_t md5sum[16];
} FLAC__StreamMetadata_StreamInfo;
typedef struct {
    FLAC__MetadataType type;
    int is_last;
    uint32_t length;
    union {
        FLAC__StreamMetadata_StreamInfo stream_info;
    } data;
} FLAC__StreamMetadata;

typedef FLAC__StreamEncoderWriteStatus (*FLAC__StreamEncoderWriteCallback)(
    const FLAC__StreamEncoder *encoder, const uint8_t *bytes, size_t count, uint32_t frames, uint32_t number, void *client);
typedef void (*FLAC__StreamEncoderMetadataCallback)(
    const FLAC__StreamEncoder *encoder, const FLAC__StreamMetadata *metadata, void *client);
typedef FLAC__StreamDecoderReadStatus (*FLAC__StreamDecoderReadCallback)(
    const FLAC__StreamDecoder *decoder, uint8_t *bytes, size_t *count, void *client);
typedef FLAC__StreamDecoderWriteStatus (*FLAC__StreamDecoderWriteCallback)(
    const FLAC__StreamDecoder *decoder, const FLAC__Frame *frame, const int32_t *const *planes, void *client);
typedef void (*FLAC__StreamDecoderErrorCallback)(
    const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status, void *client);
/// Of the functions that seek and the like none is given.
typedef void (*ossicle_flac_unused)(void);

#include "functions.h"
FLAC_FUNCTIONS(RUNTIME_DECLARE)

/// Looks for libFLAC, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_flac(void);
