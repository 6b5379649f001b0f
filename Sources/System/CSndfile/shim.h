// The part of libsndfile's binary interface that is used, in our own declarations: a build needs no headers of libsndfile's.
#pragma once
#include <RuntimeLibrary.h>
#include <stdbool.h>
#include <stdint.h>

typedef int64_t sf_count_t;
typedef struct sf_private_tag SNDFILE;
typedef struct SF_CHUNK_ITERATOR SF_CHUNK_ITERATOR;

typedef struct {
    sf_count_t frames;
    int samplerate, channels, format, sections, seekable;
} SF_INFO;

typedef struct {
    sf_count_t (*get_filelen)(void *data);
    sf_count_t (*seek)(sf_count_t offset, int origin, void *data);
    sf_count_t (*read)(void *bytes, sf_count_t count, void *data);
    sf_count_t (*write)(const void *bytes, sf_count_t count, void *data);
    sf_count_t (*tell)(void *data);
} SF_VIRTUAL_IO;

typedef struct {
    char id[64];
    unsigned id_size, datalen;
    void *data;
} SF_CHUNK_INFO;

/// Containers, codecs and byte orders, which make up a format.
enum {
    SF_FORMAT_WAV = 0x010000,
    SF_FORMAT_AIFF = 0x020000,
    SF_FORMAT_AU = 0x030000,
    SF_FORMAT_RAW = 0x040000,
    SF_FORMAT_W64 = 0x0B0000,
    SF_FORMAT_WAVEX = 0x130000,
    SF_FORMAT_FLAC = 0x170000,
    SF_FORMAT_CAF = 0x180000,
    SF_FORMAT_OGG = 0x200000,
    SF_FORMAT_RF64 = 0x220000,
    SF_FORMAT_MPEG = 0x230000,
    SF_FORMAT_PCM_S8 = 0x01,
    SF_FORMAT_PCM_16 = 0x02,
    SF_FORMAT_PCM_24 = 0x03,
    SF_FORMAT_PCM_32 = 0x04,
    SF_FORMAT_PCM_U8 = 0x05,
    SF_FORMAT_FLOAT = 0x06,
    SF_FORMAT_DOUBLE = 0x07,
    SF_FORMAT_ULAW = 0x10,
    SF_FORMAT_ALAW = 0x11,
    SF_FORMAT_IMA_ADPCM = 0x12,
    SF_FORMAT_MS_ADPCM = 0x13,
    SF_FORMAT_VORBIS = 0x60,
    SF_FORMAT_OPUS = 0x64,
    SF_FORMAT_ALAC_16 = 0x70,
    SF_FORMAT_ALAC_20 = 0x71,
    SF_FORMAT_ALAC_24 = 0x72,
    SF_FORMAT_ALAC_32 = 0x73,
    SF_FORMAT_MPEG_LAYER_I = 0x80,
    SF_FORMAT_MPEG_LAYER_II = 0x81,
    SF_FORMAT_MPEG_LAYER_III = 0x82,
    SF_ENDIAN_LITTLE = 0x10000000,
    SF_ENDIAN_BIG = 0x20000000,
    SF_FORMAT_SUBMASK = 0xFFFF,
    SF_FORMAT_TYPEMASK = 0x0FFF0000,
    SF_FORMAT_ENDMASK = 0x30000000
};

/// Commands.
enum {
    SFC_SET_ADD_PEAK_CHUNK = 0x1050,
    SFC_UPDATE_HEADER_NOW = 0x1060,
    SFC_SET_CLIPPING = 0x10C0,
    SFC_SET_CHANNEL_MAP_INFO = 0x1101,
    SFC_RAW_DATA_NEEDS_ENDSWAP = 0x1110,
    SFC_SET_COMPRESSION_LEVEL = 0x1301,
    SFC_SET_OGG_PAGE_LATENCY_MS = 0x1302,
    SFC_SET_BITRATE_MODE = 0x1305
};

/// Fields of text.
enum {
    SF_STR_TITLE = 1,
    SF_STR_COPYRIGHT = 2,
    SF_STR_SOFTWARE = 3,
    SF_STR_ARTIST = 4,
    SF_STR_COMMENT = 5,
    SF_STR_DATE = 6,
    SF_STR_ALBUM = 7,
    SF_STR_TRACKNUMBER = 9,
    SF_STR_GENRE = 16
};

enum { SF_FALSE = 0, SF_TRUE = 1, SFM_READ = 0x10, SFM_WRITE = 0x20, SF_ERR_NO_ERROR = 0 };
enum { SF_SEEK_SET = 0, SF_SEEK_CUR = 1, SF_SEEK_END = 2 };
enum { SF_BITRATE_MODE_CONSTANT = 0, SF_BITRATE_MODE_AVERAGE = 1, SF_BITRATE_MODE_VARIABLE = 2 };

/// Positions of channels.
enum {
    SF_CHANNEL_MAP_LEFT = 2,
    SF_CHANNEL_MAP_RIGHT = 3,
    SF_CHANNEL_MAP_CENTER = 4,
    SF_CHANNEL_MAP_REAR_CENTER = 8,
    SF_CHANNEL_MAP_REAR_LEFT = 9,
    SF_CHANNEL_MAP_REAR_RIGHT = 10,
    SF_CHANNEL_MAP_LFE = 11,
    SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER = 12,
    SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER = 13,
    SF_CHANNEL_MAP_SIDE_LEFT = 14,
    SF_CHANNEL_MAP_SIDE_RIGHT = 15,
    SF_CHANNEL_MAP_TOP_CENTER = 16,
    SF_CHANNEL_MAP_TOP_FRONT_LEFT = 17,
    SF_CHANNEL_MAP_TOP_FRONT_RIGHT = 18,
    SF_CHANNEL_MAP_TOP_FRONT_CENTER = 19,
    SF_CHANNEL_MAP_TOP_REAR_LEFT = 20,
    SF_CHANNEL_MAP_TOP_REAR_RIGHT = 21,
    SF_CHANNEL_MAP_TOP_REAR_CENTER = 22
};

#include "functions.h"
SNDFILE_FUNCTIONS(RUNTIME_DECLARE)

/// Looks for libsndfile, once; whether it is there. Call it before any function of the library's.
bool ossicle_load_sndfile(void);
