// libsndfile as an independent encoder and decoder, over memory.

import CSndfile
import Foundation
import OssicleCore
import Testing
@testable import OssicleCodecs

/// A sound file in memory.
final class MemoryFile {
    private(set) var bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
        _ = ossicle_load_sndfile()
    }

    /// Writes a file of libsndfile's `format`. Integers go in: of floating point the library makes integers by another
    /// rule.
    static func write(_ channels: [[Double]], format: Int, rate: Int = 48_000) throws -> [UInt8] {
        let memory = MemoryFile()
        var info = SF_INFO(
            frames: 0, samplerate: Int32(rate), channels: Int32(channels.count), format: Int32(format), sections: 0,
            seekable: 0)
        var calls = memory.calls
        let file = try #require(
            sf_open_virtual(&calls, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(memory).toOpaque()))
        let count = channels.first?.count ?? 0
        let quantizer = SampleQuantizer(bits: 32)
        let interleaved = (0..<count).flatMap { frame in channels.map { quantizer.quantize($0[frame]) } }
        let written = sf_writef_int(file, interleaved, sf_count_t(count))
        sf_close(file)
        #expect(written == sf_count_t(count))
        return memory.bytes
    }

    /// Reads all of a file.
    static func read(_ bytes: [UInt8]) throws -> [[Double]] {
        let memory = MemoryFile(bytes)
        var info = SF_INFO()
        var calls = memory.calls
        let file = try #require(
            sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(memory).toOpaque()))
        defer { sf_close(file) }
        let channels = Int(info.channels)
        var interleaved = [Double](repeating: 0, count: Int(info.frames) * channels)
        let count = Int(sf_readf_double(file, &interleaved, info.frames))
        return (0..<channels).map { channel in (0..<count).map { interleaved[$0 * channels + channel] } }
    }

    private var calls: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(MemoryFile.of($0).bytes.count) },
            seek: { offset, whence, client in
                let file = MemoryFile.of(client)
                let base =
                    Int(whence) == SF_SEEK_SET ? 0 : Int(whence) == SF_SEEK_CUR ? file.position : file.bytes.count
                file.position = base + Int(offset)
                return sf_count_t(file.position)
            },
            read: { memory, count, client in
                let file = MemoryFile.of(client)
                let piece = file.bytes.dropFirst(file.position).prefix(Int(count))
                memory?.copyMemory(from: Array(piece), byteCount: piece.count)
                file.position += piece.count
                return sf_count_t(piece.count)
            },
            write: { memory, count, client in
                let file = MemoryFile.of(client)
                let end = file.position + Int(count)
                if end > file.bytes.count { file.bytes += [UInt8](repeating: 0, count: end - file.bytes.count) }
                file.bytes.replaceSubrange(
                    file.position..<end, with: UnsafeRawBufferPointer(start: memory, count: Int(count)))
                file.position = end
                return count
            },
            tell: { sf_count_t(MemoryFile.of($0).position) })
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> MemoryFile {
        client.map { Unmanaged<MemoryFile>.fromOpaque($0).takeUnretainedValue() } ?? MemoryFile()
    }
}
