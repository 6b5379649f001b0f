import OssicleDSP
import OssicleTestSupport
import Testing

@testable import OssicleVoice

@Suite("The echo canceller")
struct EchoCancellerTests {
    private static func scene(_ change: (inout EchoScene.Settings) -> Void = { _ in }) -> EchoScene {
        var settings = EchoScene.Settings()
        (settings.farAlone, settings.both, settings.nearAlone) = (3, 1, 1)
        change(&settings)
        return EchoScene(settings)
    }

    @Test("gives the same bytes for any cut into calls, and after a reset")
    func cuts() {
        let scene = Self.scene { ($0.farAlone, $0.both, $0.nearAlone, $0.drift) = (1, 0.5, 0.5, 40e-6) }
        var settings = EchoCanceller.Settings()
        (settings.addsComfortNoise, settings.controlsLevel) = (true, true)
        let whole = cancel(scene, settings, cuts: [scene.microphone.count]).output
        #expect(whole.contains { $0 != 0 })
        for cuts in [[1], [64], [63, 1, 129, 7], [480]] { #expect(cancel(scene, settings, cuts: cuts).output == whole) }
        var canceller = EchoCanceller(sampleRate: 16_000, settings: settings)
        _ = run(&canceller, far: scene.near, microphone: scene.echo)
        canceller.reset()
        #expect(run(&canceller, far: scene.far, microphone: scene.microphone) == whole)
    }

    @Test("is at most 10 ms late", arguments: [8_000.0, 16_000, 44_100, 48_000])
    func latency(rate: Double) {
        // 8 kHz has the interpolator's 32 frames as 4 ms.
        let limit = rate < 16_000 ? 0.012 : 0.010
        #expect(Double(EchoCanceller(sampleRate: rate).latency) / rate <= limit)
    }

    @Test("lets sound through unchanged, `latency` frames later, where nothing is to be taken out")
    func transparent() {
        let scene = Self.scene()
        var settings = EchoCanceller.Settings()
        (settings.suppressesEcho, settings.suppressesNoise) = (false, false)
        var canceller = EchoCanceller(sampleRate: 16_000, settings: settings)
        let silence = [Float](repeating: 0, count: scene.microphone.count)
        let output = run(&canceller, far: silence, microphone: scene.microphone)
        let latency = canceller.latency
        let error = (latency..<output.count).map { abs(output[$0] - scene.microphone[$0 - latency]) }.max() ?? 1
        // Rounding of two transforms of 256 numbers below 1.
        #expect(error < 1e-6)
        #expect(scene.microphone.contains { abs($0) > 0.1 })
    }

    @Test("finds a delay of devices", arguments: [0.0, 0.05, 0.22, 0.45])
    func delay(seconds: Double) {
        let scene = Self.scene { ($0.delay, $0.distance, $0.decay) = (seconds, 0.5, 0.3) }
        let found = cancel(scene).state.delay
        // The grid is 4 ms; the strongest 4 ms of the room are within 30 ms of its direct sound.
        #expect(found.map { $0 >= seconds - 0.008 && $0 <= seconds + 0.03 } == true)
    }

    @Test("finds the drift of the clocks within 10 ppm in 10 s", arguments: [-200e-6, -50e-6, 0, 50e-6, 200e-6])
    func drift(share: Double) {
        let scene = Self.scene { ($0.farAlone, $0.drift, $0.distance) = (10, share, 0.5) }
        #expect(abs(cancel(scene).state.drift - share) < 10e-6)
    }

    @Test("takes far clocks for minutes: the reference slips by whole hops, and the echo stays away")
    func slips() {
        let scene = Self.scene { ($0.farAlone, $0.drift, $0.distance, $0.decay) = (40, 200e-6, 0.5, 0.3) }
        let output = cancel(scene).output
        let last = (35 * 16_000)..<(40 * 16_000)
        let (before, after) = (Measure.energy(scene.microphone[last]), Measure.energy(output[last]))
        #expect(before > 100 * after)
    }

    @Test("samples that are no numbers, or far too large, leave no such samples behind")
    func notANumber() {
        let scene = Self.scene()
        var broken = scene.microphone
        for i in stride(from: 0, to: broken.count, by: 997) { broken[i] = i % 2 == 0 ? .nan : 1e38 }
        var canceller = EchoCanceller(sampleRate: 16_000)
        let output = run(&canceller, far: broken, microphone: broken)
        #expect(Measure.isFinite(output))
        #expect(Measure.isFinite(run(&canceller, far: scene.far, microphone: scene.microphone)))
    }

    @Test("a burst of broken samples costs nothing from half a second later on", arguments: [Float.nan, 16])
    func burst(value: Float) {
        let scene = Self.scene()
        var (far, microphone) = (scene.far, scene.microphone)
        for i in 32_000..<32_800 {
            far[i] = i % 3 == 0 ? -value : value
            microphone[i] = i % 2 == 0 ? value : -value
        }
        var canceller = EchoCanceller(sampleRate: 16_000)
        let output = run(&canceller, far: far, microphone: microphone)
        let last = 40_800..<48_000
        // The goal of single talk in the worst of rooms.
        #expect(Measure.energy(scene.microphone[last]) > 63 * Measure.energy(output[last]))
    }

    /// Seconds of the break, and by how many ms the echo is later behind it: what a device that is lost, or a buffer
    /// that is filled again, does.
    @Test(
        "a microphone that gives nothing for a while is silent, and its echo stays away from half a second behind that on",
        arguments: [(0.02, 0), (2, 0), (0.02, 7), (0.02, -7), (0.5, 30)])
    func pause(seconds: Double, later: Int) {
        let scene = Self.scene { ($0.farAlone, $0.seed) = (6, 41) }
        let (begin, end, shift) = (48_000, 48_000 + Int(seconds * 16_000), later * 16)
        var microphone = scene.microphone
        let most = microphone.count - 1
        for i in begin...most { microphone[i] = i < end ? 0 : scene.microphone[min(i - shift, most)] }
        var canceller = EchoCanceller(sampleRate: 16_000)
        let output = run(&canceller, far: scene.far, microphone: microphone)
        // The window of the suppressor is 16 ms long.
        let silent = min(begin + canceller.latency + 256, end)..<end
        #expect(silent.allSatisfy { output[$0] == 0 })
        // The goal of single talk in the worst of rooms.
        let last = (end + 8_000)..<(end + 16_000)
        let (before, after) = (Measure.energy(microphone[last]), Measure.energy(output[last]))
        #expect(before > 63 * after, "\(before / after)")
    }

    /// Frames that a buffer skips or repeats: by how many ms the echo is later from 3 s on, and whether that is
    /// reported.
    @Test(
        "an echo that jumps without a break is gone again within 2 s, and within half a second where that is reported",
        arguments: [(7, false), (-7, false), (30, false), (-100, false), (7, true), (-7, true), (30, true)])
    func jump(later: Int, isReported: Bool) {
        let scene = Self.scene { ($0.farAlone, $0.seed) = (6, 41) }
        let (begin, shift, most) = (48_000, later * 16, scene.microphone.count - 1)
        var microphone = scene.microphone
        for i in begin...most { microphone[i] = scene.microphone[min(i - shift, most)] }
        var canceller = EchoCanceller(sampleRate: 16_000)
        _ = run(&canceller, far: Array(scene.far[..<begin]), microphone: Array(microphone[..<begin]))
        if isReported { canceller.noteBreak() }
        let output = run(&canceller, far: Array(scene.far[begin...]), microphone: Array(microphone[begin...]))
        // The goal of single talk in the worst of rooms.
        let last = isReported ? 8_000..<16_000 : 32_000..<40_000
        let before = Measure.energy(microphone[(begin + last.lowerBound)..<(begin + last.upperBound)])
        #expect(before > 63 * Measure.energy(output[last]), "\(before / Measure.energy(output[last]))")
    }

    @Test("learns another room at the same delay within 2 s", arguments: [(5, 6), (11, 12), (21, 22), (31, 32)])
    func otherRoomAtOnce(seeds: (UInt64, UInt64)) {
        let (first, second) = (Self.scene { $0.seed = seeds.0 }, Self.scene { ($0.seed, $0.farAlone) = (seeds.1, 4) })
        var canceller = EchoCanceller(sampleRate: 16_000)
        _ = run(&canceller, far: first.far, microphone: first.microphone)
        let output = run(&canceller, far: second.far, microphone: second.microphone)
        // The goal of single talk in the worst of rooms, from 2 s on.
        let score = EchoScore(second, output: output)
        #expect(score.enhancement >= 18, "\(score.enhancement) dB")
    }

    @Test("learns another room at another delay within 2 s")
    func otherRoom() {
        let (first, second) = (Self.scene { $0.seed = 5 }, Self.scene { ($0.seed, $0.delay) = (6, 0.2) })
        var canceller = EchoCanceller(sampleRate: 16_000)
        _ = run(&canceller, far: first.far, microphone: first.echo)
        let output = run(&canceller, far: second.far, microphone: second.microphone)
        // The goal of single talk in the worst of rooms.
        let score = EchoScore(second, output: output)
        #expect(score.enhancement >= 18)
    }
}
