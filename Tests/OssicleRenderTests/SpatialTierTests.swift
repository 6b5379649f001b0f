import Foundation
import OssicleCore
import OssicleDSP
import OssicleGraph
@testable import OssicleRender
import OssicleTestSupport
import Testing

/// A binaural strip with both tiers.
private final class TierBench {
    let box: ControlledBox<SpatialRenderer>
    private let player: TestPlayer
    private let bench: RenderBench
    private let output: GeometryOutput
    private var parameters: SpatialRenderer.Parameters

    init(_ sound: [Float], offset: Vector, tier: VoiceTier) throws {
        output = try GeometryOutput(isBinaural: true)
        box = ControlledBox(SpatialRenderer(sampleRate: 48_000, spatializer: output.spatializer, outputCount: 2))
        player = TestPlayer([sound])
        let ears = RendererBox(BinauralMixRenderer(BinauralMix(tapCount: output.head.tapCount)))
        let field = output.field([])
        var graph = Graph()
        let strip = graph.add(
            "strip",
            .spatial(
                box.pointer, BinauralTargets(common: ears.pointer.pointee.sums),
                FieldTargets(common: field.pointer.pointee.sums)), owner: box, inputs: [1], outputs: [0, 1, 0])
        graph.connect(Graph.Port(player.node(in: &graph)), to: Graph.Port(strip))
        let mix = RendererBox(MixRenderer(channelCount: 2))
        let sum = graph.add("mix", .mix(mix.pointer), owner: mix, inputs: [2, 2], outputs: [2, 2, 2])
        let direct = graph.add("ears", .binauralMix(ears.pointer), owner: ears, inputs: [0], outputs: [2])
        let bus = graph.add("bus", .fieldMix(field.pointer), owner: field, inputs: [0], outputs: [2])
        graph.connect(Graph.Port(strip), to: Graph.Port(direct))
        graph.connect(Graph.Port(strip, 2), to: Graph.Port(bus))
        graph.connect(Graph.Port(direct), to: Graph.Port(sum, 0))
        graph.connect(Graph.Port(bus), to: Graph.Port(sum, 1))
        graph.output = Graph.Port(sum, 2)
        graph.keepAlive(output)
        bench = try RenderBench(graph, channels: 2)
        parameters = SpatialRenderer.Parameters(
            directGain: 0.5, equalizer: .transparent, equalizerVersion: 0,
            target: MotionTarget(offset: offset, drift: .zero, head: .identity, frames: 1), tier: tier, reverbSend: 0,
            rampFrames: 480)
        box.control.cell.write(parameters)
        player.start(on: bench)
    }

    func set(_ tier: VoiceTier, offset: Vector? = nil) {
        parameters.tier = tier
        if let offset { parameters.target = MotionTarget(offset: offset, drift: .zero, head: .identity, frames: 480) }
        box.control.cell.write(parameters)
    }

    func render(_ frames: Int, cuts: [Int] = [512]) -> [[Float]] { bench.render(frames, cuts: cuts) }
}

@Suite("Tiers of a spatial voice") struct SpatialTierTests {
    private static let offset = Vector(700, 100, -900)

    @Test(
        "in the bus a voice arrives with the same delay and level, at 1 kHz at the ear that faces it, from 8 m and 0.4 m",
        arguments: [300.0, 1000], [1, 0.05])
    func alike(frequency: Double, distance: Double) throws {
        let tone = Signal.sine(frequency, count: 24_000, amplitude: 0.5)
        let (full, bus) = (
            try TierBench(tone, offset: Self.offset * distance, tier: .full).render(24_000),
            try TierBench(tone, offset: Self.offset * distance, tier: .bus).render(24_000)
        )
        for ear in frequency < 500 ? 0..<2 : 1..<2 {
            let (a, b) = (Array(full[ear][9600..<19_200]), Array(bus[ear][9600..<19_200]))
            #expect(abs(Measure.level(b) - Measure.level(a)) < 1, "\(Measure.level(b) - Measure.level(a)) dB")
            let error = Measure.level(zip(a, b).map { $0 - $1 }) - Measure.level(a)
            #expect(error < -15, "\(error) dB")
        }
    }

    @Test("a change is a cross-fade: no click, the level stays within 1 dB")
    func change() throws {
        let bench = try TierBench(
            Signal.sine(300, count: 96_000, amplitude: 0.5), offset: Self.offset, tier: .full)
        _ = bench.render(12_000)
        var out: [[Float]] = [[], []]
        for tier in [VoiceTier.bus, .full, .bus] {
            bench.set(tier)
            let part = bench.render(12_000)
            for ear in 0..<2 { out[ear] += part[ear] }
        }
        for ear in 0..<2 {
            let levels = stride(from: 0, to: 36_000 - 1600, by: 800).map {
                Measure.level(Array(out[ear][$0..<($0 + 1600)]))
            }
            let (least, most) = (levels.min() ?? .nan, levels.max() ?? .nan)
            #expect(most - least < 1, "\(least) … \(most) dB")
            let outside = Measure.energyOutside(200, 400, in: out[ear])
            #expect(outside < -60, "\(outside) dB")
        }
        // It has changed: above the bus's order the two differ.
        #expect(!Measure.sameBytes(Array(out[0][10_000..<12_000]), Array(out[0][22_000..<24_000])))
    }

    @Test("a change waits for the past that the other voice plays: there is no gap while a far source changes over")
    func far() throws {
        let bench = try TierBench(
            Signal.sine(300, count: 96_000, amplitude: 0.5), offset: Vector(0, 0, -12_000), tier: .bus)
        _ = bench.render(24_000)
        bench.set(.full)
        let out = bench.render(48_000)[0]
        let levels = stride(from: 0, to: 46_000, by: 800).map { Measure.level(Array(out[$0..<($0 + 1600)])) }
        #expect((levels.max() ?? .nan) - (levels.min() ?? .nan) < 1)
    }

    @Test("how render calls are cut leaves no trace, tiers and places changing", arguments: [[1], [127], [64, 63, 1]])
    func cuts(_ cuts: [Int]) throws {
        func run(_ cuts: [Int]) throws -> [[Float]] {
            let bench = try TierBench(noise(20_000), offset: Self.offset, tier: .full)
            var out: [[Float]] = [[], []]
            for step in 0..<12 {
                bench.set(step % 4 < 2 ? .bus : .full, offset: Self.offset + Vector(Double(40 * step), 0, 0))
                let part = bench.render(1500, cuts: cuts)
                for ear in 0..<2 { out[ear] += part[ear] }
            }
            return out
        }
        let (whole, parts) = (try run([1500]), try run(cuts))
        #expect(Measure.sameBytes(whole[0], parts[0]) && Measure.sameBytes(whole[1], parts[1]))
        #expect(Measure.isFinite(whole[0]) && Measure.rms(whole[0]) > 0.01)
    }
}
