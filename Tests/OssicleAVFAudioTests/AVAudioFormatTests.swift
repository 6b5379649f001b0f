import Foundation
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioFormat") struct AVAudioFormatTests {
    @Test("The standard format is deinterleaved 32-bit floating point")
    func standard() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let asbd = format.streamDescription.pointee
        #expect(format.isStandard && !format.isInterleaved && format.commonFormat == .pcmFormatFloat32)
        #expect(
            asbd.mBytesPerFrame == 4 && asbd.mBitsPerChannel == 32
                && asbd.mFormatFlags == kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved)
        #expect(format.channelLayout == nil && format.sampleRate == 48_000 && format.channelCount == 2)
    }

    @Test(
        "Every common form describes itself",
        arguments: [AVAudioCommonFormat.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32],
        [true, false])
    func commonForms(form: AVAudioCommonFormat, interleaved: Bool) throws {
        let format = try #require(
            AVAudioFormat(commonFormat: form, sampleRate: 44_100, channels: 2, interleaved: interleaved))
        #expect(format.commonFormat == form && format.isInterleaved == interleaved)
        #expect(format.streamDescription.pointee.mBytesPerFrame == form.sampleSize * (interleaved ? 2 : 1))
        #expect(AVAudioFormat(streamDescription: format.streamDescription) == format)
        let again = AVAudioFormat(settings: format.settings)
        #expect(form == .pcmFormatFloat64 ? again == nil : again == format)
    }

    @Test("More than two channels need a layout of as many")
    func layouts() throws {
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 3) == nil)
        let surround = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: surround)
        #expect(format.channelCount == 6 && format.channelLayout == surround)
        #expect(AVAudioFormat(streamDescription: format.streamDescription) == nil)
        #expect(AVAudioFormat(streamDescription: format.streamDescription, channelLayout: surround) == format)
        #expect(
            AVAudioFormat(
                streamDescription: format.streamDescription,
                channelLayout: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_0_A)) == nil)
        #expect(AVAudioFormat(settings: format.settings) == format)
    }

    @Test("Rates and channel counts that make no sense give no format, or a rate of 0")
    func nonsense() throws {
        for rate in [0, -44_100, Double.nan, .infinity] {
            #expect(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1) == nil)
            let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
            #expect(AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: layout).sampleRate == 0)
        }
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 0) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: .max) == nil)
        #expect(AVAudioFormat(commonFormat: .otherFormat, sampleRate: 48_000, channels: 1, interleaved: false) == nil)
        var asbd = AudioStreamBasicDescription()
        #expect(AVAudioFormat(streamDescription: &asbd) == nil)
    }

    @Test("Formats are equal by value: mono ignores interleaving, the stereo layout equals none")
    func equality() throws {
        func make(
            _ channels: UInt32, _ interleaved: Bool, _ form: AVAudioCommonFormat = .pcmFormatFloat32
        ) -> AVAudioFormat? {
            AVAudioFormat(commonFormat: form, sampleRate: 48_000, channels: channels, interleaved: interleaved)
        }
        #expect(make(1, true) == make(1, false) && make(1, true)?.hash == make(1, false)?.hash)
        #expect(make(2, true) != make(2, false))
        #expect(make(2, true) != make(2, true, .pcmFormatInt32))
        let stereo = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
        let binaural = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Binaural))
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: stereo) == make(2, false))
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: binaural) != make(2, false))
        var unpacked = try #require(make(2, false)).streamDescription.pointee
        unpacked.mFormatFlags &= ~kAudioFormatFlagIsPacked
        #expect(AVAudioFormat(streamDescription: &unpacked) == make(2, false))
    }

    @Test("Settings of any numeric type are understood, wrong ones give no format")
    func settings() {
        func format(_ more: [String: Any]) -> AVAudioFormat? {
            AVAudioFormat(
                settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]
                    .merging(more) { $1 })
        }
        #expect(format([:])?.commonFormat == .pcmFormatInt16)
        #expect(
            format([AVLinearPCMBitDepthKey: 24, AVSampleRateKey: Float(48_000)])?.streamDescription.pointee
                .mBytesPerFrame == 6)
        #expect(
            format([
                AVLinearPCMBitDepthKey: NSNumber(value: 32), AVLinearPCMIsFloatKey: true,
                AVLinearPCMIsNonInterleaved: true,
            ])?.isStandard == true)
        #expect(format([AVLinearPCMIsBigEndianKey: true])?.commonFormat == .otherFormat)
        for bad: [String: Any] in [
            [AVLinearPCMBitDepthKey: 7], [AVLinearPCMBitDepthKey: 64], [AVLinearPCMBitDepthKey: "16"],
            [AVSampleRateKey: "fast"],
            [AVSampleRateKey: Double.nan], [AVNumberOfChannelsKey: -1], [AVNumberOfChannelsKey: 6],
            [AVFormatIDKey: 1e30],
            [AVChannelLayoutKey: Data([1, 2])], [AVChannelLayoutKey: "stereo"], [AVLinearPCMIsFloatKey: "yes"],
        ] {
            #expect(format(bad) == nil, "\(bad)")
        }
        #expect(AVAudioFormat(settings: [:]) == nil)
        #expect(
            format([AVNumberOfChannelsKey: 6, AVChannelLayoutKey: layoutData(kAudioChannelLayoutTag_MPEG_5_1_A)])?
                .channelCount == 6)
    }

    @Test("A format survives archiving")
    func archiving() throws {
        let surround = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: surround)
        let data = try NSKeyedArchiver.archivedData(withRootObject: format, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: AVAudioFormat.self, from: data) == format)
    }

    @Test("Inner pointers outlive the object they were asked from")
    func innerPointers() throws {
        let pointer = try #require(AVAudioFormat(standardFormatWithSampleRate: 12_345, channels: 1)).streamDescription
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Cube)).layout
        let others = (1...100).map { AVAudioFormat(standardFormatWithSampleRate: Double($0), channels: 2) }
        #expect(
            others.count == 100 && pointer.pointee.mSampleRate == 12_345
                && layout.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_Cube)
    }

    @Test("A description names rate, channels and form")
    func description() {
        #expect(
            AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)?.description
                == "<AVAudioFormat: 2 ch, 48000.0 Hz, Float32, deinterleaved>")
    }
}

