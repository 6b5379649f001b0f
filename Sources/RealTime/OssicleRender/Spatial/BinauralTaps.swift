import OssicleCore
import OssicleDSP

/// What every binaural voice is made of: a delay line, a tap for each ear behind it, and behind the tap the ear's HRIR.
///
///     in ──▶ delay line ─┬─ left tap ──▶ HRIR ──▶ + left
///                        └─ right tap ─▶ HRIR ──▶ + right
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

    var filter: BinauralFilter
    private var line: FractionalDelayLine
    private var left = DelayTap(FractionalDelayLine.minimumDelay)
    private var right = DelayTap(FractionalDelayLine.minimumDelay)
    private let scratch = SampleMemory(count: 2 * Grid.quantum)

    /// - Parameters:
    ///   - longestDelay: frames, the line's least delay included.
    ///   - tapCount: of the HRIRs.
    init(longestDelay: Int, tapCount: Int) {
        line = FractionalDelayLine(maximumDelay: longestDelay)
        filter = BinauralFilter(tapCount: tapCount)
    }

    mutating func reset() {
        line.reset()
        filter.reset()
    }

    /// Delays in frames, the line's least delay included.
    mutating func move(left leftDelay: Double, right rightDelay: Double, _ change: Change) {
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

    /// The signal behind the left tap; valid until the next call. At most one quantum.
    mutating func delayed(_ input: UnsafePointer<Float>, _ frames: Int) -> UnsafePointer<Float> {
        line.write(input, frames)
        line.read(&left, to: scratch.pointer, frames)
        return UnsafePointer(scratch.pointer)
    }

    /// Adds to both ears. At most one quantum.
    mutating func process(
        _ input: UnsafePointer<Float>, addingToLeft leftOut: UnsafeMutablePointer<Float>,
        right rightOut: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        let (leftIn, rightIn) = (delayed(input, frames), scratch.pointer + Grid.quantum)
        line.read(&right, to: rightIn, frames)
        filter.process(left: leftIn, right: rightIn, addingToLeft: leftOut, right: rightOut, frames: frames)
    }
}
