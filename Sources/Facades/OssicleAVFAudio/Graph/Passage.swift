import OssicleCore
import OssicleDSP
import OssicleRender

/// The passage of a signal from one clock to another: the exit at which it leaves the one, and the domain the exit belongs to.
///
/// Hangs on a connection or, for a change of speed, on the node that makes it, and lives on from plan to plan.
final class Passage {
    /// Made anew when rate or channels change.
    private(set) var exit: (reference: ExitReference, owner: AnyObject)?
    private var shape: Shape?
    /// The clock of the domain that this passage leads out of, if it is that domain's first.
    private var domain: (box: ControlledBox<DomainRenderer>, ratio: Double)?
    /// One of each exit's own: a plan with the exit before still has that one's.
    private var newness = RendererBox(true)

    private struct Shape: Equatable {
        let rate: Double
        let channels: Int
    }

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

    fileprivate func resetClock() { domain?.box.pointer.pointee.reset() }

    /// All that a plan must keep alive.
    var owners: [AnyObject] { [newness] + (exit.map { [$0.owner] } ?? []) + (domain.map { [$0.box] } ?? []) }
}

/// A node that is a passage between two clocks: varispeed, time and pitch.
protocol TimeChange: AnyObject {
    var passage: Passage { get }
    /// Makes its exit for a rate and a number of channels.
    func makeExit(sampleRate: Double, channels: Int) -> (ExitReference, AnyObject)
    /// The most input frames it may take per output frame.
    var fastest: Double { get }
}

extension Passage {
    /// Time begins again at the outer clock's place. Only while nothing is rendered.
    func restart() {
        exit?.reference.reset()
        resetClock()
    }
}
