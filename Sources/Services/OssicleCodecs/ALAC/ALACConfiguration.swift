/// What an Apple Lossless decoder needs to begin (Apple Lossless Format Description, 2011): 24 bytes.
package struct ALACConfiguration: Equatable, Sendable {
    package static let byteCount = 24

    /// Frames of a packet; the last may have fewer.
    package var framesPerPacket = 4096
    package var bitDepth: Int
    /// Tuning of the entropy coder: how fast it follows, where it begins, its longest remainder in bits.
    package var historyMultiplier = 40
    package var initialHistory = 10
    package var riceLimit = 14
    package var channelCount: Int
    package var maximumRun = 255
    /// In bytes; 0 when not known.
    package var maximumPacketSize = 0
    /// In bits per second; 0 when not known.
    package var averageBitRate = 0
    /// In hertz.
    package var sampleRate: Int

    package init(bitDepth: Int, channelCount: Int, sampleRate: Int) {
        self.bitDepth = bitDepth
        self.channelCount = channelCount
        self.sampleRate = sampleRate
    }

    /// Reads the 24 bytes, bare or inside the `frma` and `alac` boxes of older files; `nil` when the bytes are none of
    /// these or make no sense.
    package init?(cookie: [UInt8]) {
        var rest = cookie[...]
        for name in ["frma", "alac"]
        where rest.count >= 12 + Self.byteCount && Array(rest.dropFirst(4).prefix(4)) == Array(name.utf8) {
            rest = rest.dropFirst(12)
        }
        guard rest.count >= Self.byteCount else { return nil }
        let numbers = Array(rest).withUnsafeBytes { bytes in
            var bits = BitReader(bytes)
            return [32, 8, 8, 8, 8, 8, 8, 16, 32, 32, 32].map { Int(bits.read($0)) }
        }
        self.init(bitDepth: numbers[2], channelCount: numbers[6], sampleRate: numbers[10])
        framesPerPacket = numbers[0]
        (historyMultiplier, initialHistory, riceLimit) = (numbers[3], numbers[4], numbers[5])
        (maximumRun, maximumPacketSize, averageBitRate) = (numbers[7], numbers[8], numbers[9])
        let isKnown = numbers[1] == 0 && [16, 20, 24, 32].contains(bitDepth) && (1...8).contains(channelCount)
        guard isKnown, (1...Self.longestPacket).contains(framesPerPacket), (1...31).contains(riceLimit) else {
            return nil
        }
    }

    /// No encoder makes longer packets; it keeps a damaged cookie from asking for memory without bound.
    private static let longestPacket = 65_536

    package var bytes: [UInt8] {
        var bits = BitWriter()
        let numbers = [
            (framesPerPacket, 32), (0, 8), (bitDepth, 8), (historyMultiplier, 8), (initialHistory, 8), (riceLimit, 8),
            (channelCount, 8),
            (maximumRun, 16), (maximumPacketSize, 32), (averageBitRate, 32), (sampleRate, 32),
        ]
        for (number, width) in numbers { bits.write(UInt32(truncatingIfNeeded: number), width) }
        return bits.bytes
    }
}
