import OssicleCore
import OssicleDSP

/// The late field at one listener, as the scene's geometry makes it and while that changes: a feedback delay network whose eight outputs arrive,
/// each with its share of the energy, from the corners of a cube around the head. Port: mono send → out.
///
///     in ──▶ network (decay, level, start) ──▶ 8 gains ──▶ ears or loudspeakers
///
/// It changes over from one field to another in straight lines. One that comes during a change waits for its end, so that working out a network's
/// coefficients, a tenth of a millisecond, happens no more often than once in a change.
package struct LateFieldRenderer: ControlledRenderer, ~Copyable {
    package var control: Control { Control(cell: cell, ears: field.cell, ringing: ringing) }
    private let cell = LatestValueCell(Parameters.silent(rampFrames: 0))
    private let ringing = PositionCell(0)
    private let sampleRate: Double
    private let outputCount: Int
    private let longestStart: Double
    private var network: FeedbackDelayNetwork
    private let field: CubeField
    private let corners: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let memory = SampleMemory(count: cornerCount * Grid.quantum)
    private let gains: UnsafeMutablePointer<GainRamp>
    private var rest = Rest()
    /// A value in the cell that has not been taken up.
    private var isWaiting = false
    /// Frames until the present change is over.
    private var changing = 0
    /// Frames of silence in that have −120 dB and less behind them, also for the field before.
    private var longestSilence: Int
    private var ringBefore = 0

    private static var cornerCount: Int { FeedbackDelayNetwork.outputCount }

    /// - Parameters:
    ///   - meanFreeTime: seconds between two surfaces, the scale of the network's delays, fixed for its life; held within 7…35 ms.
    ///   - longestStart: seconds, the longest `Parameters.start`; up to 2.
    ///   - seed: chooses the network's delays and signs.
    package init(sampleRate: Double, meanFreeTime: Double, longestStart: Double = 0.3, seed: UInt64, spatializer: Spatializer, outputCount: Int) {
        self.sampleRate = sampleRate
        self.outputCount = outputCount
        let settings = FeedbackDelayNetwork.Settings(sampleRate: sampleRate, meanFreeTime: meanFreeTime, longestStart: longestStart, seed: seed)
        self.longestStart = settings.longestStart
        network = FeedbackDelayNetwork(settings, cell.current.network)
        field = CubeField(spatializer, latency: ReverbRenderer.latency, outputCount: outputCount)
        corners = .allocate(capacity: Self.cornerCount)
        for corner in 0..<Self.cornerCount { (corners + corner).initialize(to: memory.pointer + corner * Grid.quantum) }
        gains = .allocate(capacity: Self.cornerCount)
        gains.initialize(repeating: GainRamp(1), count: Self.cornerCount)
        longestSilence = 0
        publish(cell.current)
    }

    deinit {
        cell.deallocate()
        ringing.deallocate()
        corners.deallocate()
        gains.deallocate()
    }

    /// Ears for a head, as this renderer hears. Control side.
    package static func ears(_ head: HeadTable) -> DiffuseEars { ReverbRenderer.ears(head) }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        let frames = context.frames
        let wasResting = rest.isResting
        rest.listen(ports, context, longest: longestSilence)
        let isNew = context.isControlPoint && cell.advance()
        if isNew { isWaiting = true }
        if rest.isResting {
            if !wasResting { network.reset() }
            if isWaiting { take(frames: 0) }
            guard rest.wakes(longest: longestSilence) else { return ports.silenceOutputs(frames) }
        } else if isWaiting && changing == 0 && (isNew || context.isOnGrid) {
            take(frames: min(max(cell.currentPlace.pointee.rampFrames, Grid.quantum), Int(sampleRate)))
        }
        network.process(ports.input(0), outputs: UnsafePointer(corners), frames)
        for corner in 0..<Self.cornerCount { gains[corner].process(corners[corner], frames) }
        field.process(UnsafePointer(corners), to: ports.outputs, frames)
        changing = max(changing - frames, 0)
    }

    private mutating func take(frames: Int) {
        let new = cell.current
        network.setTarget(new.network, frames: frames)
        for corner in 0..<Self.cornerCount { gains[corner].setTarget(new.amplitude(corner), frames: frames) }
        publish(new)
        (changing, isWaiting) = (frames, false)
    }

    /// How long it rings, and the field before with it.
    private mutating func publish(_ new: Parameters) {
        let t60 = Double(new.network.t60.lanes.max())
        let start = Int(min(new.network.start, longestStart) * sampleRate) + 2 * Grid.quantum
        let ring = Int(t60 * sampleRate)
        ringing.store(Int64(start + max(ring, ringBefore)))
        longestSilence = start + 2 * max(ring, ringBefore)
        ringBefore = ring
    }
}
