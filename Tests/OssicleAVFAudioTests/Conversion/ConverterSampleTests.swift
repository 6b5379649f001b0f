import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("Sample forms and channels in AVAudioConverter") struct ConverterSampleTests {
    private static let commonForms: [AVAudioCommonFormat] = [
        .pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32,
    ]

    /// One buffer through a converter, by the simple call.
    private func convert(
        _ buffer: AVAudioPCMBuffer, to format: AVAudioFormat, _ set: (AVAudioConverter) -> Void = { _ in }
    ) throws -> AVAudioPCMBuffer {
        let converter = try Rig.converter(buffer.format, format)
        set(converter)
        let output = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: buffer.frameLength))
        try converter.convert(to: output, from: buffer)
        #expect(output.frameLength == buffer.frameLength)
        return output
    }

    private func packed24(isBigEndian: Bool) throws -> AVAudioFormat {
        var asbd = AudioStreamBasicDescription()
        asbd.mSampleRate = 48_000
        asbd.mFormatID = kAudioFormatLinearPCM
        asbd.mFormatFlags =
            kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0)
        (
            asbd.mFramesPerPacket, asbd.mBytesPerPacket, asbd.mBytesPerFrame, asbd.mChannelsPerFrame,
            asbd.mBitsPerChannel
        ) = (1, 6, 6, 2, 24)
        return try #require(AVAudioFormat(streamDescription: &asbd))
    }

    @Test("All 16-bit integers become floats and come back: -32768 is -1")
    func int16() throws {
        let format = try Rig.format(.pcmFormatInt16, channels: 1),
            input = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 65_536))
        input.frameLength = 65_536
        for (index, value) in (Int16.min...Int16.max).enumerated() { input.int16ChannelData?[0][index] = value }
        let floats = try convert(input, to: Rig.format(channels: 1)), samples = try Rig.samples(floats)[0]
        #expect(samples[0] == -1 && samples[32_768] == 0 && samples[65_535] == 32_767 / 32_768)
        #expect(samples.enumerated().allSatisfy { $1 == Float($0 - 32_768) / 32_768 })
        let back = try convert(floats, to: format)
        #expect((0..<65_536).allSatisfy { back.int16ChannelData?[0][$0] == Int16($0 - 32_768) })
    }

    @Test("What integers cannot hold is rounded to the nearest and clamped")
    func clamped() throws {
        let input = try Rig.buffer([
            [1, -1, 2, -2, .infinity, -.infinity, .nan, 0.4 / 32_768, 0.6 / 32_768, 1.5 / 32_768, 2.5 / 32_768]
        ])
        let output = try convert(input, to: Rig.format(.pcmFormatInt16, channels: 1))
        #expect(
            (0..<11).map { output.int16ChannelData?[0][$0] } == [
                32_767, -32_768, 32_767, -32_768, 32_767, -32_768, 0, 0, 1, 2, 2,
            ])
    }

    @Test("Every form, interleaved or not, leads to every other and back", arguments: commonForms, commonForms)
    func forms(from: AVAudioCommonFormat, to: AVAudioCommonFormat) throws {
        let sound = [3, 37].map { step in
            Signal.noise(count: 777, seed: step).map { ($0 * 32_768).rounded(.down) / 32_768 }
        }
        let plain = try Rig.buffer(sound)
        for isInterleaved in [true, false] {
            let first = try convert(plain, to: Rig.format(from, interleaved: isInterleaved)),
                second = try convert(first, to: Rig.format(to, interleaved: !isInterleaved))
            #expect(try Rig.samples(convert(second, to: plain.format)) == sound)
        }
    }

    @Test("Packed 24-bit samples lie in three bytes of the given order", arguments: [true, false])
    func packed(isBigEndian: Bool) throws {
        let sound: [[Float]] = [[0x12_3456 / 8_388_608, -1], [-0.5, 0x7F_FFFF / 8_388_608]]
        let output = try convert(Rig.buffer(sound), to: packed24(isBigEndian: isBigEndian))
        let bytes = UnsafeRawBufferPointer(start: output.audioBufferList.pointee.mBuffers.mData, count: 12)
        let samples: [[UInt8]] = [[0x12, 0x34, 0x56], [0xC0, 0, 0], [0x80, 0, 0], [0x7F, 0xFF, 0xFF]]
        #expect(Array(bytes) == samples.flatMap { isBigEndian ? $0 : $0.reversed() })
        #expect(try Rig.samples(convert(output, to: Rig.format())) == sound)
    }

    @Test("One channel goes to both fronts, two into one give the left, or their mean")
    func monoAndStereo() throws {
        let (left, right): ([Float], [Float]) = ([0.5, -0.25, 1], [0.25, 0.75, 1])
        #expect(try Rig.samples(convert(Rig.buffer([left]), to: Rig.format())) == [left, left])
        let mono = try Rig.format(channels: 1)
        #expect(try Rig.samples(convert(Rig.buffer([left, right]), to: mono)) == [left])
        #expect(
            try Rig.samples(convert(Rig.buffer([left, right]), to: mono) { $0.downmix = true }) == [[0.375, 0.25, 1]])
    }

    @Test("Layouts of the same channels are put in order; channels are dropped, or mixed as BS.775 has it")
    func surround() throws {
        let a = try AVAudioFormat(
            standardFormatWithSampleRate: 48_000, channelLayout: Rig.layout(kAudioChannelLayoutTag_MPEG_5_1_A))
        let d = try AVAudioFormat(
            standardFormatWithSampleRate: 48_000, channelLayout: Rig.layout(kAudioChannelLayoutTag_MPEG_5_1_D))
        let input = try Rig.buffer([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6]], format: a)
        #expect(try Rig.samples(convert(input, to: d)) == [[0.3], [0.1], [0.2], [0.5], [0.6], [0.4]])
        #expect(try Rig.samples(convert(input, to: Rig.format())) == [[0.1], [0.2]])
        let half = 0.5.squareRoot(), most = 1 + 2 * half
        let mixed = try Rig.samples(convert(input, to: Rig.format()) { $0.downmix = true })
        for (found, expected) in zip(
            mixed, [(0.1 + half * 0.3 + half * 0.5) / most, (0.2 + half * 0.3 + half * 0.6) / most])
        {
            #expect(abs(Double(found[0]) - expected) < 1e-7)
        }
    }

    @Test("A channel map beats the layouts, until it is taken away; one that makes no sense is refused")
    func channelMap() throws {
        let input = try Rig.buffer([[0.1, 0.2], [0.3, 0.4]])
        let converter = try Rig.converter(input.format, Rig.format(interleaved: true))
        let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 2))
        func mapped(_ map: [NSNumber]) throws -> [[Float]] {
            converter.channelMap = map
            try converter.convert(to: output, from: input)
            return try Rig.samples(output)
        }
        #expect(try mapped([1, 0]) == [[0.3, 0.4], [0.1, 0.2]] && converter.channelMap == [1, 0])
        #expect(try mapped([-1, 1]) == [[0, 0], [0.3, 0.4]])
        for wrong: [NSNumber] in [[0], [0, 2], [0, 1, 0]] {
            converter.lastError = nil
            #expect(
                try mapped(wrong) == [[0, 0], [0.3, 0.4]] && converter.lastError is OssicleError
                    && converter.channelMap == [-1, 1])
        }
        #expect(try mapped([]) == [[0.1, 0.2], [0.3, 0.4]])
    }

    @Test("Dither takes the distortion out of a faint tone and leaves noise of a quarter of a squared step")
    func dither() throws {
        let step = 1 / 32_768.0, sound = Signal.sine(1000, count: 48_000, amplitude: 0.4 * step)
        let (from, to) = (try Rig.format(channels: 1), try Rig.format(.pcmFormatInt16, channels: 1))
        let plain = try convert(convert(Rig.buffer([sound]), to: to), to: from)
        #expect(try Rig.samples(plain)[0].allSatisfy { $0 == 0 })
        let dithered = try convert(convert(Rig.buffer([sound]), to: to) { $0.dither = true }, to: from)
        let tone = try Measure.tone(1000, in: Rig.samples(dithered)[0])
        #expect(abs(tone.amplitude / (0.4 * step) - 1) < 0.02 && abs(tone.residual / (0.5 * step) - 1) < 0.02)
    }

    @Test("The simple call refuses what it cannot do and says why")
    func refusals() throws {
        let input = try Rig.buffer([[0.1, 0.2], [0.3, 0.4]])
        func code(_ converter: AVAudioConverter, _ output: AVAudioPCMBuffer?) throws -> OSStatus? {
            let output = try #require(output)
            do { try converter.convert(to: output, from: input) } catch let error as OssicleError {
                #expect(
                    error.domain == "com.apple.coreaudio.avfaudio" && !error.object.isEmpty && !error.value.isEmpty
                        && !error.rule.isEmpty && !error.cure.isEmpty)
                return OSStatus(error.code)
            }
            return nil
        }
        let plain = try Rig.converter(input.format, Rig.format(interleaved: true)),
            slower = try Rig.converter(input.format, Rig.format(rate: 24_000))
        let wrong = try Rig.converter(Rig.format(channels: 1), Rig.format(interleaved: true))
        #expect(
            try code(plain, AVAudioPCMBuffer(pcmFormat: plain.outputFormat, frameCapacity: 1))
                == kAudioConverterErr_InvalidOutputSize)
        #expect(try code(plain, AVAudioPCMBuffer(pcmFormat: input.format, frameCapacity: 2)) == kAudio_ParamError)
        #expect(try code(wrong, AVAudioPCMBuffer(pcmFormat: wrong.outputFormat, frameCapacity: 2)) == kAudio_ParamError)
        #expect(
            try code(slower, AVAudioPCMBuffer(pcmFormat: slower.outputFormat, frameCapacity: 2))
                == kAudioConverterErr_OperationNotSupported)
        #expect(try code(plain, AVAudioPCMBuffer(pcmFormat: plain.outputFormat, frameCapacity: 2)) == nil)
        input.frameLength = 0
        let output = try #require(AVAudioPCMBuffer(pcmFormat: plain.outputFormat, frameCapacity: 2))
        output.frameLength = 2
        #expect(try code(plain, output) == nil && output.frameLength == 0)
    }
}
