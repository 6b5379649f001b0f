import Foundation
import OssicleBatch
import OssicleFiles
import Testing
@testable import OssicleResponses

/// Rows of calls: loudspeakers with delay, drift and clipping, directivity, movement.
@Suite("Calls in a data set") struct CallTests {
    private static let rate = 16_000
    private static let tone = 2 * Double.pi * 500 / 16_000

    private func folder(seconds: Double = 1) throws -> BatchFolder {
        let folder = try BatchFolder()
        let samples = (0..<Int(seconds * Double(Self.rate))).map { Float(0.5 * sin(Self.tone * Double($0))) }
        let wave = try #require(WaveFile(channels: [samples], sampleRate: Self.rate))
        try Data(wave.bytes).write(to: URL(fileURLWithPath: folder.path("tone.wav")))
        return folder
    }

    /// Computes a row of a room whose direct path alone is heard; 343.2 m/s at 20 °C.
    private func run(_ folder: BatchFolder, _ members: String) throws -> [String] {
        let row =
            #"{"id": "c", "box": [9, 4, 6], "listener": [4, 1.5, 3], "rate": 16000, "rays": 0, "order": 0, "quality": "low", "length": 0.05, \#(members)}"#
        nonisolated(unsafe) var said: [String] = []
        #expect(try folder.run(try folder.manifest(row), to: "out") { said.append($0) }.made == 1, "\(said)")
        return said
    }

    private func samples(_ folder: BatchFolder, _ name: String) throws -> [Float] {
        let audio = try ResidentAudio(path: folder.path("out/" + name))
        return withExtendedLifetime(audio) { Array(audio.samples(0)) }
    }

    private func level(_ samples: some Collection<Float>) -> Double {
        10 * log10(samples.reduce(1e-20) { $0 + Double($1) * Double($1) } / Double(samples.count))
    }

    @Test("the reference is what was sent on its own clock, and the echo comes behind it by devices and distance")
    func reference() throws {
        let folder = try folder()
        _ = try run(
            folder,
            #""sources": [{"position": [6, 1.5, 3], "role": "echo", "dry": "tone.wav", "delay": 0.1, "drift": 200}], "reference": true, "stems": true"#
        )
        let reference = try samples(folder, "c.reference.wav")
        // Between the tone's ends, which the interpolator's length smears.
        let error = (200..<15_600).map { frame in
            Double(reference[frame]) - 0.5 * sin(Self.tone * Double(frame) * (1 + 200e-6))
        }.max { $0.magnitude < $1.magnitude }
        #expect((error ?? 1).magnitude < 1e-3)
        let echo = try samples(folder, "c.echo.wav")
        let onset = try #require(echo.firstIndex { $0.magnitude > 0.01 })
        #expect(abs(Double(onset) / 16_000 - (0.1 + 2 / 343.2)) < 0.0005)
        #expect(try samples(folder, "c.wav") == echo)
    }

    @Test(
        "a loudspeaker that clips at −12 dB has third harmonics, and one that does not has none",
        arguments: [true, false])
    func clipping(clips: Bool) throws {
        let folder = try folder()
        _ = try run(
            folder,
            #""sources": [{"position": [6, 1.5, 3], "role": "echo", "dry": "tone.wav"\#(clips ? #", "clip": -12"# : "")}]"#
        )
        let heard = try samples(folder, "c.wav")[2000..<10_000]
        func part(_ harmonic: Double) -> Double {
            var (a, b) = (0.0, 0.0)
            for (frame, sample) in heard.enumerated() {
                a += Double(sample) * cos(harmonic * Self.tone * Double(frame))
                b += Double(sample) * sin(harmonic * Self.tone * Double(frame))
            }
            return (a * a + b * b).squareRoot()
        }
        let share = 20 * log10(part(3) / part(1))
        // A square wave's is −9.5 dB.
        #expect(clips ? (-20 ... -9.5).contains(share) : share < -80)
    }

    @Test(
        "a cardioid has its gain in the direction of the listener",
        arguments: [(9.0, 3.0, -200.0), (6, 6, -6.02), (4, 3, 0)])
    func directivity(x: Double, z: Double, expected: Double) throws {
        func response(_ directivity: String) throws -> [Float] {
            let folder = try self.folder()
            _ = try run(
                folder,
                #""source": {"position": [6, 1.5, 3]\#(directivity)}, "seed": 1"#)
            return try samples(folder, "c.wav")
        }
        let all = level(try response(""))
        let some = level(try response(#", "directivity": {"cardioid": 0.5}, "facing": [\#(x), 1.5, \#(z)]"#))
        #expect(expected < -100 ? some - all < -50 : abs(some - all - expected) < 0.1)
    }

    @Test("a source that moves away to twice the distance is 6 dB lower at the end, and has a response for each place")
    func movement() throws {
        let folder = try folder(seconds: 2)
        _ = try run(
            folder,
            #""sources": [{"position": [5, 1.5, 3], "dry": "tone.wav", "path": [[5.5, 1.5, 3], [6, 1.5, 3]]}], "seconds": 2, "responses": true"#
        )
        let heard = try samples(folder, "c.wav")
        #expect(abs(level(heard[208..<400]) - level(heard[31_808..<32_000]) - 6.02) < 0.5)
        #expect(
            folder.files("out").filter { $0.contains("source") } == [
                "c.source1-2.wav", "c.source1-3.wav", "c.source1.wav",
            ])
    }

    @Test("what is of a loudspeaker is refused elsewhere, with the member's name")
    func refusals() throws {
        for (source, name) in [(#""drift": 3"#, "drift"), (#""directivity": "funnel""#, "directivity")] {
            let folder = try folder()
            let row = Tiny.row("c").replacing(#""source": {"#, with: #""source": {"dry": "tone.wav", \#(source), "#)
            nonisolated(unsafe) var said: [String] = []
            #expect(try folder.run(try folder.manifest(row), to: "out") { said.append($0) }.failed == 1)
            #expect(said.joined().contains(name))
        }
    }
}
