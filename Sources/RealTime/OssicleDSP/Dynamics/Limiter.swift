import OssicleCore

/// A linked peak limiter without latency: the safety net behind the master.
///
/// Each frame's gain is the least of two: what lets the loudest channel just reach the ceiling, and a recovery towards
/// 1 with a time constant of 100 ms. So the attack is immediate, the ceiling is never exceeded, channels keep their
/// balance, and a signal below the ceiling that follows no limited one passes bit for bit. It trades distortion on
/// overload for latency: a look-ahead limiter sounds better at its delay's price. Non-finite frames are replaced by
/// silence and counted. Audio thread.
package struct Limiter: ~Copyable {
    /// −1 dBFS.
    package static let defaultCeiling: Float = 0.891_250_938

    /// Frames whose gain was below 1, and frames replaced because a sample was not finite.
    private(set) package var limitedFrames = 0
    private(set) package var nonFiniteFrames = 0
    private let ceiling: Float
    private let recovery: Double
    /// Double, because in single precision the recovery would stop short of 1.
    private var gain = 1.0

    package init(sampleRate: Double, ceiling: Float = defaultCeiling, releaseSeconds: Double = 0.1) {
        self.ceiling = ceiling
        recovery = 1 - DeterministicMath.exp(-1 / (max(releaseSeconds, 1e-4) * max(sampleRate, 1)))
    }

    package mutating func reset() { gain = 1 }

    /// All channels in place, n frames.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, _ n: Int) {
        for frame in 0..<n {
            var peak: Float = 0
            var sum: Float = 0
            for channel in 0..<channelCount {
                let magnitude = channels[channel][frame].magnitude
                peak = max(peak, magnitude)
                sum += magnitude * 0
            }
            if sum != 0 {
                silence(channels, channelCount, frame)
            } else if let gain = gain(forPeak: peak) {
                scale(channels, channelCount, frame, gain)
            }
        }
    }

    /// Nil when the frame passes as it is.
    private mutating func gain(forPeak peak: Float) -> Float? {
        if gain < 1 {
            gain += (1 - gain) * recovery
            if gain > 0.99999 { gain = 1 }
        }
        if Double(peak) * gain > Double(ceiling) { gain = Double(ceiling) / Double(peak) }
        guard gain < 1 else { return nil }
        limitedFrames += 1
        return Float(gain)
    }

    private func scale(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int, _ frame: Int, _ gain: Float
    ) {
        for channel in 0..<channelCount {
            let sample = channels[channel][frame] * gain
            channels[channel][frame] = min(max(sample, -ceiling), ceiling) // rounding may go over by one unit
        }
    }

    private mutating func silence(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int, _ frame: Int
    ) {
        nonFiniteFrames += 1
        for channel in 0..<channelCount { channels[channel][frame] = 0 }
    }
}
