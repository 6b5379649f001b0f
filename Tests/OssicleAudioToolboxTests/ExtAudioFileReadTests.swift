import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleTestSupport
import Testing
import OssicleAudioToolbox

@Suite("Reading by ExtAudioFile") struct ExtAudioFileReadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String) throws -> ExtAudioFileRef {
        var file: ExtAudioFileRef?
        #expect(ExtAudioFileOpenURL(folder.file(name), &file) == noErr)
        return try #require(file)
    }

    private func setClient(_ file: ExtAudioFileRef, _ format: AudioStreamBasicDescription) -> OSStatus {
        var format = format
        return ExtAudioFileSetProperty(
            file, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout<AudioStreamBasicDescription>.size),
            &format)
    }

    /// Reads to the end in pieces.
    private func readAll(_ file: ExtAudioFileRef, channels: Int, piece: Int = 1000) -> [[Float]] {
        var planes = [[Float]](repeating: [], count: channels)
        let buffers = ClientBuffers(channels: channels, frames: piece)
        while true {
            buffers.reset()
            var frames = UInt32(piece)
            guard ExtAudioFileRead(file, &frames, buffers.list.unsafeMutablePointer) == noErr, frames > 0 else {
                return planes
            }
            for index in planes.indices { planes[index] += buffers[index] }
        }
    }

    @Test(
        "Every kind of file comes in the client's rate and form",
        arguments: [
            ("a.wav", AudioContainer.wav, AudioCodec.pcm16, 90.0), ("a.aif", .aiff, .pcm24, 100),
            ("a.caf", .caf, .float32, 100), ("a.flac", .flac, .flac16, 90),
            ("b.caf", .caf, .alac16, 90), ("a.mp3", .mpeg, .mp3, 50),
        ])
    func rates(name: String, container: AudioContainer, codec: AudioCodec, signalToNoise: Double) throws {
        let tone = Signal.sine(1000, count: 48_000, amplitude: 0.5)
        try makeFile(folder.path(name), container, codec, [tone, tone])
        let file = try open(name)
        defer { ExtAudioFileDispose(file) }
        #expect(setClient(file, .floats(44_100, 2)) == noErr)
        let heard = readAll(file, channels: 2)
        let level = Measure.tone(1000, in: Array(try samples(of: folder.path(name))[0][2000..<46_000])).amplitude
        // One second at the new rate, one frame more or less.
        #expect(abs(heard[0].count - 44_100) <= 1)
        for plane in heard {
            let found = Measure.tone(1000, in: Array(plane[2000..<42_000]), sampleRate: 44_100)
            #expect(abs(Measure.decibels(found.amplitude / level)) < 0.001, "\(name)")
            #expect(found.signalToNoise > signalToNoise, "\(name)")
        }
    }

    @Test("At the file's rate 16-bit samples come out as they went in")
    func exact() throws {
        let planes = tones(channels: 2, frames: 5000)
        try makeFile(folder.path("a.wav"), .wav, .pcm16, planes)
        let expected = try samples(of: folder.path("a.wav"))
        let file = try open("a.wav")
        defer { ExtAudioFileDispose(file) }
        #expect(setClient(file, .integers(48_000, 2)) == noErr)
        let buffers = ClientBuffers<Int16>(channels: 2, frames: 5000, interleaved: true, filling: 0)
        var frames: UInt32 = 5000
        #expect(ExtAudioFileRead(file, &frames, buffers.list.unsafeMutablePointer) == noErr && frames == 5000)
        let interleaved = (0..<5000).flatMap { frame in expected.map { Int16($0[frame] * 32_768) } }
        #expect(buffers[0] == interleaved)
        #expect(ExtAudioFileRead(file, &frames, buffers.list.unsafeMutablePointer) == noErr && frames == 0)
    }

    @Test("Without a client format a file of plain samples gives them as they lie there")
    func asItIs() throws {
        try makeFile(folder.path("a.aif"), .aiff, .pcm16, [[0.5, -1, 0.25]])
        let file = try open("a.aif")
        defer { ExtAudioFileDispose(file) }
        let buffers = ClientBuffers<UInt8>(channels: 1, frames: 6, interleaved: true, filling: 9)
        var frames: UInt32 = 3
        #expect(ExtAudioFileRead(file, &frames, buffers.list.unsafeMutablePointer) == noErr && frames == 3)
        #expect(buffers[0] == [0x40, 0, 0x80, 0, 0x20, 0])
    }

    @Test(
        "A seek leads to the file's frame, whatever the client's rate",
        arguments: [("a.flac", AudioContainer.flac, AudioCodec.flac16), ("a.mp3", .mpeg, .mp3)])
    func seeking(name: String, container: AudioContainer, codec: AudioCodec) throws {
        try makeFile(folder.path(name), container, codec, tones(channels: 1, frames: 30_000))
        let expected = try samples(of: folder.path(name))[0]
        let file = try open(name)
        defer { ExtAudioFileDispose(file) }
        #expect(setClient(file, .floats(48_000, 1)) == noErr)
        for place in [20_000, 3, 29_999, 0] {
            var position: Int64 = -1
            #expect(ExtAudioFileSeek(file, Int64(place)) == noErr)
            #expect(ExtAudioFileTell(file, &position) == noErr && position == place)
            let rest = readAll(file, channels: 1, piece: 700)
            #expect(rest[0] == Array(expected[place...]))
            #expect(ExtAudioFileTell(file, &position) == noErr && position == 30_000)
        }
        #expect(setClient(file, .floats(24_000, 1)) == noErr)
        #expect(ExtAudioFileSeek(file, 12_000) == noErr)
        let buffers = ClientBuffers(channels: 1, frames: 1000)
        var frames: UInt32 = 1000, position: Int64 = 0
        #expect(ExtAudioFileRead(file, &frames, buffers.list.unsafeMutablePointer) == noErr && frames == 1000)
        #expect(ExtAudioFileTell(file, &position) == noErr && position == 14_000)
        for wrong in [-1, 30_001, Int64.max, .min] {
            #expect(ExtAudioFileSeek(file, wrong) == kExtAudioFileError_InvalidSeek)
        }
    }

    @Test("A new client format goes on where the old one stopped")
    func change() throws {
        try makeFile(folder.path("a.wav"), .wav, .float32, tones(channels: 2, frames: 20_000))
        let expected = try samples(of: folder.path("a.wav"))
        let file = try open("a.wav")
        defer { ExtAudioFileDispose(file) }
        let buffers = ClientBuffers(channels: 2, frames: 1234)
        var frames: UInt32 = 1234
        #expect(setClient(file, .floats(48_000, 2)) == noErr)
        #expect(ExtAudioFileRead(file, &frames, buffers.list.unsafeMutablePointer) == noErr)
        #expect(setClient(file, .floats(48_000, 2, interleaved: true)) == noErr)
        let interleaved = ClientBuffers<Float>(channels: 2, frames: 10, interleaved: true, filling: 0)
        frames = 10
        #expect(ExtAudioFileRead(file, &frames, interleaved.list.unsafeMutablePointer) == noErr && frames == 10)
        #expect(interleaved[0] == (1234..<1244).flatMap { frame in expected.map { $0[frame] } })
    }

    @Test("The converter's channel map chooses channels")
    func channelMap() throws {
        try makeFile(folder.path("a.wav"), .wav, .float32, [[0.1, 0.2], [0.3, 0.4]])
        let file = try open("a.wav")
        defer { ExtAudioFileDispose(file) }
        #expect(setClient(file, .floats(48_000, 2)) == noErr)
        var converter: AudioConverterRef?, size = UInt32(MemoryLayout<AudioConverterRef?>.size)
        #expect(ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioConverter, &size, &converter) == noErr)
        var map: [Int32] = [1, -1]
        #expect(AudioConverterSetProperty(try #require(converter), kAudioConverterChannelMap, 8, &map) == noErr)
        var config: UnsafeRawPointer?
        #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ConverterConfig, 8, &config) == noErr)
        #expect(readAll(file, channels: 2) == [[0.3, 0.4], [0, 0]])
    }

    @Test("Properties have their size and value")
    func properties() throws {
        try makeFile(folder.path("a.wav"), .wav, .pcm24, tones(channels: 2, frames: 1000))
        let file = try open("a.wav")
        defer { ExtAudioFileDispose(file) }
        func value<Value>(_ id: ExtAudioFilePropertyID, _ nothing: Value) -> Value {
            var value = nothing, size: UInt32 = 0, writable: DarwinBoolean = false
            #expect(ExtAudioFileGetPropertyInfo(file, id, &size, &writable) == noErr)
            #expect(Int(size) == MemoryLayout<Value>.size)
            #expect(ExtAudioFileGetProperty(file, id, &size, &value) == noErr)
            size -= 1
            var other = nothing
            #expect(ExtAudioFileGetProperty(file, id, &size, &other) == kExtAudioFileError_InvalidPropertySize)
            return value
        }
        let format = value(kExtAudioFileProperty_FileDataFormat, AudioStreamBasicDescription())
        #expect(format == .integers(48_000, 2, bits: 24))
        #expect(value(kExtAudioFileProperty_ClientDataFormat, AudioStreamBasicDescription()) == format)
        #expect(value(kExtAudioFileProperty_FileLengthFrames, Int64(0)) == 1000)
        #expect(value(kExtAudioFileProperty_FileMaxPacketSize, UInt32(0)) == 6)
        #expect(setClient(file, .floats(48_000, 2)) == noErr)
        #expect(value(kExtAudioFileProperty_ClientMaxPacketSize, UInt32(0)) == 4)
        #expect(
            value(kExtAudioFileProperty_FileChannelLayout, AudioChannelLayout()).mChannelLayoutTag
                == kAudioChannelLayoutTag_Stereo)
        #expect(
            value(kExtAudioFileProperty_ClientChannelLayout, AudioChannelLayout()).mChannelLayoutTag
                == kAudioChannelLayoutTag_Stereo)
        #expect(value(kExtAudioFileProperty_IOBufferSizeBytes, UInt32(0)) == 32_768)
        var bytes: UInt32 = 4096
        #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_IOBufferSizeBytes, 4, &bytes) == noErr)
        #expect(value(kExtAudioFileProperty_IOBufferSizeBytes, UInt32(0)) == 4096)
        #expect(
            ExtAudioFileSetProperty(file, kExtAudioFileProperty_FileLengthFrames, 4, &bytes)
                == kExtAudioFileError_InvalidOperationOrder)
        #expect(
            ExtAudioFileGetPropertyInfo(file, kExtAudioFileProperty_PacketTable, nil, nil)
                == kExtAudioFileError_InvalidProperty)
        #expect(ExtAudioFileGetPropertyInfo(file, 0x7878_7878, nil, nil) == kExtAudioFileError_InvalidProperty)
    }

    @Test("What cannot be opened says why")
    func refusals() throws {
        var file: ExtAudioFileRef?
        #expect(ExtAudioFileOpenURL(folder.file("none.wav"), &file) == kAudioFileFileNotFoundError && file == nil)
        try Data("no sound at all, but long enough to look at".utf8).write(
            to: folder.url.appendingPathComponent("text.wav"))
        #expect(
            ExtAudioFileOpenURL(folder.file("text.wav"), &file) == kAudioFileUnsupportedFileTypeError && file == nil)
        #expect(ExtAudioFileOpenURL(folder.file("."), &file) == kAudioFileUnsupportedFileTypeError && file == nil)
        #expect(
            ExtAudioFileOpenURL(try #require(NSURL(string: "https://example.org/a.wav")), &file)
                == kAudio_BadFilePathError)
    }

    @Test("Wrong buffers, wrong formats and references that are gone are refused, never followed")
    func misuse() throws {
        try makeFile(folder.path("a.mp3"), .mpeg, .mp3, tones(channels: 2, frames: 5000))
        let file = try open("a.mp3")
        var frames: UInt32 = 100, position: Int64 = 0, byte: UInt8 = 0
        let buffers = ClientBuffers(channels: 2, frames: 100), mono = ClientBuffers(channels: 1, frames: 100)
        #expect(
            ExtAudioFileRead(file, &frames, buffers.list.unsafeMutablePointer) == kExtAudioFileError_NonPCMClientFormat)
        #expect(
            setClient(file, .compressed(kAudioFormatMPEGLayer3, 48_000, 2)) == kExtAudioFileError_NonPCMClientFormat)
        var senseless = AudioStreamBasicDescription.floats(48_000, 2)
        senseless.mBytesPerFrame = 3
        #expect(setClient(file, senseless) == kAudioConverterErr_FormatNotSupported)
        #expect(
            ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 1, &byte)
                == kExtAudioFileError_InvalidPropertySize)
        #expect(setClient(file, .floats(48_000, 2)) == noErr)
        frames = 100
        #expect(ExtAudioFileRead(file, &frames, mono.list.unsafeMutablePointer) == kAudio_ParamError && frames == 0)
        frames = 101
        #expect(ExtAudioFileRead(file, &frames, buffers.list.unsafeMutablePointer) == kAudio_ParamError)
        frames = .max
        #expect(ExtAudioFileRead(file, &frames, buffers.list.unsafeMutablePointer) == kAudio_ParamError)
        let last = buffers.list[1]
        buffers.list[1].mData = nil
        frames = 100
        #expect(ExtAudioFileRead(file, &frames, buffers.list.unsafeMutablePointer) == kAudio_ParamError)
        buffers.list[1] = last
        #expect(
            ExtAudioFileWrite(file, 100, buffers.list.unsafeMutablePointer) == kExtAudioFileError_InvalidOperationOrder)
        #expect(ExtAudioFileWriteAsync(file, 0, nil) == kExtAudioFileError_InvalidOperationOrder)
        #expect(ExtAudioFileDispose(file) == noErr)
        for gone in [file, try #require(ExtAudioFileRef(bitPattern: 0xDEAD_BEE0))] {
            #expect(ExtAudioFileDispose(gone) == kAudio_ParamError)
            #expect(ExtAudioFileRead(gone, &frames, buffers.list.unsafeMutablePointer) == kAudio_ParamError)
            #expect(ExtAudioFileWriteAsync(gone, 100, buffers.list.unsafeMutablePointer) == kAudio_ParamError)
            #expect(ExtAudioFileSeek(gone, 0) == kAudio_ParamError)
            #expect(ExtAudioFileTell(gone, &position) == kAudio_ParamError)
            #expect(setClient(gone, .floats(48_000, 2)) == kAudio_ParamError)
        }
    }

    @Test("The file's own converter and file are gone with it, and not for converting")
    func owned() throws {
        try makeFile(folder.path("a.wav"), .wav, .pcm16, tones(channels: 1, frames: 100))
        let file = try open("a.wav")
        #expect(setClient(file, .floats(48_000, 1)) == noErr)
        var found: AudioConverterRef?, beneath: AudioFileID?, size = UInt32(MemoryLayout<AudioConverterRef?>.size)
        #expect(ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioConverter, &size, &found) == noErr)
        #expect(ExtAudioFileGetProperty(file, kExtAudioFileProperty_AudioFile, &size, &beneath) == noErr)
        let converter = try #require(found), audioFile = try #require(beneath)
        var bytes: UInt32 = 4, input: Int16 = 0, output: Float = 0
        #expect(
            AudioConverterConvertBuffer(converter, 2, &input, &bytes, &output)
                == kAudioConverterErr_OperationNotSupported)
        #expect(ExtAudioFileDispose(file) == noErr)
        #expect(AudioConverterReset(converter) == kAudio_ParamError)
        #expect(AudioFileClose(audioFile) == kAudio_ParamError)
    }
}
