#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <stdbool.h>
#include <stdint.h>
#include "functions.h"

// FFmpeg brings a hundred libraries along, which take 25 ms to load: it is looked for when a file first needs it.
#define FFMPEG_RENAME(result, name, parameters, arguments, otherwise) extern __typeof__(name) name __asm__("ossicle_" #name);
FFMPEG_FUNCTIONS(FFMPEG_RENAME)

/// The file that is looked for: of the version that the headers describe.
#define OSSICLE_FFMPEG_FILE "libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR)
static inline const char *ossicle_ffmpeg_file(void) { return OSSICLE_FFMPEG_FILE; }

/// Looks for FFmpeg, once; whether it is there. Call it before any function of FFmpeg's.
bool ossicle_load_ffmpeg(void);
/// What `av_strerror` does, which FFmpeg's own header uses and which therefore keeps its symbol.
int ossicle_ffmpeg_words(int number, char *words, size_t size);

// What Swift cannot see: numbers made by macros with arguments or casts.
static inline int ossicle_averror_again(void) { return AVERROR(EAGAIN); }
static inline int ossicle_averror_io(void) { return AVERROR(EIO); }
static inline int ossicle_averror_end(void) { return AVERROR_EOF; }
static inline int64_t ossicle_no_timestamp(void) { return AV_NOPTS_VALUE; }

// Refuses every other file that a file names.
static inline int ossicle_refuse_file(AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)context; (void)io; (void)url; (void)flags; (void)options;
    return AVERROR(EPERM);
}
static inline void ossicle_refuse_other_files(AVFormatContext *context) { if (context) context->io_open = ossicle_refuse_file; }
