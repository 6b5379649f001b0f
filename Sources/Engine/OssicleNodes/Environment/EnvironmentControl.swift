import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleRender

/// Makes the renderers of one environment with one output, and writes their parameters: an input renderer per bus, the
/// reverb, the output.
///
///     input ─┬─ direct ────────────────────▶ (+) ──▶ output
///            ├─ ambisonic bus ───────────────▲
///     input ─┴─ send ──▶ (+) ──▶ reverb ─────┘
///
/// Renderers outlive plans; changes are written to their cells. One thread at a time.
package final class EnvironmentControl {
    /// The channels of an input bus.
    package struct Channels {
        package let speakers: SpeakerLayout
        /// Gain of each input in each output, output by output, for what is copied.
        package let copies: [Float]

        package init(speakers: SpeakerLayout, copies: [Float]) {
            self.speakers = speakers
            self.copies = copies
        }
    }

    private struct Input {
        let box: ControlledBox<EnvironmentInputRenderer>
        let labels: [UInt32]
        var lastSent: EnvironmentInputRenderer.Parameters?
    }

    package let output: EnvironmentOutput
    private let tables: EnvironmentTables
    private let rooms: EnvironmentRooms
    private let master: ControlledBox<EnvironmentOutputRenderer>
    /// The bus of sounds that share the ears' filters; nil for a single output.
    private let bus: ControlledBox<FieldMixRenderer>?
    private var inputs: [Int: Input] = [:]
    private var sources: [Int: SourceMixing] = [:]
    private var scene: EnvironmentScene

    /// Throws for a sample rate beyond 8 … 384 kHz.
    package init(_ output: EnvironmentOutput, scene: EnvironmentScene, volume: Float) throws {
        self.output = output
        self.scene = scene
        tables = try EnvironmentTables(output)
        rooms = EnvironmentRooms(output, tables)
        let channelCount = output.channelCount
        bus =
            channelCount < 2
            ? nil
            : ControlledBox(FieldMixRenderer(tables.decoding(isBinaural: true), outputCount: channelCount))
        master = ControlledBox(EnvironmentOutputRenderer(EnvironmentOutputRenderer.Parameters(volume: volume)))
    }

    // MARK: Inputs

    /// The renderer of a bus: the one before while the labels are the same, else a new one for `channels`.
    package func input(bus: Int, labels: [UInt32], channels: @autoclosure () -> Channels) -> OwnedRenderer {
        let input = inputs[bus].flatMap { $0.labels == labels ? $0 : nil } ?? makeInput(labels, channels())
        inputs[bus] = input
        write(bus)
        return renderer(of: input)
    }

    private func renderer(of input: Input) -> OwnedRenderer {
        (
            .environmentInput(input.box.pointer, bus?.pointer.pointee.sums),
            Owners([input.box, tables] + [bus].compactMap(\.self))
        )
    }

    /// Drops the renderers of all other busses.
    package func keepInputs(_ busses: Set<Int>) {
        inputs = inputs.filter { busses.contains($0.key) }
        sources = sources.filter { busses.contains($0.key) }
    }

    private func makeInput(_ labels: [UInt32], _ channels: Channels) -> Input {
        let settings = EnvironmentInputRenderer.Settings(
            sampleRate: output.sampleRate, channels: channels.speakers.speakers, copies: channels.copies,
            outputs: output.speakers, panner: tables.panner.pointer, sphere: tables.sphere.table,
            head: tables.head.table)
        return Input(box: ControlledBox(EnvironmentInputRenderer(settings)), labels: labels)
    }

    /// Sets the mixing properties of a bus's source.
    package func update(bus: Int, _ source: SourceMixing) {
        sources[bus] = source
        write(bus)
    }

    package func updateScene(_ scene: EnvironmentScene) {
        self.scene = scene
        for bus in inputs.keys.sorted() { write(bus) }
    }

    private func write(_ bus: Int) {
        guard let input = inputs[bus] else { return }
        let parameters = EnvironmentInputRenderer.Parameters(
            for: sources[bus] ?? SourceMixing(), channelCount: input.labels.count, in: scene)
        guard parameters != input.lastSent else { return }
        inputs[bus]?.lastSent = parameters
        input.box.control.write(parameters)
    }

    /// Seconds by which two ears receive an input late.
    package var latency: Double {
        let isBinaural = inputs.values.contains { input in
            guard let lastSent = input.lastSent, output.channelCount > 1 else { return false }
            return [.sphere, .head, .field].contains(lastSent.localiser)
        }
        return isBinaural ? Double(EnvironmentInputRenderer.earLatency) / output.sampleRate : 0
    }

    // MARK: Reverb and output

    package var field: OwnedRenderer? { bus.map { (.fieldMix($0.pointer), Owners([$0, tables])) } }
    package var reverb: OwnedRenderer { (.environmentReverb(rooms.box.pointer), rooms) }
    package var outputStep: OwnedRenderer { (.environmentOutput(master.pointer), master) }

    /// All of them, for a reset.
    package var renderers: [OwnedRenderer] {
        [reverb, outputStep] + [field].compactMap(\.self) + inputs.keys.sorted().compactMap { inputs[$0].map(renderer) }
    }

    package func updateReverb(_ reverb: EnvironmentReverb) {
        rooms.update(reverb, isForHeadphones: scene.isForHeadphones)
    }

    package func setVolume(_ volume: Float) {
        master.control.write(EnvironmentOutputRenderer.Parameters(volume: volume))
    }
}

/// Keeps what a renderer points into.
private final class Owners {
    private let objects: [AnyObject]
    init(_ objects: [AnyObject]) { self.objects = objects }
}
