import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import OssicleTestSupport
import Testing

@Suite("An environment's reverb") struct EnvironmentReverbTests {
    private final class Hall {
        let reverb = ControlledBox(EnvironmentReverbRenderer(sampleRate: 48_000, outputCount: 2, roomCount: 4))
        let rooms: [RendererBox<EnvironmentRoom>]
        let player: TestPlayer
        let meter = RendererBox(StepMeter())
        let bench: RenderBench

        init(_ presets: [ReverbPreset], _ sound: [Float]) throws {
            let gains = FieldSpeakers.gains(order: 3, panner: VBAPPanner(.stereo))
            rooms = presets.map {
                RendererBox(
                    EnvironmentRoom($0, sampleRate: 48_000, seed: 0, field: .panned(gains), outputCount: 2))
            }
            player = TestPlayer([sound])
            var graph = Graph()
            let node = graph.add(
                "reverb", .environmentReverb(reverb.pointer), owner: reverb, inputs: [1], outputs: [2], meter: meter)
            graph.connect(Graph.Port(player.node(in: &graph)), to: Graph.Port(node))
            graph.output = Graph.Port(node)
            bench = try RenderBench(graph, channels: 2)
            player.start(on: bench)
        }

        func set(_ room: Int?, level: Float = 1, filter: EqualizerBand = EqualizerBand()) {
            let place = room.map { EnvironmentReverbRenderer.Place($0, rooms[$0].pointer) }
            reverb.control.write(EnvironmentReverbRenderer.Parameters(room: place, level: level, filter: filter))
        }
    }

