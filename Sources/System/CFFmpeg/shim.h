#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <stdint.h>

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
