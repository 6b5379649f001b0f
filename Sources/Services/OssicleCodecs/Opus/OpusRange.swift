/// What Opus can do.
enum OpusRange {
    static let sampleRates = [8000.0, 12_000, 16_000, 24_000, 48_000]
    static let channelCounts = 1...8

    static func check(_ sampleRate: Double, _ object: String) throws(CodecError) {
        guard !sampleRates.contains(sampleRate) else { return }
        throw .rate(object, found: sampleRate, rule: "Opus works at 8000, 12000, 16000, 24000 or 48000 Hz.")
    }

    /// Bits per second of a whole stream, from speech at the lowest to what libopus gives at most.
    static func bitRates(_ channelCount: Int) -> ClosedRange<Int> {
        let channels = min(max(channelCount, 1), channelCounts.upperBound)
        return 6000 * channels...300_000 * channels
    }
}