    @Test(
        "decays as its preset says, within 15 % at mid frequencies",
        arguments: [ReverbPreset.smallRoom, .largeRoom2, .mediumHall])
    func decay(preset: ReverbPreset) throws {
        let hall = try Hall([preset], Signal.impulse(count: 10))
        hall.set(0)
        let out = hall.bench.render(96_000)
        let expected = Double(preset.room.t60[4] + preset.room.t60[5]) / 2
        let measured = Measure.reverberationTimes(out, bands: [4, 5])
        for time in measured { #expect(abs(time / expected - 1) < 0.15, "\(time) for \(expected)") }
    }

    @Test("is silent when it is off, and at rest costs nothing")
    func rest() throws {
        let hall = try Hall([.smallRoom], Signal.noise(count: 4800))
        let off = hall.bench.render(4800)
        #expect(off[0].allSatisfy { $0 == 0 })
        hall.set(0)
        hall.player.start(on: hall.bench, at: 4800)
        #expect(Measure.rms(hall.bench.render(9600)[0]) > 1e-3)
        _ = hall.bench.render(48_000)
        let before = hall.meter.pointer.pointee.silentFrames.load()
        #expect(hall.bench.render(4800)[1].allSatisfy { $0 == 0 })
        #expect(hall.meter.pointer.pointee.silentFrames.load() - before == 4800)
    }

    @Test("scales with its level, and passes it through its filter")
    func levelAndFilter() throws {
        func render(_ level: Float, _ filter: EqualizerBand) throws -> [Float] {
            let hall = try Hall([.mediumRoom], Signal.noise(count: 48_000))
            hall.set(0, level: level, filter: filter)
            return hall.bench.render(48_000)[0]
        }
        let plain = try render(1, EqualizerBand())
        #expect(Measure.largestDifference(try render(0.5, EqualizerBand()), plain.map { $0 * 0.5 }) < 1e-6)
        var lowPass = EqualizerBand()
        (lowPass.kind, lowPass.frequency, lowPass.bypass) = (.lowPass, 500, false)
        let (before, after) = (Measure.octaveEnergies(of: plain), Measure.octaveEnergies(of: try render(1, lowPass)))
        #expect(abs(after[2] - before[2]) < 0.5 && abs(after[4] - before[4] + 3) < 2 && after[7] - before[7] < -30)
    }

    @Test("lets the old room ring out in another one, without a click, with the same bytes in any cut")
    func change() throws {
        func run(_ cuts: [Int]) throws -> [[Float]] {
            let hall = try Hall([.smallRoom, .mediumHall], Signal.sine(300, count: 24_000, amplitude: 0.3))
            hall.set(0)
            var out = hall.bench.render(9000, cuts: cuts)
            var filter = EqualizerBand()
            (filter.kind, filter.frequency, filter.bypass) = (.highShelf, 2000, false)
            hall.set(1, level: 2, filter: filter)
            out = zip(out, hall.bench.render(20_000, cuts: cuts)).map { $0 + $1 }
            hall.set(nil)
            return zip(out, hall.bench.render(20_000, cuts: cuts)).map { $0 + $1 }
        }
        let whole = try run([9000, 20_000])
        let cut = try run([1, 63, 64, 1000])
        #expect(Measure.sameBytes(whole[0], cut[0]) && Measure.sameBytes(whole[1], cut[1]))
        #expect(Measure.largestKink(whole[0][4000..<27_000].map { $0 }) < 0.01)
        #expect(whole[0].suffix(10_000).allSatisfy { $0 == 0 })
    }

    @Test("has every kind of filter by its number", arguments: FilterKind.allCases)
    func kinds(kind: FilterKind) {
        var filter = EqualizerBand()
        (filter.kind, filter.frequency, filter.bandwidth, filter.gain, filter.bypass) = (kind, 1000, 1, 12, false)
        let coefficients = filter.coefficients(sampleRate: 48_000)
        let level = { Decibels.of(amplitude: max(coefficients.magnitude(at: $0, sampleRate: 48_000), 1e-9)) }
        #expect(coefficients.isStable)
        switch kind {
        case .parametric: #expect(abs(level(1000) - 12) < 0.01 && abs(level(30)) < 0.1)
        case .lowPass: #expect(abs(level(1000) + 3.01) < 0.01 && level(8000) < -30)
        case .highPass: #expect(abs(level(1000) + 3.01) < 0.01 && level(125) < -30)
        case .resonantLowPass: #expect(level(1000) > 2 && level(8000) < -30)
        case .resonantHighPass: #expect(level(1000) > 2 && level(125) < -30)
        case .bandPass: #expect(abs(level(1000)) < 0.01 && abs(level(1000 * 2.0.squareRoot()) + 3) < 0.3)
        case .bandStop: #expect(level(1000) < -60 && abs(level(30)) < 0.1)
        case .lowShelf, .resonantLowShelf:
            #expect(abs(level(20) - 12) < 0.1 && abs(level(1000) - 6) < 0.01 && abs(level(20_000)) < 0.1)
        case .highShelf, .resonantHighShelf:
            #expect(abs(level(20)) < 0.1 && abs(level(1000) - 6) < 0.01 && abs(level(20_000) - 12) < 0.1)
        }
    }

    @Test(
        "with steady noise a change of preset never falls more than 1 dB below the softer of both",
        arguments: [(ReverbPreset.smallRoom, ReverbPreset.mediumChamber), (.mediumChamber, .smallRoom)])
    func handover(pair: (from: ReverbPreset, to: ReverbPreset)) throws {
        let hall = try Hall([pair.from, pair.to], Signal.noise(count: 200_000, seed: 5))
        /// Of 100 ms each.
        func powers(_ frames: Int) -> [Double] {
            let out = hall.bench.render(frames)
            return stride(from: 0, to: frames, by: 4800).map { start in
                out.reduce(0) { $0 + Measure.energy(Array($1[start..<start + 4800])) }
            }
        }
        hall.set(0)
        let before = powers(96_000).suffix(5).reduce(0, +) / 5
        hall.set(1)
        let during = powers(96_000)
        let after = during.suffix(5).reduce(0, +) / 5
        let dip = Decibels.of(energy: (during.min() ?? 0) / min(before, after))
        #expect(dip > -1, "\(dip) dB")
    }
}
