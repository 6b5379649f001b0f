import OssicleCore

/// How fast a room fills when steady sound begins in it, in frames.
package struct BuildUp: BitwiseCopyable, Hashable, Sendable {
    /// Until a twentieth of the energy has come that it will have in the end.
    package let start: Int
    /// Until nine tenths have.
    package let end: Int

    package init(start: Int, end: Int) { (self.start, self.end) = (max(start, 0), max(end, start, 0)) }
}

extension FeedbackDelayNetwork.Parameters {
    /// Of the octave that rings longest: 1 − e^(−13.8 t/T60) from `start` on.
    package func buildUp(sampleRate: Double) -> BuildUp {
        let decay = Double(t60.lanes.max()) / 13.8155
        return BuildUp(
            start: Int((start + 0.0513 * decay) * sampleRate), end: Int((start + 2.3026 * decay) * sampleRate))
    }
}

/// The gain of new sound into one of several rooms, of which one is in use.
///
/// A room that sound leaves for another one is still fed, less and less, until the other has filled: its amplitude
/// falls in a straight line while the other's energy rises from a twentieth to nine tenths. For exponential decays the
/// energies of both then add up to 0.88 at the least, so that steady sound loses no more than 0.6 dB on its way from
/// one level to the other. What it holds then rings out. Audio thread.
package struct RoomFeed: BitwiseCopyable, Sendable {
    private var gain: GainRamp
    /// Frames until the fall begins, and those it takes.
    private var held = 0
    private var fall = 0

    package init(isOpen: Bool) { gain = GainRamp(isOpen ? 1 : 0) }

    /// Whether it gives silence from here on.
    package var isShut: Bool { held == 0 && gain.isIdle && gain.target == 0 }
    /// Whether it is open, or opens.
    package var isOpen: Bool { held == 0 && gain.target == 1 }

    /// Rises to 1 over `frames` frames.
    package mutating func open(frames: Int) {
        held = 0
        gain.setTarget(1, frames: frames)
    }

    /// Falls to 0 at the pace at which another room fills. One that falls already continues.
    package mutating func close(while other: BuildUp) {
        guard isOpen else { return }
        (held, fall) = (other.start, max(other.end - other.start, Grid.quantum))
        if held == 0 { gain.setTarget(0, frames: fall) }
    }

    package mutating func shut() { self = RoomFeed(isOpen: false) }

    /// to = from · gain. The two may be the same memory.
    package mutating func process(from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        let waiting = min(held, n)
        gain.process(from: from, to: to, waiting)
        if held > 0 {
            held -= waiting
            if held == 0 { gain.setTarget(0, frames: fall) }
        }
        gain.process(from: from + waiting, to: to + waiting, n - waiting)
    }
}
