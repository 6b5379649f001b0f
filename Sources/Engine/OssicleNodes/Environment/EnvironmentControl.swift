import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleGraph
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
    /// An object, so that parameters are written without a copy of the table of inputs: a unit by itself writes them on
    /// the render thread.
    private final class Input {
        let box: ControlledBox<EnvironmentInputRenderer>
        let labels: [UInt32]
        var lastSent: EnvironmentInputRenderer.Parameters?
        var source = SourceMixing()

        init(box: ControlledBox<EnvironmentInputRenderer>, labels: [UInt32]) {
            (self.box, self.labels) = (box, labels)
        }
    }

    package let output: EnvironmentOutput
    private let tables: EnvironmentTables
    private let rooms: EnvironmentRooms
    private let master: ControlledBox<EnvironmentOutputRenderer>
    /// The bus of sounds that share the ears' filters; nil for a single output.
    private let bus: ControlledBox<FieldMixRenderer>?
    private var inputs: [Int: Input] = [:]
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
    private func input(bus: Int, labels: [UInt32]) -> OwnedRenderer {
        let input = inputs[bus].flatMap { $0.labels == labels ? $0 : nil } ?? makeInput(labels)
        input.source = inputs[bus]?.source ?? SourceMixing()
        inputs[bus] = input
        write(input)
        return renderer(of: input)
    }

    private func renderer(of input: Input) -> OwnedRenderer {
        (
            .environmentInput(input.box.pointer, bus?.pointer.pointee.sums),
            Owners([input.box, tables] + [bus].compactMap(\.self))
        )
    }

    /// Drops the renderers of all other busses.
    private func keepInputs(_ busses: Set<Int>) {
        inputs = inputs.filter { busses.contains($0.key) }
    }

    private func makeInput(_ labels: [UInt32]) -> Input {
        let settings = EnvironmentInputRenderer.Settings(
            sampleRate: output.sampleRate, channels: SpeakerLayout(labels: labels).speakers,
            copies: ChannelMatrix(from: labels, to: output.labels).gains,
            outputs: output.speakers, panner: tables.panner.pointer, sphere: tables.sphere.table,
            head: tables.head.table)
        return Input(box: ControlledBox(EnvironmentInputRenderer(settings)), labels: labels)
    }

    /// Sets the mixing properties of a bus's source. No memory, no lock.
    package func update(bus: Int, _ source: SourceMixing) {
        guard let input = inputs[bus] else { return }
        input.source = source
        write(input)
    }

    /// Each input has a cell of its own, so that their order does not matter. No memory, no lock.
    package func updateScene(_ scene: EnvironmentScene) {
        self.scene = scene
        for input in inputs.values { write(input) }
    }

    private func write(_ input: Input) {
        let parameters = EnvironmentInputRenderer.Parameters(
            for: input.source, channelCount: input.labels.count, in: scene)
        guard parameters != input.lastSent else { return }
        input.lastSent = parameters
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

    // MARK: In a graph

    /// Adds the steps of the environment with these inputs to a graph. A renderer that fits continues where it is.
    /// - Parameter inputs: bus and channel labels of each, in the order in which they are added up.
    package func add(
        to graph: inout Graph, _ title: String, inputs: [(bus: Int, labels: [UInt32])],
        meter: RendererBox<StepMeter>? = nil
    ) -> NodePorts {
        keepInputs(Set(inputs.map(\.bus)))
        var ports = NodePorts()
        let channels = output.channelCount
        let (masterStep, masterOwner) = outputStep, (reverbStep, reverbOwner) = reverb
        let sum = graph.add(
            "\(title) output", masterStep, owner: masterOwner, inputs: [channels], outputs: [channels], meter: meter)
        let room = graph.add("\(title) reverb", reverbStep, owner: reverbOwner, inputs: [1], outputs: [channels])
        let bus = field.map { step, owner in
            Graph.Port(graph.add("\(title) bus", step, owner: owner, inputs: [0], outputs: [channels]))
        }
        if let bus { graph.connect(bus, to: Graph.Port(sum)) }
        for (index, labels) in inputs {
            let (step, owner) = input(bus: index, labels: labels)
            let node = graph.add(
                "\(title) input \(index)", step, owner: owner, inputs: [labels.count], outputs: [channels, 1, 0])
            if let bus { graph.connect(Graph.Port(node, 2), to: bus) }
            graph.connect(Graph.Port(node, 0), to: Graph.Port(sum))
            graph.connect(Graph.Port(node, 1), to: Graph.Port(room))
            ports.inputs[index] = Graph.Port(node)
        }
        graph.connect(Graph.Port(room), to: Graph.Port(sum))
        ports.outputs[0] = Graph.Port(sum)
        return ports
    }

    // MARK: Reverb and output

    private var field: OwnedRenderer? { bus.map { (.fieldMix($0.pointer), Owners([$0, tables])) } }
    private var reverb: OwnedRenderer { (.environmentReverb(rooms.box.pointer), rooms) }
    private var outputStep: OwnedRenderer { (.environmentOutput(master.pointer), master) }

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
