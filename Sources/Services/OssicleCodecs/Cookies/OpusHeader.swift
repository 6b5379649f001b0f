/// The identification header of an Opus stream (RFC 7845, 5.1).
package struct OpusHeader: Equatable, Sendable {
    package var channelCount: Int
    /// Frames at 48 kHz to drop at the beginning.
    package var preSkip: Int
    /// The rate of what was encoded, in hertz; 0 when not told.
    package var inputSampleRate: Int
    /// In 1/256 dB, to apply to what is decoded.
    package var outputGain = 0
    /// 0: one or two channels; 1: the order of Vorbis; 255: no order.
    package var mappingFamily: Int
    /// Opus streams in a packet, and how many of them have two channels.
    package var streamCount: Int
    package var coupledCount: Int
    /// For each channel which coded one it is; 255 is silence.
    package var mapping: [UInt8]

    package init(channelCount: Int, preSkip: Int, inputSampleRate: Int, mappingFamily: Int, streamCount: Int, coupledCount: Int, mapping: [UInt8]) {
        self.channelCount = channelCount
        self.preSkip = preSkip
        self.inputSampleRate = inputSampleRate
        self.mappingFamily = mappingFamily
        self.streamCount = streamCount
        self.coupledCount = coupledCount
        self.mapping = mapping
    }

    /// One stream of one or two channels, as when there is no header.
    package init(plainChannels channelCount: Int) {
        self.init(channelCount: channelCount, preSkip: 0, inputSampleRate: 0, mappingFamily: 0, streamCount: 1, coupledCount: channelCount - 1,
                  mapping: (0..<channelCount).map { UInt8($0) })
    }

    /// Reads a header; `nil` when the bytes are none or make no sense.
    package init?(cookie: [UInt8]) {
        guard cookie.count >= 19, cookie.starts(with: Array("OpusHead".utf8)), cookie[8] & 0xF0 == 0, cookie[9] > 0 else { return nil }
        func little(_ range: Range<Int>) -> Int { range.reversed().reduce(0) { $0 << 8 | Int(cookie[$1]) } }
        let channels = Int(cookie[9])
        self.init(plainChannels: min(channels, 2))
        (preSkip, inputSampleRate, mappingFamily) = (little(10..<12), little(12..<16), Int(cookie[18]))
        outputGain = Int(Int16(truncatingIfNeeded: little(16..<18)))
        channelCount = channels
        if mappingFamily > 0 {
            guard cookie.count >= 21 + channels else { return nil }
            (streamCount, coupledCount, mapping) = (Int(cookie[19]), Int(cookie[20]), Array(cookie[21..<21 + channels]))
        }
        let coded = streamCount + coupledCount
        let isInRange = mapping.allSatisfy { $0 == 255 || Int($0) < coded }
        guard mapping.count == channels, streamCount > 0, coupledCount <= streamCount, coded <= 255, isInRange else { return nil }
    }

    package var bytes: [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        let start = Array("OpusHead".utf8) + [1, UInt8(truncatingIfNeeded: channelCount)] + little(preSkip, 2) + little(inputSampleRate, 4)
            + little(outputGain, 2) + [UInt8(truncatingIfNeeded: mappingFamily)]
        return mappingFamily == 0 ? start : start + [UInt8(truncatingIfNeeded: streamCount), UInt8(truncatingIfNeeded: coupledCount)] + mapping
    }
}
