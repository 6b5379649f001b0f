// What is used of FFmpeg's libraries: result, name, parameters, arguments, and the result without them.
#pragma once

#define FFMPEG_FUNCTIONS(F) \
    F(enum AVChannel, av_channel_layout_channel_from_index, (const AVChannelLayout *layout, unsigned int index), (layout, index), \
      AV_CHAN_NONE) \
    F(int, av_channel_layout_compare, (const AVChannelLayout *first, const AVChannelLayout *second), (first, second), AVERROR(ENOSYS)) \
    F(void, av_channel_layout_default, (AVChannelLayout *layout, int count), (layout, count), (void)0) \
    F(int, av_channel_layout_from_mask, (AVChannelLayout *layout, uint64_t mask), (layout, mask), AVERROR(ENOSYS)) \
    F(void, av_dict_free, (AVDictionary **entries), (entries), (void)0) \
    F(AVDictionaryEntry *, av_dict_get, (const AVDictionary *entries, const char *key, const AVDictionaryEntry *last, int flags), \
      (entries, key, last, flags), 0) \
    F(int, av_dict_set, (AVDictionary **entries, const char *key, const char *value, int flags), (entries, key, value, flags), \
      AVERROR(ENOSYS)) \
    F(int, av_find_best_stream, \
      (AVFormatContext *context, enum AVMediaType type, int wanted, int related, const AVCodec **codec, int flags), \
      (context, type, wanted, related, codec, flags), AVERROR(ENOSYS)) \
    F(AVFrame *, av_frame_alloc, (void), (), 0) \
    F(void, av_frame_free, (AVFrame **frame), (frame), (void)0) \
    F(int, av_frame_get_buffer, (AVFrame *frame, int alignment), (frame, alignment), AVERROR(ENOSYS)) \
    F(void, av_frame_unref, (AVFrame *frame), (frame), (void)0) \
    F(void, av_free, (void *memory), (memory), (void)0) \
    F(void, av_freep, (void *memory), (memory), (void)0) \
    F(enum AVSampleFormat, av_get_packed_sample_fmt, (enum AVSampleFormat format), (format), AV_SAMPLE_FMT_NONE) \
    F(void, av_log_set_level, (int level), (level), (void)0) \
    F(void *, av_malloc, (size_t size), (size), 0) \
    F(void *, av_mallocz, (size_t size), (size), 0) \
    F(void, av_max_alloc, (size_t most), (most), (void)0) \
    F(int, av_new_packet, (AVPacket *packet, int size), (packet, size), AVERROR(ENOSYS)) \
    F(int, av_opt_set, (void *object, const char *name, const char *value, int flags), (object, name, value, flags), AVERROR(ENOSYS)) \
    F(AVPacket *, av_packet_alloc, (void), (), 0) \
    F(void, av_packet_free, (AVPacket **packet), (packet), (void)0) \
    F(int, av_packet_ref, (AVPacket *packet, const AVPacket *source), (packet, source), AVERROR(ENOSYS)) \
    F(void, av_packet_unref, (AVPacket *packet), (packet), (void)0) \
    F(int, av_read_frame, (AVFormatContext *context, AVPacket *packet), (context, packet), AVERROR(ENOSYS)) \
    F(int64_t, av_rescale, (int64_t value, int64_t factor, int64_t divisor), (value, factor, divisor), INT64_MIN) \
    F(int, av_sample_fmt_is_planar, (enum AVSampleFormat format), (format), 0) \
    F(int, av_seek_frame, (AVFormatContext *context, int stream, int64_t time, int flags), (context, stream, time, flags), \
      AVERROR(ENOSYS)) \
    F(AVCodecContext *, avcodec_alloc_context3, (const AVCodec *codec), (codec), 0) \
    F(const AVCodecDescriptor *, avcodec_descriptor_get, (enum AVCodecID codec), (codec), 0) \
    F(const AVCodec *, avcodec_find_decoder, (enum AVCodecID codec), (codec), 0) \
    F(const AVCodec *, avcodec_find_encoder, (enum AVCodecID codec), (codec), 0) \
    F(void, avcodec_free_context, (AVCodecContext **context), (context), (void)0) \
    F(int, avcodec_open2, (AVCodecContext *context, const AVCodec *codec, AVDictionary **options), (context, codec, options), \
      AVERROR(ENOSYS)) \
    F(AVCodecParameters *, avcodec_parameters_alloc, (void), (), 0) \
    F(int, avcodec_parameters_copy, (AVCodecParameters *parameters, const AVCodecParameters *source), (parameters, source), \
      AVERROR(ENOSYS)) \
    F(void, avcodec_parameters_free, (AVCodecParameters **parameters), (parameters), (void)0) \
    F(int, avcodec_parameters_to_context, (AVCodecContext *context, const AVCodecParameters *parameters), (context, parameters), \
      AVERROR(ENOSYS)) \
    F(int, avcodec_receive_frame, (AVCodecContext *context, AVFrame *frame), (context, frame), AVERROR(ENOSYS)) \
    F(int, avcodec_receive_packet, (AVCodecContext *context, AVPacket *packet), (context, packet), AVERROR(ENOSYS)) \
    F(int, avcodec_send_frame, (AVCodecContext *context, const AVFrame *frame), (context, frame), AVERROR(ENOSYS)) \
    F(int, avcodec_send_packet, (AVCodecContext *context, const AVPacket *packet), (context, packet), AVERROR(ENOSYS)) \
    F(AVFormatContext *, avformat_alloc_context, (void), (), 0) \
    F(void, avformat_close_input, (AVFormatContext **context), (context), (void)0) \
    F(int, avformat_find_stream_info, (AVFormatContext *context, AVDictionary **options), (context, options), AVERROR(ENOSYS)) \
    F(int, avformat_index_get_entries_count, (const AVStream *stream), (stream), 0) \
    F(const AVIndexEntry *, avformat_index_get_entry, (AVStream *stream, int index), (stream, index), 0) \
    F(int, avformat_open_input, \
      (AVFormatContext **context, const char *url, const AVInputFormat *format, AVDictionary **options), \
      (context, url, format, options), AVERROR(ENOSYS)) \
    F(AVIOContext *, avio_alloc_context, \
      (unsigned char *buffer, int size, int isWritable, void *data, int (*read)(void *, uint8_t *, int), \
       int (*write)(void *, uint8_t *, int), int64_t (*seek)(void *, int64_t, int)), \
      (buffer, size, isWritable, data, read, write, seek), 0) \
    F(void, avio_context_free, (AVIOContext **context), (context), (void)0)
