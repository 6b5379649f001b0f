import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleTestSupport
import Testing
import OssicleAudioToolbox

/// What a client hears of a stream.
private final class Client {
    var properties: [AudioFileStreamPropertyID] = []
    var format = AudioStreamBasicDescription()
    var cookie: [UInt8] = []
    var table = AudioFilePacketTableInfo()
    var bytes: [UInt8] = []
    var packets: [AudioStreamPacketDescription] = []

    static func of(_ reference: UnsafeMutableRawPointer) -> Client {
        Unmanaged<Client>.fromOpaque(reference).takeUnretainedValue()
    }

    func learn(_ stream: AudioFileStreamID, _ id: AudioFileStreamPropertyID) {
        properties.append(id)
        var size: UInt32 = 0
        let isKnown = AudioFileStreamGetPropertyInfo(stream, id, &size, nil) == noErr
        #expect(isKnown || id == kAudioFileStreamProperty_PacketTableInfo)
        if id == kAudioFileStreamProperty_DataFormat {
            #expect(AudioFileStreamGetProperty(stream, id, &size, &format) == noErr)
        } else if id == kAudioFileStreamProperty_MagicCookieData {
            cookie = [UInt8](repeating: 0, count: Int(size))
            #expect(AudioFileStreamGetProperty(stream, id, &size, &cookie) == noErr)
        }
    }

    func take(
        _ number: Int, _ input: UnsafeRawPointer, _ size: Int,
        _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) {
        for index in 0..<number {
            let constant = Int(format.mBytesPerPacket)
            var packet =
                descriptions?[index]
                ?? AudioStreamPacketDescription(
                    mStartOffset: Int64(index * constant), mVariableFramesInPacket: 0, mDataByteSize: UInt32(constant))
            #expect(packet.mStartOffset >= 0 && Int(packet.mStartOffset) + Int(packet.mDataByteSize) <= size)
            packet.mStartOffset += Int64(bytes.count)
            packets.append(packet)
        }
        bytes += UnsafeRawBufferPointer(start: input, count: size)
    }
}

private let listen: AudioFileStream_PropertyListenerProc = { reference, stream, id, _ in
    Client.of(reference).learn(stream, id)
}
private let collect: AudioFileStream_PacketsProc = { reference, size, number, input, descriptions in
    Client.of(reference).take(Int(number), input, Int(size), descriptions)
}

