import OssicleCore
import OssicleDSP

/// A part of the graph that runs on a clock of its own: at another sample rate, or behind a change of speed.
///
///     outside   ── wants 128 frames ──▶ how many does each exit lack? ──▶ run the inner plan for as many ──▶ take 128 from each exit
///
/// The clock counts the inner frames. It begins where the outer clock's time lies at the inner rate, and continues
/// across plans.
package struct DomainRenderer: ControlledRenderer, ~Copyable {
    /// What one plan has for this domain: the steps inside, and the exits in the order of the outer step's output
    /// ports.
    package struct Plan: BitwiseCopyable, @unchecked Sendable {
        package struct Exit: BitwiseCopyable {
            package let reference: ExitReference
            package let channelCount: Int
            /// In its first plan: it has to fall into step with the others.
            package let isNew: UnsafeMutablePointer<Bool>

            package init(_ reference: ExitReference, channelCount: Int, isNew: UnsafeMutablePointer<Bool>) {
                (self.reference, self.channelCount, self.isNew) = (reference, channelCount, isNew)
            }
        }

        package let view: UnsafePointer<RenderPlan.View>
        package let exits: UnsafePointer<Exit>
        package let exitCount: Int

        /// - Parameter view: borrowed; the plan's owner keeps it alive as long as this.
        package init(_ view: UnsafePointer<RenderPlan.View>, exits: UnsafePointer<Exit>, exitCount: Int) {
            (self.view, self.exits, self.exitCount) = (view, exits, exitCount)
        }
    }

    /// Inner frames rendered so far; −1 before the first.
    package var control: PositionCell { published }
    private let published = PositionCell(-1)
    /// Inner frames per outer frame, at unit speed.
    private let ratio: Double
    private var position: Int64 = -1

    package init(ratio: Double) {
        self.ratio = ratio
    }

    deinit { published.deallocate() }

    mutating func render(_ plan: UnsafePointer<Plan>, _ ports: Ports, _ context: RenderContext) {
        let (exits, count) = (plan.pointee.exits, plan.pointee.exitCount)
        if position < 0 { position = Int64((Double(context.position) * ratio).rounded(.down)) }
        alignNewExits(exits, count)
        if context.isControlPoint { for index in 0..<count { exits[index].reference.update() } }
        var needed = 0
        for index in 0..<count { needed = max(needed, exits[index].reference.framesNeeded(context.frames)) }
        run(plan.pointee.view.pointee, needed, context)
        var channel = 0
        for index in 0..<count {
            let outputs = ports.outputs + channel
            exits[index].reference.take(to: outputs, frames: context.frames)
            if Mixing.isZero(outputs, exits[index].channelCount, context.frames) { ports.markSilent(index) }
            channel += exits[index].channelCount
        }
    }

    /// An exit that joins others takes over their place in time.
    private func alignNewExits(_ exits: UnsafePointer<Plan.Exit>, _ count: Int) {
        for index in 0..<count where exits[index].isNew.pointee {
            for other in 0..<count where !exits[other].isNew.pointee {
                exits[index].reference.align(with: exits[other].reference)
                break
            }
        }
        for index in 0..<count { exits[index].isNew.pointee = false }
    }

    private mutating func run(_ view: RenderPlan.View, _ frames: Int, _ outer: RenderContext) {
        let later = Int(Double(outer.framesLeftInCall - outer.frames) * ratio)
        var done = 0
        while done < frames {
            let block = min(frames - done, Grid.framesToNextLine(from: position))
            let isLine = position & Int64(Grid.quantum - 1) == 0
            var context = RenderContext(
                position: position, frames: block, isControlPoint: isLine || (done == 0 && outer.isControlPoint),
                framesLeftInCall: frames - done + later)
            context.workers = outer.workers
            view.run(RenderSpan(context))
            position += Int64(block)
            done += block
        }
        published.store(position)
    }

    /// Back to before the first frame.
    package mutating func reset() {
        position = -1
        published.store(-1)
    }
}

/// Every kind of exit there is, as a bare pointer.
package enum ExitReference: BitwiseCopyable {
    case rate(UnsafeMutablePointer<TimeExit<RateConverter>>)
    case stretch(UnsafeMutablePointer<TimeExit<TimeStretcher>>)

    @inline(__always)
    func give(_ ports: Ports, _ context: RenderContext) { give(ports.inputs, frames: context.frames) }

    package func give(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        switch self {
        case .rate(let exit): exit.pointee.give(inputs, frames: frames)
        case .stretch(let exit): exit.pointee.give(inputs, frames: frames)
        }
    }

    package func update() {
        switch self {
        case .rate(let exit): exit.pointee.update()
        case .stretch(let exit): exit.pointee.update()
        }
    }

    package func framesNeeded(_ frames: Int) -> Int {
        switch self {
        case .rate(let exit): exit.pointee.kernel.framesNeeded(frames)
        case .stretch(let exit): exit.pointee.kernel.framesNeeded(frames)
        }
    }

    package func take(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        switch self {
        case .rate(let exit): exit.pointee.kernel.take(to: outputs, frames: frames)
        case .stretch(let exit): exit.pointee.kernel.take(to: outputs, frames: frames)
        }
    }

    /// Only while nothing is rendered, or on the audio thread.
    package func reset() {
        switch self {
        case .rate(let exit): exit.pointee.reset()
        case .stretch(let exit): exit.pointee.reset()
        }
    }

    /// A new exit takes over the position of one that is already running.
    func align(with other: ExitReference) {
        if case (.rate(let exit), .rate(let running)) = (self, other) {
            exit.pointee.kernel.align(with: running.pointee.kernel)
        }
    }
}

/// Where a signal leaves a domain with a clock of its own: inside, it takes in what was rendered; outside, the domain
/// outside takes out what it needs. Between the two sits the kernel that makes the one from the other.
package struct TimeExit<Kernel: TimeKernel & ~Copyable>: ControlledRenderer, ~Copyable {
    package var control: LatestValueCell<Kernel.Parameters> { owned.cell }
    private let owned: OwnedCell<Kernel.Parameters>
    var kernel: Kernel

    package init(sampleRate: Double, channelCount: Int, parameters: Kernel.Parameters) {
        owned = OwnedCell(parameters)
        kernel = Kernel(
            sampleRate: sampleRate, channelCount: channelCount, longestTake: Grid.quantum, parameters: parameters)
    }

    /// Inside: one input port's channels.
    mutating func give(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        kernel.give(inputs, offset: 0, frames: frames)
    }

    /// Outside, at its control points.
    mutating func update() {
        if let new = owned.cell.takeIfNew() { kernel.set(new) }
    }

    mutating func reset() { kernel.reset() }
}
