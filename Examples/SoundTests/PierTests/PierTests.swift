import OssicleSwiftTesting
import PHASE
import Pier
import Testing

/// How a game tests its sound: what it should be like, and that it is as it was.
@Suite("The pier") struct PierTests {
    private static func take() throws -> SceneTake {
        let pier = try Pier()
        return try SceneTake(of: pier.engine, seconds: 3, each: pier.advance) { pier.events }
    }

    @Test("the fountain is on the left, the bell is struck at half past each second and can be told from it")
    func sound() throws {
        let sound = try Self.take().sound
        expect(
            sound, .finite, .truePeak(atMost: -1), .sound(above: -50, withoutSilenceOf: 0.1),
            .direction(azimuth: 37, within: 12, as: .binaural, during: 0.1..<0.5),
            .level(atLeast: -45, in: 622...1244, during: 0.5..<0.7))
        let quiet = sound.level(in: 800...960, during: 0.3..<0.5),
            struck = sound.level(in: 800...960, during: 0.5..<0.7)
        #expect(struck > quiet + 10)
    }

    @Test("it is as it was")
    func golden() throws { expect(try Self.take(), Golden("pier")) }
}
