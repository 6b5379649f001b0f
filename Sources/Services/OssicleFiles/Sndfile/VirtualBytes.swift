// Bytes as libsndfile walks through them.

import CSndfile
import Foundation

/// A place in bytes that are read or written. Keeps the first error of the bytes' owner.
final class VirtualBytes {
    let source: (any ByteSource)?
    private let sink: (any ByteSink)?
    private(set) var byteCount: Int64
    private var offset: Int64 = 0
    private(set) var failure: AudioFileError?
    /// The first bytes of what has been written: enough for a header's chunks.
    private(set) var head: [UInt8] = []
    private static let headCount = 4096
    private var isDraft = false
    /// While the library reads the header.
    var isOpening = false

    init(reading source: any ByteSource) {
        self.source = source
        sink = nil
        byteCount = max(0, source.byteCount)
    }

    /// - Parameter isDraft: whether what is written first is only tried out: some headers are written before the
    ///   library is asked not to put into them, and the longer one's end would lie behind a short sound.
    init(writing sink: any ByteSink, isDraft: Bool) {
        self.isDraft = isDraft
        source = nil
        self.sink = sink
        byteCount = 0
    }

    private func seek(_ distance: Int64, _ whence: Int32) -> Int64 {
        let origin = whence == SEEK_CUR ? offset : whence == SEEK_END ? byteCount : 0
        let (place, overflow) = origin.addingReportingOverflow(distance)
        guard !overflow, place >= 0 else { return -1 }
        offset = place
        return place
    }

    private func read(_ memory: UnsafeMutableRawPointer?, _ count: Int64) -> Int64 {
        guard let source, let memory, failure == nil, offset < byteCount,
            let wanted = Int(exactly: min(count, byteCount - offset)), wanted > 0
        else { return 0 }
        do throws(AudioFileError) {
            let got = try source.read(into: UnsafeMutableRawBufferPointer(start: memory, count: wanted), at: offset)
            let count = min(max(got, 0), wanted)
            if isOpening {
                HeaderGuard.check(UnsafeMutableRawBufferPointer(start: memory, count: count), at: offset, of: source)
            }
            offset += Int64(count)
            return Int64(count)
        } catch {
            failure = error
            return 0
        }
    }

    private func write(_ memory: UnsafeRawPointer?, _ count: Int64) -> Int64 {
        guard let sink, let memory, failure == nil, let length = Int(exactly: count), length > 0 else { return 0 }
        let bytes = UnsafeRawBufferPointer(start: memory, count: length)
        do throws(AudioFileError) {
            if !isDraft { try sink.write(bytes, at: offset) }
        } catch {
            failure = error
            return 0
        }
        remember(bytes)
        offset += count
        byteCount = max(byteCount, offset)
        return count
    }

    /// Ends the draft: what was written until now never was.
    func endDraft() {
        guard isDraft else { return }
        isDraft = false
        byteCount = 0
        head = []
    }

    /// Forgets an error, so that a header can be brought up to date after a write that failed.
    func goOn() { failure = nil }

    private func remember(_ bytes: UnsafeRawBufferPointer) {
        guard offset < Self.headCount, let start = Int(exactly: offset) else { return }
        let end = min(start + bytes.count, Self.headCount)
        if head.count < end { head += [UInt8](repeating: 0, count: end - head.count) }
        for index in start..<end { head[index] = bytes[index - start] }
    }

    /// The calls libsndfile makes; its user data is an unretained cursor.
    static let calls = SF_VIRTUAL_IO(
        get_filelen: { VirtualBytes.at($0)?.byteCount ?? 0 },
        seek: { VirtualBytes.at($2)?.seek($0, $1) ?? -1 },
        read: { VirtualBytes.at($2)?.read($0, $1) ?? 0 },
        write: { VirtualBytes.at($2)?.write($0, $1) ?? 0 },
        tell: { VirtualBytes.at($0)?.offset ?? 0 })

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> VirtualBytes? {
        pointer.map { Unmanaged<VirtualBytes>.fromOpaque($0).takeUnretainedValue() }
    }
}
