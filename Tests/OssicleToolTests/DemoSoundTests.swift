import Testing
@testable import ossicle

@Suite("The user's own sound in the demo")
struct DemoSoundTests {
    @Test("is folded to mono at the scene's rate")
    func userSound() throws {
        let folder = try SoundFolder(), tone = Tones.sine(997, seconds: 1)
        let path = try folder.write([tone, tone], to: "a.wav", .wav, .pcm24)
        #expect(try DemoSound.samples(ofFile: path, sampleRate: 48_000).count == 48_000)
        #expect(try DemoSound.samples(ofFile: path, sampleRate: 44_100).count == 44_100)
    }
}
