import Foundation
import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleTestSupport
import Testing

@Suite struct PathsRendererTests {
    private static let delays = [100, 333.25, 1000.3, 2345.77, 4801.5, 9000.9, 15_000.13, 23_900.6]

    /// |X| at a frequency, in dB.
    private func level(_ signal: [Float], at frequency: Double) -> Double {
        let step = 2 * Double.pi * frequency / 48_000
        var (re, im) = (0.0, 0.0)
        for (index, sample) in signal.enumerated() {
            re += Double(sample) * cos(step * Double(index))
            im += Double(sample) * sin(step * Double(index))
        }
        return 20 * log10(hypot(re, im))
    }

    @Test func `each diffuse path arrives after its delay, within a twentieth of a frame`() throws {
        let click = Signal.impulse(count: 100)
        let bench = try PathsBench(click)
        bench.set { for slot in 0..<8 { $0.diffuse[2 * slot] = PathsBench.diffuse(Self.delays[slot], channel: slot) } }
        bench.start()
        let out = bench.render(26_000)
        for slot in 0..<8 {
            #expect(
                abs(Measure.delay(of: out[slot], after: click, range: 25_000) - Self.delays[slot]) < 0.05, "\(slot)")
        }
    }

    @Test(arguments: [120, 2400.4])
    func `each directLike path arrives after its delay`(delay: Double) throws {
        let click = Signal.impulse(count: 100)
        let bench = try PathsBench(click, hearsField: false)
        bench.set {
            for slot in 0..<4 {
                $0.directLike[slot] = PathsBench.DirectLike(
                    PathsBench.propagation(delay + 7.3 * Double(slot)), direction: Self.corner(slot), gain: 0.5)
            }
        }
        bench.start()
        let out = bench.render(4000)
        for slot in 0..<4 {
            #expect(
                abs(Measure.delay(of: out[slot], after: click, range: 3000) - delay - 7.3 * Double(slot)) < 0.05,
                "\(slot)")
            #expect(abs(level(out[slot], at: 1000) - 20 * log10(0.5)) < 0.01)
        }
    }

    private static func corner(_ index: Int) -> SIMD3<Float> {
        SIMD3(index & 1 == 0 ? -1 : 1, index & 2 == 0 ? -1 : 1, index & 4 == 0 ? -1 : 1)
    }

    @Test func `each path has its own level in every octave, within 0.2 dB at the centres`() throws {
        let bench = try PathsBench(Signal.impulse(count: 100))
        let colours = (0..<8).map { slot in
            OctaveBands((0..<10).map { Float(DeterministicMath.exp(-0.12 * Double(slot * $0) - 0.1)) })
        }
        bench.set {
            for slot in 0..<8 {
                $0.diffuse[slot] = PathsBench.diffuse(
                    Self.delays[slot] / 8, channel: slot, gain: 0.7, bands: colours[slot])
            }
        }
        bench.start()
        let out = bench.render(24_000)
        for slot in 0..<8 {
            for band in 1...8 {
                let wanted = 20 * log10(0.7 * Double(colours[slot][band]))
                #expect(abs(level(out[slot], at: OctaveBands.centre(band)) - wanted) < 0.2, "\(slot) \(band)")
            }
        }
    }

    @Test func `a path has its level in the bus and over loudspeakers`() throws {
        let sound = Signal.noise(count: 24_000, amplitude: 0.5)
        let gains = FieldDirection.gains(SIMD3(0.3, 0.5, -1))
        let diffuse = try PathsBench(sound)
        diffuse.set { $0.diffuse[3] = PathsBench.Diffuse(PathsBench.propagation(777), gains: gains * 0.25) }
        diffuse.start()
        // Squared, the harmonics of each order add up to 1 in SN3D weights.
        let inField = diffuse.render(26_000).reduce(0) { $0 + Measure.energy($1) } / Measure.energy(sound)
        #expect(abs(Decibels.of(energy: inField * 16 / 4)) < 0.01)
        let directLike = try PathsBench(sound, hearsField: false)
        directLike.set {
            $0.directLike[1] = PathsBench.DirectLike(
                PathsBench.propagation(777), direction: SIMD3(0.3, 0.5, -1), gain: 0.25)
        }
        directLike.start()
        let atSpeakers = directLike.render(26_000).reduce(0) { $0 + Measure.energy($1) } / Measure.energy(sound)
        #expect(abs(Decibels.of(energy: atSpeakers * 16)) < 0.01)
    }

    @Test func `a directLike path sounds as a voice from its direction does`() throws {
        var sound = [Float](repeating: 0, count: 12_000)
        for tone in 0..<12 {
            let frequency: Double = 150 * pow(1.5, Double(tone))
            let sine = Signal.sine(frequency, count: sound.count, amplitude: 0.05, phase: Double(tone))
            for frame in sound.indices { sound[frame] += sine[frame] }
        }
        let (direction, delay) = (SIMD3<Float>(0.8, 0.2, -0.5), 1234.6)
        let bench = try PathsBench(sound, isBinaural: true, hearsField: false)
        bench.set {
            $0.directLike[0] = PathsBench.DirectLike(PathsBench.propagation(delay), direction: direction, gain: 1)
        }
        bench.start()
        let out = bench.render(14_000)
        let cell = HRTFCell(bench.output.head)
        defer { cell.deallocate() }
        let alone = VoiceBench(cell, longestDelay: 4096)
        alone.voice.place(direction, delay: Float(delay), frames: 0, jumps: false)
        let (left, right, input) = (
            SampleBlock(14_080), SampleBlock(14_080), SampleBlock(sound + Signal.silence(count: 2080))
        )
        alone.render(input, from: 0, 14_080, to: left, right)
        for (heard, wanted) in zip(out, [left.array, right.array]) {
            let error = zip(heard, wanted).map { $0 - $1 }
            #expect(
                Measure.level(error) - Measure.level(wanted) < -70, "\(Measure.level(error) - Measure.level(wanted))")
        }
    }
}
