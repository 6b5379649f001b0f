import Foundation
import OssicleTestKit
import Testing

@Suite("Expectations of echo cancellers")
struct EchoCallTests {
    /// Pulses of a tone at 16 kHz between two times of six seconds.
    private func tone(_ hertz: Double, from start: Double, to end: Double) -> [Float] {
        (0..<96_000).map { frame in
            let time = Double(frame) / 16_000
            return start..<end ~= time ? Float(0.2 * sin(2 * .pi * hertz * time) * sin(2 * .pi * 4 * time)) : 0
        }
    }

    @Test("hold for the near talker alone, and say what is wrong with a recording and with another rate")
    func expectation() throws {
        let (far, near) = (tone(500, from: 0, to: 4), tone(700, from: 3, to: 6))
        let microphone = zip(far, near).map { $0 * 0.5 + $1 }
        func sound(_ samples: [Float], rate: Double = 16_000) throws -> Sound {
            try Sound(samples: samples, sampleRate: rate)
        }
        let call = try EchoCall(far: try sound(far), microphone: try sound(microphone), near: try sound(near))
        let measures = try call.measures(of: try sound(near))
        #expect((measures.enhancement ?? 0) > 60 && measures.delay == 0 && (measures.wordsKept ?? 0) > 0.99)
        #expect(try sound(near).finding(.echoRemoved(from: call, convergence: 1)).holds)
        let finding = try sound(microphone).finding(.echoRemoved(from: call))
        #expect(!finding.holds && finding.summary.contains("not converged"))
        #expect(throws: SoundError.self) { try call.measures(of: try sound(near, rate: 8000)) }
        #expect(throws: SoundError.self) {
            try EchoCall(far: try sound(far, rate: 4000), microphone: try sound(near), near: try sound(near))
        }
    }
}
