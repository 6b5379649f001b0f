import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// One measurement each through the public interface; the conversion service's own tests go deep.
@Suite("Rate conversion in AVAudioConverter") struct ConverterRateTests {
    private func convert(
        _ sound: [Float], from: Double, to: Double, _ set: (AVAudioConverter) -> Void = { _ in }
    ) throws -> [Float] {
        let converter = try Rig.converter(Rig.format(rate: from, channels: 1), Rig.format(rate: to, channels: 1))
        set(converter)
        return try Rig.run(converter, Rig.pieces([sound], of: 1111, rate: from))[0]
    }

    @Test(
        "A tone keeps its level, with less distortion and noise the better the quality",
        arguments: [(AVAudioQuality.max, 96.0), (.medium, 80)])
    func tone(quality: AVAudioQuality, least: Double) throws {
        let output = try convert(
            Signal.sine(1000, sampleRate: 44_100, count: 44_100, amplitude: 0.5), from: 44_100, to: 48_000
        ) {
            $0.sampleRateConverterQuality = quality.rawValue
        }
        let tone = Measure.tone(1000, in: Array(output[4800..<43_200]))
        #expect(
            abs(output.count - 48_000) <= 1 && tone.signalToNoise >= least
                && abs(Measure.decibels(tone.amplitude / 0.5)) < 0.01)
    }

    @Test("What the lower rate cannot hold does not come back as another tone")
    func alias() throws {
        let output = try convert(
            Signal.sine(30_000, sampleRate: 96_000, count: 96_000, amplitude: 1), from: 96_000, to: 48_000)
        #expect(Measure.level(output[4800..<43_200]) <= -90)
    }

    @Test("There and back again nulls below -90 dB")
    func null() throws {
        let sound = Signal.sine(997, sampleRate: 44_100, count: 44_100, amplitude: 0.5)
        let there = try convert(sound, from: 44_100, to: 48_000) {
            $0.sampleRateConverterQuality = AVAudioQuality.max.rawValue
        }
        let back = try convert(there, from: 48_000, to: 44_100) {
            $0.sampleRateConverterQuality = AVAudioQuality.max.rawValue
        }
        #expect(abs(back.count - 44_100) <= 1)
        #expect(Measure.level((4410..<39_690).map { back[$0] - sound[$0] }) - Measure.level(sound) < -90)
    }

    @Test("Minimum phase does not ring before the sound; the others do, and no algorithm moves it")
    func minimumPhase() throws {
        func before(_ algorithm: String) throws -> Double {
            let output = try convert(Signal.impulse(count: 9600, at: 4800), from: 48_000, to: 44_100) {
                $0.sampleRateConverterAlgorithm = algorithm
            }
            return Measure.level(output[..<4400]) - Double(Measure.decibels(Double(Measure.peak(output))))
        }
        #expect(try before(AVSampleRateConverterAlgorithm_MinimumPhase) < -90)
        #expect(try before(AVSampleRateConverterAlgorithm_Normal) > -90)
    }

    @Test("The prime method decides where the first frame lies")
    func priming() throws {
        let impulse = Signal.impulse(count: 9600, at: 4800)
        let normal = try convert(impulse, from: 48_000, to: 96_000),
            late = try convert(impulse, from: 48_000, to: 96_000) { $0.primeMethod = .none }
        #expect(normal.count == 19_200 && normal.indices.max { normal[$0] < normal[$1] } == 9600)
        #expect((late.indices.max { late[$0] < late[$1] } ?? 0) > 9600)
    }

    @Test("Settings are kept, clamped or refused")
    func settings() throws {
        let converter = try Rig.converter(Rig.format(), Rig.format(rate: 44_100))
        #expect(
            converter.sampleRateConverterQuality == AVAudioQuality.medium.rawValue
                && converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Normal)
        #expect(
            converter.primeMethod == .normal && !converter.dither && !converter.downmix && converter.magicCookie == nil
                && converter.channelMap.isEmpty)
        converter.sampleRateConverterQuality = 1000
        converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Mastering
        (converter.primeMethod, converter.dither, converter.downmix) = (.pre, true, true)
        (converter.audioSyncPacketFrequency, converter.contentSource, converter.dynamicRangeControlConfiguration) = (
            3, .music_Spatial, .speech
        )
        #expect(
            converter.sampleRateConverterQuality == 127
                && converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Mastering)
        #expect(converter.primeMethod == .pre && converter.dither && converter.downmix)
        #expect(
            converter.audioSyncPacketFrequency == 3 && converter.contentSource == .music_Spatial
                && converter.dynamicRangeControlConfiguration == .speech)
        #expect(converter.maximumOutputPacketSize == 4 && converter.lastError == nil)
        converter.sampleRateConverterAlgorithm = "the best"
        #expect(
            converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Mastering
                && converter.lastError is OssicleError)
        converter.sampleRateConverterAlgorithm = nil
        #expect(converter.sampleRateConverterAlgorithm == AVSampleRateConverterAlgorithm_Normal)
        for change: (AVAudioConverter) -> Void in [
            { $0.bitRate = 64_000 }, { $0.bitRateStrategy = AVAudioBitRateStrategy_Constant },
            { $0.primeInfo = AVAudioConverterPrimeInfo(leadingFrames: 1, trailingFrames: 1) },
        ] {
            converter.lastError = nil
            change(converter)
            #expect(converter.lastError is OssicleError && converter.bitRate == 0 && converter.bitRateStrategy == nil)
        }
        #expect(
            converter.availableEncodeBitRates == nil && converter.applicableEncodeSampleRates == nil
                && converter.availableEncodeChannelLayoutTags == nil)
    }

    @Test("What cannot be converted gives no converter, and an error that tells why")
    func impossible() throws {
        let plain = try Rig.format()
        var unknown = AudioStreamBasicDescription()
        (unknown.mSampleRate, unknown.mFormatID, unknown.mChannelsPerFrame) = (48_000, kAudioFormatQDesign, 2)
        let strange = try #require(AVAudioFormat(streamDescription: &unknown))
        let none = try AVAudioFormat(
            standardFormatWithSampleRate: 0, channelLayout: Rig.layout(kAudioChannelLayoutTag_Stereo))
        for (from, to) in [(plain, strange), (strange, plain), (none, plain), (plain, none)] {
            #expect(AVAudioConverter(from: from, to: to) == nil)
            #expect(
                avfaudioCode { _ = try AVAudioConverter.converter(from: from, to: to) }
                    == kAudioConverterErr_FormatNotSupported)
        }
    }
}
