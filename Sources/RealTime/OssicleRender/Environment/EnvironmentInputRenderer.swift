import OssicleCore
import OssicleDSP

/// One input bus of an environment. Ports: the bus's channels in; direct (the output's channels), send (mono) and one
/// without channels out, for the order: what goes through the ambisonic bus is added to its sums.
///
///     channels ─▶ occlusion ─┬─▶ gain · wet, summed ──────────────────────────▶ send
///                            └─▶ obstruction ─┬─▶ a gain per output ────────┬─▶ direct
///                                             ├─▶ ears on a sphere ─────────┤
///                                             ├─▶ measured ears ────────────┘            each fed with gain · dry
///                                             └─▶ a gain per channel of the ambisonic bus ─▶ bus
///
/// Whichever way a sound goes to the output is a matter of gains, so that a change of the way is a glide like any
/// other. A strip that has been silent for longer than it rings takes new parameters at once, and costs nothing.
package struct EnvironmentInputRenderer: ControlledRenderer, ~Copyable {
    package var control: LatestValueCell<Parameters> { cell }
    private let cell = LatestValueCell(Parameters())
    let channelCount: Int
    let outputCount: Int
    let placement: Placement
    var panned: GlidingMatrix
    var sphere: BinauralStage
    var head: BinauralStage
    private var field: GlidingMatrix
    private var send: GlidingMatrix
    private let scratch = SampleMemory(count: Grid.quantum)
    private let obstructionFilters: ObstructionFilterBank
    private var silence = SilenceCount()
    private let tail: Int

    /// Frames by which binaural sound is later than that of loudspeakers.
    package static var earLatency: Int { BinauralVoice.latency }

    package init(_ settings: Settings) {
        channelCount = settings.channels.count
        outputCount = settings.outputs.speakers.count
        placement = Placement(settings)
        panned = GlidingMatrix(inputs: channelCount, outputs: outputCount)
        send = GlidingMatrix(inputs: channelCount, outputs: 1)
        field = GlidingMatrix(
            inputs: channelCount, outputs: outputCount > 1 ? FieldSums.channelCount : 0)
        sphere = BinauralStage(.sphere(settings.sphere), channels: outputCount > 1 ? channelCount : 0)
        head = BinauralStage(.measured(settings.head), channels: outputCount > 1 ? channelCount : 0)
        obstructionFilters = ObstructionFilterBank(sampleRate: settings.sampleRate, channels: channelCount)
        tail = max(BinauralVoice.tail(.sphere(settings.sphere)), BinauralVoice.tail(.measured(settings.head)))
        apply(cell.current, atOnce: true)
    }

    deinit { cell.deallocate() }

    package mutating func reset() {
        obstructionFilters.reset()
        silence = SilenceCount()
        apply(cell.current, atOnce: true)
    }

    /// - Parameter sums: of the bus; nil where there is none.
    package mutating func render(_ ports: Ports, _ context: RenderContext, _ sums: FieldSums?) {
        if context.isControlPoint, let new = cell.takeIfNew() { apply(new, atOnce: isQuiet) }
        let frames = context.frames
        let isOver = isSettled
        silence.listen(ports.inputs, channelCount, isSilent: ports.isInputSilent(0), frames)
        guard !(isOver && silence.frames >= tail) else { return ports.silenceOutputs(frames) }

        let occluded = obstructionFilters.occlude(ports.inputs, frames)
        if send.mix(occluded, output: 0, to: ports.output(outputCount), frames) == frames { ports.markSilent(1) }
        send.advance(frames)

        let heard = obstructionFilters.obstruct(occluded, frames)
        var sounds = false
        for output in 0..<outputCount where panned.mix(heard, output: output, to: ports.output(output), frames) < frames
        { sounds = true }
        panned.advance(frames)
        if let sums { encode(heard, to: sums, frames) }
        if outputCount > 1 {
            let (left, right) = (ports.output(0), ports.output(1))
            if sphere.process(heard, addingToLeft: left, right: right, offset: context.offset, frames) { sounds = true }
            if head.process(heard, addingToLeft: left, right: right, offset: context.offset, frames) { sounds = true }
        }
        if !sounds { ports.markSilent(0) }
    }

    private func encode(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, to sums: FieldSums, _ frames: Int
    ) {
        for channel in 0..<(outputCount > 1 ? FieldSums.channelCount : 0)
        where field.mix(channels, output: channel, to: scratch.pointer, frames) < frames {
            sums.add(scratch.pointer, to: channel, frames)
        }
        field.advance(frames)
    }

    /// Whether nothing is left of earlier input.
    private var isQuiet: Bool { silence.frames >= tail && obstructionFilters.isAtRest }

    /// Whether in addition every glide begun before is over by now.
    private var isSettled: Bool { silence.frames >= tail + 2 * GlidingMatrix.glide && obstructionFilters.isAtRest }

    private mutating func apply(_ new: Parameters, atOnce: Bool) {
        let level = new.gain.isFinite ? new.gain : 0
        obstructionFilters.setTarget(
            occlusion: new.occlusion, obstruction: new.obstruction, frames: atOnce ? 0 : GlidingMatrix.glide)
        send.retarget(atOnce: atOnce)
        for channel in 0..<channelCount { send[0, channel] = level * new.wet }
        panned.retarget(atOnce: atOnce)
        sphere.retarget(atOnce: atOnce)
        head.retarget(atOnce: atOnce)
        field.retarget(atOnce: atOnce)
        route(new, gain: level * new.dry)
    }
}

