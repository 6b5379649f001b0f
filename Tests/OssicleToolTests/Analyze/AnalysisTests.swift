import Foundation
import FoundationXML
import OssicleCore
import OssicleTestSupport
import Testing
@testable import ossicle

@Suite("ossicle analyze") struct AnalysisTests {
    private static func noise(_ count: Int, _ seed: UInt64, _ amplitude: Double = 0.1) -> [Double] {
        Signal.noise(count: count, seed: seed, amplitude: amplitude).map(Double.init)
    }

    private static func thirdOctaves(_ channels: [[Double]], rate: Double = 48_000) -> [Double?] {
        let bands = ThirdOctaves(channelCount: channels.count, sampleRate: rate), count = channels[0].count
        for start in stride(from: 0, to: count, by: 5000) {
            let pieces = channels.map { Array($0[start..<min(start + 5000, count)]) }
            let memory = SampleBlock(channels: channels.count, capacity: 5000)
            for (plane, piece) in zip(memory.planes, pieces) { plane.update(from: piece, count: piece.count) }
            bands.add(memory.constPlanes, frames: pieces[0].count)
        }
        return bands.finish()
    }

    @Test("a sine has half its squared amplitude in its third octave and nothing three bands away")
    func sine() throws {
        let bands = Self.thirdOctaves([Tones.sine(1000, seconds: 2).map { $0 * 0.2 }])
        let amplitude = try #require(Tones.sine(1000, seconds: 0.1).map { abs($0) }.max()) * 0.2
        let index = try #require(ThirdOctaves.nominal.firstIndex(of: 1000))
        #expect(abs(10 * log10((bands[index] ?? 0) / (amplitude * amplitude / 2))) < 0.05)
        // Where the tone begins and ends it has a share of A²/(4π²Δf²) per hertz and second elsewhere: 3e-7 there.
        #expect(bands[index - 3] ?? 1 < 1e-6 && bands[index + 3] ?? 1 < 1e-6)
    }

    @Test("white noise has the power of each band's width, and all bands the mean square that lies in them")
    func whiteNoise() throws {
        let bands = Self.thirdOctaves([Self.noise(480_000, 1), Self.noise(480_000, 2)])
        // Uniform in ±0.1: a mean square of 0.01/3, spread evenly over 24 kHz. A band of B Hz in 10 s scatters by
        // 4.3/√(10 B) dB.
        for (centre, band) in zip(ThirdOctaves.centres, bands) {
            let width = centre * (pow(10, 0.05) - pow(10, -0.05))
            let expected = 0.01 / 3 * width / 24_000
            #expect(abs(10 * log10((band ?? 0) / expected)) < 4 * 4.3 / (20 * width).squareRoot() + 0.02)
        }
        #expect(Self.thirdOctaves([Self.noise(8000, 1)], rate: 8000).last == .some(nil))
    }

    private static func point(_ name: DirectionMethod.Name, _ channels: [[Double]]) throws -> DirectionPoint {
        let receiver = try #require(DirectionMethod(name, channelCount: channels.count, labels: nil))
        return try #require(DirectionAnalysis(receiver: receiver, sampleRate: 48_000).point(channels, at: 0.05))
    }

    @Test("a plane wave in a sound field comes from where it was encoded, two opposite ones from everywhere")
    func ambisonic() throws {
        for (azimuth, elevation) in [(0.0, 0.0), (40, 20), (-120, -60), (170, 5)] {
            let (a, e) = (azimuth * .pi / 180, elevation * .pi / 180), sound = Self.noise(4800, 3)
            let gains = [1, sin(a) * cos(e), sin(e), cos(a) * cos(e)]
            let found = try Self.point(.ambisonic, gains.map { gain in sound.map { $0 * gain } })
            #expect(abs(found.azimuth - azimuth) < 1e-6 && abs((found.elevation ?? 99) - elevation) < 1e-6)
            #expect(found.diffuseness < 1e-9)
        }
        let (one, other) = (Self.noise(48_000, 4), Self.noise(48_000, 5)),
            silent = [Double](repeating: 0, count: 48_000)
        let sum = zip(one, other).map { $0 + $1 }, difference = zip(one, other).map { $0 - $1 }
        #expect(try Self.point(.ambisonic, [sum, difference, silent, silent]).diffuseness > 0.95)
    }

