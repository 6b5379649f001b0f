import OssicleCore
import OssicleDSP
import OssicleRender

/// A node that is a crossing between two clocks: varispeed, time and pitch.
package protocol TimeChange: AnyObject {
    var passage: Passage { get }
    /// Makes its exit for a rate and a number of channels.
    func makeExit(sampleRate: Double, channels: Int) -> (ExitReference, AnyObject)
    /// The most input frames per output frame.
    var fastest: Double { get }
}

/// The crossing of a signal from one clock to another: the exit of the inner domain, and that domain's clock.
///
/// Belongs to a connection or, for a change of speed, to the node; lives on from plan to plan.
package final class Passage {
    /// Made anew when rate or channels change.
    package private(set) var exit: (reference: ExitReference, owner: AnyObject)?
    private var shape: Shape?
    /// The clock of the domain that this passage leads out of, if it is that domain's first.
    private var domain: (box: ControlledBox<DomainRenderer>, ratio: Double)?
    /// One per exit: a plan with the exit before has that one's.
    private var newness = RendererBox(true)

    private struct Shape: Equatable {
        let rate: Double
        let channels: Int
    }

    package init() {}

    /// The exit for a signal of this shape; `make` is called for the first and when the shape has changed.
    func exit(rate: Double, channels: Int, make: () -> (ExitReference, AnyObject)) -> ExitReference {
        let shape = Shape(rate: rate, channels: channels)
        if let exit, self.shape == shape { return exit.reference }
        let made = make()
        (exit, self.shape, newness) = (made, shape, RendererBox(true))
        return made.0
    }

    var isNew: UnsafeMutablePointer<Bool> { newness.pointer }

    /// The domain's clock, with `ratio` inner frames per outer frame at unit speed.
    func clock(ratio: Double) -> ControlledBox<DomainRenderer> {
        if let domain, domain.ratio == ratio { return domain.box }
        let box = ControlledBox(DomainRenderer(ratio: ratio))
        domain = (box, ratio)
        return box
    }

    /// All that a plan must keep alive.
    var owners: [AnyObject] { [newness] + (exit.map { [$0.owner] } ?? []) + (domain.map { [$0.box] } ?? []) }

    /// Restarts time at the outer clock's position. Only while nothing is rendered.
    package func restart() {
        exit?.reference.reset()
        domain?.box.pointer.pointee.reset()
    }

    /// Sets the speed at which an environment plays the source behind this passage.
    package func setSpeed(_ speed: Double, from inner: Double, to outer: Double) {
        guard let box = exit?.owner as? ControlledBox<TimeExit<RateConverter>> else { return }
        box.control.write(RateExit.parameters(from: inner, to: outer, speed: speed))
    }
}

/// The exit of a domain whose outer clock has another rate, or plays it at another speed. Rates in Hz.
package enum RateExit {
    /// - Parameter speed: of playback, pitch with it.
    package static func parameters(from inner: Double, to outer: Double, speed: Double) -> RateConverter.Parameters {
        speed == 1
            ? RateConverter.Parameters(from: inner, to: outer)
            : RateConverter.Parameters(gliding: inner * speed, to: outer)
    }

    /// Makes the filters for every step of a gliding speed. Some hundred milliseconds the first time.
    package static func prepareGlides(from inner: Double, to outer: Double) {
        SincTable.makeVarispeed(ratios: 0.5 * inner / outer...2 * inner / outer)
    }

    package static func make(
        from inner: Double, to outer: Double, channels: Int, speed: Double = 1
    ) -> (ExitReference, AnyObject) {
        let box = ControlledBox(
            TimeExit<RateConverter>(
                sampleRate: inner, channelCount: channels, parameters: parameters(from: inner, to: outer, speed: speed))
        )
        return (.rate(box.pointer), box)
    }
}
