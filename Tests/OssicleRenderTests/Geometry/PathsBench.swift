import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender

/// What a renderer of the scene's geometry plays to: ears, or eight loudspeakers in the corners of a cube, which hear
/// the corners themselves.
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

    /// - Parameter hearsCorners: render the diffuse slots' corners instead of the direct-like slots' outputs.
    init(_ sound: [Float], isBinaural: Bool = false, hearsCorners: Bool = true, rampFrames: Int = 1024) throws {
        output = try GeometryOutput(isBinaural: isBinaural)
        renderer = ControlledBox(
            PathsRenderer(sampleRate: 48_000, spatializer: output.spatializer, outputCount: output.count))
        player = TestPlayer([sound])
        parameters = PathsRenderer.Parameters(rampFrames: rampFrames)
        var graph = Graph()
        let source = player.node(in: &graph)
        let node = graph.add(
            "paths", .paths(renderer.pointer), owner: renderer, inputs: [1], outputs: [output.count, 8], meter: meter)
        graph.connect(Graph.Port(source), to: Graph.Port(node))
        graph.output = Graph.Port(node, hearsCorners ? 1 : 0)
        graph.keepAlive(output)
        bench = try RenderBench(graph, channels: hearsCorners ? 8 : output.count)
    }

    func set(_ edit: (inout PathsRenderer.Parameters) -> Void) {
        edit(&parameters)
        renderer.control.cell.write(parameters)
    }

    func start(at position: Int64 = 0) { player.start(on: bench, at: position) }

    func render(_ frames: Int, cuts: [Int] = [512]) -> [[Float]] { bench.render(frames, cuts: cuts) }

    /// A path towards one corner.
    static func diffuse(
        _ delay: Double, corner: Int = 0, gain: Float = 1, bands: OctaveBands = .ones, generation: UInt32 = 0,
        version: UInt32 = 0
    ) -> Diffuse {
        var corners = SIMD8<Float>.zero
        corners[corner] = gain
        return Diffuse(propagation(delay, bands, generation, version), corners: corners)
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
