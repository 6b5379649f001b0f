import OssicleCoreAudioTypes
import OssicleDevices
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// At devices that the test drives: which of their channels hears which of a source's, by the roles of both.
@Suite("Engine at a device of many channels") struct SurroundOutputTests {
    /// What each channel of a device takes of a source whose channel c is c + 1.
    private func taken(
        _ layout: AudioChannelLayoutTag, by channels: Int, stated: [AudioChannelLabel]? = nil
    ) throws -> [Float] {
        let device = DrivenOutput(channelCount: channels, stated: stated), engine = AVAudioEngine()
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

    @Test(
        "Three, five and seven channels are 3.0, 5.0 and 7.0: mono goes to left and right, 5.1 loses its LFE",
        arguments: [
            (3, [1, 1, 0], [1, 2, 3]), (5, [1, 1, 0, 0, 0], [1, 2, 3, 5, 6]),
            (7, [1, 1, 0, 0, 0, 0, 0], [1, 2, 3, 5, 6, 0, 0]),
        ] as [(Int, [Float], [Float])])
    func odd(channels: Int, mono: [Float], surround: [Float]) throws {
        #expect(try taken(kAudioChannelLayoutTag_Mono, by: channels) == mono)
        let heard = try taken(kAudioChannelLayoutTag_MPEG_5_1_A, by: channels)
        // The surrounds of 3.0 are 80° from the nearest front: −3 dB.
        #expect(channels == 3 ? heard.prefix(2).allSatisfy { $0 > 4 } && heard[2] == 3 : heard == surround)
    }

    @Test("What a device states counts: 2.1 has an LFE where 3.0 has a centre, and LCRS a centre behind")
    func stated() throws {
        let (left, right, centre, lfe, back) = (
            kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_Center, kAudioChannelLabel_LFEScreen,
            kAudioChannelLabel_CenterSurround
        )
        #expect(try taken(kAudioChannelLayoutTag_Mono, by: 3, stated: [lfe, left, right]) == [1, 1, 0])
        #expect(try taken(kAudioChannelLayoutTag_DVD_4, by: 3, stated: [lfe, left, right]) == [1, 2, 3])
        #expect(
            try taken(kAudioChannelLayoutTag_MPEG_4_0_A, by: 4, stated: [left, back, right, centre]) == [1, 2, 3, 4])
    }

    @Test("The output's format and a session's port name the same loudspeakers, as the server is given them")
    func labels() throws {
        for channels in 3...12 {
            var formats = HardwareFormats()
            formats.adopt(sampleRate: 48_000, channelCount: channels, labels: DeviceChannels.rendered(channels))
            let labels = formats.output.channelLabels
            let discrete = (0..<channels).map { kAudioChannelLabel_Discrete_0 + AudioChannelLabel($0) }
            #expect(labels == DeviceChannels.usual(channels) ?? discrete)
            #expect(labels == AVAudioSessionPortDescription.usualLabels(channels))
        }
    }
}
