import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import Testing

@Suite struct SpatialRendererTests {
    @Test(
        "A strip rings as long as what is on its way to the listener, not as long as the longest way",
        arguments: [0, 480, 1e30, Double.nan] as [Double])
    func tail(delay: Double) throws {
        let head = try HRTFFilters(sampleRate: 48_000)
        let cell = HRTFCell(head)
        defer { cell.deallocate() }
        let box = ControlledBox(SpatialRenderer(sampleRate: 48_000, spatializer: .binaural(cell), outputCount: 2))
        #expect(box.control.tail == 1024)
        var graph = Graph()
        graph.output = graph.addStrip(box, tapCount: head.tapCount).ears
        graph.keepAlive(head)
        let bench = try RenderBench(graph, channels: 2)
        box.control.cell.write(
            SpatialRenderer.Parameters(
                directGain: 1, equalizer: .transparent, equalizerVersion: 0,
                target: MotionTarget(offset: Vector(0, 0, -delay), drift: .zero, head: .identity, frames: 1),
                reverbSend: 0,
                rampFrames: 0))
        _ = bench.render(512)
        let expected = delay.isNaN ? 0 : min(2 * delay, 48_000)
        #expect(box.control.tail == 1024 + Int(expected))
    }
}

/// A strip that nobody plays into costs nothing, and that is all one can tell.
@Suite struct RestingMixerTests {
    private static let burst = noise(3000)
    /// On the grid, and long after the second's silence that may lie on the way of a sound.
    private static let again: Int64 = 128 * 500

    /// Two bursts through a binaural strip: what comes out, and how many frames were marked silent.
    private func bursts(
        second: Int64 = RestingMixerTests.again, cuts: [Int] = [512]
    ) throws -> (out: [[Float]], silent: Int64) {
        let head = try HRTFFilters(sampleRate: 48_000)
        let cell = HRTFCell(head)
        defer { cell.deallocate() }
        let box = ControlledBox(SpatialRenderer(sampleRate: 48_000, spatializer: .binaural(cell), outputCount: 2))
        let player = TestPlayer([Self.burst])
        let meter = RendererBox(StepMeter())
        var graph = Graph()
        let (strip, ears) = graph.addStrip(box, tapCount: head.tapCount, meter: meter)
        graph.output = ears
        graph.connect(Graph.Port(player.node(in: &graph)), to: Graph.Port(strip))
        graph.keepAlive(head)
        let bench = try RenderBench(graph, channels: 2)
        box.control.cell.write(
            SpatialRenderer.Parameters(
                directGain: 0.5, equalizer: .transparent, equalizerVersion: 0,
                target: MotionTarget(offset: Vector(100, 20, -300), drift: .zero, head: .identity, frames: 1),
                reverbSend: 0,
                rampFrames: 0))
        player.start(on: bench)
        let first = bench.render(Int(Self.again), cuts: cuts)
        player.start(on: bench, at: Self.again, from: 0)
        if second > Self.again {
            bench.executor.send(
                .voice(.player(player.box.pointer), .wait(until: second)), keeping: player, at: Self.again)
        }
        let rest = bench.render(8192, cuts: cuts)
        return (zip(first, rest).map { $0 + $1 }, meter.pointer.pointee.silentFrames.load())
    }

    @Test func `it rests after a second of silence, and wakes as if it were new`() throws {
        let (out, silent) = try bursts()
        #expect(out[0].contains { $0 != 0 } && out[1].contains { $0 != 0 })
        for channel in out { #expect(channel[..<8192] == channel[Int(Self.again)...]) }
        // From the first grid line behind burst, second and filters on: blocks are quanta.
        let restsFrom = (3000 + 48_000 + 1024 + 127) / 128 * 128 + 128
        #expect(abs(Int(silent) - (Int(Self.again) - restsFrom)) <= 256)
    }

    @Test func `how render calls are cut leaves no trace, wherever the sound begins`() throws {
        let second = Self.again + 77
        let whole = try bursts(second: second)
        #expect(try bursts(second: second, cuts: [1]).out == whole.out)
        #expect(try bursts(second: second, cuts: [100, 37]).out == whole.out)
    }
}
