import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleTestSupport
import Testing

private typealias Localiser = EnvironmentInputRenderer.Localiser
private let localisers: [EnvironmentInputRenderer.Localiser] = [
    .channels, .passThrough, .equalPower, .speakers, .sphere, .head, .field,
]

@Suite("A strip of an environment") struct EnvironmentInputTests {
    @Test("copies bit for bit at unity, −0 included")
    func copies() throws {
        let sound: [Float] = [1, -0.0, 0.25, -1e-30, 3]
        let bench = try StripBench([sound, sound.reversed()], copies: [1, 0, 0, 1])
        bench.set { $0.localiser = .channels }
        let out = bench.render(5)
        #expect(Measure.sameBytes(out[0], sound) && Measure.sameBytes(out[1], sound.reversed()))
    }

    @Test("is a plain multiplication when it pans, with no occlusion and no obstruction")
    func multiplication() throws {
        let sound = Signal.noise(count: 500)
        let bench = try StripBench([sound])
        bench.set { ($0.localiser, $0.direction, $0.gain) = (.equalPower, towards(40), 0.3) }
        let out = bench.render(500)
        let (left, right) = EqualPowerPan.gains(direction: towards(40))
        #expect(
            Measure.sameBytes(out[0], sound.map { $0 * (left * 0.3) })
                && Measure.sameBytes(out[1], sound.map { $0 * (right * 0.3) }))
    }

    @Test("muffles by exactly the given attenuation at 5 kHz", arguments: [-1, -3, -10, -20, -40, -60] as [Float])
    func muffling(attenuation: Float) throws {
        for rate in [44_100.0, 48_000, 96_000] {
            let sound = Signal.sine(5000, sampleRate: rate, count: 24_000)
            for knob in [\EnvironmentInputRenderer.Parameters.occlusion, \.obstruction] {
                let bench = try StripBench([sound], outputs: .mono, sampleRate: rate)
                bench.set {
                    $0.localiser = .speakers
                    $0[keyPath: knob] = attenuation
                }
                let gain = Measure.gain(
                    at: 5000, from: sound, to: bench.render(24_000)[0], sampleRate: rate, skip: 12_000)
                #expect(abs(gain - Double(attenuation)) < 0.05, "\(gain)")
            }
        }
    }

    @Test("has the corner of an analogue one-pole: −3 dB at 502.5 Hz for −20 dB at 5 kHz, within 0.1 dB")
    func corner() throws {
        let sound = Signal.sine(502.5, count: 24_000)
        let bench = try StripBench([sound], outputs: .mono)
        bench.set { ($0.localiser, $0.occlusion) = (.speakers, -20) }
        #expect(abs(Measure.gain(at: 502.5, from: sound, to: bench.render(24_000)[0], skip: 4800) + 3.01) < 0.1)
    }

    @Test("sends behind the occlusion and before the obstruction")
    func send() throws {
        let sound = Signal.sine(5000, count: 12_000)
        for (occlusion, obstruction, expected) in [(Float(0), Float(0), -6.02), (0, -30, -6.02), (-30, 0, -36.02)] {
            let bench = try StripBench([sound], hearsSend: true)
            bench.set {
                ($0.localiser, $0.wet, $0.dry, $0.occlusion, $0.obstruction) = (.head, 0.5, 0.8, occlusion, obstruction)
            }
            let gain = Measure.gain(at: 5000, from: sound, to: bench.render(12_000)[0], skip: 6000)
            #expect(abs(gain - expected) < 0.05, "\(occlusion)/\(obstruction): \(gain)")
        }
    }

    @Test("gives the same bytes however the render calls are cut, changes included", arguments: localisers)
    private func cuts(localiser: Localiser) throws {
        let sound = [Signal.noise(count: 5000, seed: 1), Signal.noise(count: 5000, seed: 2)]
        func run(_ cuts: [Int]) throws -> [[Float]] {
            let bench = try StripBench(sound, copies: [1, 0.2, 0.3, 1], bed: .stereo)
            bench.set { ($0.localiser, $0.direction, $0.occlusion) = (localiser, towards(20), -3) }
            var out = bench.render(1000, cuts: cuts)
            for (step, shape) in [EnvironmentInputRenderer.Shape.bed, .point, .point].enumerated() {
                bench.set {
                    ($0.localiser, $0.shape, $0.gain) = (localiser, shape, 0.5)
                    ($0.direction, $0.distance, $0.inside) = (towards(-70 * Double(step)), 0.4, step == 2 ? 0.5 : 0)
                    ($0.obstruction, $0.occlusion) = (step == 1 ? -20 : 0, step == 2 ? 0 : -6)
                }
                out = zip(out, bench.goOn(1800, cuts: cuts)).map { $0 + $1 }
            }
            return out
        }
        let whole = try run([1000, 1800])
        for cuts in [[1, 63, 64], [127, 500], [1024]] {
            let other = try run(cuts)
            #expect(Measure.sameBytes(whole[0], other[0]) && Measure.sameBytes(whole[1], other[1]), "\(cuts)")
        }
        #expect(Measure.isFinite(whole[0]) && Measure.rms(whole[0]) > 0)
    }

    @Test("glides from one way of rendering to any other without a click", arguments: localisers, localisers)
    private func changes(from: Localiser, to: Localiser) throws {
        let sound = Signal.sine(200, count: 20_000, amplitude: 0.5)
        let bench = try StripBench([sound])
        bench.set { ($0.localiser, $0.direction) = (from, towards(80)) }
        _ = bench.render(2048)
        bench.set { ($0.localiser, $0.direction, $0.gain, $0.occlusion) = (to, towards(-50), 0.5, -12) }
        let out = bench.goOn(4096)
        // The corners of a 512-frame glide from or to an amplitude of 1 are kinks of 2e-3, a 200 Hz sine has 3.4e-4; a
        // step shows in full.
        for channel in out { #expect(Measure.largestKink(channel) < 2.4e-3) }
    }

    @Test("takes parameters at once before the first sound and after silence, and costs nothing in between")
    func silence() throws {
        let burst = [Float](repeating: 0.5, count: 100)
        let bench = try StripBench([burst])
        bench.set { ($0.localiser, $0.direction) = (.head, towards(30)) }
        let first = bench.render(4096)
        #expect(first[0][2048...].allSatisfy { $0 == 0 })
        bench.set { ($0.localiser, $0.direction, $0.gain) = (.equalPower, towards(90), 0.5) }
        bench.player.start(on: bench.bench, at: 4096)
        #expect(bench.goOn(512)[0].prefix(100).allSatisfy { $0 == 0.25 })
    }

    @Test(
        "inside the head is finite and the same in both ears",
        arguments: [Localiser.equalPower, .speakers, .sphere, .head])
    private func inside(localiser: Localiser) throws {
        let sound = Signal.noise(count: 1000)
        let bench = try StripBench([sound])
        bench.set { ($0.localiser, $0.direction, $0.distance, $0.inside) = (localiser, .zero, 0, 1) }
        let out = bench.render(1200)
        let difference = zip(out[0], out[1]).map { $0 - $1 }
        #expect(Measure.isFinite(out[0]) && Measure.rms(out[0]) > 0.1)
        #expect(Measure.rms(difference) <= 1e-6 * Measure.rms(out[0]))
    }

    @Test("splits into its channels inside the head when asked to")
    func splits() throws {
        let sound = [Signal.noise(count: 300, seed: 1), Signal.noise(count: 300, seed: 2)]
        let bench = try StripBench(sound, copies: [1, 0, 0, 1])
        bench.set { ($0.localiser, $0.inside, $0.splitsInside) = (.head, 1, true) }
        let out = bench.render(300)
        #expect(Measure.sameBytes(out[0], sound[0]) && Measure.sameBytes(out[1], sound[1]))
    }

    @Test("turns a bed with the head: a quarter turn to the left brings the front to the right ear")
    func bed() throws {
        let front = Signal.noise(count: 1000)
        let bed = SpeakerLayout([
            SpeakerLayout.Speaker(azimuth: 0), SpeakerLayout.Speaker(azimuth: 45, elevation: -30, isLFE: true),
        ])
        let bench = try StripBench([front, Signal.silence(count: 1000)], copies: [0, 0, 0, 0], bed: bed)
        bench.set {
            ($0.localiser, $0.shape) = (.equalPower, .bed)
            // The head looks to world −x: the bed's right is behind it, its back to the head's left.
            ($0.right, $0.up, $0.back) = (SIMD3(0, 0, -1), SIMD3(0, 1, 0), SIMD3(-1, 0, 0))
        }
        let out = bench.render(1000)
        #expect(out[0].allSatisfy { $0.magnitude < 1e-6 } && Measure.largestDifference(out[1], front) < 1e-6)
    }

    @Test("hears two ears after 16 frames, and loudspeakers at once")
    func latency() throws {
        for (localiser, frames) in [
            (Localiser.sphere, EnvironmentInputRenderer.earLatency), (.head, EnvironmentInputRenderer.earLatency),
            (.speakers, 0),
        ] {
            let bench = try StripBench([Signal.impulse(count: 16)])
            bench.set { ($0.localiser, $0.direction) = (localiser, towards(90)) }
            // The nearer ear's filter begins with its strongest taps.
            let onset = try #require(Measure.onset(of: bench.render(256)[0], threshold: 0.05))
            #expect((frames...frames + 6).contains(onset), "\(localiser): \(onset)")
        }
    }

    @Test("uses two outputs of many unless it is meant for all")
    func manyOutputs() throws {
        for localiser in [Localiser.passThrough, .equalPower, .sphere, .head] {
            let bench = try StripBench([Signal.noise(count: 500)], outputs: .surround5_1)
            bench.set { ($0.localiser, $0.direction) = (localiser, towards(100)) }
            let out = bench.render(600)
            #expect(Measure.rms(out[0]) > 0.01 && out[2...].allSatisfy { $0.allSatisfy { $0 == 0 } }, "\(localiser)")
        }
    }
}