extension EnvironmentInputRenderer {
    /// Every channel to the outputs or the ears.
    mutating func route(_ new: Parameters, gain: Float) {
        for channel in 0..<channelCount {
            switch new.localiser {
            case .channels: copy(channel, gain)
            case .passThrough: passThrough(channel, gain)
            case .equalPower, .speakers, .sphere, .head, .field:
                if new.shape == .point { placePoint(channel, new, gain) } else { placeInBed(channel, new, gain) }
            }
        }
    }

    private func copy(_ channel: Int, _ gain: Float) {
        for output in 0..<outputCount {
            panned[output, channel] = panned[output, channel] + placement.copy(channel, to: output) * gain
        }
    }

    /// One channel goes to both sides, of more the first two; a single output has their mean.
    private func passThrough(_ channel: Int, _ gain: Float) {
        switch (channelCount, outputCount) {
        case (1, _): for output in 0..<min(outputCount, 2) { panned[output, channel] = gain }
        case (_, 1): if channel < 2 { panned[0, channel] = gain * 0.5 }
        default: if channel < 2 { panned[channel, channel] = gain }
        }
    }

    private mutating func placePoint(_ channel: Int, _ new: Parameters, _ gain: Float) {
        let inside = min(max(new.inside, 0), 1)
        if new.splitsInside { copy(channel, gain * inside) }
        let outside = gain * (1 - inside)
        if earsHear(new.localiser), new.localiser == .field {
            encode(channel, new.direction, outside)
            // The bus knows no place inside the head, where both ears hear the same.
            if !new.splitsInside && inside > 0 {
                let middle = BinauralModel.Place(direction: new.direction, distance: new.distance, inside: 1)
                listen(.head, channel, voice: 0, middle, gain * inside)
            }
        } else if earsHear(new.localiser) {
            // All channels of a point are one sound: the first voice's.
            let place = BinauralModel.Place(
                direction: new.direction, distance: new.distance, inside: new.splitsInside ? 0 : inside)
            listen(new.localiser, channel, voice: 0, place, new.splitsInside ? outside : gain)
        } else {
            pan(channel, placement.gains(new.localiser, new.direction), outside)
            if !new.splitsInside { pan(channel, placement.middle(new.localiser), gain * inside) }
        }
    }

    private mutating func placeInBed(_ channel: Int, _ new: Parameters, _ gain: Float) {
        guard let at = placement.direction(channel) else { return copy(channel, gain) }
        let direction = new.right * at.x + new.up * at.y + new.back * at.z
        if earsHear(new.localiser), new.localiser == .field {
            encode(channel, direction, gain)
        } else if earsHear(new.localiser) {
            listen(
                new.localiser, channel, voice: channel,
                BinauralModel.Place(direction: direction, distance: .greatestFiniteMagnitude, inside: 0), gain)
        } else {
            pan(channel, placement.gains(new.localiser, direction), gain)
        }
    }

    private func encode(_ channel: Int, _ direction: SIMD3<Float>, _ gain: Float) {
        let gains = FieldDirection.gains(direction) * gain
        for index in 0..<FieldSums.channelCount { field[index, channel] = field[index, channel] + gains[index] }
    }

    private func pan(_ channel: Int, _ gains: UnsafePointer<Float>, _ gain: Float) {
        for output in 0..<outputCount { panned[output, channel] = panned[output, channel] + gains[output] * gain }
    }

    /// A single output is no pair of ears.
    private func earsHear(_ localiser: Localiser) -> Bool {
        outputCount > 1 && (localiser == .sphere || localiser == .head || localiser == .field)
    }

    private mutating func listen(
        _ localiser: Localiser, _ channel: Int, voice: Int, _ place: BinauralModel.Place, _ gain: Float
    ) {
        if localiser == .sphere {
            sphere.feed(channel, to: voice, gain: gain)
            sphere.place(voice, place)
        } else {
            head.feed(channel, to: voice, gain: gain)
            head.place(voice, place)
        }
    }
}
