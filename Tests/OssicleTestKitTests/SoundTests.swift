import Foundation
import OssicleAVFAudio
import OssicleTestKit
import OssicleTestSupport
import Testing

@Suite("A sound to be measured") struct SoundTests {
    @Test("what is no sound is refused with the number that is wrong")
    func errors() {
        func message(_ make: () throws -> Sound) -> String {
            do { _ = try make() } catch { return "\(error)" }
            return ""
        }
        #expect(message { try Sound(channels: [], sampleRate: 48_000) }.contains("0 channels"))
        #expect(
            message { try Sound(channels: [[0], [0, 0]], sampleRate: 48_000) }.contains("Channel 2 has 2 samples"))
        for rate in [0, -1, .nan, .infinity] {
            #expect(message { try Sound(samples: [0], sampleRate: rate) }.contains("Hz is outside"))
        }
        #expect(message { try Sound(channels: [[0]], sampleRate: 8000, channelLabels: [1, 2]) }.contains("2 labels"))
        let nowhere = URL(fileURLWithPath: "/nowhere/at-all.wav")
        #expect(message { try Sound(contentsOf: nowhere) }.contains("at-all.wav"))
    }

    @Test("buffers of any form and files give their samples")
    func sources() throws {
        let samples = Tones.noise(0.05)
        for format: AVAudioCommonFormat in [.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16] {
            for interleaved in [false, true] {
                let form = try #require(
                    AVAudioFormat(commonFormat: format, sampleRate: 44_100, channels: 2, interleaved: interleaved))
                let plain = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
                let buffer = try #require(AVAudioPCMBuffer(pcmFormat: plain, frameCapacity: 2400))
                buffer.frameLength = 2400
                for channel in 0..<2 {
                    for (frame, sample) in samples.enumerated() {
                        buffer.floatChannelData?[channel][frame] = channel == 0 ? sample : -sample
                    }
                }
                let sound = try Sound(#require(buffer.converted(to: form)))
                #expect(sound.sampleRate == 44_100 && sound.channels.count == 2 && sound.frameCount == 2400)
                // Half a step of 16 bits, and nothing otherwise.
                #expect(
                    Measure.largestDifference(sound.channels[0], samples) <= (format == .pcmFormatInt16 ? 1.6e-5 : 0))
                #expect(sound.channels[1] == sound.channels[0].map { -$0 })
            }
        }
        let folder = try TemporaryFolder(), file = URL(fileURLWithPath: folder.path("noise.wav"))
        let sound = try Sound(channels: [samples, samples.reversed()], sampleRate: 48_000)
        try sound.write(to: file)
        #expect(try Sound(contentsOf: file).channels == sound.channels)
    }

    @Test("a window is cut to what is there, also one that makes no sense")
    func windows() throws {
        let sound = try Sound(samples: [1, 2, 3, 4], sampleRate: 4)
        #expect(sound[0.25..<0.75].channels == [[2, 3]])
        #expect(sound[-5..<0.5].channels == [[1, 2]])
        #expect(sound[0.5..<1e300].channels == [[3, 4]])
        #expect(sound[7..<8].frameCount == 0)
        #expect(sound[7..<8].level().isNaN && sound.level(channel: 3).isNaN && sound.level(during: 7..<8).isNaN)
        #expect(sound.channel(1) == nil && sound.channel(0) == sound)
    }

    @Test("samples that are not finite are counted, and measured as 0")
    func nonFinite() throws {
        let sound = try Sound(samples: [.nan, 1, .infinity, -1], sampleRate: 48_000)
        #expect(sound.nonFiniteSampleCount == 2)
        #expect(abs(sound.level() - 10 * log10(0.5)) < 1e-9)
        #expect(sound.peak() == 0)
        #expect(!sound.finding(.finite).holds)
        _ = (sound.pitch(), sound.onsets(), sound.clicks(), sound.loudness(), sound.decays(), sound.direction())
    }

    @Test("an AVAudioEngine is rendered with what the program does meanwhile")
    func engine() throws {
        let engine = AVAudioEngine(), player = AVAudioPlayerNode()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000))
        buffer.frameLength = 48_000
        for (frame, sample) in Tones.sine(1000, amplitude: 0.5).enumerated() {
            buffer.floatChannelData?[0][frame] = sample
        }
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        player.scheduleBuffer(buffer)
        var times: [Double] = []
        let sound = try Sound.rendered(by: engine, seconds: 1) { time in
            times.append(time)
            if time == 0 { player.play() }
            if time >= 0.5 { player.volume = 0.25 }
        }
        #expect(sound.channels.count == 2 && sound.frameCount == 48_000)
        #expect(times.count == 94 && abs(times[1] - 512.0 / 48_000) < 1e-12)
        // 0.25 in place of 1 is −12.04 dB.
        let drop = sound.level(during: 0.6..<1) - sound.level(during: 0.1..<0.5)
        #expect(abs(drop - 20 * log10(0.25)) < 0.01)
        #expect(throws: SoundError.self) { try Sound.rendered(by: engine, seconds: 0) }
        #expect(throws: SoundError.self) { try Sound.rendered(by: engine, seconds: .nan) }
    }
}
