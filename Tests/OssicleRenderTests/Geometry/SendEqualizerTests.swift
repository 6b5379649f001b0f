import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import OssicleTestSupport
import Testing

@Suite struct SendEqualizerTests {
    private func send(_ sound: [Float], bands: OctaveBands?) throws -> [Float] {
        let output = try GeometryOutput(isBinaural: true)
        let box = ControlledBox(SpatialRenderer(sampleRate: 48_000, spatializer: output.spatializer, outputCount: 2))
        let player = TestPlayer([sound])
        var graph = Graph()
        let strip = graph.addStrip(box, tapCount: output.head.tapCount).strip
        graph.output = Graph.Port(strip, 1)
        graph.connect(Graph.Port(player.node(in: &graph)), to: Graph.Port(strip))
        graph.keepAlive(output)
        let bench = try RenderBench(graph, channels: 1)
        var parameters = SpatialRenderer.Parameters.silent(rampFrames: 0)
        parameters.reverbSend = 0.5
        if let bands {
            (parameters.sendEqualizer, parameters.sendEqualizerVersion) = (.solve(bands, sampleRate: 48_000), 1)
        }
        box.control.cell.write(parameters)
        player.start(on: bench)
        return bench.render(sound.count)[0]
    }

    @Test func `without bands of its own the send is the sound times its gain, bit for bit`() throws {
        let sound = noise(6000)
        let isSame = Measure.sameBytes(try send(sound, bands: nil), sound.map { $0 * 0.5 })
        #expect(isSame)
    }

    @Test func `the send has its own level in every octave`() throws {
        let bands = OctaveBands([1, 1, 0.9, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.2])
        for band in 2...8 {
            let tone = Signal.sine(OctaveBands.centre(band), count: 12_000)
            let gain = Measure.gain(
                at: OctaveBands.centre(band), from: tone, to: try send(tone, bands: bands), skip: 4000)
            #expect(abs(gain - Measure.decibels(Double(bands[band]) * 0.5)) < 0.2)
        }
    }
}