    @Test("one loudspeaker alone is its direction, two alike are between them; a pair follows the tangent law")
    func loudspeakers() throws {
        let sound = Self.noise(4800, 6), silent = [Double](repeating: 0, count: 4800)
        let left = try Self.point(.surround, [sound, silent, silent, sound, silent, silent])
        #expect(abs(left.azimuth - 30) < 1e-6 && left.diffuseness < 1e-9)
        let middle = try Self.point(.surround, [sound, sound, silent, silent, silent, silent])
        // Between ±30° the sum of both is cos 30° long.
        #expect(abs(middle.azimuth) < 1e-6 && abs(middle.diffuseness - (1 - 3.0.squareRoot() / 2)) < 1e-9)
        let gains = (2.0, 1.0), expected = atan(1.0 / 3 * tan(Double.pi / 6)) * 180 / .pi
        let pair = try Self.point(.stereo, [sound.map { $0 * gains.0 }, sound.map { $0 * gains.1 }])
        #expect(abs(pair.azimuth - expected) < 1e-6 && pair.diffuseness < 1e-9)
    }

    @Test("the ear that hears first is nearer: the angle fits the delay by Woodworth's formula")
    func binaural() throws {
        let sound = Self.noise(5000, 7)
        for lag in [0, 4, 10, 25] {
            let left = Array(sound[40..<4840]), right = Array(sound[(40 - lag)..<(4840 - lag)])
            let found = try Self.point(.binaural, [left, right]), angle = found.azimuth * .pi / 180
            #expect(abs(0.0875 / 343 * (angle + sin(angle)) - Double(lag) / 48_000) < 2e-6)
            #expect(abs((found.timeDifference ?? 9) - Double(lag) / 48) < 0.002)
            #expect(abs(found.levelDifference ?? 9) < 0.3 && found.diffuseness < 0.05)
            #expect(abs(try Self.point(.binaural, [right, left]).azimuth + found.azimuth) < 0.2)
        }
    }

    /// Noise that decays by 60 dB in so many seconds, in a floor of so many dB.
    private static func response(_ seconds: Double, floor: Double = -200) -> [Double] {
        let (sound, hiss) = (noise(72_000, 8, 0.5), noise(72_000, 9, 0.5 * pow(10, floor / 20)))
        return (0..<72_000).map { sound[$0] * pow(10, -3 * Double($0) / 48_000 / seconds) + hiss[$0] }
    }

    @Test("decay times are those of the envelope, also above a floor of noise; a range that is not there has none")
    func decay() throws {
        for floor in [-200.0, -55] {
            let decay = try #require(
                ResponseDecay([Self.response(0.7, floor: floor)], sampleRate: 48_000, isSure: false))
            // A random response of 1 kHz bandwidth scatters by some percent.
            for band in decay.bands where band.frequency >= 500 && band.frequency <= 8000 {
                #expect(abs((band.t20 ?? 0) / 0.7 - 1) < 0.08, "\(band.frequency) \(floor)")
                let early = 1 - pow(10, -6 * 0.08 / 0.7)
                #expect(abs((band.c80 ?? 0) - 10 * log10(early / (1 - early))) < 1)
            }
        }
        let hidden = try #require(ResponseDecay([Self.response(0.7, floor: -30)], sampleRate: 48_000, isSure: true))
        #expect(hidden.bands.allSatisfy { $0.t30 == nil })
    }

    @Test("speech and steady noise are no responses, a click is one")
    func kinds() {
        let voice = VoiceSynthesiser.samples(seed: 1, frames: 96_000, sampleRate: 48_000).map(Double.init)
        #expect(ResponseDecay([voice], sampleRate: 48_000, isSure: false) == nil)
        #expect(ResponseDecay([Self.noise(48_000, 10)], sampleRate: 48_000, isSure: false) == nil)
        let click = (0..<4800).map { $0 == 10 ? 0.5 : 0 }
        #expect(ResponseDecay([click], sampleRate: 48_000, isSure: false) != nil)
        #expect(ResponseDecay([[Double](repeating: 0, count: 100)], sampleRate: 48_000, isSure: true) == nil)
    }

    @Test("the command writes text, JSON and a picture")
    func command() throws {
        let folder = try SoundFolder(), tone = Tones.sine(997, seconds: 1)
        let path = try folder.write([tone, tone.map { $0 / 2 }], to: "a.wav", .wav, .float32)
        let text = try ToolProcess(["analyze", path, "--picture", folder.path("a.svg")])
        #expect(text.status == 0, "\(text.errors)")
        #expect(String(decoding: text.output, as: UTF8.self).contains("third octaves"))
        #expect(XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: folder.path("a.svg")))).parse())
        let run = try ToolProcess(["analyze", path, "--json"])
        let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let channels = try #require(report["channels"] as? [[String: Any]])
        let levels = try channels.map { try #require($0["rms"] as? Double) }
        #expect(abs(levels[0] - levels[1] - 6.02) < 0.01)
        #expect(abs((channels[0]["crest"] as? Double ?? 0) - 3.01) < 0.02)
        #expect(report["directionBy"] as? String == "binaural" && report["decay"] == nil)
        #expect(try ToolProcess(["analyze", path, "--as", "ambisonic"]).status == 1)
        #expect(try ToolProcess(["analyze", folder.path("none.wav")]).status == 1)
    }
}
