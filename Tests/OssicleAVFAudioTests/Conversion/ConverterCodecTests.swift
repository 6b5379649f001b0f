import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

#if FFmpeg
private let lossyCodecs: [AudioFormatID] = [kAudioFormatMPEG4AAC, kAudioFormatOpus]
#else
private let lossyCodecs: [AudioFormatID] = [kAudioFormatOpus]
#endif

/// Packet by packet, from samples and back to them.
@Suite("Compressed formats in AVAudioConverter") struct ConverterCodecTests {
    private let count = 30_000

    /// What came out, and what the encoder told of its priming.
    private func roundTrip(
        _ sound: [[Float]], _ format: AVAudioFormat, _ set: (AVAudioConverter) -> Void = { _ in }
    )
        throws -> (sound: [[Float]], priming: AVAudioConverterPrimeInfo, packets: [AVAudioCompressedBuffer])
    {
        let plain = try Rig.format(rate: format.sampleRate, channels: UInt32(sound.count))
        let encoder = try Rig.converter(plain, format)
        set(encoder)
        let packets = try Rig.encode(encoder, Rig.pieces(sound, of: 1000, rate: format.sampleRate))
        let decoder = try Rig.converter(format, plain)
        decoder.magicCookie = encoder.magicCookie
        decoder.primeInfo = encoder.primeInfo
        return (try Rig.run(decoder, packets.map { .give($0) }), encoder.primeInfo, packets)
    }

    @Test(
        "Lossless codecs give back every sample and no other",
        arguments: [
            (kAudioFormatFLAC, 16), (kAudioFormatFLAC, 24), (kAudioFormatAppleLossless, 16),
            (kAudioFormatAppleLossless, 24),
        ])
    func lossless(id: AudioFormatID, bits: Int) throws {
        let scale = Float(1 << (bits - 1))
        let sound = (0..<2).map { channel in
            Signal.noise(count: count, seed: UInt64(channel + 1), amplitude: 0.9).map { ($0 * scale).rounded() / scale }
        }
        let result = try roundTrip(sound, Rig.compressed(id, [AVEncoderBitDepthHintKey: bits]))
        #expect(result.sound == sound && result.priming.leadingFrames == 0)
    }

    /// 33 dB is what ITU-T G.712 asks of both laws for a sine of 0 to -30 dBm0; four bits that follow the sound have 24
    /// dB of their own.
    @Test(
        "The laws of G.711 and IMA4 keep the length and what 8 and 4 bits can",
        arguments: [(kAudioFormatULaw, 33.0), (kAudioFormatALaw, 33.0), (kAudioFormatAppleIMA4, 24.0)])
    func simple(id: AudioFormatID, least: Double) throws {
        let sound = Signal.sine(997, count: count - count % 64, amplitude: 0.5)
        let result = try roundTrip([sound], Rig.compressed(id, channels: 1))
        #expect(result.sound[0].count == sound.count && result.packets.allSatisfy { $0.packetDescriptions == nil })
        #expect(Measure.tone(997, in: result.sound[0]).signalToNoise > least)
    }

    @Test("Lossy codecs keep length, place and level when their priming is taken away", arguments: lossyCodecs)
    func lossy(id: AudioFormatID) throws {
        let tones = Signal.sine(1000, count: count, amplitude: 0.25)
        let sound = zip(tones, Signal.sine(313, count: count, amplitude: 0.25)).map { $0 + $1 }
        let result = try roundTrip([sound, sound], Rig.compressed(id)) { $0.bitRate = 256_000 }
        #expect(result.priming.leadingFrames > 0 && result.sound[0].count == count)
        #expect(abs(Measure.delay(of: result.sound[0], after: sound, range: 3000)) < 0.1)
        let error = zip(result.sound[0], sound).map { $0 - $1 }[4000..<26_000]
        #expect(Measure.level(sound[4000..<26_000]) - Measure.level(error) > 30)
    }

    @Test("A bit rate that is asked for comes", arguments: lossyCodecs)
    func bitRates(id: AudioFormatID) throws {
        let sound = Signal.noise(count: 96_000, amplitude: 0.3), format = try Rig.compressed(id)
        for rate in [64_000, 192_000] {
            let encoder = try Rig.converter(Rig.format(), format)
            encoder.bitRateStrategy = AVAudioBitRateStrategy_Constant
            encoder.bitRate = rate
            #expect(encoder.bitRate == rate && encoder.bitRateStrategy == AVAudioBitRateStrategy_Constant)
            let bytes = try Rig.encode(encoder, Rig.pieces([sound, sound], of: 4096)).reduce(0) {
                $0 + Int($1.byteLength)
            }
            #expect(abs(Double(bytes) * 8 / 2 / Double(rate) - 1) < 0.12, "\(bytes) bytes in 2 s at \(rate)")
        }
    }

