import OssicleCore
import OssicleDSP

/// One mono sound at one place, heard with two ears: no travel and no Doppler, only what the head does.
///
///     in ──▶ delay line ─┬─ tap (left ear's delay) ──▶ FIR ──▶ + left
///                        └─ tap (right ear's delay) ─▶ FIR ──▶ + right
///
/// The ear that hears first does so after `latency` frames.
struct EarVoice: ~Copyable {
    static var latency: Int { Int(FractionalDelayLine.minimumDelay) }
    /// No head delays one ear by more than this, at any sample rate.
    private static let longestDelay = 512

    /// Frames after which nothing is left of a sound.
    let tail: Int
    private let ears: Ears
    private var line = FractionalDelayLine(maximumDelay: latency + longestDelay)
    private var leftTap = DelayTap(FractionalDelayLine.minimumDelay)
    private var rightTap = DelayTap(FractionalDelayLine.minimumDelay)
    private var head: HeadRenderer
    private let filters: SampleMemory
    private let scratch = SampleMemory(count: 2 * Grid.quantum)
    private var place: Ears.Place?

    init(_ ears: Ears) {
        self.ears = ears
        tail = Self.tail(ears)
        head = HeadRenderer(tapCount: ears.tapCount)
        filters = SampleMemory(count: 2 * ears.tapCount)
    }

    static func tail(_ ears: Ears) -> Int { latency + longestDelay + 32 + ears.tapCount }

    mutating func reset() {
        line.reset()
        head.reset()
        place = nil
    }

    /// The first place is taken at once; to later ones filters are faded over a quantum, delays over a glide.
    mutating func turn(to place: Ears.Place) {
        guard place != self.place else { return }
        let (left, right) = (filters.pointer, filters.pointer + ears.tapCount)
        let delays = ears.interpolate(place, left: left, right: right)
        head.setFilters(left: left, right: right)
        Self.turn(&leftTap, by: delays.left, atOnce: self.place == nil)
        Self.turn(&rightTap, by: delays.right, atOnce: self.place == nil)
        self.place = place
    }

    private static func turn(_ tap: inout DelayTap, by delay: Double, atOnce: Bool) {
        let delay = FractionalDelayLine.minimumDelay + delay
        if atOnce { tap = DelayTap(delay) } else { tap.setTarget(delay, frames: GlidingMatrix.glide) }
    }

    /// At most one quantum.
    mutating func process(_ input: UnsafePointer<Float>, addingToLeft leftOut: UnsafeMutablePointer<Float>,
                          right rightOut: UnsafeMutablePointer<Float>, _ frames: Int) {
        let (left, right) = (scratch.pointer, scratch.pointer + Grid.quantum)
        line.write(input, frames)
        line.read(&leftTap, to: left, frames)
        line.read(&rightTap, to: right, frames)
        head.process(left: left, right: right, addingToLeft: leftOut, right: rightOut, frames: frames)
    }
}
