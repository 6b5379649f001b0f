import OssicleCore
import OssicleDSP

/// The late field at one listener, as the scene's geometry makes it and while that changes: a feedback delay network
/// whose sixteen outputs arrive, each with its share of the energy, from `DiffuseDirections`. Ports: mono send → one
/// without channels, for the order: it adds to the ambisonic bus.
///
///     in ──▶ network (decay, level, start) ──▶ 16 gains ──▶ bus
///
/// It changes over from one field to another in straight lines. One that comes during a change waits for its end, so
/// that working out a network's coefficients, a tenth of a millisecond, happens no more often than once in a change.
package struct LateFieldRenderer: ControlledRenderer, ~Copyable {
    package var control: Control { Control(cell: cell, departure: departure.cell, ringing: ringing) }
    private let cell = LatestValueCell(Parameters.silent(rampFrames: 0))
    private let ringing = PositionCell(0)
    private let sampleRate: Double
    private let longestStart: Double
    private var network: FeedbackDelayNetwork
    private var departure = RoomDeparture()
    private let directions = ChannelMemory(count: DiffuseDirections.count)
    private let gains = OwnedMemory(count: DiffuseDirections.count, GainRamp(1))
    private let encoders = OwnedMemory(count: DiffuseDirections.count, SIMD16<Float>.zero)
    /// By output of the network the direction's memory.
    private let outputs: OwnedMemory<UnsafeMutablePointer<Float>>
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
    ///   - latency: frames by which the bus delays it; taken off the start.
    ///   - seed: chooses the network's delays and signs. - ears: that hear the bus.
    package init(
        sampleRate: Double, meanFreeTime: Double, longestStart: Double = 0.3, latency: Int = 0, seed: UInt64,
        ears: AmbisonicHRTFTable? = nil
    ) {
        self.sampleRate = sampleRate
        let settings = FeedbackDelayNetwork.Settings(
            sampleRate: sampleRate, meanFreeTime: meanFreeTime, longestStart: longestStart, latency: latency,
            seed: seed)
        self.longestStart = settings.longestStart
        network = FeedbackDelayNetwork(settings, cell.current.network)
        outputs = OwnedMemory(count: DiffuseDirections.count, directions[0])
        let arrangement = NetworkOutputs(settings, patterns: DiffuseDirections.patterns, ears: ears)
        for (output, direction) in arrangement.places.enumerated() {
            outputs.pointer[output] = directions[direction]
            // Sixteen outputs have twice the energy of eight.
            encoders.pointer[direction] =
                DiffuseDirections.encoders[direction] * (arrangement.signs[output] * Float(0.5).squareRoot())
        }
        longestSilence = 0
        publish(cell.current)
    }

    deinit {
        cell.deallocate()
        ringing.deallocate()
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext, _ sums: FieldSums) {
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
        network.process(
            departure.input(ports.input(0), context), outputs: outputs.pointer, count: DiffuseDirections.count,
            frames)
        let gains = gains.pointer
        for index in 0..<DiffuseDirections.count { gains[index].process(directions[index], frames) }
        sums.add(directions.channels, encoders.pointer, frames)
        changing = max(changing - frames, 0)
    }

    private mutating func take(frames: Int) {
        let new = cell.current
        network.setTarget(new.network, frames: frames)
        let gains = gains.pointer
        for index in 0..<DiffuseDirections.count { gains[index].setTarget(new.amplitude(index), frames: frames) }
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
        /// Share of the energy from each of the `DiffuseDirections`, adding up to 1.
        package var directions: SIMD16<Float>
        /// Frames in which the field changes over, 100 to 250 ms, a second at most. What comes meanwhile waits for its
        /// end, the newest wins.
        package var rampFrames: Int

        package init(
            t60: OctaveBands, energy: OctaveBands, start: Double,
            directions: SIMD16<Float> = SIMD16(repeating: 0.0625), rampFrames: Int
        ) {
            (self.t60, self.energy, self.start) = (t60, energy, start)
            (self.directions, self.rampFrames) = (directions, rampFrames)
        }

        package static func silent(rampFrames: Int) -> Parameters {
            Parameters(t60: OctaveBands(repeating: 0.05), energy: .zeros, start: 0, rampFrames: rampFrames)
        }

        /// The network's part of it.
        var network: FeedbackDelayNetwork.Parameters {
            FeedbackDelayNetwork.Parameters(t60: t60, energy: energy, start: start)
        }

        /// Of one direction, re that of a field that is alike from everywhere.
        func amplitude(_ index: Int) -> Float { max(directions[index] * 16, 0).squareRoot() }
    }
    package struct Control: BitwiseCopyable {
        package let cell: LatestValueCell<Parameters>
        package let departure: LatestValueCell<BuildUp>
        let ringing: PositionCell

        /// Frames it keeps sounding, down to −60 dB, after its input fell silent.
        package var tail: Int { Int(ringing.load()) }
    }
}
