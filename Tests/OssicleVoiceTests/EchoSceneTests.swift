import OssicleDSP
import OssicleTestSupport
import Testing

@testable import OssicleVoice

@Suite("Scenes for echo cancellers, and the scorer")
struct EchoSceneTests {
    private let scene = EchoScene(.room(3))

    @Test("the microphone's signal is the sum of the stems to the bit, and the same seed gives the same bytes")
    func stems() {
        let sum = scene.near.indices.map { scene.near[$0] + scene.echo[$0] + scene.noise[$0] }
        #expect(Measure.sameBytes(sum, scene.microphone))
        #expect(Measure.sameBytes(EchoScene(.room(3)).microphone, scene.microphone))
        #expect(!Measure.sameBytes(EchoScene(.room(4)).microphone, scene.microphone))
    }

    @Test("the room decays with its reverberation time")
    func decay() {
        var settings = EchoScene.Settings()
        (settings.decay, settings.distance) = (0.5, 3)
        let response = EchoScene(settings).response
        let start = Int(3.0 / 343 * 16_000) + 2
        func energy(_ seconds: Double) -> Double {
            let from = start + Int(seconds * 16_000)
            return Measure.energy(response[from..<(from + 1_600)])
        }
        // 0.2 s are 24 dB; Gaussian noise of 1,600 numbers has its energy within 0.2 dB (one sigma).
        #expect(abs(Measure.decibels((energy(0.05) / energy(0.25)).squareRoot()) - 24) < 1)
    }

    @Test("a perfect canceller scores perfectly")
    func perfect() {
        let latency = 100
        let clean = [Float](repeating: 0, count: latency) + scene.near.dropLast(latency)
        let score = EchoScore(scene, output: clean)
        #expect(score.enhancement > 80)
        #expect(abs(score.nearChange) < 0.01)
        #expect(abs(score.delay - Double(latency) / 16_000) < 1e-9)
        #expect(score.wordsKept > 0.999)
        #expect(score.convergence.map { $0 < 0.5 } == true)
    }

    @Test("no canceller at all, and one that halves everything, score what they are")
    func others() {
        let nothing = EchoScore(scene, output: scene.microphone)
        #expect(abs(nothing.enhancement) < 1e-9)
        #expect(nothing.convergence == nil)
        let half = EchoScore(scene, output: scene.near.map { $0 / 2 })
        #expect(abs(half.nearChange + 6.02) < 0.01)
        #expect(abs(half.wordsKept - 0.25) < 0.001)
    }
}
