import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleTestSupport
import Testing

/// The laws of every renderer, for the late field.
@Suite struct LateFieldLawTests {
    /// Bursts in rooms that follow each other faster than the field changes over.
    private func walk(isBinaural: Bool, cuts: [Int], second: Int64? = nil) throws -> [[Float]] {
        let bench = try LateFieldBench(noise(5000), isBinaural: isBinaural)
        bench.start()
        var pieces: [[[Float]]] = []
        for step in 0..<6 {
            bench.set(DiffuseRoom.all[step % 3].parameters(rampFrames: 3000))
            pieces.append(bench.render(1900, cuts: cuts))
        }
        if let second {
            pieces.append(bench.render(Int(second) - 6 * 1900, cuts: cuts))
            bench.player.start(on: bench.bench, at: second)
            pieces.append(bench.render(6000, cuts: cuts))
        }
        return joined(pieces)
    }

    @Test(arguments: [true, false])
    func `how render calls are cut leaves no trace`(isBinaural: Bool) throws {
        let whole = try walk(isBinaural: isBinaural, cuts: [4096])
        #expect(whole.contains { Measure.peak($0) > 0.01 })
        for cuts in [[1], [64], [127], [1024]] {
            let cut = try walk(isBinaural: isBinaural, cuts: cuts)
            let isSame = zip(whole, cut).allSatisfy { Measure.sameBytes($0, $1) }
            #expect(isSame, "\(cuts)")
        }
    }

    @Test func `it rests when its field has died away, and wakes however calls are cut`() throws {
        // Off the grid.
        let second: Int64 = 128 * 1600 + 77
        let whole = try walk(isBinaural: true, cuts: [512], second: second)
        let cut = try walk(isBinaural: true, cuts: [31, 97], second: second)
        let isSame = zip(whole, cut).allSatisfy { Measure.sameBytes($0, $1) }
        #expect(isSame)
        #expect(whole.allSatisfy { Measure.peak($0[(Int(second) - 9000)..<Int(second)]) == 0 })
        #expect(whole.contains { Measure.peak($0.suffix(3000)) > 0.01 })
    }

    @Test func `silence stays silence, and is marked`() throws {
        let bench = try LateFieldBench([0])
        bench.set(DiffuseRoom.all[0].parameters())
        bench.start()
        let out = bench.render(4800)
        #expect(out.allSatisfy { Measure.peak($0) == 0 })
        #expect(bench.meter.pointer.pointee.silentFrames.load() == 4800)
    }

    @Test func `it rings for its longest band's time behind its start`() throws {
        let bench = try LateFieldBench([0])
        bench.set(DiffuseRoom.all[0].parameters(start: 0.05))
        _ = bench.render(512)
        #expect(abs(bench.renderer.control.tail - Int(1.65 * 48_000) - 256) <= 1)
    }

    @Test("Another room while a tone sounds comes in without a click", arguments: [0, 1, 2, 3])
    func change(to room: Int) throws {
        let bench = try LateFieldBench(Signal.sine(1000, count: 144_000, amplitude: 0.5))
        bench.set(DiffuseRoom.all[0].parameters())
        bench.start()
        _ = bench.render(72_000)
        bench.set(DiffuseRoom.all[room].parameters(rampFrames: 9600))
        let out = bench.render(36_000)
        // All directions together: the tone may have a node in one of them.
        let energies = out.map { Measure.energy($0) }
        let outside = zip(out, energies).reduce(0) {
            $0 + Decibels.energy(Measure.energyOutside(800, 1200, in: $1.0)) * $1.1
        }
        let ratio = Decibels.of(energy: outside / energies.reduce(0, +))
        #expect(ratio < -70, "\(ratio)")
    }

    @Test func `a change reaches the level of the field it leads to`() throws {
        func settled(_ first: Int, _ then: Int) throws -> [Float] {
            let bench = try LateFieldBench(Signal.sine(1000, count: 240_000, amplitude: 0.5))
            bench.set(DiffuseRoom.all[first].parameters())
            bench.start()
            _ = bench.render(24_000)
            bench.set(DiffuseRoom.all[then].parameters(rampFrames: 4800))
            return bench.render(192_000).map { Float(Measure.level($0.suffix(4800))) }
        }
        let (changed, straight) = (try settled(0, 2), try settled(2, 2))
        for index in changed.indices { #expect(abs(changed[index] - straight[index]) < 0.01) }
    }

    @Test func `absurd parameters give finite sound`() throws {
        let bench = try LateFieldBench(noise(48_000), isBinaural: true)
        bench.start()
        for value in [Float.nan, .infinity, -1, 0, 1e30] {
            bench.set(
                LateFieldRenderer.Parameters(
                    t60: OctaveBands(repeating: value), energy: OctaveBands(repeating: value), start: Double(value),
                    directions: SIMD16(repeating: value), rampFrames: value > 1 ? .max : -3))
            let isFinite = bench.render(3000).allSatisfy { Measure.isFinite($0) }
            #expect(isFinite)
        }
    }
}
