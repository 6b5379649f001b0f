import OssicleCore
import OssicleDSP

/// One input bus of an environment. Ports: the bus's channels in; direct (the output's channels) and send (mono) out.
///
///     channels ─▶ occlusion ─┬─▶ gain · wet, summed ──────────────────────────▶ send
///                            └─▶ obstruction ─┬─▶ a gain per output ────────┬─▶ direct
///                                             ├─▶ ears on a sphere ─────────┤
///                                             └─▶ measured ears ────────────┘            each fed with gain · dry
///
/// Whichever way a sound goes to the output is a matter of gains, so that a change of the way is a glide like any other. A strip that has
/// been silent for longer than it rings takes new parameters at once, and costs nothing.
package struct EnvironmentStripRenderer: ControlledRenderer, ~Copyable {
    package var control: LatestValueCell<Parameters> { cell }
    private let cell = LatestValueCell(Parameters())
    let channelCount: Int
    let outputCount: Int
    let placement: Placement
    var panned: GlidingMatrix
    var sphere: EarStage
    var head: EarStage
    private var send: GlidingMatrix
    private let mufflers: MufflerBank
    private var silence = SilenceCount()
    private let tail: Int

    /// Frames by which two ears hear a sound later than loudspeakers play it.
    package static var earLatency: Int { EarVoice.latency }

    package init(_ settings: Settings) {
        channelCount = settings.channels.count
        outputCount = settings.outputs.speakers.count
        placement = Placement(settings)
        panned = GlidingMatrix(inputs: channelCount, outputs: outputCount)
        send = GlidingMatrix(inputs: channelCount, outputs: 1)
        sphere = EarStage(.sphere(settings.sphere), channels: outputCount > 1 ? channelCount : 0)
        head = EarStage(.measured(settings.head), channels: outputCount > 1 ? channelCount : 0)
        mufflers = MufflerBank(sampleRate: settings.sampleRate, channels: channelCount)
        tail = max(EarVoice.tail(.sphere(settings.sphere)), EarVoice.tail(.measured(settings.head)))
        apply(cell.current, atOnce: true)
    }

    deinit { cell.deallocate() }

    package mutating func reset() {
        mufflers.reset()
        silence.reset()
        apply(cell.current, atOnce: true)
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew() { apply(new, atOnce: isQuiet) }
        let frames = context.frames
        let isOver = isSettled
        silence.listen(ports.inputs, channelCount, isSilent: ports.isInputSilent(0), frames)
        guard !(isOver && silence.frames >= tail) else { return ports.silenceOutputs(frames) }

        let occluded = mufflers.occlude(ports.inputs, frames)
        if send.mix(occluded, output: 0, to: ports.output(outputCount), frames) == frames { ports.markSilent(1) }
        send.advance(frames)

        let heard = mufflers.obstruct(occluded, frames)
        var sounds = false
        for output in 0..<outputCount where panned.mix(heard, output: output, to: ports.output(output), frames) < frames { sounds = true }
        panned.advance(frames)
        if outputCount > 1 {
            if sphere.process(heard, addingToLeft: ports.output(0), right: ports.output(1), frames) { sounds = true }
            if head.process(heard, addingToLeft: ports.output(0), right: ports.output(1), frames) { sounds = true }
        }
        if !sounds { ports.markSilent(0) }
    }

    /// Whether nothing is left of what it has heard.
    private var isQuiet: Bool { silence.frames >= tail && mufflers.isAtRest }

    /// Whether in addition every glide begun before is over by now.
    private var isSettled: Bool { silence.frames >= tail + 2 * GlidingMatrix.glide && mufflers.isAtRest }

    private mutating func apply(_ new: Parameters, atOnce: Bool) {
        let level = new.gain.isFinite ? new.gain : 0
        mufflers.setTarget(occlusion: new.occlusion, obstruction: new.obstruction, frames: atOnce ? 0 : GlidingMatrix.glide)
        send.retarget(atOnce: atOnce)
        for channel in 0..<channelCount { send[0, channel] = level * new.wet }
        panned.retarget(atOnce: atOnce)
        sphere.retarget(atOnce: atOnce)
        head.retarget(atOnce: atOnce)
        route(new, gain: level * new.dry)
    }
}
