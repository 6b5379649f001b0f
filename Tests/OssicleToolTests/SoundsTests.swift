import OssicleCore
import Testing
@testable import ossicle

@Suite("The demo's sounds")
struct SoundsTests {
    static let rate = 48_000.0

    @Test("are the same for the same seed and others for another")
    func seeds() {
        let voice = VoiceSynthesiser.samples(seed: 1, frames: 24_000, sampleRate: Self.rate)
        #expect(voice == VoiceSynthesiser.samples(seed: 1, frames: 24_000, sampleRate: Self.rate))
        #expect(voice != VoiceSynthesiser.samples(seed: 2, frames: 24_000, sampleRate: Self.rate))
        #expect(
            LoopSynthesiser.samples(seed: 1, sampleRate: Self.rate)
                == LoopSynthesiser.samples(seed: 1, sampleRate: Self.rate))
    }

    @Test("reach their stated peaks and nothing more")
    func peaks() {
        let voice = VoiceSynthesiser.samples(seed: 1, frames: 96_000, sampleRate: Self.rate)
        let loop = LoopSynthesiser.samples(seed: 1, sampleRate: Self.rate)
        #expect(abs((voice.map(abs).max() ?? 0) - 0.7) < 1e-6)
        #expect(abs((loop.map(abs).max() ?? 0) - 0.5) < 1e-6)
        #expect(loop.count == 192_000)
    }

    @Test("the voice has syllables: its level rises and falls a few times a second")
    func syllables() {
        let voice = VoiceSynthesiser.samples(seed: 1, frames: 8 * 48_000, sampleRate: Self.rate)
        let levels = stride(from: 0, to: voice.count - 960, by: 960).map { start in
            Decibels.of(energy: Double(voice[start..<start + 960].reduce(0) { $0 + $1 * $1 }) / 960 + 1e-12)
        }
        let loudest = levels.max() ?? 0
        let loud = levels.map { $0 > loudest - 15 }
        let starts = zip(loud, loud.dropFirst()).count { !$0 && $1 }
        #expect((12...60).contains(starts), "\(starts) rises in 8 s")
        #expect(levels.min() ?? 0 < loudest - 40)
    }

    @Test("the voice sits where speech sits: most of its energy between 100 Hz and 4 kHz")
    func speechBand() {
        let voice = VoiceSynthesiser.samples(seed: 1, frames: 65_536, sampleRate: Self.rate)
        let power = PowerSpectrum(size: 65_536).power(of: voice)
        func energy(_ low: Double, _ high: Double) -> Float {
            power[Int(low / Self.rate * 65_536)..<Int(high / Self.rate * 65_536)].reduce(0, +)
        }
        #expect(energy(100, 4000) > 0.9 * energy(0, 24_000))
        #expect(energy(4000, 20_000) > 1e-4 * energy(0, 24_000))
    }

    @Test("the loop has no seam: the step across its ends is no larger than steps within")
    func seam() {
        let loop = LoopSynthesiser.samples(seed: 1, sampleRate: Self.rate)
        let within = zip(loop, loop.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        #expect(abs(loop[0] - loop[loop.count - 1]) <= within * 0.5)
    }
}
