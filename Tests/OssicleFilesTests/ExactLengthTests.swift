import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Lengths of files") struct ExactLengthTests {
    @Test("As many frames are read as were written, for every codec and length", arguments: Coding.all)
    func lengths(coding: Coding) throws {
        for frames in [1, 2, 63, 64, 65, 505, 1017, 1151, 1152, 1153, 2041, 4096, 4097, 10_007] {
            for channels in [1, 2] {
                let sound = Signal.tonesAndNoise(channels: channels, frames: frames).map { $0.map(Double.init) }
                let reader = try AudioFileReader(source: MemoryBytes(encoded(sound, coding)))
                let read = try decoded(reader)
                #expect(
                    reader.info.frameCount == Int64(coding.length(frames)),
                    "\(frames) frames, \(channels) channels: told \(reader.info.frameCount)")
                #expect(
                    read.allSatisfy { $0.count == coding.length(frames) },
                    "\(frames) frames, \(channels) channels: read \(read.map(\.count))")
            }
        }
    }

    @Test("Lossy codecs put sample 0 at sample 0", arguments: Coding.lossy, [16_000.0, 48_000])
    func alignment(coding: Coding, rate: Double) throws {
        // Noise below 1.5 kHz has one best lag.
        var slow = 0.0, slower = 0.0
        let noise = OssicleTestSupport.Signal.noise(count: 20_000, seed: 3).map { sample -> Float in
            slow += 0.1 * (Double(sample) - slow)
            slower += 0.1 * (slow - slower)
            return Float(slower)
        }
        let read = try decoded(
            encoded([noise.map(Double.init)], coding, rate: rate, settings: EncoderSettings(quality: 1)))[0].map {
                Float($0)
            }
        #expect(abs(Measure.delay(of: read, after: noise, range: 2000)) < 0.5)
    }

    @Test(
        "The fact chunk of an ADPCM file tells the true length, for readers of others",
        arguments: ["ima.wav", "ms.wav", "ima.w64", "ms.w64"])
    func fact(name: String) throws {
        let coding = try #require(Coding.all.first { $0.name == name })
        let bytes = try encoded([[Double](repeating: 0.1, count: 5000), [Double](repeating: 0, count: 5000)], coding)
        let place =
            try #require(bytes.firstRange(of: Array("fact".utf8))).upperBound + (coding.container == .wave64 ? 20 : 4)
        #expect((0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } == 5000)
    }

    @Test("An MP3 file without a LAME tag is not trimmed")
    func untaggedMP3() throws {
        let coding = try #require(Coding.all.first { $0.codec == .mp3 })
        let bytes = try encoded(
            [Signal.sine(500, amplitude: 0.5, frames: 48_000, rate: 48_000).map(Double.init)], coding)
        // The tag is the first frame; without it the encoder's 1105 frames of delay are sound.
        let second = try #require(bytes.dropFirst(200).firstRange(of: bytes[0..<3])).lowerBound
        let reader = try AudioFileReader(source: MemoryBytes(Array(bytes[second...])))
        let read = try decoded(reader)
        #expect(read[0].count % 1152 == 0 && read[0].count > 48_000)
        #expect(reader.info.frameCount == Int64(read[0].count))
        let tone = Measure.tone(500, in: read[0][10_000..<40_000].map { Float($0) })
        // LAME turns its input down by up to 5 %.
        #expect((0.47...0.5).contains(tone.amplitude), "\(tone.amplitude)")
    }
}
