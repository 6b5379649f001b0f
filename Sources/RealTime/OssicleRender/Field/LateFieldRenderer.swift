import OssicleCore
import OssicleDSP

/// The late field at one listener, as the scene's geometry makes it and while that changes: a feedback delay network
/// whose eight outputs arrive, each with its share of the energy, from the corners of a cube around the head. Port:
/// mono send → out.
///
///     in ──▶ network (decay, level, start) ──▶ 8 gains ──▶ ears or loudspeakers
///
/// It changes over from one field to another in straight lines. One that comes during a change waits for its end, so
/// that working out a network's coefficients, a tenth of a millisecond, happens no more often than once in a change.
package struct LateFieldRenderer: ControlledRenderer, ~Copyable {
    package var control: Control {
        Control(cell: cell, ears: room.cell, departure: departure.cell, ringing: ringing)
    }
    private let cell = LatestValueCell(Parameters.silent(rampFrames: 0))
    private let ringing = PositionCell(0)
    private let sampleRate: Double
    private let longestStart: Double
    private var room: ReverbRoom
    private var departure = RoomDeparture()
    private let gains = OwnedMemory(count: ReverbRoom.cornerCount, GainRamp(1))
    private var rest = Rest()
    /// A value in the cell that has not been taken up.
    private var isWaiting = false
    /// Frames until the present change is over.
    private var changing = 0
    /// Frames of silence in that have −120 dB and less behind them, also for the field before.
    private var longestSilence: Int
    private var ringBefore = 0

    /// - Parameters:
    ///   - meanFreeTime: seconds between two surfaces, the scale of the network's delays, fixed for its life; held
    ///     within 7…35 ms.
    ///   - longestStart: seconds, the longest `Parameters.start`; up to 2.
    ///   - seed: chooses the network's delays and signs.
    package init(
        sampleRate: Double, meanFreeTime: Double, longestStart: Double = 0.3, seed: UInt64, spatializer: Spatializer,
        outputCount: Int
    ) {
        self.sampleRate = sampleRate
        let settings = FeedbackDelayNetwork.Settings(
            sampleRate: sampleRate, meanFreeTime: meanFreeTime, longestStart: longestStart, seed: seed)
        self.longestStart = settings.longestStart
        room = ReverbRoom(
            FeedbackDelayNetwork(settings, cell.current.network),
            CubeField(spatializer, latency: ReverbRoom.latency, outputCount: outputCount))
        longestSilence = 0
        publish(cell.current)
    }

    deinit {
        cell.deallocate()
        ringing.deallocate()
    }

    /// The filters of an HRTF for this renderer. Control side.
    package static func ears(_ head: HRTFTable) -> DiffuseBinaural { ReverbRenderer.ears(head) }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        let frames = context.frames
        let wasResting = rest.isResting
        rest.listen(ports, context, longest: longestSilence)
        let isNew = context.isControlPoint && cell.advance()
        if isNew { isWaiting = true }
        if rest.isResting {
            if !wasResting { room.network.reset() }
            if isWaiting { take(frames: 0) }
            guard rest.wakes(longest: longestSilence) else { return ports.silenceOutputs(frames) }
        } else if isWaiting && changing == 0 && (isNew || context.isOnGrid) {
            take(frames: min(max(cell.currentPlace.pointee.rampFrames, Grid.quantum), Int(sampleRate)))
        }
        room.reverberate(departure.input(ports.input(0), context), frames)
        let gains = gains.pointer
        for corner in 0..<ReverbRoom.cornerCount { gains[corner].process(room.corners[corner], frames) }
        room.place(ports.outputs, frames)
        changing = max(changing - frames, 0)
    }

    private mutating func take(frames: Int) {
        let new = cell.current
        room.network.setTarget(new.network, frames: frames)
        let gains = gains.pointer
        for corner in 0..<ReverbRoom.cornerCount { gains[corner].setTarget(new.amplitude(corner), frames: frames) }
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

extension LateFieldRenderer {
    /// The late field at one listener.
    package struct Parameters: BitwiseCopyable, Sendable {
        /// Reverberation time per octave in seconds, held within 0.05…60.
        package var t60: OctaveBands
        /// Energy after `start` per octave re the direct sound's at 1 m, for a send of 1, all directions together: ∫
        /// e(t) dt from `start` on. What is not finite or below 0 counts as 0.
        package var energy: OctaveBands
        /// Seconds from emission to where the field begins, at most the renderer's longest.
        package var start: Double
        /// Share of the energy from each corner of the cube around the head, adding up to 1. Corner k lies to the right
        /// where k & 1, above where k & 2, behind where k & 4.
        package var corners: SIMD8<Float>
        /// Frames in which the field changes over, 100 to 250 ms, a second at most. What comes meanwhile waits for its
        /// end, the newest wins.
        package var rampFrames: Int

        package init(
            t60: OctaveBands, energy: OctaveBands, start: Double, corners: SIMD8<Float> = SIMD8(repeating: 0.125),
            rampFrames: Int
        ) {
            (self.t60, self.energy, self.start, self.corners, self.rampFrames) = (
                t60, energy, start, corners, rampFrames
            )
        }

        package static func silent(rampFrames: Int) -> Parameters {
            Parameters(t60: OctaveBands(repeating: 0.05), energy: .zeros, start: 0, rampFrames: rampFrames)
        }

        /// The network's part of it.
        var network: FeedbackDelayNetwork.Parameters {
            FeedbackDelayNetwork.Parameters(t60: t60, energy: energy, start: start)
        }

        /// Of one corner, re that of a field that is alike from everywhere.
        func amplitude(_ corner: Int) -> Float { max(corners[corner] * 8, 0).squareRoot() }
    }
    package struct Control: BitwiseCopyable {
        package let cell: LatestValueCell<Parameters>
        /// nil where loudspeakers play.
        package let ears: BinauralCell<DiffuseBinaural>?
        package let departure: LatestValueCell<BuildUp>
        let ringing: PositionCell

        /// Frames it keeps sounding, down to −60 dB, after its input fell silent.
        package var tail: Int { Int(ringing.load()) }
    }
}
