#if FFmpeg
// FFmpeg's window on a file.

import CFFmpeg
import OssicleCodecs

/// Gives FFmpeg the bytes of a file, up to a budget that is filled up for each task: damage that sends a demuxer in
/// circles ends in a read error.
final class FFmpegByteReader {
    private let source: FileBytes
    private var position: Int64 = 0
    private var budget: Int64 = 0
    private static let blockSize = 32_768

    init(_ source: FileBytes) {
        self.source = source
        refill()
    }

    /// Allows to read the whole file four times, and some.
    func refill() {
        let (product, overflow) = source.byteCount.multipliedReportingOverflow(by: 4)
        budget = overflow ? .max : max(product, 1 << 24)
    }

    /// A context for FFmpeg that reads from here; this object must outlive it.
    func makeContext() throws(AudioFileError) -> UnsafeMutablePointer<AVIOContext> {
        let block = av_malloc(Self.blockSize)?.assumingMemoryBound(to: UInt8.self)
        let context = avio_alloc_context(
            block, Int32(Self.blockSize), 0, Unmanaged.passUnretained(self).toOpaque(),
            { object, memory, count in FFmpegByteReader.of(object)?.read(memory, count) ?? ossicle_averror_io() }, nil,
            { object, offset, whence in FFmpegByteReader.of(object)?.seek(offset, whence) ?? Int64(ossicle_averror_io())
            })
        guard let context else {
            av_free(block)
            throw FFmpegInput.unreadable(source.name, "no memory")
        }
        return context
    }

    func free(_ context: inout UnsafeMutablePointer<AVIOContext>?) {
        if let context { av_freep(&context.pointee.buffer) }
        avio_context_free(&context)
    }

    private static func of(_ object: UnsafeMutableRawPointer?) -> FFmpegByteReader? {
        object.map { Unmanaged<FFmpegByteReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func read(_ memory: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
        guard let memory, count > 0, budget > 0 else { return ossicle_averror_io() }
        let target = UnsafeMutableRawBufferPointer(start: memory, count: Int(count))
        guard let done = try? source.read(into: target, at: position) else { return ossicle_averror_io() }
        guard done > 0 else { return ossicle_averror_end() }
        position += Int64(done)
        budget -= Int64(done)
        return Int32(done)
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        switch whence & ~Int32(AVSEEK_FORCE) {
        case Int32(AVSEEK_SIZE): return source.byteCount
        case SEEK_SET: return move(to: offset)
        case SEEK_CUR: return move(to: position.addingReportingOverflow(offset).partialValue)
        case SEEK_END: return move(to: source.byteCount.addingReportingOverflow(offset).partialValue)
        default: return Int64(ossicle_averror_io())
        }
    }

    private func move(to offset: Int64) -> Int64 {
        guard offset >= 0 else { return Int64(ossicle_averror_io()) }
        position = offset
        return offset
    }
}
#endif
