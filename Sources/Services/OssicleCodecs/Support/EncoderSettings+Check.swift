extension EncoderSettings {
    /// The quality within 0 ... 1; `nil` when it is not told or no number.
    var qualityInRange: Double? { quality.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) } }

    /// Refuses a bit rate out of `range`.
    func checkBitRate(_ object: String, _ range: ClosedRange<Int>) throws(CodecError) {
        guard let bitRate, !range.contains(bitRate) else { return }
        throw CodecError(.outOfRange, object: object, found: "\(bitRate) bit/s",
                         rule: "With these channels and this rate it takes \(range.lowerBound) to \(range.upperBound) bit/s.",
                         cure: "Choose a bit rate in this range.")
    }
}
