import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import Testing

@Suite struct SpatialRendererTests {
    @Test("A strip rings as long as what is on its way to the listener, not as long as the longest way", arguments: [0, 480, 1e30, Float.nan] as [Float])
    func tail(delay: Float) throws {
        let head = try HeadFilters(sampleRate: 48_000)
        let box = RendererBox(SpatialRenderer(sampleRate: 48_000, spatializer: .binaural(head.table), outputCount: 2))
        #expect(box.pointer.pointee.tail == 1024)
        var graph = Graph()
        graph.output = Graph.Port(graph.add("strip", .spatial(box.pointer), owner: box, inputs: [1], outputs: [2, 1]))
        graph.keepAlive(head)
        let bench = try RenderBench(graph, channels: 2)
        box.pointer.pointee.cell.write(SpatialRenderer.Parameters(directGain: 1, equalizer: .transparent, equalizerVersion: 0, delay: delay,
                                                                  direction: SIMD3(0, 0, -1), reverbSend: 0, rampFrames: 0))
        _ = bench.render(512)
        let expected = delay.isNaN ? 0 : min(2 * delay, 48_000)
        #expect(box.pointer.pointee.tail == 1024 + Int(expected))
    }
}
