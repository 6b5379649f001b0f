import Foundation

/// Samples at 48 kHz, channel by channel, with the measurements that tell whether they are right.
public struct Sound: Sendable, Equatable {
    public static let sampleRate = 48_000.0
    public internal(set) var channels: [[Float]]

    public init(_ channels: [[Float]]) { self.channels = channels }

    /// Mono, from a function of the time in seconds.
    public init(seconds: Double, _ value: (Double) -> Double) {
        channels = [(0..<Int(seconds * Sound.sampleRate)).map { Float(value(Double($0) / Sound.sampleRate)) }]
    }

    /// A tone that is struck and dies away.
    public static func struck(_ frequency: Double, seconds: Double = 0.25) -> Sound {
        Sound(seconds: seconds) { time in
            0.25 * min(time / 0.005, 1) * sin(2 * .pi * frequency * time) * exp(-time / 0.05)
        }
    }

    public var seconds: Double { Double(channels.first?.count ?? 0) / Sound.sampleRate }

    // MARK: Measuring

    /// Mean power of each channel between two times, in dB re full scale, −200 for silence.
    public func levels(from start: Double, to end: Double) -> [Double] {
        channels.map { channel in
            let span = Sound.frames(start, end, of: channel)
            return Sound.decibels(span.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(span.count, 1)))
        }
    }

    /// The same of all channels together.
    public func level(from start: Double, to end: Double) -> Double {
        Sound.decibels(levels(from: start, to: end).reduce(0) { $0 + pow(10, $1 / 10) })
    }

    /// Level of one frequency in all channels together, dB re a full-scale sine (Goertzel's filter).
    public func level(at frequency: Double, from start: Double, to end: Double) -> Double {
        let twice = 2 * cos(2 * .pi * frequency / Sound.sampleRate)
        return Sound.decibels(
            channels.reduce(0) { sum, channel in
                let span = Sound.frames(start, end, of: channel)
                var (y1, y2) = (0.0, 0.0)
                for sample in span { (y2, y1) = (y1, Double(sample) + twice * y1 - y2) }
                return sum + 4 * (y1 * y1 + y2 * y2 - twice * y1 * y2) / pow(Double(max(span.count, 1)), 2)
            })
    }

    private static func decibels(_ power: Double) -> Double { 10 * log10(max(power, 1e-20)) }

    private static func frames(_ start: Double, _ end: Double, of channel: [Float]) -> ArraySlice<Float> {
        let first = min(max(Int(start * sampleRate), 0), channel.count)
        return channel[first..<min(max(Int(end * sampleRate), first), channel.count)]
    }
}
