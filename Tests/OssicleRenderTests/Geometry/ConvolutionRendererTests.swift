import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import OssicleTestSupport
import Testing

/// Responses by formula.
enum MeasuredResponse {
    /// Noise of an energy of 1 that falls by 60 dB over its length.
    static func decay(_ length: Int, seed: UInt64) -> [Float] {
        let shaped = Signal.noise(count: length, seed: seed + 1).enumerated().map {
            $1 * Float(DeterministicMath.exp(-6.907755 * Double($0) / Double(length)))
        }
        let scale = Float(1 / Measure.energy(shaped).squareRoot())
        return shaped.map { $0 * scale }
    }
}

@Suite("A measured room") struct ConvolutionRendererTests {
    private final class Bench {
        let output: GeometryOutput
        let renderer: ControlledBox<ConvolutionRenderer>
        let player: TestPlayer
        let bench: RenderBench

        /// - Parameter rows: what of the bus comes out; without them the signals of the `DiffuseDirections`.
        init(_ responses: [[Float]], _ sound: [Float], _ rows: [SIMD16<Float>] = LateFieldBench.directions) throws {
            output = try GeometryOutput(isBinaural: false)
            renderer = ControlledBox(
                ConvolutionRenderer(ConvolutionResponse(responses), gain: 1, sampleRate: 48_000))
            player = TestPlayer([sound])
            var graph = Graph()
            let field = output.field(rows)
            let node = graph.add(
                "room", .convolution(renderer.pointer, field.pointer.pointee.sums), owner: renderer, inputs: [1],
                outputs: [0])
            graph.connect(Graph.Port(player.node(in: &graph)), to: Graph.Port(node))
            let bus = graph.add("bus", .fieldMix(field.pointer), owner: field, inputs: [0], outputs: [rows.count])
            graph.connect(Graph.Port(node), to: Graph.Port(bus))
            graph.output = Graph.Port(bus)
            graph.keepAlive(output)
            bench = try RenderBench(graph, channels: rows.count)
            player.start(on: bench)
        }
    }

    @Test(
        "All directions together have the mean energy of the response within 0.5 dB, whether it has one channel or two"
    )
    func energy() throws {
        for count in 1...2 {
            let bench = try Bench(
                (0..<count).map { MeasuredResponse.decay(9600, seed: UInt64($0)) }, Signal.impulse(count: 64))
            let out = bench.bench.render(24_000)
            #expect(out.count == 16)
            let energy = out.reduce(0) { $0 + Measure.energy($1) }
            #expect(abs(Decibels.of(energy: energy)) < 0.5, "\(Decibels.of(energy: energy)) dB")
        }
    }

    @Test(
        "Every channel of the field has the response's energy within 0.1 dB and is unlike the others, correlated below 0.4"
    )
    func isotropic() throws {
        let response = MeasuredResponse.decay(9600, seed: 3)
        let bench = try Bench([response], Signal.impulse(count: 64), GeometryOutput.channels)
        let out = bench.bench.render(24_000)
        for a in 0..<16 {
            let weight = Double(2 * SphericalHarmonics.order(of: a) + 1)
            let level = Decibels.of(energy: Measure.energy(out[a]) * weight / Measure.energy(response))
            #expect(abs(level) < 0.1, "\(a): \(level) dB")
            for b in 0..<a {
                let correlation = abs(Measure.correlation(out[a], out[b]))
                #expect(correlation < 0.4, "\(a) \(b): \(correlation)")
            }
        }
    }

    @Test("Of two channels the first comes from the left: 20 dB more than to the right")
    func sides() throws {
        let silent = [Float](repeating: 0, count: 9600)
        // Two cardioids: W and the channel of left and right, in N3D weights.
        let rows = [Float(1), -1].map { side in
            var row = SIMD16<Float>.zero
            (row[0], row[1]) = (1, side * Float(3).squareRoot())
            return row
        }
        let bench = try Bench([MeasuredResponse.decay(9600, seed: 3), silent], Signal.impulse(count: 64), rows)
        let energies = bench.bench.render(24_000).map { Measure.energy($0) }
        #expect(energies[0] > 100 * energies[1])
    }

    @Test("The first sound comes as early as in a preset's room, and the last when the response has ended")
    func time() throws {
        let bench = try Bench([MeasuredResponse.decay(4800, seed: 1)], Signal.impulse(count: 64))
        let out = bench.bench.render(30_000)[0]
        let onset = try #require(Measure.onset(of: out, threshold: 0.01))
        #expect(onset <= 300)
        #expect(bench.renderer.control.tail >= 4800)
        #expect(Measure.peak(Array(out.suffix(3000))) == 0)
    }

    @Test("What is left is fed until the other room has filled, and then rings out")
    func departure() throws {
        let bench = try Bench([MeasuredResponse.decay(960, seed: 1)], Signal.noise(count: 48_000, seed: 7))
        let before = Measure.rms(Array(bench.bench.render(9600)[0].suffix(4800)))
        bench.renderer.control.departure.write(BuildUp(start: 4800, end: 14_400))
        let held = Measure.rms(Array(bench.bench.render(4800)[0]))
        #expect(abs(held / before - 1) < 0.15)
        // In the middle of the fall it has half of its amplitude.
        let falling = Measure.rms(Array(bench.bench.render(9600)[0][4000..<5600]))
        #expect(abs(falling / before - 0.5) < 0.15)
        _ = bench.bench.render(4800)
        #expect(Measure.rms(bench.bench.render(4800)[0]) < before * 1e-3)
    }
}
