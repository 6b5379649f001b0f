import OssicleCore
import OssicleDSP

/// Plays a sample source at any rate, with a gain.
///
///     source ──▶ rate (exact copy at unity, windowed sinc otherwise) ──▶ edge ──▶ gain ──▶ outputs
///
/// The edge is a ramp over one quantum wherever a signal would be torn: on pause, stop, sleep and wake, not on a start from the
/// beginning. One output with a source of several channels carries their mean.
package struct PlayerRenderer: ~Copyable {
    /// Newest-value parameters. The first ones are taken at once, later ones over `rampFrames`.
    package struct Parameters: BitwiseCopyable {
        package var gain: Float
        /// Source frames per engine frame, in 2⁻³² of a frame.
        package var step: UInt64
        /// The filter for that step.
        package var table: UnsafePointer<SincTable>
        package var rampFrames: Int

        package init(gain: Float, step: UInt64, table: UnsafePointer<SincTable>, rampFrames: Int) {
            (self.gain, self.step, self.table, self.rampFrames) = (gain, step, table, rampFrames)
        }
    }

    package enum Command: BitwiseCopyable {
        case start(from: Int64)
        case pause
        case resume
        case stop
        /// Silent until woken; the place in the source moves on if `advancing`.
        case sleep(advancing: Bool)
        case wake
        case wakeAt(Int64)
        /// Another memory for the same sound, to be read from `at` on.
        case replace(SampleSource, at: Int64)
    }

    /// What the render side tells about a player; read by anyone.
    package struct Status: ~Copyable {
        /// Engine time at which the last frame of a one-shot had been played; −1 until then.
        package let finishedAt = PublishedPosition()
        /// Source frame that comes next.
        package let position = PublishedPosition()
        /// Frames that a stream could not deliver in time.
        package let starvedFrames = PublishedPosition()
    }

    private enum Activity { case idle, playing, sleeping(advancing: Bool), finished }
    private enum Ending { case none, idle, sleep(advancing: Bool) }

    package static var unityStep: UInt64 { 1 << 32 }

    package let cell: LatestValueCell<Parameters>
    package let status: UnsafeMutablePointer<Status>
    private let outputCount: Int
    private let scratch: SampleMemory

    private var source: SampleSource
    private var parameters: Parameters
    private var isFresh = true
    private var activity = Activity.idle
    private var ending = Ending.none
    private var frame: Int64 = 0
    private var fraction: UInt32 = 0
    private var gain: GainRamp
    private var edge = GainRamp(1)

    /// - Parameters:
    ///   - outputCount: the source's channel count, or 1.
    package init(source: SampleSource, outputCount: Int, parameters: Parameters) {
        self.source = source
        self.outputCount = outputCount
        self.parameters = parameters
        gain = GainRamp(parameters.gain)
        cell = LatestValueCell(parameters)
        status = .allocate(capacity: 1)
        status.initialize(to: Status())
        status.pointee.finishedAt.store(-1)
        scratch = SampleMemory(count: Self.scratchFrames + Grid.quantum)
    }

    deinit {
        cell.deallocate()
        status.deinitialize(count: 1).deallocate()
    }

    // MARK: Commands

    mutating func carryOut(_ command: Command, at position: Int64) {
        switch command {
        case .start(let from):
            (frame, fraction) = (from, 0)
            (activity, ending, edge) = (.playing, .none, GainRamp(1))
        case .pause, .stop:
            fadeOut(then: .idle)
        case .sleep(let advancing):
            fadeOut(then: .sleep(advancing: advancing))
        case .resume, .wake:
            fadeIn()
        case .wakeAt(let from):
            (frame, fraction) = (from, 0)
            fadeIn()
        case .replace(let newSource, let at):
            source = newSource
            (frame, fraction) = (at, 0)
        }
    }

    private mutating func fadeOut(then end: Ending) {
        guard case .playing = activity else {
            if case .sleep(let advancing) = end, case .idle = activity { activity = .sleeping(advancing: advancing) }
            if case .idle = end, case .sleeping = activity { activity = .idle }
            return
        }
        ending = end
        edge.setTarget(0, frames: Grid.quantum)
    }

    private mutating func fadeIn() {
        if case .finished = activity { return }
        if case .playing = activity, case .none = ending { return }
        if case .playing = activity {} else { edge = GainRamp(0) }
        (activity, ending) = (.playing, .none)
        edge.setTarget(1, frames: Grid.quantum)
    }

    // MARK: Rendering

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew() { take(new) }
        switch activity {
        case .playing:
            play(ports, context)
        case .sleeping(let advancing):
            silence(ports, context)
            if advancing { passUnheard(context) }
        case .idle, .finished:
            silence(ports, context)
        }
    }

    private mutating func take(_ new: Parameters) {
        gain.setTarget(new.gain, frames: isFresh ? 0 : new.rampFrames)
        parameters = new
        isFresh = false
    }

    private func silence(_ ports: Ports, _ context: RenderContext) {
        for output in 0..<ports.outputCount { Mixing.clear(ports.output(output), context.frames) }
    }

    private mutating func play(_ ports: Ports, _ context: RenderContext) {
        isFresh = false
        if source.channelCount == outputCount {
            for channel in 0..<outputCount { fetch(channel, to: ports.output(channel), context.frames) }
        } else {
            fetchMean(to: ports.output(0), context.frames)
        }
        let moving = framesBeforeHalt(context.frames)
        applyGains(ports, context.frames)
        reportEnd(context.position, moving)
        advance(moving)
        settle()
    }

    /// A halt keeps the place behind the last frame that was heard, wherever the block happens to end.
    private func framesBeforeHalt(_ frames: Int) -> Int {
        switch ending {
        case .none, .sleep(advancing: true): frames
        case .idle, .sleep(advancing: false): min(frames, edge.framesLeft)
        }
    }

    /// Asleep, but not out of time: a one-shot ends when it would have ended.
    private mutating func passUnheard(_ context: RenderContext) {
        reportEnd(context.position, context.frames)
        advance(context.frames)
        if !source.loops && frame >= source.frameCount + Int64(SincTable.longestReach) { activity = .finished }
    }

    /// One channel at the current rate.
    private mutating func fetch(_ channel: Int, to output: UnsafeMutablePointer<Float>, _ frames: Int) {
        if parameters.step == Self.unityStep && fraction == 0 {
            noteStarvation(source.read(channel, from: frame, count: frames, to: output))
            return
        }
        let (step, table) = (parameters.step, parameters.table)
        let behind = table.pointee.lookBehind
        var place = UInt64(fraction)
        var done = 0
        while done < frames {
            let run = min(frames - done, Self.framesPerScratch(step))
            let start = frame + Int64(place >> 32)
            let within = place & 0xFFFF_FFFF
            let span = behind + SincInterpolator.framesNeeded(position: within, step: step, table: table.pointee, run)
            noteStarvation(source.read(channel, from: start - Int64(behind), count: span, to: scratch.pointer))
            SincInterpolator.process(source: scratch.pointer + behind, table: table.pointee, position: within, step: step, to: output + done, run)
            place &+= UInt64(run) &* step
            done += run
        }
    }

    private mutating func fetchMean(to output: UnsafeMutablePointer<Float>, _ frames: Int) {
        let other = scratch.pointer + Self.scratchFrames
        fetch(0, to: output, frames)
        for channel in 1..<max(source.channelCount, 1) {
            fetch(channel, to: other, frames)
            Mixing.add(other, into: output, frames)
        }
        Mixing.scale(output, by: 1 / Float(max(source.channelCount, 1)), frames)
    }

    private mutating func applyGains(_ ports: Ports, _ frames: Int) {
        // Every channel gets the same ramp: each starts from a copy, the last one leaves its state behind.
        let (edgeBefore, gainBefore) = (edge, gain)
        for output in 0..<ports.outputCount {
            (edge, gain) = (edgeBefore, gainBefore)
            edge.process(ports.output(output), frames)
            gain.process(ports.output(output), frames)
        }
    }

    private mutating func advance(_ frames: Int) {
        let place = UInt64(fraction) &+ UInt64(frames) &* parameters.step
        frame += Int64(place >> 32)
        fraction = UInt32(truncatingIfNeeded: place)
        status.pointee.position.store(frame)
        source.window?.consumed.pointee.store(max(0, frame - Int64(SincTable.longestReach)))
    }

    /// A one-shot ends with the output frame that passes its last source frame.
    private func reportEnd(_ position: Int64, _ frames: Int) {
        guard !source.loops, status.pointee.finishedAt.load() < 0 else { return }
        let left = source.frameCount - frame
        if left > Int64(frames) * Int64((parameters.step >> 32) + 1) { return }
        let distance = left > 0 ? (UInt64(left) << 32) &- UInt64(fraction) : 0
        let framesLeft = (distance &+ parameters.step &- 1) / parameters.step
        if framesLeft <= UInt64(frames) { status.pointee.finishedAt.store(position + Int64(framesLeft)) }
    }

    private mutating func settle() {
        // The interpolation filter rings on behind the last frame.
        if !source.loops && frame >= source.frameCount + Int64(SincTable.longestReach) { activity = .finished }
        guard edge.isIdle else { return }
        switch ending {
        case .none: break
        case .idle: (activity, ending) = (.idle, .none)
        case .sleep(let advancing): (activity, ending) = (.sleeping(advancing: advancing), .none)
        }
    }

    private func noteStarvation(_ frames: Int) {
        if frames > 0 { status.pointee.starvedFrames.store(status.pointee.starvedFrames.load() + Int64(frames)) }
    }

    /// Source frames that fit the scratch memory at once.
    private static var scratchFrames: Int { 2048 }

    private static func framesPerScratch(_ step: UInt64) -> Int {
        let room = UInt64(scratchFrames - 2 * SincTable.longestReach - 2) << 32
        return max(1, Int(room / max(step, 1)))
    }
}
