import OssicleTestSupport
import Testing

@testable import OssicleVoice

@Suite("The scorer on recordings")
struct EchoRecordingTests {
    private let scene = EchoScene(.room(3))

    @Test("finds who speaks when, within the pauses of speech and the echo's decay")
    func parts() {
        let recording = EchoRecording(
            sampleRate: 16_000, far: scene.far, microphone: scene.microphone, near: scene.near)
        let parts = recording.parts
        #expect(parts.farAlone.count == 1 && parts.both.count == 1 && parts.nearAlone.count == 1)
        func seconds(_ range: Range<Int>?) -> (Double, Double) {
            (Double(range?.lowerBound ?? 0) / 16_000, Double(range?.upperBound ?? 0) / 16_000)
        }
        // The scene has 6 s, 4 s, 2 s; a pause of speech is at most 0.4 s, the echo counts for 0.8 s more.
        #expect(abs(seconds(parts.farAlone.first).1 - 6) < 0.45)
        #expect(abs(seconds(parts.both.first).1 - 10.8) < 0.45)
        #expect(abs(seconds(parts.nearAlone.first).1 - 12) < 0.45)
    }

    @Test("scores a canceller as the scene does")
    func score() {
        let output = cancel(scene).output
        let known = EchoScore(scene, output: output)
        let found = EchoScore(
            EchoRecording(sampleRate: 16_000, far: scene.far, microphone: scene.microphone, near: scene.near),
            output: output)
        #expect(abs(known.enhancement - found.enhancement) < 3)
        #expect(abs(known.nearChange - found.nearChange) < 0.2)
        #expect(known.delay == found.delay)
        #expect(abs(known.wordsKept - found.wordsKept) < 0.02)
        #expect(found.course.allSatisfy { $0.enhancement.isFinite })
    }

    @Test("what a recording has nothing of is no number")
    func nothing() {
        let silence = [Float](repeating: 0, count: 16_000)
        let score = EchoScore(
            EchoRecording(sampleRate: 16_000, far: silence, microphone: silence, near: silence), output: [])
        #expect(score.enhancement.isNaN && score.nearChange.isNaN && score.delay.isNaN && score.wordsKept.isNaN)
        #expect(score.convergence == nil)
    }
}
