import OssicleCore
import OssicleDSP

/// How a spatial strip's direct sound is rendered.
package enum VoiceTier: UInt8, BitwiseCopyable, Sendable {
    /// Through an HRTF of its own.
    case full
    /// In the ambisonic bus, whose decoder all such voices share.
    case bus
}

/// One mono sound from one direction, after a delay, in the ambisonic bus: a delay line, and behind it a gain for each
/// channel. It arrives when a `DirectionalVoice` that keeps pace with it does. A delay on the
/// move is read through few taps, because such voices are less important ones. Audio thread, but for `init`.
struct FieldVoice: ~Copyable {
    private let spatializer: Spatializer
    private(set) var line: FractionalDelayLine
    private var tap = DelayTap(FractionalDelayLine.minimumDelay)
    private var gains = Ramp<SIMD16<Float>>(.zero)
    private let longestDelay: Double
    private let scratch = SampleMemory(count: Grid.quantum)

    init(_ spatializer: Spatializer, longestDelay: Int) {
        self.spatializer = spatializer
        self.longestDelay = Double(longestDelay)
        line = FractionalDelayLine(
            maximumDelay: longestDelay + Spatializer.longestHeadDelay, firstDelay: FractionalDelayLine.firstDelay)
    }

    /// Frames of its past that it plays at a delay.
    static func memory(at delay: Double) -> Int { Int(delay) + Spatializer.longestHeadDelay }

    /// Asks for what the next block needs to be brought near the processor.
    func prefetch() { line.prefetch(tap) }

    /// What was written to another voice is on its way in this one. While neither is in use.
    mutating func adopt(past: borrowing FractionalDelayLine) { line.adopt(past) }

    /// Forgets the past.
    mutating func reset() { line.reset() }

    /// Is there at once, or fades from the old delay.
    mutating func place(_ direction: SIMD3<Float>, delay: Double, jumps: Bool) {
        let delay = tapDelay(delay)
        if jumps { tap.jump(to: delay, frames: Grid.quantum) } else { tap = DelayTap(delay) }
        gains.setTarget(FieldDirection.gains(direction), frames: jumps ? Grid.quantum : 0)
    }

    /// Moves there in `frames` frames, at least 1.
    mutating func steer(to direction: SIMD3<Float>, delay: Double, frames: Int) {
        tap.setTarget(tapDelay(delay), frames: frames)
        gains.approach(FieldDirection.gains(direction), frames: frames)
    }

    /// What the head and a voice with filters of its own need is taken off the path, as far as it is long enough.
    private mutating func tapDelay(_ delay: Double) -> Double {
        let held = delay.isFinite ? min(max(delay, 0), longestDelay) : 0
        let tap = max(max(held, spatializer.voiceDelay) - spatializer.fieldDelay, FractionalDelayLine.minimumDelay)
        line.reserve(tap)
        return tap
    }

    /// - Parameter gain: of what arrives now.
    mutating func process(
        _ input: UnsafePointer<Float>, gain: inout GainRamp, addingTo targets: FieldTargets, _ frames: Int
    ) {
        line.write(input, frames)
        line.read(&tap, to: scratch.pointer, frames, isCoarse: true)
        gain.process(scratch.pointer, frames)
        targets.add(scratch.pointer, &gains, frames)
    }
}

extension Spatializer {
    /// No head, with its filters, delays sound by more frames than this at any sample rate.
    fileprivate static var longestHeadDelay: Int { 1024 }

    /// Frames that a `DirectionalVoice` needs for sound from the front.
    var voiceDelay: Double { FractionalDelayLine.minimumDelay + Double(latency) + Double(frontDelay) }
}
