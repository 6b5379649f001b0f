import AVFoundation

/// What was rendered, in stereo, with the measurements that tell whether it is right.
public struct Take: Equatable {
    public let rate: Double
    public internal(set) var left: [Float]
    public internal(set) var right: [Float]

    public init(rate: Double, left: [Float] = [], right: [Float] = []) {
        (self.rate, self.left, self.right) = (rate, left, right)
    }

    public var seconds: Double { Double(left.count) / rate }

    public func buffer() throws -> AVAudioPCMBuffer { try .holding([left, right], rate: rate) }

    /// Level of one frequency in the left channel between two times, in dB re a full-scale sine; −200 for nothing
    /// (Goertzel, Hann window).
    public func level(at frequency: Double, from start: Double, to end: Double) -> Double {
        let first = min(Int(start * rate), left.count)
        let span = left[first..<max(first, min(Int(end * rate), left.count))]
        let twice = 2 * cos(2 * .pi * frequency / rate)
        var (y1, y2, weights) = (0.0, 0.0, 0.0)
        for (index, sample) in span.enumerated() {
            let weight = 0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / Double(span.count))
            (y2, y1) = (y1, weight * Double(sample) + twice * y1 - y2)
            weights += weight
        }
        let power = y1 * y1 + y2 * y2 - twice * y1 * y2
        return 10 * log10(max(4 * power / max(weights * weights, 1), 1e-20))
    }

    /// Root mean square of the left channel between two times, in dB re full scale; −200 for silence.
    public func level(from start: Double, to end: Double) -> Double {
        let first = min(Int(start * rate), left.count)
        let span = left[first..<max(first, min(Int(end * rate), left.count))]
        return 10 * log10(max(span.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(span.count, 1)), 1e-20))
    }

    /// The largest fourth difference in either channel: next to nothing for a smooth sound, and about as large as the
    /// gap where one is cut.
    public var sharpestCorner: Float { [left, right].map(fourthDifference).reduce(0, max) }

    /// The largest difference between a sample and the one before, in either channel.
    public var largestStep: Float {
        [left, right].map { samples in zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) } }
            .reduce(0, max)
    }
}

/// The largest fourth difference of a row of samples.
public func fourthDifference(_ samples: [Float]) -> Float {
    var row = samples
    for _ in 0..<4 { row = zip(row.dropFirst(), row).map { $0 - $1 } }
    return row.reduce(0) { max($0, abs($1)) }
}
