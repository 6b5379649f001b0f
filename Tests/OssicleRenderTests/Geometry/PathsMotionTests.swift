import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleTestSupport
import Testing

@Suite struct PathsMotionTests {
    /// A sine through one path that is set anew every `interval` frames.
    private func moving(
        _ tone: Double, isDirectLike: Bool, interval: Int = 1024, count: Int = 60,
        _ path: (Int) -> (delay: Double, generation: UInt32, gain: Float)
    ) throws -> [[Float]] {
        let bench = try PathsBench(Signal.sine(tone, count: 96_000, amplitude: 0.5), hearsField: !isDirectLike)
        bench.start()
        return joined(
            (0..<count).map { step in
                let (delay, generation, gain) = path(step)
                bench.set {
                    if isDirectLike {
                        $0.directLike[2] = PathsBench.DirectLike(
                            PathsBench.propagation(delay, .ones, generation), direction: SIMD3(-1, -1, -1), gain: gain)
                    } else {
                        $0.diffuse[7] = PathsBench.diffuse(delay, gain: gain, generation: generation)
                    }
                }
                return bench.render(interval, cuts: [interval])
            })
    }

    @Test(arguments: [false, true])
    func `a path that grows shorter has the pitch that follows`(isDirectLike: Bool) throws {
        // 1024 frames nearer by 20 in every interval: 6.7 m/s.
        let out = try moving(1000, isDirectLike: isDirectLike) { (2000 - 20 * Double($0), 0, 1) }
        let tone = Measure.pitch(near: 1000 * (1 + 20.0 / 1024), in: Array(out[0][10_240..<51_200]))
        #expect(abs(tone.frequency - 1000 * (1 + 20.0 / 1024)) < 0.001)
        #expect(tone.signalToNoise > 70)
    }

    @Test(arguments: [false, true])
    func `one path cross-fades to another without a click`(isDirectLike: Bool) throws {
        let out = try moving(1000, isDirectLike: isDirectLike) { $0 < 30 ? (1000.4, 0, 1) : (3456.7, 1, 0.6) }
        let outside = Measure.energyOutside(800, 1200, in: Array(out[0][18_000..<46_000]))
        #expect(outside < -70, "\(outside)")
        let late = Measure.tone(1000, in: Array(out[0][46_000...]))
        #expect(abs(late.amplitude - 0.3) < 1e-3)
    }

    @Test(arguments: [false, true])
    func `paths that come and go make no click`(isDirectLike: Bool) throws {
        let out = try moving(1000, isDirectLike: isDirectLike) { (2000, 0, $0 % 20 < 10 ? 1 : 0) }
        let outside = Measure.energyOutside(800, 1200, in: Array(out[0][18_000..<46_000]))
        #expect(outside < -70, "\(outside)")
    }

    @Test(arguments: [false, true])
    func `paths that are replaced faster than they fade wait for each other`(isDirectLike: Bool) throws {
        let out = try moving(200, isDirectLike: isDirectLike, interval: 256, count: 200) {
            (1000 + 37.3 * Double($0 % 50), UInt32($0), 1)
        }
        // A sine of 200 Hz bends by 6.9e-4 of its amplitude; a fade in 1920 frames by as much again.
        let kink = Measure.largestKink(Array(out[0][4000...]))
        #expect(kink < 2e-3, "\(kink)")
    }

    @Test func `what a slot keeps of a replaced path dies away in the time of a fade`() throws {
        let bench = try PathsBench(Signal.sine(500, count: 96_000))
        bench.set { $0.diffuse[0] = PathsBench.diffuse(500, channel: 3) }
        bench.start()
        _ = bench.render(12_800)
        bench.set { $0.diffuse[0] = PathsBench.diffuse(900, channel: 4, generation: 1) }
        let fade = bench.render(1920)
        let after = bench.render(4800)
        #expect(Measure.peak(fade[3].prefix(400)) > 0.7 && Measure.peak(fade[4].prefix(400)) < 0.3)
        #expect(Measure.peak(after[3]) == 0)
        #expect(abs(Measure.tone(500, in: after[4]).amplitude - 1) < 1e-3)
    }
}
