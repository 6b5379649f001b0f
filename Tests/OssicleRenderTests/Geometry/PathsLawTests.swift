import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleTestSupport
import Testing

/// The laws of every renderer, for paths.
@Suite struct PathsLawTests {
    private static let bands = OctaveBands([1, 0.9, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.2, 0.1])

    /// All slots in motion, replaced, emptied and filled again, with a burst at `second`.
    private func walk(isBinaural: Bool, hearsField: Bool, cuts: [Int], second: Int64? = nil) throws -> [[Float]] {
        let bench = try PathsBench(noise(9000), isBinaural: isBinaural, hearsField: hearsField, rampFrames: 1000)
        bench.start()
        var pieces: [[[Float]]] = []
        for step in 0..<8 {
            bench.set { parameters in
                for slot in 0..<20 {
                    parameters.diffuse[slot] = PathsBench.diffuse(
                        300.3 + 111.7 * Double(slot) + 13.9 * Double(step), channel: slot % 8,
                        gain: (slot + step) % 5 == 0 ? 0 : 0.3, bands: Self.bands,
                        generation: UInt32((slot + step) / 6), version: UInt32(step))
                }
                for slot in 0..<4 {
                    let propagation = PathsBench.propagation(
                        500 + 100.3 * Double(slot + step), Self.bands, UInt32((slot + step) / 4))
                    parameters.directLike[slot] = PathsBench.DirectLike(
                        propagation, direction: SIMD3(Float(step) - 3, 1, Float(slot) - 2), gain: 0.5)
                }
            }
            pieces.append(bench.render(1300, cuts: cuts))
        }
        if let second {
            pieces.append(bench.render(Int(second) - 8 * 1300, cuts: cuts))
            bench.player.start(on: bench.bench, at: second)
            pieces.append(bench.render(6000, cuts: cuts))
        }
        return joined(pieces)
    }

    @Test(arguments: [true, false], [true, false])
    func `how render calls are cut leaves no trace`(isBinaural: Bool, hearsField: Bool) throws {
        let whole = try walk(isBinaural: isBinaural, hearsField: hearsField, cuts: [4096])
        #expect(whole.contains { Measure.peak($0) > 0.05 })
        for cuts in [[1], [64], [127], [1024]] {
            let cut = try walk(isBinaural: isBinaural, hearsField: hearsField, cuts: cuts)
            let isSame = zip(whole, cut).allSatisfy { Measure.sameBytes($0, $1) }
            #expect(isSame, "\(cuts)")
        }
    }

    @Test(arguments: [true, false])
    func `it rests in silence, and wakes as if it were new`(hearsField: Bool) throws {
        // Off the grid, long after the longest path is over.
        let second: Int64 = 128 * 400 + 77
        let whole = try walk(isBinaural: true, hearsField: hearsField, cuts: [512], second: second)
        let cut = try walk(isBinaural: true, hearsField: hearsField, cuts: [1], second: second)
        let isSame = zip(whole, cut).allSatisfy { Measure.sameBytes($0, $1) }
        #expect(isSame)
        #expect(whole.contains { Measure.peak($0.suffix(3000)) > 0.05 })
        #expect(whole.allSatisfy { Measure.peak($0[(128 * 340)..<Int(second)]) == 0 })
    }

    @Test func `resting it is marked silent, and empty slots are silent`() throws {
        let bench = try PathsBench(noise(3000))
        bench.start()
        let out = bench.render(48_000)
        #expect(out.allSatisfy { Measure.peak($0) == 0 })
        let silent = bench.meter.pointer.pointee.silentFrames.load()
        #expect(silent > 48_000 - 3000 - 28_800 - 512)
        #expect(bench.renderer.control.tail == 4800)
    }

    @Test func `its tail is as long as its longest path`() throws {
        let bench = try PathsBench(noise(3000))
        bench.set { $0.diffuse[0] = PathsBench.diffuse(9600) }
        _ = bench.render(512)
        #expect(bench.renderer.control.tail == 4800 + 9600)
        bench.set { $0.diffuse[0] = PathsBench.diffuse(1e30) }
        _ = bench.render(512)
        #expect(bench.renderer.control.tail == 4800 + 24_000)
    }

    @Test(arguments: [true, false])
    func `absurd parameters give finite sound, and none for ever`(hearsField: Bool) throws {
        let bench = try PathsBench(noise(48_000), isBinaural: true, hearsField: hearsField)
        bench.start()
        for delay in [Double.nan, -Double.infinity, 1e300, -5] {
            bench.set {
                $0.diffuse[0] = PathsBench.diffuse(delay, gain: .nan)
                $0.diffuse[1] = PathsBench.diffuse(delay, gain: 1)
                $0.directLike[0] = PathsBench.DirectLike(
                    PathsBench.propagation(delay), direction: .zero, gain: Float.infinity)
                $0.directLike[1] = PathsBench.DirectLike(
                    PathsBench.propagation(delay), direction: SIMD3(.nan, 1, 0), gain: 1)
                $0.rampFrames = delay.isNaN ? -7 : .max
            }
            let isFinite = bench.render(3000).allSatisfy { Measure.isFinite($0) && Measure.peak($0) < 10 }
            #expect(isFinite)
        }
        bench.set { parameters in
            parameters = PathsRenderer.Parameters(rampFrames: 128)
        }
        let last = bench.render(6000)
        #expect(last.allSatisfy { Measure.peak($0.suffix(2000)) == 0 })
    }
}