@Suite("AudioFileStream") struct AudioFileStreamTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ client: Client, hint: AudioFileTypeID = 0) throws -> AudioFileStreamID {
        var stream: AudioFileStreamID?
        #expect(
            AudioFileStreamOpen(Unmanaged.passUnretained(client).toOpaque(), listen, collect, hint, &stream) == noErr)
        return try #require(stream)
    }

    private func parse(_ data: [UInt8], in piece: Int, _ stream: AudioFileStreamID) {
        for start in stride(from: 0, to: data.count, by: piece) {
            let part = Array(data[start..<min(start + piece, data.count)])
            #expect(AudioFileStreamParseBytes(stream, UInt32(part.count), part, []) == noErr)
        }
    }

    @Test(
        "However a file is cut, its packets decode to its samples",
        arguments: [
            ("a.mp3", AudioContainer.mpeg, AudioCodec.mp3), ("a.wav", .wav, .pcm16), ("a.aif", .aiff, .pcm24),
            ("a.flac", .flac, .flac16), ("a.caf", .caf, .float32),
            ("a.au", .au, .muLaw),
        ], [1, 100, 4096])
    func pieces(file: (name: String, container: AudioContainer, codec: AudioCodec), piece: Int) throws {
        try makeFile(folder.path(file.name), file.container, file.codec, tones(channels: 2, frames: 10_000))
        let expected = try samples(of: folder.path(file.name)), client = Client()
        let stream = try open(client)
        parse(Array(try Data(contentsOf: folder.url.appendingPathComponent(file.name))), in: piece, stream)
        var table = AudioFilePacketTableInfo(), size = UInt32(MemoryLayout<AudioFilePacketTableInfo>.size)
        let isTold =
            AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_PacketTableInfo, &size, &table) == noErr
        #expect(AudioFileStreamClose(stream) == noErr)
        let order = client.properties
        #expect(Array(order.prefix(2)) == [kAudioFileStreamProperty_FileFormat, kAudioFileStreamProperty_DataFormat])
        #expect(
            order.last == kAudioFileStreamProperty_ReadyToProducePackets
                && order.filter { $0 == kAudioFileStreamProperty_ReadyToProducePackets }.count == 1)
        var target = AudioStreamBasicDescription.floats(48_000, 2), made: AudioConverterRef?
        #expect(AudioConverterNew(&client.format, &target, &made) == noErr)
        let converter = try #require(made)
        defer { AudioConverterDispose(converter) }
        if !client.cookie.isEmpty {
            #expect(
                AudioConverterSetProperty(
                    converter, kAudioConverterDecompressionMagicCookie, UInt32(client.cookie.count), client.cookie)
                    == noErr)
        }
        if isTold {
            var trim = AudioConverterPrimeInfo(
                leadingFrames: UInt32(table.mPrimingFrames), trailingFrames: UInt32(table.mRemainderFrames))
            #expect(
                AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, 8, &trim) == noErr
                    || client.format.mFormatID == kAudioFormatLinearPCM)
        }
        let feeder = PacketFeeder(client.format, client.bytes, client.packets)
        var heard: [[Float]] = [[], []]
        let buffers = ClientBuffers(channels: 2, frames: 3000)
        while true {
            buffers.reset()
            var frames: UInt32 = 3000
            #expect(
                AudioConverterFillComplexBuffer(
                    converter, givePackets, Unmanaged.passUnretained(feeder).toOpaque(), &frames,
                    buffers.list.unsafeMutablePointer, nil) == noErr)
            guard frames > 0 else { break }
            for index in heard.indices { heard[index] += buffers[index] }
        }
        #expect(heard.map(\.count) == [10_000, 10_000])
        #expect(heard == expected)
    }

    @Test("Properties have no value until the bytes have told them")
    func properties() throws {
        try makeFile(folder.path("a.wav"), .wav, .pcm16, tones(channels: 2, frames: 1000))
        let data = Array(try Data(contentsOf: folder.url.appendingPathComponent("a.wav"))), client = Client(),
            stream = try open(client)
        var size: UInt32 = 4, number: UInt32 = 9
        #expect(
            AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_FileFormat, &size, &number)
                == kAudioFileStreamError_ValueUnknown)
        #expect(
            AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_ReadyToProducePackets, &size, &number) == noErr
                && number == 0)
        parse(data, in: 50, stream)
        func get<Value>(_ id: AudioFileStreamPropertyID, _ start: Value) -> Value {
            var value = start, size: UInt32 = 0, writable: DarwinBoolean = true
            #expect(AudioFileStreamGetPropertyInfo(stream, id, &size, &writable) == noErr)
            #expect(Int(size) == MemoryLayout<Value>.size && !writable.boolValue)
            #expect(AudioFileStreamGetProperty(stream, id, &size, &value) == noErr)
            size -= 1
            var other = start
            #expect(AudioFileStreamGetProperty(stream, id, &size, &other) == kAudioFileStreamError_BadPropertySize)
            return value
        }
        #expect(get(kAudioFileStreamProperty_ReadyToProducePackets, UInt32(0)) == 1)
        #expect(get(kAudioFileStreamProperty_FileFormat, UInt32(0)) == kAudioFileWAVEType)
        #expect(get(kAudioFileStreamProperty_DataFormat, AudioStreamBasicDescription()) == .integers(48_000, 2))
        #expect(get(kAudioFileStreamProperty_FormatList, AudioFormatListItem()).mASBD == .integers(48_000, 2))
        #expect(get(kAudioFileStreamProperty_AudioDataByteCount, UInt64(0)) == 4000)
        #expect(get(kAudioFileStreamProperty_AudioDataPacketCount, UInt64(0)) == 1000)
        #expect(get(kAudioFileStreamProperty_MaximumPacketSize, UInt32(0)) == 4)
        #expect(get(kAudioFileStreamProperty_PacketSizeUpperBound, UInt32(0)) == 4)
        #expect(get(kAudioFileStreamProperty_AverageBytesPerPacket, Float64(0)) == 4)
        #expect(get(kAudioFileStreamProperty_BitRate, UInt32(0)) == 1_536_000)
        #expect(
            get(kAudioFileStreamProperty_ChannelLayout, AudioChannelLayout()).mChannelLayoutTag
                == kAudioChannelLayoutTag_Stereo)
        #expect(Int(get(kAudioFileStreamProperty_DataOffset, Int64(0))) == data.count - 4000)
        #expect(
            get(
                kAudioFileStreamProperty_PacketToFrame,
                AudioFramePacketTranslation(mFrame: 0, mPacket: 7, mFrameOffsetInPacket: 0)
            ).mFrame == 7)
        #expect(
            get(
                kAudioFileStreamProperty_FrameToPacket,
                AudioFramePacketTranslation(mFrame: 7, mPacket: 0, mFrameOffsetInPacket: 0)
            ).mPacket == 7)
        #expect(
            get(
                kAudioFileStreamProperty_PacketToByte,
                AudioBytePacketTranslation(mByte: 0, mPacket: 7, mByteOffsetInPacket: 0, mFlags: [])
            ).mByte == 28)
        #expect(
            get(
                kAudioFileStreamProperty_ByteToPacket,
                AudioBytePacketTranslation(mByte: 30, mPacket: 0, mByteOffsetInPacket: 0, mFlags: [])
            ).mByteOffsetInPacket == 2)
        var offset: Int64 = 0, flags: AudioFileStreamSeekFlags = []
        #expect(AudioFileStreamSeek(stream, 100, &offset, &flags) == noErr && offset == 400 && flags.isEmpty)
        #expect(AudioFileStreamSeek(stream, -1, &offset, &flags) == kAudioFileStreamError_InvalidPacketOffset)
        #expect(
            AudioFileStreamSetProperty(stream, kAudioFileStreamProperty_BitRate, 4, &number)
                == kAudioFileStreamError_IllegalOperation)
        #expect(
            AudioFileStreamGetPropertyInfo(stream, 0x7878_7878, nil, nil) == kAudioFileStreamError_UnsupportedProperty)
        #expect(AudioFileStreamClose(stream) == noErr)
        #expect(AudioFileStreamClose(stream) == kAudio_ParamError)
        #expect(AudioFileStreamParseBytes(stream, 1, data, []) == kAudio_ParamError)
        #expect(
            AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_BitRate, &size, &number) == kAudio_ParamError)
    }

    @Test("After a gap the stream goes on with the next whole packet")
    func discontinuity() throws {
        try makeFile(folder.path("a.mp3"), .mpeg, .mp3, tones(channels: 1, frames: 240_000))
        let data = Array(try Data(contentsOf: folder.url.appendingPathComponent("a.mp3")))
        let whole = Client(), stream = try open(whole)
        parse(data, in: 1000, stream)
        #expect(AudioFileStreamClose(stream) == noErr)
        let gap = Client(), broken = try open(gap, hint: kAudioFileMP3Type)
        parse(Array(data[..<5000]), in: 1000, broken)
        let before = gap.packets.count, second = Array(data[9000...])
        #expect(AudioFileStreamParseBytes(broken, UInt32(second.count), second, .discontinuity) == noErr)
        #expect(AudioFileStreamClose(broken) == noErr)
        func packet(_ client: Client, _ index: Int) -> [UInt8] {
            let packet = client.packets[index]
            return Array(client.bytes.dropFirst(Int(packet.mStartOffset)).prefix(Int(packet.mDataByteSize)))
        }
        let after = gap.packets.count - before
        #expect(before > 3 && after > 3)
        for index in 1...after where index <= whole.packets.count {
            #expect(packet(gap, gap.packets.count - index) == packet(whole, whole.packets.count - index))
        }
    }

    @Test("What is no sound file is refused, and the functions may end the stream but not parse in it")
    func misuse() throws {
        let client = Client(), stream = try open(client), noise = [UInt8](repeating: 0x41, count: 100_000)
        var status = noErr
        for start in stride(from: 0, to: noise.count, by: 1000) where status == noErr {
            status = AudioFileStreamParseBytes(stream, 1000, Array(noise[start..<start + 1000]), [])
        }
        #expect(status == kAudioFileStreamError_UnsupportedFileType)
        _ = AudioFileStreamClose(stream)
        try makeFile(folder.path("a.wav"), .wav, .pcm16, [[0.5, 0.5]])
        let data = Array(try Data(contentsOf: folder.url.appendingPathComponent("a.wav")))
        var opened: AudioFileStreamID?
        let close: AudioFileStream_PropertyListenerProc = { _, stream, _, _ in
            let status = AudioFileStreamParseBytes(stream, 0, nil, [])
            #expect(status == kAudioFileStreamError_IllegalOperation)
            _ = AudioFileStreamClose(stream)
        }
        #expect(
            AudioFileStreamOpen(
                nil, close, { _, _, _, _, _ in Issue.record("a closed stream gives no packets") }, 0, &opened) == noErr)
        #expect(AudioFileStreamParseBytes(try #require(opened), UInt32(data.count), data, []) == noErr)
        #expect(AudioFileStreamClose(try #require(opened)) == kAudio_ParamError)
    }
}
