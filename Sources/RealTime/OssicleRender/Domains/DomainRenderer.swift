import OssicleCore

/// A part of the graph that runs on a clock of its own: at another sample rate, or behind a change of speed.
///
///     outside   ── wants 128 frames ──▶ how many does each exit lack? ──▶ run the inner plan for as many ──▶ take 128 from each exit
///
/// The clock counts the inner frames. It begins where the outer clock's time lies at the inner rate, and goes on across plans.
package struct DomainRenderer: ControlledRenderer, ~Copyable {
    /// What one plan has for this domain: the steps inside, and the exits in the order of the outer step's output ports.
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

        /// - Parameter view: borrowed; whoever made the plan keeps it alive as long as this.
        package init(_ view: UnsafePointer<RenderPlan.View>, exits: UnsafePointer<Exit>, exitCount: Int) {
            (self.view, self.exits, self.exitCount) = (view, exits, exitCount)
        }
    }

    /// Inner frames rendered so far, for whoever wants to know; −1 before the first.
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
        welcomeNewcomers(exits, count)
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
    private func welcomeNewcomers(_ exits: UnsafePointer<Plan.Exit>, _ count: Int) {
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
            let context = RenderContext(position: position, frames: block, isControlPoint: isLine || (done == 0 && outer.isControlPoint),
                                        framesLeftInCall: frames - done + later)
            for index in 0..<view.stepCount { view.steps[index].run(context) }
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
