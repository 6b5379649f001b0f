import OssicleCore
import OssicleDSP

/// What every binaural voice is made of: a delay line, a tap for each ear behind it, and behind the taps the ears'
/// HRIRs.
///
///     in ──▶ delay line ─┬─ left tap ──▶ gain ──▶ HRIR ──▶ + sums of the output
///                        └─ right tap ─▶ gain ──▶ HRIR ──▶
///
/// A voice for loudspeakers uses the line and the left tap alone. Audio thread, but for `init`.
struct BinauralTaps: ~Copyable {
    /// How a tap gets to another delay.
    enum Change {
        case atOnce
        /// From what the old delay gives to what the new one gives, over a quantum.
        case crossFade
        /// Through all delays between, over so many frames: the Doppler effect of a motion.
        case glide(frames: Int)
    }

    var ears: BinauralEars
    private(set) var line: FractionalDelayLine
    private var left = DelayTap(FractionalDelayLine.minimumDelay)
    private var right = DelayTap(FractionalDelayLine.minimumDelay)
    private let scratch = SampleMemory(count: Grid.quantum)

    /// The line grows with the delay: a sound that leaps farther than it has ever been, and than `firstDelay`, begins
    /// there.
    /// - Parameters:
    ///   - longestDelay: frames, the line's least delay included.
    ///   - tapCount: of the HRIRs.
    init(longestDelay: Int, tapCount: Int) {
        line = FractionalDelayLine(maximumDelay: longestDelay, firstDelay: FractionalDelayLine.firstDelay)
        ears = BinauralEars(tapCount: tapCount)
    }

    /// While neither is in use.
    mutating func adopt(past: borrowing FractionalDelayLine) { line.adopt(past) }

    mutating func reset() {
        line.reset()
        ears.reset()
    }

    /// Delays in frames, the line's least delay included.
    mutating func move(left leftDelay: Double, right rightDelay: Double, _ change: Change) {
        line.reserve(max(leftDelay, rightDelay))
        Self.move(&left, to: leftDelay, change)
        Self.move(&right, to: rightDelay, change)
    }

    private static func move(_ tap: inout DelayTap, to delay: Double, _ change: Change) {
        switch change {
        case .atOnce: tap = DelayTap(delay)
        case .crossFade: tap.jump(to: delay, frames: Grid.quantum)
        case .glide(let frames): tap.setTarget(delay, frames: frames)
        }
    }

    /// Asks for what the next block needs to be brought near the processor.
    func prefetch() {
        line.prefetch(left)
        ears.prefetch()
    }

    /// The signal behind the left tap; valid until the next call. At most one quantum.
    mutating func delayed(_ input: UnsafePointer<Float>, _ frames: Int) -> UnsafeMutablePointer<Float> {
        line.write(input, frames)
        line.read(&left, to: scratch.pointer, frames)
        return scratch.pointer
    }

    /// Adds to sums, which sound a quantum later.
    /// - Parameters:
    ///   - gain: of what arrives at the ears now.
    ///   - offset: frames since the grid line; the block does not cross the next one.
    mutating func process(
        _ input: UnsafePointer<Float>, gain: inout GainRamp, offset: Int, _ frames: Int,
        addingTo targets: BinauralTargets
    ) {
        let (leftIn, rightIn) = (ears.leftInput(offset), ears.rightInput(offset))
        line.write(input, frames)
        line.read(&left, to: leftIn, &right, to: rightIn, frames)
        var gainAgain = gain
        gain.process(leftIn, frames)
        gainAgain.process(rightIn, frames)
        ears.process(offset: offset, frames, addingTo: targets)
    }
}
