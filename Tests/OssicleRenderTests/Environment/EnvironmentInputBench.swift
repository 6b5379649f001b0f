import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender

/// A strip of an environment with a sound at its input, and what keeps both.
final class StripBench {
    typealias Parameters = EnvironmentInputRenderer.Parameters

    let head: HRTFFilters
    let sphere: SphereFilters
    let panner: RendererBox<VBAPPanner>
    let strip: ControlledBox<EnvironmentInputRenderer>
    /// nil where only one output plays.
    let field: ControlledBox<FieldMixRenderer>?
    let player: TestPlayer
    let bench: RenderBench
    let outputCount: Int

    /// - Parameters:
    ///   - hearsSend: render the send instead of the direct sound.
    init(
        _ channels: [[Float]], outputs: SpeakerLayout = .stereo, copies: [Float]? = nil, bed: SpeakerLayout? = nil,
        hearsSend: Bool = false,
        sampleRate: Double = 48_000
    ) throws {
        head = try HRTFFilters.shared(sampleRate: sampleRate)
        sphere = SphereFilters.shared(sampleRate: sampleRate)
        panner = RendererBox(VBAPPanner(outputs))
        let count = channels.count
        outputCount = outputs.speakers.count
        let bed =
            bed ?? SpeakerLayout([SpeakerLayout.Speaker](repeating: SpeakerLayout.Speaker(azimuth: 0), count: count))
        let settings = EnvironmentInputRenderer.Settings(
            sampleRate: sampleRate, channels: bed.speakers,
            copies: copies ?? [Float](repeating: 1, count: count * outputCount), outputs: outputs,
            panner: panner.pointer, sphere: sphere.table, head: head.table)
        strip = ControlledBox(EnvironmentInputRenderer(settings))
        if outputCount > 1 {
            let filters = AmbisonicHRTFFilters(head: head, order: 3)
            field = ControlledBox(
                FieldMixRenderer(.binaural(filters), outputCount: outputCount))
        } else {
            field = nil
        }
        player = TestPlayer(channels)
        var graph = Graph()
        let source = player.node(in: &graph, outputs: count)
        let node = graph.add(
            "strip", .environmentInput(strip.pointer, field?.pointer.pointee.sums), owner: strip, inputs: [count],
            outputs: [outputCount, 1, 0])
        graph.connect(Graph.Port(source), to: Graph.Port(node))
        graph.output = Graph.Port(node, hearsSend ? 1 : 0)
        if let field, !hearsSend {
            let master = RendererBox(MixRenderer(channelCount: outputCount))
            let bus = graph.add("bus", .fieldMix(field.pointer), owner: field, inputs: [0], outputs: [outputCount])
            let mix = graph.add(
                "mix", .mix(master.pointer), owner: master, inputs: [outputCount, outputCount],
                outputs: [outputCount, outputCount, outputCount])
            graph.connect(Graph.Port(node, 2), to: Graph.Port(bus))
            graph.connect(Graph.Port(node), to: Graph.Port(mix, 0))
            graph.connect(Graph.Port(bus), to: Graph.Port(mix, 1))
            graph.output = Graph.Port(mix, 2)
        }
        bench = try RenderBench(graph, channels: hearsSend ? 1 : outputCount)
    }

    func set(_ edit: (inout Parameters) -> Void) {
        var parameters = Parameters()
        edit(&parameters)
        strip.control.write(parameters)
    }

    /// From the sound's first frame on.
    func render(_ frames: Int, cuts: [Int] = [512]) -> [[Float]] {
        player.start(on: bench)
        return bench.render(frames, cuts: cuts)
    }

    func goOn(_ frames: Int, cuts: [Int] = [512]) -> [[Float]] { bench.render(frames, cuts: cuts) }
}

func towards(_ azimuth: Double, _ elevation: Double = 0) -> SIMD3<Float> {
    SIMD3<Float>(HeadDirection.vector(azimuth: azimuth, elevation: elevation))
}