@Suite("AVAudioChannelLayout") struct AVAudioChannelLayoutTests {
    @Test("Unknown tags and tags that point elsewhere give no layout")
    func refusals() {
        for tag in [
            kAudioChannelLayoutTag_UseChannelDescriptions, kAudioChannelLayoutTag_UseChannelBitmap,
            AudioChannelLayoutTag(9999 << 16 | 2),
        ] {
            #expect(AVAudioChannelLayout(layoutTag: tag) == nil)
        }
        #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_HOA_ACN_SN3D | 9)?.channelCount == 9)
    }

    @Test("Descriptions and bitmaps become the tag that has the same channels")
    func reduction() {
        var bitmap = AudioChannelLayout()
        bitmap.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
        bitmap.mChannelBitmap = AudioChannelBitmap(rawValue: 0x3F)
        #expect(AVAudioChannelLayout(layout: &bitmap).layoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(AVAudioChannelLayout(labels: [1, 2]).layoutTag == kAudioChannelLayoutTag_Stereo)
        let odd = AVAudioChannelLayout(labels: [2, 1, 13])
        #expect(
            odd.layoutTag == kAudioChannelLayoutTag_UseChannelDescriptions && odd.channelCount == 3
                && odd.channelLabels == [2, 1, 13])
        #expect(AVAudioChannelLayout(layout: odd.layout) == odd && odd != AVAudioChannelLayout(labels: [2, 1, 14]))
    }

    @Test("Bytes that claim more descriptions than they hold give those they hold")
    func shortData() {
        var bytes = AVAudioChannelLayout(labels: [2, 1, 13]).data
        bytes.replaceSubrange(8..<12, with: [0xFF, 0xFF, 0xFF, 0x7F])
        #expect(AVAudioChannelLayout(data: bytes)?.channelCount == 3)
        #expect(AVAudioChannelLayout(data: bytes.prefix(11)) == nil)
    }
}
