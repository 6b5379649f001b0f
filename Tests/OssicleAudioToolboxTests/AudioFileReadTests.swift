import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleTestSupport
import Testing
import OssicleAudioToolbox

@Suite("Reading by AudioFile") struct AudioFileReadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String) throws -> AudioFileID {
        var file: AudioFileID?
        #expect(AudioFileOpenURL(folder.file(name), .readPermission, 0, &file) == noErr)
        return try #require(file)
    }

    private func get<Value>(_ file: AudioFileID, _ id: AudioFilePropertyID, _ start: Value) -> Value {
        var value = start, size: UInt32 = 0, writable: UInt32 = 9
        #expect(AudioFileGetPropertyInfo(file, id, &size, &writable) == noErr)
        #expect(Int(size) == MemoryLayout<Value>.size && writable == 0)
        #expect(AudioFileGetProperty(file, id, &size, &value) == noErr)
        var small = UInt32(MemoryLayout<Value>.size - 1), other = start
        #expect(AudioFileGetProperty(file, id, &small, &other) == kAudioFileBadPropertySizeError)
        return value
    }

    @Test(
        "Packets of a file, decoded by a converter that trims them, are the samples of the file",
        arguments: [
            ("a.mp3", AudioContainer.mpeg, AudioCodec.mp3), ("a.caf", .caf, .alac16), ("a.flac", .flac, .flac16),
            ("a.wav", .wav, .pcm24), ("u.wav", .wav, .muLaw),
            ("a.aif", .aiff, .pcm16),
        ])
    func packetLoop(name: String, container: AudioContainer, codec: AudioCodec) throws {
        try makeFile(folder.path(name), container, codec, tones(channels: 2, frames: 20_000))
        let expected = try samples(of: folder.path(name))
        let file = try open(name)
        defer { AudioFileClose(file) }
        var format = get(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription()),
            client = AudioStreamBasicDescription.floats(48_000, 2)
        var made: AudioConverterRef?
        #expect(AudioConverterNew(&format, &client, &made) == noErr)
        let converter = try #require(made)
        defer { AudioConverterDispose(converter) }
        var size: UInt32 = 0
        if AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, nil) == noErr {
            var cookie = [UInt8](repeating: 0, count: Int(size))
            #expect(AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &size, &cookie) == noErr)
            #expect(
                AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, size, cookie) == noErr)
        }
        if format.mFormatID != kAudioFormatLinearPCM {
            let table = get(file, kAudioFilePropertyPacketTableInfo, AudioFilePacketTableInfo())
            #expect(table.mNumberValidFrames == 20_000)
            var trim = AudioConverterPrimeInfo(
                leadingFrames: UInt32(table.mPrimingFrames), trailingFrames: UInt32(table.mRemainderFrames))
            #expect(AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, 8, &trim) == noErr)
        }
        let reader = FilePackets(file, format, get(file, kAudioFilePropertyPacketSizeUpperBound, UInt32(0)))
        var heard: [[Float]] = [[], []]
        let buffers = ClientBuffers(channels: 2, frames: 3000)
        while true {
            buffers.reset()
            var frames: UInt32 = 3000
            #expect(
                AudioConverterFillComplexBuffer(
                    converter, readPackets, Unmanaged.passUnretained(reader).toOpaque(), &frames,
                    buffers.list.unsafeMutablePointer, nil) == noErr)
            guard frames > 0 else { break }
            for index in heard.indices { heard[index] += buffers[index] }
        }
        #expect(heard.map(\.count) == [20_000, 20_000])
        #expect(heard == expected)
    }

    @Test("Packets read one by one, in any order and by either function, are the same")
    func packets() throws {
        try makeFile(folder.path("a.mp3"), .mpeg, .mp3, tones(channels: 1, frames: 20_000))
        let file = try open("a.mp3")
        defer { AudioFileClose(file) }
        let count = Int(get(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0))),
            largest = get(file, kAudioFilePropertyMaximumPacketSize, UInt32(0))
        #expect(
            count >= 20_000 / 1152 && largest > 0
                && get(file, kAudioFilePropertyPacketSizeUpperBound, UInt32(0)) >= largest)
        var memory = [UInt8](repeating: 0, count: Int(largest) * count), bytes = UInt32(memory.count),
            number = UInt32(count)
        var descriptions = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: count)
        #expect(
            AudioFileReadPacketData(file, false, &bytes, &descriptions, 0, &number, &memory) == noErr && number == count
        )
        #expect(bytes == get(file, kAudioFilePropertyAudioDataByteCount, UInt64(0)))
        for index in [count - 1, 0, count / 2] {
            var one = [UInt8](repeating: 0, count: Int(largest)), description = AudioStreamPacketDescription(),
                size: UInt32 = 0, packets: UInt32 = 1
            #expect(
                AudioFileReadPackets(file, true, &size, &description, Int64(index), &packets, &one) == noErr
                    && packets == 1)
            let expected = descriptions[index]
            #expect(
                description.mDataByteSize == expected.mDataByteSize && size == expected.mDataByteSize
                    && description.mStartOffset == 0)
            #expect(Array(one[..<Int(size)]) == Array(memory[Int(expected.mStartOffset)...].prefix(Int(size))))
            var place = AudioFramePacketTranslation(mFrame: 0, mPacket: Int64(index), mFrameOffsetInPacket: 0)
            var placeSize = UInt32(MemoryLayout<AudioFramePacketTranslation>.size)
            #expect(
                AudioFileGetProperty(file, kAudioFilePropertyPacketToFrame, &placeSize, &place) == noErr
                    && place.mFrame == 1152 * index)
            place.mFrame += 7
            #expect(
                AudioFileGetProperty(file, kAudioFilePropertyFrameToPacket, &placeSize, &place) == noErr
                    && place.mPacket == index && place.mFrameOffsetInPacket == 7)
            var byte = AudioBytePacketTranslation(mByte: 0, mPacket: Int64(index), mByteOffsetInPacket: 0, mFlags: [])
            var byteSize = UInt32(MemoryLayout<AudioBytePacketTranslation>.size)
            #expect(
                AudioFileGetProperty(file, kAudioFilePropertyPacketToByte, &byteSize, &byte) == noErr
                    && byte.mByte == expected.mStartOffset)
            byte.mByte += 3
            #expect(
                AudioFileGetProperty(file, kAudioFilePropertyByteToPacket, &byteSize, &byte) == noErr
                    && byte.mPacket == index && byte.mByteOffsetInPacket == 3)
            byte.mPacket = .max
            #expect(
                AudioFileGetProperty(file, kAudioFilePropertyPacketToByte, &byteSize, &byte)
                    == kAudioFileInvalidPacketOffsetError)
        }
        number = 1
        bytes = 4
        #expect(
            AudioFileReadPacketData(file, false, &bytes, nil, 0, &number, &memory) == kAudioFileBadPropertySizeError
                && number == 0 && bytes == 0)
        (number, bytes) = (1, largest)
        #expect(
            AudioFileReadPacketData(file, false, &bytes, nil, Int64(count), &number, &memory)
                == kAudioFileEndOfFileError && number == 0)
        (number, bytes) = (1, largest)
        #expect(AudioFileReadPacketData(file, false, &bytes, nil, -1, &number, &memory) == kAudioFilePositionError)
    }

    @Test("Bytes are those of the audio data")
    func bytes() throws {
        try makeFile(folder.path("a.wav"), .wav, .pcm16, [[0.5, -0.5, 0.25, -1]])
        let file = try open("a.wav")
        defer { AudioFileClose(file) }
        var memory = [UInt8](repeating: 0, count: 8), size: UInt32 = 8
        #expect(AudioFileReadBytes(file, false, 2, &size, &memory) == noErr && size == 6)
        #expect(memory == [0, 0xC0, 0, 0x20, 0, 0x80, 0, 0])
        #expect(AudioFileReadBytes(file, false, 8, &size, &memory) == kAudioFileEndOfFileError && size == 0)
        #expect(AudioFileReadBytes(file, false, -1, &size, &memory) == kAudioFilePositionError)
        let offset = get(file, kAudioFilePropertyDataOffset, Int64(0)),
            whole = try Data(contentsOf: folder.url.appendingPathComponent("a.wav"))
        #expect(Array(whole[Int(offset)...].prefix(8)) == [0, 0x40, 0, 0xC0, 0, 0x20, 0, 0x80])
    }

    @Test("Properties have their size and value")
    func properties() throws {
        var metadata = AudioMetadata()
        (metadata.title, metadata.artist) = ("A tone", "An oscillator")
        try makeFile(folder.path("a.wav"), .wav, .pcm24, tones(channels: 2, frames: 24_000), metadata: metadata)
        let file = try open("a.wav")
        defer { AudioFileClose(file) }
        #expect(get(file, kAudioFilePropertyFileFormat, UInt32(0)) == kAudioFileWAVEType)
        #expect(
            get(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription()) == .integers(48_000, 2, bits: 24))
        #expect(get(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0)) == 24_000)
        #expect(get(file, kAudioFilePropertyAudioDataByteCount, UInt64(0)) == 144_000)
        #expect(get(file, kAudioFilePropertyMaximumPacketSize, UInt32(0)) == 6)
        #expect(get(file, kAudioFilePropertyEstimatedDuration, Float64(0)) == 0.5)
        #expect(get(file, kAudioFilePropertyBitRate, UInt32(0)) == 2_304_000)
        #expect(get(file, kAudioFilePropertySourceBitDepth, Int32(0)) == 24)
        #expect(get(file, kAudioFilePropertyAudioTrackCount, UInt32(0)) == 1)
        #expect(get(file, kAudioFilePropertyIsOptimized, UInt32(0)) == 1)
        #expect(get(file, kAudioFilePropertyDeferSizeUpdates, UInt32(9)) == 0)
        #expect(get(file, kAudioFilePropertyReserveDuration, Float64(9)) == 0)
        #expect(
            get(file, kAudioFilePropertyChannelLayout, AudioChannelLayout()).mChannelLayoutTag
                == kAudioChannelLayoutTag_Stereo)
        let item = get(file, kAudioFilePropertyFormatList, AudioFormatListItem())
        #expect(item.mASBD == .integers(48_000, 2, bits: 24) && item.mChannelLayoutTag == kAudioChannelLayoutTag_Stereo)
        var dictionary: CFDictionary?, size = UInt32(MemoryLayout<CFDictionary?>.size)
        #expect(AudioFileGetProperty(file, kAudioFilePropertyInfoDictionary, &size, &dictionary) == noErr)
        let facts = try #require(dictionary as? [String: Any])
        #expect(
            facts[kAFInfoDictionary_Title] as? String == "A tone"
                && facts[kAFInfoDictionary_Artist] as? String == "An oscillator")
        #expect(facts[kAFInfoDictionary_ApproximateDurationInSeconds] as? String == "0.5")
        var name: CFString?
        #expect(AudioFileGetProperty(file, kAudioFilePropertyDataFormatName, &size, &name) == noErr)
        #expect(name.map { String(describing: $0) } == "Linear PCM, 24-bit little-endian signed integer")
        for id in [
            kAudioFilePropertyMagicCookieData, kAudioFilePropertyPacketTableInfo, kAudioFilePropertyMarkerList,
            kAudioFilePropertyRegionList,
            kAudioFilePropertyID3Tag, kAudioFilePropertyAlbumArtwork, 0x7878_7878,
        ] {
            #expect(AudioFileGetPropertyInfo(file, id, nil, nil) == kAudioFileUnsupportedPropertyError)
        }
        var number: UInt32 = 0
        #expect(
            AudioFileSetProperty(file, kAudioFilePropertyDeferSizeUpdates, 4, &number) == kAudioFilePermissionsError)
        #expect(AudioFileCountUserData(file, 0, &number) == kAudioFileOperationNotSupportedError)
        #expect(AudioFileGetUserData(file, 0, 0, &size, &number) == kAudioFileOperationNotSupportedError)
        #expect(AudioFileOptimize(file) == noErr)
    }

    @Test(
        "The type of a file is found, also without its extension",
        arguments: [
            ("a", AudioContainer.aiff, AudioCodec.pcm16, kAudioFileAIFFType),
            ("b", .aiff, .float32, kAudioFileAIFCType), ("c", .caf, .pcm16, kAudioFileCAFType),
            ("d", .flac, .flac16, kAudioFileFLACType), ("e", .mpeg, .mp3, kAudioFileMP3Type),
            ("f", .au, .pcm16, kAudioFileNextType),
            ("g", .rf64, .pcm16, kAudioFileRF64Type), ("h", .wave64, .pcm16, kAudioFileWave64Type),
        ])
    func types(name: String, container: AudioContainer, codec: AudioCodec, type: AudioFileTypeID) throws {
        try makeFile(folder.path(name), container, codec, tones(channels: 1, frames: 4000))
        let file = try open(name)
        defer { AudioFileClose(file) }
        #expect(get(file, kAudioFilePropertyFileFormat, UInt32(0)) == type)
    }

    @Test("A client's own bytes are read, whatever its functions answer")
    func callbacks() throws {
        try makeFile(folder.path("a.wav"), .wav, .pcm16, [[0.5, -0.5, 0.25]])
        let bytes = ClientBytes(try Data(contentsOf: folder.url.appendingPathComponent("a.wav")))
        let reference = Unmanaged.passUnretained(bytes).toOpaque()
        var opened: AudioFileID?
        #expect(AudioFileOpenWithCallbacks(reference, readBytes, nil, sizeOfBytes, nil, 0, &opened) == noErr)
        let file = try #require(opened)
        var memory = [Int16](repeating: 0, count: 3), size: UInt32 = 6
        #expect(AudioFileReadBytes(file, false, 0, &size, &memory) == noErr && memory == [16_384, -16_384, 8192])
        var wrapped: ExtAudioFileRef?, frames: UInt32 = 3
        #expect(ExtAudioFileWrapAudioFileID(file, false, &wrapped) == noErr)
        let ext = try #require(wrapped),
            buffers = ClientBuffers<Int16>(channels: 1, frames: 3, interleaved: true, filling: 0)
        #expect(ExtAudioFileRead(ext, &frames, buffers.list.unsafeMutablePointer) == noErr && buffers[0] == memory)
        #expect(ExtAudioFileDispose(ext) == noErr)
        bytes.status = kAudioFilePermissionsError
        #expect(AudioFileReadBytes(file, false, 0, &size, &memory) != noErr)
        #expect(AudioFileClose(file) == noErr)
        #expect(
            AudioFileOpenWithCallbacks(reference, readBytes, nil, sizeOfBytes, nil, 0, &opened) != noErr
                && opened == nil)
        (bytes.status, bytes.claim) = (noErr, .max)
        _ = AudioFileOpenWithCallbacks(reference, readBytes, nil, sizeOfBytes, nil, 0, &opened)
        if let opened { AudioFileClose(opened) }
        bytes.claim = -5
        #expect(
            AudioFileOpenWithCallbacks(reference, readBytes, nil, sizeOfBytes, nil, 0, &opened) != noErr
                && opened == nil)
    }

    @Test("What cannot be opened says why, and a closed file is gone")
    func refusals() throws {
        var opened: AudioFileID?
        #expect(
            AudioFileOpenURL(folder.file("none.wav"), .readPermission, 0, &opened) == kAudioFileFileNotFoundError
                && opened == nil)
        try Data(repeating: 0x20, count: 1000).write(to: folder.url.appendingPathComponent("blank.wav"))
        #expect(
            AudioFileOpenURL(folder.file("blank.wav"), .readPermission, 0, &opened)
                == kAudioFileUnsupportedFileTypeError && opened == nil)
        try makeFile(folder.path("a.wav"), .wav, .pcm16, [[0.5]])
        let file = try open("a.wav")
        var size: UInt32 = 2, packets: UInt32 = 1, memory: [UInt8] = [0, 0]
        #expect(
            AudioFileWritePackets(file, false, 2, nil, 0, &packets, memory) == kAudioFilePermissionsError
                && packets == 0)
        #expect(AudioFileOpenURL(folder.file("a.wav"), .readWritePermission, 0, &opened) == noErr)
        packets = 1
        #expect(
            AudioFileWritePackets(try #require(opened), false, 2, nil, 0, &packets, memory)
                == kAudioFileOperationNotSupportedError)
        #expect(AudioFileClose(try #require(opened)) == noErr && AudioFileClose(file) == noErr)
        for gone in [file, try #require(AudioFileID(bitPattern: 0x1234_5670))] {
            #expect(AudioFileClose(gone) == kAudio_ParamError && AudioFileOptimize(gone) == kAudio_ParamError)
            #expect(AudioFileReadBytes(gone, false, 0, &size, &memory) == kAudio_ParamError)
            #expect(AudioFileReadPackets(gone, false, &size, nil, 0, &packets, &memory) == kAudio_ParamError)
            #expect(AudioFileGetPropertyInfo(gone, kAudioFilePropertyFileFormat, nil, nil) == kAudio_ParamError)
            var wrapped: ExtAudioFileRef?
            #expect(ExtAudioFileWrapAudioFileID(gone, false, &wrapped) == kAudio_ParamError && wrapped == nil)
        }
    }
}

