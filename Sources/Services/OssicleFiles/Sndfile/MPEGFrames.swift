// The frames of MPEG audio, counted by their headers.

import OssicleCodecs

/// Walks through a file of MPEG audio (ISO/IEC 11172-3, 13818-3) from header to header. Without a tag that states its
/// length the decoder would guess it from the first frame's bit rate.
struct MPEGFrames {
    private let source: any ByteSource
    private var window: [UInt8] = []
    private var windowStart: Int64 = 0
    private static let windowSize = 65_536

    /// Samples of each channel in all frames of the file; `nil` when its first frame is a tag with the length, or its
    /// bit rate is not stated.
    static func untaggedLength(of source: any ByteSource) -> Int64? {
        var frames = MPEGFrames(source: source)
        return frames.count()
    }

    private init(source: any ByteSource) { self.source = source }

    private mutating func count() -> Int64? {
        guard var offset = next(from: bytes(at: 0, 10).map { ID3Tag.byteCount($0) } ?? 0, like: nil),
            let first = header(at: offset), !isTag(first, at: offset)
        else { return nil }
        var samples: Int64 = 0
        while let found = next(from: offset, like: first), let frame = header(at: found),
            found + Int64(frame.byteCount) <= source.byteCount
        {
            samples += Int64(frame.framesPerPacket)
            offset = found + Int64(frame.byteCount)
        }
        return samples
    }

    /// The first header from `offset` on, at most a window further, that is of the same stream.
    private mutating func next(from offset: Int64, like first: MPEGHeader?) -> Int64? {
        for place in offset..<offset + Int64(Self.windowSize) {
            guard place < source.byteCount else { return nil }
            if let frame = header(at: place), first.map({ frame.isAkin(to: $0) }) ?? true { return place }
        }
        return nil
    }

    private mutating func header(at offset: Int64) -> MPEGHeader? {
        bytes(at: offset, MPEGHeader.size).flatMap { bytes in bytes.withUnsafeBytes { MPEGHeader($0, at: 0) } }
    }

    /// Xing's or LAME's tag behind the side information, or Fraunhofer's.
    private mutating func isTag(_ frame: MPEGHeader, at offset: Int64) -> Bool {
        let tags = [frame.sideInformationSize + 4, 36].compactMap { bytes(at: offset + Int64($0), 4) }
        return tags.contains { ["Xing", "Info", "VBRI"].contains(String(decoding: $0, as: UTF8.self)) }
    }

    private mutating func bytes(at offset: Int64, _ count: Int) -> ArraySlice<UInt8>? {
        if offset < windowStart || offset + Int64(count) > windowStart + Int64(window.count) {
            var fresh = [UInt8](repeating: 0, count: Self.windowSize)
            let got = fresh.withUnsafeMutableBytes { memory in (try? source.read(into: memory, at: offset)) ?? 0 }
            window = Array(fresh.prefix(max(0, got)))
            windowStart = offset
        }
        let start = Int(offset - windowStart)
        return start + count <= window.count ? window[start..<start + count] : nil
    }
}
