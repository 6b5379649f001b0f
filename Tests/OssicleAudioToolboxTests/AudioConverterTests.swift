import Foundation
import OssicleTestSupport
import Testing
import OssicleAudioToolbox

/// What an input procedure gives out, piece by piece.
private final class Source {
    var planes: [[Float]]
    var place = 0
    let piece: Int
    /// What the procedure answers at its end.
    var statusAtEnd = noErr
    private var buffers: [UnsafeMutablePointer<Float>] = []

    init(_ planes: [[Float]], piece: Int) {
        self.planes = planes
        self.piece = piece
        buffers = planes.map { _ in .allocate(capacity: piece) }
    }

    deinit { buffers.forEach { $0.deallocate() } }

    func give(_ packets: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
        let count = min(piece, planes[0].count - place)
        guard count > 0 else {
            packets.pointee = 0
            return statusAtEnd
        }
        let list = UnsafeMutableAudioBufferListPointer(data)
        for (index, buffer) in buffers.enumerated() {
            for frame in 0..<count { buffer[frame] = planes[index][place + frame] }
            list[index].mData = UnsafeMutableRawPointer(buffer)
            list[index].mDataByteSize = UInt32(count * 4)
        }
        packets.pointee = UInt32(count)
        place += count
        return noErr
    }
}

private let giveFloats: AudioConverterComplexInputDataProc = { _, packets, data, _, user in
    guard let user else { return kAudio_ParamError }
    return Unmanaged<Source>.fromOpaque(user).takeUnretainedValue().give(packets, data)
}

@Suite("AudioConverter") struct AudioConverterTests {
    private func make(
        _ source: AudioStreamBasicDescription, _ target: AudioStreamBasicDescription
    ) throws -> AudioConverterRef {
        var converter: AudioConverterRef?, source = source, target = target
        #expect(AudioConverterNew(&source, &target, &converter) == noErr)
        return try #require(converter)
    }

    /// Fills buffers of `piece` frames until nothing comes.
    private func drain(
        _ converter: AudioConverterRef, _ source: Source, channels: Int, piece: Int
    ) -> (planes: [[Float]], status: OSStatus) {
        var planes = [[Float]](repeating: [], count: channels)
        let buffers = ClientBuffers(channels: channels, frames: piece)
        while true {
            buffers.reset()
            var frames = UInt32(piece)
            let status = AudioConverterFillComplexBuffer(
                converter, giveFloats, Unmanaged.passUnretained(source).toOpaque(), &frames,
                buffers.list.unsafeMutablePointer, nil)
            for index in planes.indices { planes[index] += buffers[index].prefix(Int(frames)) }
            if status != noErr || frames == 0 { return (planes, status) }
        }
    }