    @Test("Encoders tell what they can do", arguments: lossyCodecs)
    func ranges(id: AudioFormatID) throws {
        let encoder = try Rig.converter(Rig.format(), Rig.compressed(id))
        let (available, applicable) = (
            try #require(encoder.availableEncodeBitRates), try #require(encoder.applicableEncodeBitRates)
        )
        #expect(
            applicable.contains(128_000) && Set(applicable).isSubset(of: Set(available))
                && applicable == applicable.sorted { $0.intValue < $1.intValue })
        #expect(
            encoder.availableEncodeSampleRates?.contains(48_000) == true
                && encoder.applicableEncodeSampleRates?.contains(48_000) == true)
        let tags = try #require(encoder.availableEncodeChannelLayoutTags).map(\.uint32Value)
        #expect(tags.contains(kAudioChannelLayoutTag_Mono) && tags.contains(kAudioChannelLayoutTag_Stereo))
        if id == kAudioFormatMPEG4AAC { #expect(tags.contains(kAudioChannelLayoutTag_AAC_5_1)) }
        encoder.bitRate = 1_000_000_000
        #expect(encoder.bitRate > 100_000 && encoder.bitRate < 1_000_000_000 && encoder.maximumOutputPacketSize > 0)
        encoder.bitRateStrategy = "lavish"
        #expect(encoder.bitRateStrategy == nil && encoder.lastError is OssicleError)
    }

    @Test("The cookie of an encoder is what its decoder needs")
    func cookie() throws {
        let format = try Rig.compressed(kAudioFormatAppleLossless), plain = try Rig.format(),
            sound = [Float](repeating: 0.5, count: 5000)
        let encoder = try Rig.converter(plain, format)
        let packets = try Rig.encode(encoder, Rig.pieces([sound, sound], of: 5000))
        let cookie = try #require(encoder.magicCookie)
        let told = try Rig.compressed(kAudioFormatAppleLossless)
        told.magicCookie = cookie
        let decoder = try Rig.converter(told, plain)
        #expect(decoder.magicCookie == cookie)
        #expect(try Rig.run(decoder, packets.map { .give($0) })[0] == sound)
        let naive = try Rig.converter(format, plain)
        #expect(throws: OssicleError.self) { try Rig.run(naive, packets.map { .give($0) }) }
    }

    @Test("Compressed sound changes its rate, form and channels on the way")
    func onTheWay() throws {
        let sound = Signal.sine(1000, count: 48_000, amplitude: 0.5)
        let encoder = try Rig.converter(
            Rig.format(.pcmFormatFloat32, interleaved: true), Rig.compressed(kAudioFormatFLAC))
        let packets = try Rig.encode(encoder, Rig.pieces([sound, sound], of: 999, format: encoder.inputFormat))
        let decoder = try Rig.converter(encoder.outputFormat, Rig.format(rate: 16_000, channels: 1))
        decoder.magicCookie = encoder.magicCookie
        let output = try Rig.run(decoder, packets.map { .give($0) })[0]
        let tone = Measure.tone(1000, in: Array(output[1600..<14_400]), sampleRate: 16_000)
        #expect(abs(output.count - 16_000) <= 1 && tone.signalToNoise > 80 && abs(tone.amplitude - 0.5) < 0.001)
    }

    @Test("Packets that lie outside their buffer, or make no sense, are errors, and the rest can be decoded")
    func damage() throws {
        let encoder = try Rig.converter(Rig.format(), Rig.compressed(kAudioFormatFLAC)),
            sound = Signal.noise(count: 20_000, amplitude: 0.5)
        let packets = try Rig.encode(encoder, Rig.pieces([sound, sound], of: 4096), packets: 1)
        let decoder = try Rig.converter(encoder.outputFormat, Rig.format())
        decoder.magicCookie = encoder.magicCookie
        let output = try #require(AVAudioPCMBuffer(pcmFormat: decoder.outputFormat, frameCapacity: 1000))
        func code(_ damage: (AVAudioCompressedBuffer) -> Void) throws -> OSStatus? {
            let buffer = try #require(packets[1].copy() as? AVAudioCompressedBuffer)
            damage(buffer)
            let script = Script([.give(buffer)])
            var failure: NSError?
            return decoder.convert(to: output, error: &failure) { script.next($0, $1) } == .error
                ? failure.map { OSStatus($0.code) } : nil
        }
        #expect(try code { $0.packetDescriptions?[0].mStartOffset = -1 } == kAudioConverterErr_InvalidInputSize)
        #expect(try code { $0.packetDescriptions?[0].mStartOffset = .max } == kAudioConverterErr_InvalidInputSize)
        #expect(try code { $0.packetDescriptions?[0].mDataByteSize = .max } == kAudioConverterErr_InvalidInputSize)
        #expect(try code { $0.byteLength = 1 } == kAudioConverterErr_InvalidInputSize)
        #expect(try code { memset($0.data, 0xA5, Int($0.byteLength)) } == kAudioConverterErr_UnspecifiedError)
        decoder.reset()
        #expect(try Rig.run(decoder, packets.map { .give($0) })[0].count == 20_000)
    }

    @Test("Without FFmpeg AAC is refused by its trait's name")
    func trait() throws {
        #if FFmpeg
        #expect(AVAudioConverter(from: try Rig.format(), to: try Rig.compressed(kAudioFormatMPEG4AAC)) != nil)
        #else
        do { _ = try Rig.converter(Rig.format(), Rig.compressed(kAudioFormatMPEG4AAC)) } catch let error as OssicleError
        {
            #expect(
                error.code == Int(kAudioConverterErr_FormatNotSupported) && error.rule.contains("FFmpeg")
                    && error.cure.contains("FFmpeg"))
            return
        }
        Issue.record("there is AAC without FFmpeg")
        #endif
    }
}
