import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleTestSupport
import Testing
import OssicleAudioToolbox

@Suite("Writing by AudioFile") struct AudioFileWriteTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func create(
        _ name: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription
    ) throws -> AudioFileID {
        var file: AudioFileID?, format = format
        #expect(AudioFileCreateWithURL(folder.file(name), type, &format, .eraseFile, &file) == noErr)
        return try #require(file)
    }

    @Test(
        "Plain samples are written as packets or bytes, appended or overwritten",
        arguments: [
            ("a.wav", kAudioFileWAVEType, false), ("a.aif", kAudioFileAIFFType, true),
            ("a.caf", kAudioFileCAFType, false), ("b.caf", kAudioFileCAFType, true),
        ])
    func plain(name: String, type: AudioFileTypeID, bigEndian: Bool) throws {
        let file = try create(name, type, .integers(48_000, 1, bigEndian: bigEndian))
        func bytes(_ samples: [Int16]) -> [UInt8] {
            samples.flatMap { sample in
                bigEndian
                    ? [UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample)]
                    : [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
            }
        }
        var packets: UInt32 = 3, size: UInt32 = 4
        #expect(AudioFileWritePackets(file, false, 6, nil, 0, &packets, bytes([1, 2, 3])) == noErr && packets == 3)
        #expect(AudioFileWriteBytes(file, false, 6, &size, bytes([4, 5])) == noErr && size == 4)
        packets = 2
        #expect(AudioFileWritePackets(file, false, 4, nil, 1, &packets, bytes([-2, -3])) == noErr && packets == 2)
        size = 3
        #expect(AudioFileWriteBytes(file, false, 10, &size, bytes([1, 2])) == kAudio_ParamError && size == 0)
        packets = 1
        #expect(
            AudioFileWritePackets(file, false, 2, nil, 7, &packets, bytes([1])) == kAudioFilePositionError
                && packets == 0)
        packets = 2
        #expect(AudioFileWritePackets(file, false, 3, nil, 5, &packets, bytes([1, 2])) == kAudio_ParamError)
        var count: UInt64 = 0, countSize: UInt32 = 8, dataSize: UInt64 = 0
        #expect(
            AudioFileGetProperty(file, kAudioFilePropertyAudioDataPacketCount, &countSize, &count) == noErr
                && count == 5)
        #expect(
            AudioFileGetProperty(file, kAudioFilePropertyAudioDataByteCount, &countSize, &dataSize) == noErr
                && dataSize == 10)
        #expect(AudioFileClose(file) == noErr)
        #expect(try samples(of: folder.path(name)) == [[1, -2, -3, 4, 5].map { $0 / 32_768 }])
    }

    @Test(
        "The packets of one file are copied into another",
        arguments: [
            ("a.caf", AudioContainer.caf, AudioCodec.alac16, kAudioFileCAFType, "b.caf"),
            ("a.mp3", .mpeg, .mp3, kAudioFileMP3Type, "b.mp3"),
        ])
    func copy(name: String, container: AudioContainer, codec: AudioCodec, type: AudioFileTypeID, copied: String) throws
    {
        try makeFile(folder.path(name), container, codec, tones(channels: 2, frames: 20_000))
        var opened: AudioFileID?, format = AudioStreamBasicDescription(),
            size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        #expect(AudioFileOpenURL(folder.file(name), .readPermission, 0, &opened) == noErr)
        let source = try #require(opened)
        #expect(AudioFileGetProperty(source, kAudioFilePropertyDataFormat, &size, &format) == noErr)
        let target = try create(copied, type, format)
        for id in [kAudioFilePropertyMagicCookieData, kAudioFilePropertyPacketTableInfo]
        where AudioFileGetPropertyInfo(source, id, &size, nil) == noErr {
            var bytes = [UInt8](repeating: 0, count: Int(size))
            #expect(AudioFileGetProperty(source, id, &size, &bytes) == noErr)
            #expect(AudioFileSetProperty(target, id, size, bytes) == noErr)
        }
        var table = AudioFilePacketTableInfo()
        size = UInt32(MemoryLayout<AudioFilePacketTableInfo>.size)
        #expect(AudioFileGetProperty(source, kAudioFilePropertyPacketTableInfo, &size, &table) == noErr)
        var memory = [UInt8](repeating: 0, count: 100_000),
            descriptions = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: 5),
            place: Int64 = 0
        while true {
            var bytes: UInt32 = 100_000, packets: UInt32 = 5
            let status = AudioFileReadPacketData(source, false, &bytes, &descriptions, place, &packets, &memory)
            guard packets > 0 else {
                #expect(status == kAudioFileEndOfFileError)
                break
            }
            #expect(AudioFileWritePackets(target, false, bytes, descriptions, place, &packets, memory) == noErr)
            place += Int64(packets)
        }
        var packets: UInt32 = 1
        #expect(AudioFileWritePackets(target, false, 10, descriptions, 0, &packets, memory) == kAudio_ParamError)
        descriptions[0] = AudioStreamPacketDescription(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 10)
        packets = 1
        #expect(
            AudioFileWritePackets(target, false, 10, descriptions, 0, &packets, memory)
                == kAudioFileOperationNotSupportedError)
        packets = 1
        #expect(AudioFileWritePackets(target, false, 10, nil, place, &packets, memory) == kAudio_ParamError)
        #expect(AudioFileClose(target) == noErr && AudioFileClose(source) == noErr)
        let (original, copy) = (try samples(of: folder.path(name)), try samples(of: folder.path(copied)))
        // A file of bare MP3 frames has no place for the priming, so there it is heard.
        let heardPriming = codec == .mp3 ? Int(table.mPrimingFrames) : 0
        #expect(copy.map { Array($0.dropFirst(heardPriming).prefix(20_000)) } == original)
        #expect(codec == .mp3 || copy[0].count == 20_000)
    }

    @Test("Roles of channels and facts are in the file")
    func facts() throws {
        let file = try create("a.caf", kAudioFileCAFType, .integers(48_000, 6))
        var layout = AudioChannelLayout(),
            facts: CFDictionary? = NSDictionary(
                objects: ["Chord", "Choir"],
                forKeys: [NSString(string: kAFInfoDictionary_Title), NSString(string: kAFInfoDictionary_Artist)])
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
        var writable: UInt32 = 0
        #expect(
            AudioFileGetPropertyInfo(file, kAudioFilePropertyChannelLayout, nil, &writable) == noErr && writable == 1)
        #expect(
            AudioFileSetProperty(
                file, kAudioFilePropertyChannelLayout, UInt32(MemoryLayout<AudioChannelLayout>.size), &layout) == noErr)
        #expect(AudioFileSetProperty(file, kAudioFilePropertyInfoDictionary, 8, &facts) == noErr)
        #expect(AudioFileSetProperty(file, kAudioFilePropertyFileFormat, 4, &writable) == kAudioFilePermissionsError)
        #expect(AudioFileSetProperty(file, 0x7878_7878, 4, &writable) == kAudioFileUnsupportedPropertyError)
        var packets: UInt32 = 1
        #expect(AudioFileWritePackets(file, false, 12, nil, 0, &packets, [UInt8](repeating: 0, count: 12)) == noErr)
        #expect(
            AudioFileSetProperty(
                file, kAudioFilePropertyChannelLayout, UInt32(MemoryLayout<AudioChannelLayout>.size), &layout)
                == kAudioFileOperationNotSupportedError)
        #expect(AudioFileClose(file) == noErr)
        let reader = try AudioFileReader(path: folder.path("a.caf"))
        #expect(reader.info.channelLabels == [1, 2, 3, 4, 5, 6])
        #expect(reader.metadata.title == "Chord" && reader.metadata.artist == "Choir")
    }

    @Test("A client's own bytes become a file")
    func callbacks() throws {
        let bytes = ClientBytes(Data([1, 2, 3])), reference = Unmanaged.passUnretained(bytes).toOpaque()
        var made: AudioFileID?, format = AudioStreamBasicDescription.integers(48_000, 1)
        #expect(
            AudioFileInitializeWithCallbacks(
                reference, readBytes, writeBytes, sizeOfBytes, setSizeOfBytes, kAudioFileWAVEType, &format, [], &made)
                == noErr)
        let file = try #require(made)
        var packets: UInt32 = 2, wrapped: ExtAudioFileRef?
        #expect(ExtAudioFileWrapAudioFileID(file, true, &wrapped) == kAudioFileOperationNotSupportedError)
        #expect(AudioFileWritePackets(file, false, 4, nil, 0, &packets, [Int16(7), -7]) == noErr)
        #expect(AudioFileClose(file) == noErr)
        try bytes.data.write(to: folder.url.appendingPathComponent("a.wav"))
        #expect(try samples(of: folder.path("a.wav")) == [[7, -7].map { $0 / 32_768 }])
    }

    @Test("An empty file is handed over to ExtAudioFile")
    func wrapping() throws {
        let file = try create("a.wav", kAudioFileWAVEType, .integers(48_000, 1))
        var wrapped: ExtAudioFileRef?, client = AudioStreamBasicDescription.floats(48_000, 1)
        #expect(ExtAudioFileWrapAudioFileID(file, true, &wrapped) == noErr)
        let ext = try #require(wrapped), buffers = ClientBuffers([[0.5, -0.5]])
        #expect(
            ExtAudioFileSetProperty(
                ext, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout<AudioStreamBasicDescription>.size),
                &client) == noErr)
        #expect(ExtAudioFileWrite(ext, 2, buffers.list.unsafePointer) == noErr)
        var packets: UInt32 = 1
        #expect(AudioFileWritePackets(file, false, 2, nil, 0, &packets, [Int16(1)]) == kAudioFileNotOpenError)
        #expect(ExtAudioFileDispose(ext) == noErr && AudioFileClose(file) == noErr)
        #expect(try samples(of: folder.path("a.wav")) == [[0.5, -0.5]])
    }

    @Test("What does not go together is refused")
    func refusals() throws {
        var file: AudioFileID?
        func create(
            _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription, _ flags: AudioFileFlags = .eraseFile
        ) -> OSStatus {
            var format = format
            return AudioFileCreateWithURL(folder.file("a"), type, &format, flags, &file)
        }
        #expect(create(0x7878_7878, .integers(48_000, 1)) == kAudioFileUnsupportedFileTypeError)
        #expect(
            create(kAudioFileWAVEType, .compressed(kAudioFormatOpus, 48_000, 2)) == kAudioFileUnsupportedDataFormatError
        )
        #expect(create(kAudioFileWAVEType, .floats(48_000, 2)) == kAudioFileUnsupportedDataFormatError)
        #expect(create(kAudioFileWAVEType, .integers(0, 1)) == kAudioFileUnsupportedDataFormatError)
        try Data([1]).write(to: folder.url.appendingPathComponent("a"))
        #expect(create(kAudioFileWAVEType, .integers(48_000, 1), []) == kAudioFilePermissionsError && file == nil)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("a")) == Data([1]))
    }
}