/// The packets of a file, as an input procedure reads them.
private final class FilePackets {
    private let file: AudioFileID
    private let format: AudioStreamBasicDescription
    private let memory: UnsafeMutableRawBufferPointer
    private let descriptions = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: 8)
    private var next: Int64 = 0

    init(_ file: AudioFileID, _ format: AudioStreamBasicDescription, _ largest: UInt32) {
        self.file = file
        self.format = format
        memory = .allocate(byteCount: Int(largest) * 8, alignment: 16)
    }

    deinit {
        memory.deallocate()
        descriptions.deallocate()
    }

    func give(
        _ packets: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutablePointer<AudioBufferList>,
        _ out: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus {
        var bytes = UInt32(memory.count)
        packets.pointee = min(8, packets.pointee)
        let status = AudioFileReadPacketData(file, false, &bytes, descriptions, next, packets, memory.baseAddress)
        next += Int64(packets.pointee)
        data.pointee.mBuffers = AudioBuffer(
            mNumberChannels: format.mChannelsPerFrame, mDataByteSize: bytes, mData: memory.baseAddress)
        out?.pointee = descriptions
        return status == kAudioFileEndOfFileError ? noErr : status
    }
}

private let readPackets: AudioConverterComplexInputDataProc = { _, packets, data, descriptions, user in
    guard let user else { return kAudio_ParamError }
    return Unmanaged<FilePackets>.fromOpaque(user).takeUnretainedValue().give(packets, data, descriptions)
}
