import OssicleTestSupport
import Testing
@testable import OssicleCodecs

@Suite("Cookies") struct CookieTests {
    @Test("An AudioSpecificConfig tells object, rate and channels: AAC-LC, 44.1 kHz, two channels is 12 10")
    func plainAAC() throws {
        let aac = try #require(AACConfiguration(cookie: [0x12, 0x10]))
        #expect(
            aac.objectType == 2 && aac.sampleRate == 44_100 && aac.channelConfiguration == 2 && aac.channelCount == 2)
        #expect(aac.framesPerPacket == 1024 && aac.codec == .aac && !aac.isSBR)
        let surround = try #require(AACConfiguration(cookie: [0x11, 0xB0]))
        #expect(surround.sampleRate == 48_000 && surround.channelCount == 6)
        let odd = try #require(AACConfiguration(cookie: [0x17, 0x80, 0x1F, 0x40, 0x08]))
        #expect(odd.sampleRate == 16_000 && odd.channelCount == 1)
    }

    @Test("High efficiency is told in front or behind")
    func highEfficiency() throws {
        // Object type 5: core of 24 kHz, two channels, 48 kHz behind the replication.
        let front = try #require(AACConfiguration(cookie: [0x2B, 0x11, 0x88, 0x00]))
        #expect(
            front.isSBR && !front.isPS && front.sampleRate == 48_000 && front.coreSampleRate == 24_000
                && front.codec == .heAAC)
        #expect(front.framesPerPacket == 2048)
        let behind = try #require(AACConfiguration(cookie: [0x13, 0x10, 0x56, 0xE5, 0x98]))
        #expect(
            behind.isSBR && behind.objectType == 2 && behind.sampleRate == 48_000 && behind.coreSampleRate == 24_000)
        let parametric = try #require(AACConfiguration(cookie: [0xEB, 0x09, 0x88, 0x00]))
        #expect(
            parametric.isPS && parametric.codec == .heAACv2 && parametric.codedChannelCount == 1
                && parametric.channelCount == 2)
    }

    @Test("An ES descriptor goes around a configuration and comes off again")
    func descriptor() throws {
        let bare = try #require(AACConfiguration(cookie: [0x12, 0x10]))
        let descriptor = bare.elementaryStreamDescriptor
        #expect(try #require(AACConfiguration(cookie: descriptor)) == bare)
        let box = [0, 0, 0, UInt8(12 + descriptor.count)] + Array("esds".utf8) + [0, 0, 0, 0] + descriptor
        #expect(try #require(AACConfiguration(cookie: box)) == bare)
        // As other writers make them: lengths of one byte, a URL and a clock reference.
        let short: [UInt8] = [
            3, 27, 0, 1, 0x60, 2, 65, 66, 0, 1, 4, 17, 0x40, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 2, 0x12, 0x10,
        ]
        #expect(try #require(AACConfiguration(cookie: short)) == bare)
        for bytes in [[], [0x12], [0x03], [0x1F, 0xFF], Array(descriptor.prefix(20))] as [[UInt8]] {
            #expect(AACConfiguration(cookie: bytes) == nil)
        }
    }

    @Test("STREAMINFO is read bare, behind fLaC and in its box")
    func flac() throws {
        var info = FLACStreamInfo(sampleRate: 96_000, channelCount: 6, bitsPerSample: 24)
        info.frameCount = 0xA_1234_5678
        (info.minimumFrameSize, info.maximumFrameSize) = (14, 70_000)
        info.signature = (1...16).map { UInt8($0) }
        for cookie in [
            info.bytes, info.streamHead, info.box, Array(info.streamHead.dropFirst(4)), info.bytes + [1, 2, 3],
        ] {
            #expect(FLACStreamInfo(cookie: cookie) == info)
        }
        #expect(info.bytes.count == 34)
        #expect(FLACStreamInfo(cookie: Array(info.bytes.dropLast())) == nil)
        #expect(FLACStreamInfo(cookie: [UInt8](repeating: 0, count: 34)) == nil)
    }

    @Test("The Opus header goes to bytes and back")
    func opus() throws {
        var plain = OpusHeader(plainChannels: 2)
        (plain.preSkip, plain.inputSampleRate, plain.outputGain) = (312, 44_100, -300)
        #expect(plain.bytes.count == 19 && OpusHeader(cookie: plain.bytes) == plain)
        let six = OpusHeader(
            channelCount: 6, preSkip: 312, inputSampleRate: 48_000, mappingFamily: 1, streamCount: 4, coupledCount: 2,
            mapping: [0, 4, 1, 2, 3, 5])
        #expect(six.bytes.count == 27 && OpusHeader(cookie: six.bytes) == six)
        var beyond = six
        beyond.mapping[5] = 6
        #expect(OpusHeader(cookie: beyond.bytes) == nil && OpusHeader(cookie: Array(six.bytes.dropLast())) == nil)
    }

    @Test("The Apple Lossless configuration is read bare and in older files' boxes")
    func alac() throws {
        var configuration = ALACConfiguration(bitDepth: 24, channelCount: 2, sampleRate: 96_000)
        configuration.maximumPacketSize = 25_000
        let box = { (name: String, content: [UInt8]) in
            [0, 0, 0, UInt8(8 + content.count)] + Array(name.utf8) + content
        }
        let old = box("frma", Array("alac".utf8)) + box("alac", [0, 0, 0, 0] + configuration.bytes)
        for cookie in [configuration.bytes, old, configuration.bytes + [0, 0, 0, 24]] {
            #expect(ALACConfiguration(cookie: cookie) == configuration)
        }
        #expect(
            configuration.bytes.count == 24 && ALACConfiguration(cookie: Array(configuration.bytes.dropLast())) == nil)
    }

    @Test("Damaged cookies are read or refused, and decoders of them are made or refused")
    func damaged() throws {
        let aac = try #require(AACConfiguration(cookie: [0x12, 0x10]))
        let cookies: [(AudioCodec, [UInt8])] = [
            (.aac, aac.elementaryStreamDescriptor), (.aac, [0x13, 0x10, 0x56, 0xE5, 0x98, 0, 0]),
            (.flac16, FLACStreamInfo(sampleRate: 48_000, channelCount: 2, bitsPerSample: 16).box),
            (
                .opus,
                OpusHeader(
                    channelCount: 6, preSkip: 312, inputSampleRate: 48_000, mappingFamily: 1, streamCount: 4,
                    coupledCount: 2,
                    mapping: [0, 4, 1, 2, 3, 5]
                ).bytes
            ),
            (.alac24, ALACConfiguration(bitDepth: 24, channelCount: 2, sampleRate: 48_000).bytes),
        ]
        for (number, (codec, cookie)) in cookies.enumerated() {
            var mutator = Mutator(seed: UInt64(number))
            for _ in 0..<500 {
                let mutated = mutator.mutate(cookie)
                _ = AACConfiguration(cookie: mutated)
                guard codec != .aac else { continue }
                let format = PacketFormat(codec: codec, sampleRate: 48_000, channelCount: 2, cookie: mutated)
                do throws(CodecError) {
                    let decoder = try Codecs.makeDecoder(format)
                    #expect((1...255).contains(decoder.format.channelCount) && decoder.format.sampleRate > 0)
                } catch {
                    #expect([.damaged, .unsupported].contains(error.kind))
                }
            }
        }
    }
}
