import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("Loudness of buffers and files") struct AudioLoudnessTests {
    private static func sine(_ frequency: Double, _ decibels: Double, seconds: Int = 10) -> [Float] {
        Signal.sine(frequency, count: seconds * 48_000, amplitude: pow(10, decibels / 20))
    }

    private static func buffer(_ channels: [[Float]]) throws -> AVAudioPCMBuffer {
        guard channels.count == 5 else { return try Rig.buffer(channels) }
        return try Rig.buffer(
            channels,
            format: AVAudioFormat(
                standardFormatWithSampleRate: 48_000, channelLayout: Rig.layout(kAudioChannelLayoutTag_MPEG_5_0_A)))
    }

    /// The signals of the check table, made of the words of their names.
    private static func channels(_ name: String) throws -> [[Float]] {
        let words = name.split(separator: " ").map(String.init), numbers = words.compactMap { Double($0) }
        if name.contains("gating") {
            return [[Float]](repeating: sine(1000, -36) + sine(1000, -23) + sine(1000, -36), count: 2)
        }
        if words.first == "L" { return numbers.dropFirst().map { sine(1000, $0) } }
        let frequency = words.contains("kHz") ? numbers[0] * 1000 : numbers[0]
        return [[Float]](repeating: sine(frequency, numbers[1]), count: words.first == "stereo" ? 2 : 1)
    }

    /// The meter's histogram has steps of 0.1 LU, each in its middle.
    @Test("Integrated loudness agrees with the check table to 0.1 LU, whole and piece by piece")
    func table() throws {
        let rows = try Table.load("loudness-check.csv").rows
        #expect(rows.count == 11)
        for row in rows {
            let name = row["signal_48k"], channels = try Self.channels(name), buffer = try Self.buffer(channels),
                loudness = try buffer.loudness()
            #expect(abs(loudness.integrated - row.number("integrated_lufs")) < 0.1, "\(name): \(loudness.integrated)")
            let meter = try AudioLoudnessMeter(format: buffer.format)
            for case .give(let piece) in try Rig.pieces(channels, of: 1023, format: buffer.format) {
                try meter.process(try #require(piece as? AVAudioPCMBuffer))
            }
            let streamed = meter.loudness
            #expect(
                abs(streamed.integrated - loudness.integrated) <= 0.05 + 1e-9
                    && streamed.momentaryMaximum == loudness.momentaryMaximum)
            #expect(
                streamed.shortTermMaximum == loudness.shortTermMaximum && streamed.truePeak == loudness.truePeak
                    && streamed.samplePeak == loudness.samplePeak)
        }
    }

    @Test(
        "Every form of samples is as loud",
        arguments: [AVAudioCommonFormat.pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32], [true, false])
    func forms(form: AVAudioCommonFormat, isInterleaved: Bool) throws {
        let sound = try Rig.buffer([Self.sine(1000, -23, seconds: 2), Self.sine(1000, -23, seconds: 2)])
        let other = try #require(sound.converted(to: Rig.format(form, interleaved: isInterleaved)))
        #expect(
            try abs(other.loudness().integrated - sound.loudness().integrated) < 0.01
                && abs(sound.loudness().integrated + 22.99) < 0.1)
    }

    /// EBU Tech 3341, signals 1 and 9: a steady tone is as loud in every window; of bursts the loudest window counts.
    @Test("Momentary and short-term loudness have windows of 400 ms and 3 s, and maxima of their own")
    func windows() throws {
        let quiet = Self.sine(1000, -43, seconds: 5), loud = Self.sine(1000, -23, seconds: 5),
            sound = quiet + loud + quiet
        let meter = try AudioLoudnessMeter(format: Rig.format())
        #expect(
            meter.momentary == -.infinity && meter.shortTerm == -.infinity && meter.loudness.integrated == -.infinity)
        try meter.process(Rig.buffer([sound, sound].map { Array($0[..<480_000]) }))
        #expect(abs(meter.momentary + 22.99) < 0.1 && abs(meter.shortTerm + 22.99) < 0.1)
        try meter.process(Rig.buffer([sound, sound].map { Array($0[480_000...]) }))
        #expect(abs(meter.momentary + 42.99) < 0.1 && abs(meter.shortTerm + 42.99) < 0.1)
        #expect(
            abs(meter.loudness.momentaryMaximum + 22.99) < 0.1 && abs(meter.loudness.shortTermMaximum + 22.99) < 0.1)
        meter.reset()
        #expect(meter.momentary == -.infinity && meter.loudness.truePeak == -.infinity)
    }

    /// EBU Tech 3342, signal 1: 20 s at -20 and 20 s at -30 dBFS have a range of 10 LU, to 1 LU.
    @Test("The range of a sound of two levels is their distance")
    func range() throws {
        let sound = Self.sine(1000, -20, seconds: 20) + Self.sine(1000, -30, seconds: 20)
        #expect(try abs(Rig.buffer([sound, sound]).loudness().range - 10) <= 1)
        #expect(try abs(Rig.buffer([Self.sine(1000, -20)]).loudness().range) < 0.1)
    }

    /// A quarter of the rate, 45° late: every sample is 3.01 dB below the true amplitude.
    @Test("A sine between the samples has its true peak above its sample peak")
    func peaks() throws {
        let loudness = try Rig.buffer([Signal.sine(12_000, count: 48_000, amplitude: 0.5, phase: .pi / 4)]).loudness()
        #expect(
            abs(loudness.samplePeak - 20 * log10(0.5 * 0.5.squareRoot())) < 0.001
                && abs(loudness.truePeak - 20 * log10(0.5)) < 0.3)
    }

    @Test("Silence is minus infinity in every measure, and no sound at all is silence")
    func silence() throws {
        for loudness in [try Rig.buffer([Signal.silence(count: 200_000)]).loudness(), try Rig.buffer([[]]).loudness()] {
            #expect(
                [
                    loudness.integrated, loudness.momentaryMaximum, loudness.shortTermMaximum, loudness.truePeak,
                    loudness.samplePeak,
                ].allSatisfy { $0 == -.infinity })
            #expect(loudness.range == 0)
        }
    }

    @Test("A file is as loud as its sound, and stays where it is")
    func file() throws {
        let folder = try TemporaryFolder(), sound = Self.sine(1000, -20, seconds: 4)
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            AVEncoderBitDepthHintKey: 24,
        ]
        let writing = try AVAudioFile(forWriting: folder.file("a.flac"), settings: settings)
        try writing.write(from: Rig.buffer([sound, sound]))
        #expect(avfaudioCode { _ = try writing.loudness() } == kAudioFileOperationNotSupportedError)
        writing.close()
        let file = try AVAudioFile(forReading: folder.file("a.flac")),
            buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 200_000))
        try file.read(into: buffer)
        file.framePosition = 1234
        let (whole, resident) = (try file.loudness(), try buffer.loudness())
        #expect(whole == resident)
        #expect(file.framePosition == 1234)
    }

    @Test("What cannot be measured is refused")
    func refusals() throws {
        let compressed = try Rig.compressed(kAudioFormatMPEG4AAC), slow = try Rig.format(rate: 3)
        for format in [compressed, slow] {
            #expect(
                avfaudioCode { _ = try AudioLoudnessMeter(format: format) } == kAudioFormatUnsupportedDataFormatError)
        }
        let meter = try AudioLoudnessMeter(format: Rig.format()), mono = try Rig.buffer([[0]])
        #expect(avfaudioCode { try meter.process(mono) } == kAudio_ParamError)
    }
}
