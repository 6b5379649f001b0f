import AVFAudio
import Foundation

/// What was rendered, with the measurements that tell whether it is right.
public struct Take: Sendable, Equatable {
    public var left: [Float] = []
    public var right: [Float] = []

    /// Root mean square of both channels in dB re full scale, −200 for silence.
    public var level: Double { Take.level(of: left[...], right[...]) }

    public var levelPerSecond: [Double] {
        let second = Int(SoundFolder.sampleRate)
        return stride(from: 0, to: left.count, by: second).map { start in
            let span = start..<min(start + second, left.count)
            return Take.level(of: left[span], right[span])
        }
    }

    /// Level of one frequency in the left channel between two times, dB re a full-scale sine (Goertzel).
    public func level(at frequency: Double, from start: Double, to end: Double) -> Double {
        let first = min(Int(start * SoundFolder.sampleRate), left.count)
        let last = max(first, min(Int(end * SoundFolder.sampleRate), left.count))
        let twice = 2 * cos(2 * .pi * frequency / SoundFolder.sampleRate)
        var (y1, y2) = (0.0, 0.0)
        for sample in left[first..<last] { (y2, y1) = (y1, Double(sample) + twice * y1 - y2) }
        let power = y1 * y1 + y2 * y2 - twice * y1 * y2
        return 10 * log10(max(4 * power / pow(Double(max(last - first, 1)), 2), 1e-20))
    }

    /// Mean level of the frequencies from `low` to `high` in the left channel, 32 of them, dB.
    public func level(from low: Double, to high: Double) -> Double {
        let seconds = Double(left.count) / SoundFolder.sampleRate
        let powers = (0..<32).map {
            pow(10, level(at: low + (high - low) * (Double($0) + 0.5) / 32, from: 0, to: seconds) / 10)
        }
        return 10 * log10(powers.reduce(0, +) / 32)
    }

    /// Writes a stereo WAVE file.
    public func write(to url: URL) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: SoundFolder.sampleRate, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(left.count)),
            let channels = buffer.floatChannelData
        else { throw Failure("no buffer to write \(url.path)") }
        for frame in left.indices { (channels[0][frame], channels[1][frame]) = (left[frame], right[frame]) }
        buffer.frameLength = AVAudioFrameCount(left.count)
        try AVAudioFile(forWriting: url, settings: format.settings).write(from: buffer)
    }

    private static func level(of left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> Double {
        let energy =
            (left + right).reduce(0) { $0 + Double($1) * Double($1) } / Double(max(left.count + right.count, 1))
        return 10 * log10(max(energy, 1e-20))
    }
}