    @Test("Whole buffers are converted between integers and floats by the rule of halves: -32768 is -1")
    func buffers() throws {
        let converter = try make(.integers(48_000, 1), .floats(48_000, 1, interleaved: true))
        defer { AudioConverterDispose(converter) }
        let input: [Int16] = [-32_768, -1, 0, 1, 16_384, 32_767]
        var output = [Float](repeating: 9, count: 8), size: UInt32 = 32
        #expect(AudioConverterConvertBuffer(converter, 12, input, &size, &output) == noErr && size == 24)
        #expect(output == input.map { Float($0) / 32_768 } + [9, 9])
        #expect(
            AudioConverterConvertBuffer(converter, 11, input, &size, &output) == kAudioConverterErr_InvalidInputSize)
        size = 23
        #expect(
            AudioConverterConvertBuffer(converter, 12, input, &size, &output) == kAudioConverterErr_InvalidOutputSize)
    }

    @Test("Lists of buffers change their form")
    func lists() throws {
        let converter = try make(.floats(48_000, 2), .integers(48_000, 2))
        defer { AudioConverterDispose(converter) }
        let input = ClientBuffers([[0.5, -1, 2], [0.25, 1, 0]]),
            output = ClientBuffers<Int16>(channels: 2, frames: 3, interleaved: true, filling: 0)
        #expect(
            AudioConverterConvertComplexBuffer(converter, 3, input.list.unsafePointer, output.list.unsafeMutablePointer)
                == noErr)
        #expect(output[0] == [16_384, 8192, -32_768, 32_767, 32_767, 0])
        #expect(
            AudioConverterConvertComplexBuffer(converter, 4, input.list.unsafePointer, output.list.unsafeMutablePointer)
                == kAudioConverterErr_InvalidInputSize)
        #expect(
            AudioConverterConvertComplexBuffer(
                converter, 3, output.list.unsafePointer, output.list.unsafeMutablePointer) == kAudio_ParamError)
    }

    @Test(
        "The rate changes and the tone stays, however input and output are cut",
        arguments: [(1, 4096), (1000, 1), (4096, 777)])
    func rate(input: Int, output: Int) throws {
        let converter = try make(.floats(44_100, 1), .floats(48_000, 1))
        defer { AudioConverterDispose(converter) }
        var quality = kAudioConverterQuality_Max
        #expect(AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterQuality, 4, &quality) == noErr)
        let tone = Signal.sine(1000, sampleRate: 44_100, count: 11_025, amplitude: 0.5)
        let (heard, status) = drain(converter, Source([tone], piece: input), channels: 1, piece: output)
        #expect(status == noErr && abs(heard[0].count - 12_000) <= 1)
        let found = Measure.tone(1000, in: Array(heard[0][1000..<11_000]))
        #expect(abs(Measure.decibels(found.amplitude / 0.5)) < 0.01 && found.signalToNoise > 96)
    }

    @Test("A status of the procedure comes back with what there was, and the stream goes on")
    func later() throws {
        let converter = try make(.floats(48_000, 1), .floats(48_000, 1, interleaved: true))
        defer { AudioConverterDispose(converter) }
        let source = Source([[1, 2, 3]], piece: 2)
        source.statusAtEnd = 1234
        let first = drain(converter, source, channels: 1, piece: 5)
        #expect(first.status == 1234 && first.planes == [[1, 2, 3]])
        source.planes[0] += [4, 5]
        source.statusAtEnd = noErr
        let second = drain(converter, source, channels: 1, piece: 5)
        #expect(second.status == noErr && second.planes == [[4, 5]])
        source.planes[0] += [6]
        #expect(drain(converter, source, channels: 1, piece: 5).planes == [[]])
        #expect(AudioConverterReset(converter) == noErr)
        #expect(drain(converter, source, channels: 1, piece: 5).planes == [[6]])
    }

    @Test(
        "Packets that are encoded and decoded again give the samples, without what the encoder puts before and behind",
        arguments: [
            (kAudioFormatAppleLossless, kAppleLosslessFormatFlag_16BitSourceData, true),
            (kAudioFormatFLAC, kAppleLosslessFormatFlag_16BitSourceData, true),
            (kAudioFormatOpus, AudioFormatFlags(0), false), (kAudioFormatULaw, 0, false),
            (kAudioFormatAppleIMA4, 0, false),
        ])
    func packets(id: AudioFormatID, flags: AudioFormatFlags, isLossless: Bool) throws {
        let planes = tones(channels: 2, frames: 9600).map { $0.map { ($0 * 32_768).rounded() / 32_768 } }
        let pcm = AudioStreamBasicDescription.floats(48_000, 2),
            packed = AudioStreamBasicDescription.compressed(id, 48_000, 2, flags: flags)
        let encoder = try make(pcm, packed)
        defer { AudioConverterDispose(encoder) }
        let stream = try encode(encoder, Source(planes, piece: 1000))
        let decoder = try make(stream.format, pcm)
        defer { AudioConverterDispose(decoder) }
        if !stream.cookie.isEmpty {
            #expect(
                AudioConverterSetProperty(
                    decoder, kAudioConverterDecompressionMagicCookie, UInt32(stream.cookie.count), stream.cookie)
                    == noErr)
        }
        var trim = stream.priming
        #expect(AudioConverterSetProperty(decoder, kAudioConverterPrimeInfo, 8, &trim) == noErr)
        let heard = decode(decoder, stream, channels: 2)
        #expect(heard.map(\.count) == [9600, 9600])
        for (before, after) in zip(planes, heard) {
            if isLossless { #expect(after == before) } else { #expect(Measure.correlation(before, after) > 0.98) }
        }
    }

    private struct Stream {
        var format = AudioStreamBasicDescription()
        var bytes: [UInt8] = []
        var packets: [AudioStreamPacketDescription] = []
        var cookie: [UInt8] = []
        var priming = AudioConverterPrimeInfo()
    }

    private func encode(_ encoder: AudioConverterRef, _ source: Source) throws -> Stream {
        var stream = Stream(), largest: UInt32 = 0, size: UInt32 = 4
        #expect(
            AudioConverterGetProperty(encoder, kAudioConverterPropertyMaximumOutputPacketSize, &size, &largest) == noErr
                && largest > 0)
        let buffer = ClientBuffers<UInt8>(channels: 1, frames: Int(largest) * 3, interleaved: true, filling: 0)
        var descriptions = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: 3)
        while true {
            buffer.reset()
            var packets: UInt32 = 3
            #expect(
                AudioConverterFillComplexBuffer(
                    encoder, giveFloats, Unmanaged.passUnretained(source).toOpaque(), &packets,
                    buffer.list.unsafeMutablePointer,
                    &descriptions) == noErr)
            guard packets > 0 else { break }
            stream.packets += descriptions.prefix(Int(packets)).map { packet in
                var packet = packet
                packet.mStartOffset += Int64(stream.bytes.count)
                return packet
            }
            stream.bytes += buffer[0]
        }
        size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        #expect(
            AudioConverterGetProperty(encoder, kAudioConverterCurrentOutputStreamDescription, &size, &stream.format)
                == noErr)
        size = 8
        #expect(AudioConverterGetProperty(encoder, kAudioConverterPrimeInfo, &size, &stream.priming) == noErr)
        if AudioConverterGetPropertyInfo(encoder, kAudioConverterCompressionMagicCookie, &size, nil) == noErr {
            stream.cookie = [UInt8](repeating: 0, count: Int(size))
            #expect(
                AudioConverterGetProperty(encoder, kAudioConverterCompressionMagicCookie, &size, &stream.cookie)
                    == noErr)
        }
        return stream
    }

    private func decode(_ decoder: AudioConverterRef, _ stream: Stream, channels: Int) -> [[Float]] {
        let feeder = PacketFeeder(stream.format, stream.bytes, stream.packets)
        var heard = [[Float]](repeating: [], count: channels)
        let buffers = ClientBuffers(channels: channels, frames: 1000)
        while true {
            buffers.reset()
            var frames: UInt32 = 1000
            let status = AudioConverterFillComplexBuffer(
                decoder, givePackets, Unmanaged.passUnretained(feeder).toOpaque(), &frames,
                buffers.list.unsafeMutablePointer, nil)
            #expect(status == noErr)
            guard status == noErr, frames > 0 else { return heard }
            for index in heard.indices { heard[index] += buffers[index] }
        }
    }

    @Test("Wrong input of a procedure is refused and never read")
    func wrongInput() throws {
        let plain = try make(.floats(48_000, 2), .floats(48_000, 2, interleaved: true)),
            decoder = try make(.compressed(kAudioFormatMPEGLayer3, 48_000, 2), .floats(48_000, 2))
        let output = ClientBuffers<Float>(channels: 2, frames: 10, interleaved: true, filling: 0),
            planar = ClientBuffers(channels: 2, frames: 10)
        var frames: UInt32 = 10
        func fill(_ procedure: @escaping AudioConverterComplexInputDataProc) -> OSStatus {
            frames = 10
            output.reset()
            return AudioConverterFillComplexBuffer(
                plain, procedure, nil, &frames, output.list.unsafeMutablePointer, nil)
        }
        #expect(fill { _, _, _, _, _ in noErr } == kAudioConverterErr_InvalidInputSize)
        #expect(
            fill { _, count, data, _, _ in
                data.pointee.mNumberBuffers = 1
                count.pointee = .max
                return noErr
            } == kAudioConverterErr_InvalidInputSize)
        for (offset, status) in [
            (nil, kAudioConverterErr_RequiresPacketDescriptionsError), (1 << 40, kAudioConverterErr_InvalidInputSize),
            (-1, kAudioConverterErr_InvalidInputSize), (1, kAudioConverterErr_InvalidInputSize),
        ] as [(Int64?, OSStatus)] {
            let description = offset.map {
                AudioStreamPacketDescription(mStartOffset: $0, mVariableFramesInPacket: 0, mDataByteSize: 4)
            }
            let feeder = PacketFeeder(
                .compressed(kAudioFormatMPEGLayer3, 48_000, 2), [1, 2, 3, 4],
                description.map { [$0] } ?? [AudioStreamPacketDescription()])
            feeder.describes = description != nil
            frames = 10
            planar.reset()
            #expect(
                AudioConverterFillComplexBuffer(
                    decoder, givePackets, Unmanaged.passUnretained(feeder).toOpaque(), &frames,
                    planar.list.unsafeMutablePointer, nil) == status)
        }
        frames = 11
        output.reset()
        #expect(
            AudioConverterFillComplexBuffer(plain, giveFloats, nil, &frames, output.list.unsafeMutablePointer, nil)
                == kAudioConverterErr_InvalidOutputSize)
        frames = 10
        #expect(
            AudioConverterFillComplexBuffer(plain, giveFloats, nil, &frames, planar.list.unsafeMutablePointer, nil)
                == kAudio_ParamError && frames == 0)
        #expect(AudioConverterDispose(plain) == noErr && AudioConverterDispose(decoder) == noErr)
    }

    @Test("A procedure may ask its converter for properties and end it, but not convert with it")
    func reentry() throws {
        let converter = try make(.floats(48_000, 1), .floats(48_000, 1, interleaved: true))
        let output = ClientBuffers<Float>(channels: 1, frames: 10, interleaved: true, filling: 0)
        var frames: UInt32 = 10
        let status = AudioConverterFillComplexBuffer(
            converter,
            { converter, count, _, _, _ in
                var quality: UInt32 = 0, size: UInt32 = 4
                #expect(
                    AudioConverterGetProperty(converter, kAudioConverterSampleRateConverterQuality, &size, &quality)
                        == noErr)
                #expect(
                    AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterQuality, 4, &quality)
                        == kAudioConverterErr_OperationNotSupported)
                #expect(AudioConverterReset(converter) == kAudioConverterErr_OperationNotSupported)
                #expect(AudioConverterDispose(converter) == noErr)
                count.pointee = 0
                return noErr
            }, nil, &frames, output.list.unsafeMutablePointer, nil)
        #expect(status == noErr && frames == 0)
        #expect(AudioConverterReset(converter) == kAudio_ParamError)
    }
}
