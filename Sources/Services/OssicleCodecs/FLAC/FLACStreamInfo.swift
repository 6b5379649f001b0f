/// The STREAMINFO block of a FLAC stream (RFC 9639, 8.2): 34 bytes.
package struct FLACStreamInfo: Equatable, Sendable {
    package static let byteCount = 34

    /// Frames of the smallest and the largest packet, the last left out.
    package var minimumBlockSize = 4096
    package var maximumBlockSize = 4096
    /// Bytes of the smallest and the largest packet; 0 when not known.
    package var minimumFrameSize = 0
    package var maximumFrameSize = 0
    /// In hertz.
    package var sampleRate: Int
    package var channelCount: Int
    package var bitsPerSample: Int
    /// 0 when not known.
    package var frameCount: Int64 = 0
    /// MD5 of the samples, sixteen bytes; zeros when not known.
    package var signature = [UInt8](repeating: 0, count: 16)

    package init(sampleRate: Int, channelCount: Int, bitsPerSample: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitsPerSample = bitsPerSample
    }

    /// Reads the bare block, or the first one behind `fLaC`, in a `dfLa` box or behind a block's header; `nil` when the
    /// bytes are none of these or make no sense.
    package init?(cookie: [UInt8]) {
        guard let block = Self.block(in: cookie) else { return nil }
        let numbers = block.withUnsafeBytes { bytes in
            var bits = BitReader(bytes)
            return [16, 16, 24, 24, 20, 3, 5, 4, 32].map { Int(bits.read($0)) }
        }
        self.init(sampleRate: numbers[4], channelCount: numbers[5] + 1, bitsPerSample: numbers[6] + 1)
        (minimumBlockSize, maximumBlockSize) = (numbers[0], numbers[1])
        (minimumFrameSize, maximumFrameSize) = (numbers[2], numbers[3])
        frameCount = Int64(numbers[7]) << 32 | Int64(numbers[8])
        signature = Array(block.suffix(16))
        guard sampleRate > 0, bitsPerSample >= 4, minimumBlockSize >= 16, minimumBlockSize <= maximumBlockSize else {
            return nil
        }
    }

    private static func block(in cookie: [UInt8]) -> [UInt8]? {
        var rest = cookie[...]
        if rest.count > 12, Array(rest[4..<8]) == Array("dfLa".utf8) { rest = rest.dropFirst(8) }
        if rest.starts(with: Array("fLaC".utf8)) { rest = rest.dropFirst(4) }
        if rest.count > byteCount, rest.prefix(4).allSatisfy({ $0 == 0 }) { rest = rest.dropFirst(4) }
        if rest.count >= byteCount + 4, let type = rest.first, type & 0x7F == 0,
            Array(rest.dropFirst().prefix(3)) == [0, 0, UInt8(byteCount)]
        {
            rest = rest.dropFirst(4)
        }
        return rest.count >= byteCount ? Array(rest.prefix(byteCount)) : nil
    }

    /// The bare block.
    package var bytes: [UInt8] {
        var bits = BitWriter()
        let low = UInt32(truncatingIfNeeded: frameCount), high = UInt32(truncatingIfNeeded: frameCount >> 32)
        let numbers = [
            (minimumBlockSize, 16), (maximumBlockSize, 16), (minimumFrameSize, 24), (maximumFrameSize, 24),
            (sampleRate, 20),
            (channelCount - 1, 3), (bitsPerSample - 1, 5),
        ]
        for (number, width) in numbers { bits.write(UInt32(truncatingIfNeeded: number), width) }
        bits.write(high, 4)
        bits.write(low, 32)
        return bits.bytes + signature
    }

    /// The head of a native stream that consists of this block only: `fLaC`, the block's header, the block.
    package var streamHead: [UInt8] { Array("fLaC".utf8) + [0x80, 0, 0, UInt8(Self.byteCount)] + bytes }

    /// The block in a `dfLa` box (Encapsulation of FLAC in ISO Base Media File Format, 3.3.2).
    package var box: [UInt8] {
        [0, 0, 0, UInt8(16 + Self.byteCount)] + Array("dfLa".utf8) + [0, 0, 0, 0, 0x80, 0, 0, UInt8(Self.byteCount)]
            + bytes
    }
}
