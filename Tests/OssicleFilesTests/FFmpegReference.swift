#if FFmpeg
// A second opinion on sound files.

import CFFmpeg
import Foundation

/// What FFmpeg's libraries, left to themselves, make of a file: one array per channel in FFmpeg's own channel order,
/// from -1 to 1. None of our code for opening, trimming or seeking takes part.
func ffmpegDecode(_ path: String) throws -> [[Double]] {
    guard ossicle_load_ffmpeg() else { throw ReferenceError(step: "load", code: 0) }
    var opened: UnsafeMutablePointer<AVFormatContext>?
    try check(avformat_open_input(&opened, path, nil, nil), "open")
    defer { avformat_close_input(&opened) }
    guard let format = opened else { throw ReferenceError(step: "open", code: 0) }
    try check(avformat_find_stream_info(format, nil), "look into")
    var codec: UnsafePointer<AVCodec>?
    let index = av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, &codec, 0)
    try check(index, "find the sound of")
    var context = avcodec_alloc_context3(codec), packet = av_packet_alloc(), frame = av_frame_alloc()
    defer {
        avcodec_free_context(&context)
        av_packet_free(&packet)
        av_frame_free(&frame)
    }
    guard let context, let packet, let frame, let stream = format.pointee.streams[Int(index)] else {
        throw ReferenceError(step: "allocate", code: 0)
    }
    try check(avcodec_parameters_to_context(context, stream.pointee.codecpar), "describe")
    context.pointee.pkt_timebase = stream.pointee.time_base
    try check(avcodec_open2(context, codec, nil), "start decoding")
    var channels = [[Double]](repeating: [], count: Int(context.pointee.ch_layout.nb_channels))
    var isAtEnd = false
    while !isAtEnd {
        isAtEnd = av_read_frame(format, packet) < 0
        if isAtEnd || packet.pointee.stream_index == index {
            try check(avcodec_send_packet(context, isAtEnd ? nil : packet), "decode")
            while avcodec_receive_frame(context, frame) == 0 { append(frame, to: &channels) }
        }
        av_packet_unref(packet)
    }
    return channels
}

struct ReferenceError: Error {
    var step: String
    var code: Int32
}

private func check(_ result: Int32, _ step: String) throws {
    if result < 0 { throw ReferenceError(step: step, code: result) }
}

private func append(_ frame: UnsafePointer<AVFrame>, to channels: inout [[Double]]) {
    let format = AVSampleFormat(frame.pointee.format), isPlanar = av_sample_fmt_is_planar(format) == 1
    for channel in channels.indices {
        guard let plane = frame.pointee.extended_data[isPlanar ? channel : 0] else { continue }
        let stride = isPlanar ? 1 : channels.count, start = isPlanar ? 0 : channel
        for index in 0..<Int(frame.pointee.nb_samples) {
            channels[channel].append(sample(UnsafeRawPointer(plane), start + index * stride, format))
        }
    }
}

private func sample(_ memory: UnsafeRawPointer, _ place: Int, _ format: AVSampleFormat) -> Double {
    switch av_get_packed_sample_fmt(format) {
    case AV_SAMPLE_FMT_FLT: Double(memory.load(fromByteOffset: 4 * place, as: Float.self))
    case AV_SAMPLE_FMT_DBL: memory.load(fromByteOffset: 8 * place, as: Double.self)
    case AV_SAMPLE_FMT_S16: Double(memory.load(fromByteOffset: 2 * place, as: Int16.self)) / 32_768
    case AV_SAMPLE_FMT_S32: Double(memory.load(fromByteOffset: 4 * place, as: Int32.self)) / 2_147_483_648
    default: .nan
    }
}
#endif
