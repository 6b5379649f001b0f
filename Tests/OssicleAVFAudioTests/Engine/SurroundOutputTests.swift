import OssicleCoreAudioTypes
import OssicleDevices
import OssicleTestKit
import Testing
@testable import OssicleAVFAudio

/// At devices that the test drives: which of their channels hears which of a source's, by the roles of both.
@Suite("Engine at a device of many channels") struct SurroundOutputTests {
    /// What each channel of a device takes of a source whose channel c is c + 1.
    private func taken(_ layout: AudioChannelLayoutTag, by channels: Int) throws -> [Float] {
        let device = DrivenOutput(channelCount: channels), engine = AVAudioEngine()
        let channelLayout = try #require(AVAudioChannelLayout(layoutTag: layout))
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: channelLayout)
        let source = AVAudioSourceNode(format: format) { _, _, frames, list in
            for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
                buffer.mData?.assumingMemoryBound(to: Float.self)
                    .update(repeating: Float(channel + 1), count: Int(frames))
            }
            return noErr
        }
        try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device)) {
            engine.attach(source)
            engine.connect(source, to: engine.mainMixerNode, format: format)
            try engine.start()
            device.take(blocks: 20)
            engine.stop()
        }
        return device.taken.map { $0.last ?? -1 }
    }

    @Test(
        "Mono goes to left and right, stereo and quad to theirs, 5.1 in any order to the right loudspeakers",
        arguments: [
            (kAudioChannelLayoutTag_Mono, [1, 1]), (kAudioChannelLayoutTag_Stereo, [1, 2]),
            (kAudioChannelLayoutTag_Quadraphonic, [1, 2, 0, 0, 3, 4]),
            (kAudioChannelLayoutTag_MPEG_5_1_A, [1, 2, 3, 4, 5, 6]),
            // C L R Ls Rs LFE.
            (kAudioChannelLayoutTag_AAC_5_1, [2, 3, 1, 6, 4, 5]),
        ] as [(AudioChannelLayoutTag, [Float])], [6, 8, 12])
    func places(_ source: (layout: AudioChannelLayoutTag, heard: [Float]), channels: Int) throws {
        let silent = [Float](repeating: 0, count: channels - source.heard.count)
        #expect(try taken(source.layout, by: channels) == source.heard + silent)
    }

    @Test("7.1 and 7.1.4 pass channel by channel, and quad to four loudspeakers")
    func own() throws {
        for (layout, channels) in [
            (kAudioChannelLayoutTag_Quadraphonic, 4), (kAudioChannelLayoutTag_MPEG_7_1_C, 8),
            (kAudioChannelLayoutTag_Atmos_7_1_4, 12),
        ] {
            #expect(try taken(layout, by: channels) == (1...channels).map { Float($0) })
        }
    }

    @Test("The output's format and a session's port name the same loudspeakers, as the server is given them")
    func labels() throws {
        for channels in [4, 6, 8, 12] {
            var formats = HardwareFormats()
            formats.adopt(sampleRate: 48_000, channelCount: channels)
            let labels = formats.output.channelLabels
            #expect(labels == DeviceChannels.usual(channels))
            #expect(labels == AVAudioSessionPortDescription.usualLabels(channels))
        }
    }
}
