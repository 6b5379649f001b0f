import Testing
@testable import OssicleFiles

@Suite("Resident sounds") struct ResidentAudioTests {
    @Test("Interleaved integers are taken apart and divided by two to the depth less one")
    func interleaved() throws {
        let samples: [Int16] = [-32_768, 16_384, 0, 32_767]
        let audio = try #require(
            samples.withUnsafeBytes {
                ResidentAudio(interleaved: $0, format: .int16, channelCount: 2, sampleRate: 48_000)
            })
        #expect(audio.arrays == [[-1, 0], [0.5, 32_767.0 / 32_768]])
    }

    @Test("Planar samples lie channel after channel")
    func planar() throws {
        let samples: [Int32] = [.min, 0, 1 << 30, -(1 << 29)]
        let audio = try #require(
            samples.withUnsafeBytes { ResidentAudio(planar: $0, format: .int32, channelCount: 2, sampleRate: 8000) })
        #expect(audio.arrays == [[-1, 0], [0.5, -0.25]])
    }

    @Test("An incomplete frame is left out, NaN becomes zero")
    func oddBytes() throws {
        let samples: [Float] = [0.5, .nan, 0.25]
        let audio = try #require(
            samples.withUnsafeBytes {
                ResidentAudio(interleaved: $0, format: .float32, channelCount: 2, sampleRate: 8000)
            })
        #expect(audio.arrays == [[0.5], [0]])
        #expect(audio.nonFiniteCount == 1)
    }

    @Test("No channels or no rate is no sound")
    func refusals() {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(ResidentAudio(interleaved: none, format: .int16, channelCount: 0, sampleRate: 48_000) == nil)
        #expect(ResidentAudio(interleaved: none, format: .int16, channelCount: -3, sampleRate: 48_000) == nil)
        for rate in [0, -48_000, .nan, .infinity] { #expect(ResidentAudio(channels: [[0]], sampleRate: rate) == nil) }
        #expect(ResidentAudio(channels: [], sampleRate: 48_000) == nil)
        #expect(ResidentAudio(interleaved: none, format: .int16, channelCount: 1, sampleRate: 48_000)?.frameCount == 0)
    }

    @Test("Channels are aligned for vector loads, and a wrong channel number is taken modulo the count")
    func access() throws {
        let audio = try #require(ResidentAudio(channels: [[1, 2, 3], [4]], sampleRate: 48_000))
        #expect(audio.arrays == [[1, 2, 3], [4, 0, 0]])
        #expect(Int(bitPattern: audio[0]) % 64 == 0 && Int(bitPattern: audio[1]) % 64 == 0)
        #expect(audio[2] == audio[0])
    }
}
