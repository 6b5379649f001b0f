import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender

/// What a renderer of the scene's geometry plays to: ears, or eight loudspeakers in the corners of a cube.
final class GeometryOutput {
    let head: HRTFFilters
    let cell: HRTFCell
    let panner: RendererBox<VBAPPanner>
    let isBinaural: Bool

    init(isBinaural: Bool, sampleRate: Double = 48_000) throws {
        head = try HRTFFilters.shared(sampleRate: sampleRate)
        cell = HRTFCell(head)
        let corners = (0..<8).map { corner in
            SpeakerLayout.Speaker(
                azimuth: (corner & 1 == 0 ? 1 : -1) * (corner & 4 == 0 ? 45 : 135),
                elevation: (corner & 2 == 0 ? -1 : 1) * 35.264389682754654)
        }
        panner = RendererBox(VBAPPanner(SpeakerLayout(corners)))
        self.isBinaural = isBinaural
    }

    deinit { cell.deallocate() }

    var spatializer: Spatializer { isBinaural ? .binaural(cell) : .panned(panner.pointer) }
    var count: Int { isBinaural ? 2 : 8 }

    /// An ambisonic bus for the ears, or one whose outputs are `rows` of its channels.
    func field(_ rows: [SIMD16<Float>]) -> ControlledBox<FieldMixRenderer> {
        if isBinaural {
            let filters = AmbisonicHRTFFilters(head: head, order: 3)
            return ControlledBox(FieldMixRenderer(.binaural(filters), outputCount: 2))
        }
        let gains = rows.flatMap { row in (0..<16).map { row[$0] } }
        return ControlledBox(FieldMixRenderer(.panned(gains), outputCount: rows.count))
    }

    /// The channels of the bus themselves.
    static let channels = (0..<16).map { channel in
        var row = SIMD16<Float>.zero
        row[channel] = 1
        return row
    }
}

/// One source's paths with a sound at their input, and what keeps both.
final class PathsBench {
    typealias Propagation = PathsRenderer.Propagation
    typealias DirectLike = PathsRenderer.DirectLike
    typealias Diffuse = PathsRenderer.Diffuse

    let output: GeometryOutput
    let renderer: ControlledBox<PathsRenderer>
    let player: TestPlayer
    let meter = RendererBox(StepMeter())
    let bench: RenderBench
    private(set) var parameters: PathsRenderer.Parameters

    /// - Parameter hearsField: render the channels of the bus that the diffuse slots add to instead of the direct-like
    ///   slots' outputs.
    init(_ sound: [Float], isBinaural: Bool = false, hearsField: Bool = true, rampFrames: Int = 1024) throws {
        output = try GeometryOutput(isBinaural: isBinaural)
        renderer = ControlledBox(
            PathsRenderer(sampleRate: 48_000, spatializer: output.spatializer, outputCount: output.count))
        player = TestPlayer([sound])
        parameters = PathsRenderer.Parameters(rampFrames: rampFrames)
        let field = try GeometryOutput(isBinaural: false).field(GeometryOutput.channels)
        var graph = Graph()
        let source = player.node(in: &graph)
        let node = graph.add(
            "paths", .paths(renderer.pointer, FieldTargets(common: field.pointer.pointee.sums)), owner: renderer,
            inputs: [1], outputs: [output.count, 0], meter: meter)
        graph.connect(Graph.Port(source), to: Graph.Port(node))
        let bus = graph.add("bus", .fieldMix(field.pointer), owner: field, inputs: [0], outputs: [16])
        graph.connect(Graph.Port(node, 1), to: Graph.Port(bus))
        graph.output = hearsField ? Graph.Port(bus) : Graph.Port(node)
        if !hearsField { graph.addObserver(bus) }
        graph.keepAlive(output)
        bench = try RenderBench(graph, channels: hearsField ? 16 : output.count)
    }

    func set(_ edit: (inout PathsRenderer.Parameters) -> Void) {
        edit(&parameters)
        renderer.control.cell.write(parameters)
    }

    func start(at position: Int64 = 0) { player.start(on: bench, at: position) }

    func render(_ frames: Int, cuts: [Int] = [512]) -> [[Float]] { bench.render(frames, cuts: cuts) }

    /// A path into one channel of the bus.
    static func diffuse(
        _ delay: Double, channel: Int = 0, gain: Float = 1, bands: OctaveBands = .ones, generation: UInt32 = 0,
        version: UInt32 = 0
    ) -> Diffuse {
        var gains = SIMD16<Float>.zero
        gains[channel] = gain
        return Diffuse(propagation(delay, bands, generation, version), gains: gains)
    }

    static func propagation(
        _ delay: Double, _ bands: OctaveBands = .ones, _ generation: UInt32 = 0, _ version: UInt32 = 0
    ) -> Propagation {
        Propagation(
            delay: delay, equalizer: .solve(bands, sampleRate: 48_000), equalizerVersion: version,
            generation: generation)
    }
}

/// One channel after another, the second piece behind the first.
func joined(_ pieces: [[[Float]]]) -> [[Float]] {
    guard let first = pieces.first else { return [] }
    return first.indices.map { channel in pieces.flatMap { $0[channel] } }
}
