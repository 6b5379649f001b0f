import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleTestSupport
import Testing
import OssicleAudioToolbox

@Suite("Writing by ExtAudioFile") struct ExtAudioFileWriteTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func create(
        _ name: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription,
        client: AudioStreamBasicDescription? = nil
    ) throws -> ExtAudioFileRef {
        var file: ExtAudioFileRef?, format = format
        #expect(
            ExtAudioFileCreateWithURL(folder.file(name), type, &format, nil, AudioFileFlags.eraseFile.rawValue, &file)
                == noErr)
        let created = try #require(file)
        if var client {
            #expect(
                ExtAudioFileSetProperty(
                    created, kExtAudioFileProperty_ClientDataFormat,
                    UInt32(MemoryLayout<AudioStreamBasicDescription>.size), &client) == noErr)
        }
        return created
    }

    private func write(_ planes: [[Float]], to file: ExtAudioFileRef, piece: Int = 777) {
        let frames = planes[0].count
        for start in stride(from: 0, to: frames, by: piece) {
            let buffers = ClientBuffers(planes.map { Array($0[start..<min(start + piece, frames)]) })
            #expect(ExtAudioFileWrite(file, UInt32(buffers.frames), buffers.list.unsafePointer) == noErr)
        }
    }

    @Test("Floats become 16-bit samples of a WAVE file, rounded to the nearest")
    func sixteenBits() throws {
        let planes = tones(channels: 2, frames: 10_000)
        let file = try create("a.wav", kAudioFileWAVEType, .integers(44_100, 2), client: .floats(44_100, 2))
        write(planes, to: file)
        var length: Int64 = 0
        #expect(ExtAudioFileTell(file, &length) == noErr && length == 10_000)
        #expect(ExtAudioFileSeek(file, 0) == kExtAudioFileError_InvalidSeek)
        #expect(ExtAudioFileDispose(file) == noErr)
        let written = try samples(of: folder.path("a.wav"))
        #expect(written == planes.map { $0.map { ($0 * 32_768).rounded(.toNearestOrEven) / 32_768 } })
        #expect(try AudioFileReader(path: folder.path("a.wav")).info.sampleRate == 44_100)
    }

    @Test("Writing at another rate keeps the length in time, to the last frame", arguments: [44_100.0, 96_000, 8000])
    func rates(client: Double) throws {
        let count = Int(client)
        let file = try create(
            "a.caf", kAudioFileCAFType, .floats(48_000, 1, interleaved: true), client: .floats(client, 1))
        write([Signal.sine(1000, sampleRate: client, count: count, amplitude: 0.5)], to: file)
        #expect(ExtAudioFileDispose(file) == noErr)
        let written = try samples(of: folder.path("a.caf"))[0]
        #expect(abs(written.count - 48_000) <= 1)
        let found = Measure.tone(1000, in: Array(written[2000..<46_000]))
        #expect(abs(Measure.decibels(found.amplitude / 0.5)) < 0.01 && found.signalToNoise > 80)
    }

    @Test("CAF and AIFF-C keep the byte order that is asked for", arguments: [true, false])
    func order(bigEndian: Bool) throws {
        for (name, type) in [("a.caf", kAudioFileCAFType), ("a.aifc", kAudioFileAIFCType)] {
            let file = try create(name, type, .integers(48_000, 1, bigEndian: bigEndian), client: .floats(48_000, 1))
            write([[0.5, -0.25]], to: file)
            #expect(ExtAudioFileDispose(file) == noErr)
            #expect(try AudioFileReader(path: folder.path(name)).info.isBigEndian == bigEndian)
            #expect(try samples(of: folder.path(name)) == [[0.5, -0.25]])
        }
    }

    @Test(
        "Lossless codings give back what was written",
        arguments: [
            ("a.flac", kAudioFileFLACType, AudioStreamBasicDescription.compressed(kAudioFormatFLAC, 48_000, 2)),
            (
                "a.caf", kAudioFileCAFType,
                .compressed(kAudioFormatAppleLossless, 48_000, 2, flags: kAppleLosslessFormatFlag_16BitSourceData)
            ),
        ])
    func lossless(name: String, type: AudioFileTypeID, format: AudioStreamBasicDescription) throws {
        let planes = tones(channels: 2, frames: 9000).map { $0.map { ($0 * 32_768).rounded() / 32_768 } }
        let file = try create(name, type, format, client: .floats(48_000, 2))
        write(planes, to: file)
        #expect(ExtAudioFileDispose(file) == noErr)
        #expect(try samples(of: folder.path(name)) == planes)
    }

    #if FFmpeg
    @Test("A file is copied into M4A offline, at the bit rate set on the converter")
    func m4a() throws {
        let noise = Signal.noise(count: 88_200, amplitude: 0.5)
        let sound = zip(Signal.sine(1000, sampleRate: 44_100, count: 88_200, amplitude: 0.3), noise).map { $0 + $1 }
        try makeFile(folder.path("in.wav"), .wav, .pcm16, [sound, sound], rate: 44_100)
        var source: ExtAudioFileRef?, client = AudioStreamBasicDescription.floats(44_100, 2, interleaved: true)
        let size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        #expect(ExtAudioFileOpenURL(folder.file("in.wav"), &source) == noErr)
        let input = try #require(source)
        #expect(ExtAudioFileSetProperty(input, kExtAudioFileProperty_ClientDataFormat, size, &client) == noErr)
        let output = try create(
            "out.m4a", kAudioFileM4AType, .compressed(kAudioFormatMPEG4AAC, 44_100, 2), client: client)
        var converter: AudioConverterRef?, referenceSize = UInt32(MemoryLayout<AudioConverterRef?>.size),
            bitRate: UInt32 = 192_000
        #expect(
            ExtAudioFileGetProperty(output, kExtAudioFileProperty_AudioConverter, &referenceSize, &converter) == noErr)
        #expect(AudioConverterSetProperty(try #require(converter), kAudioConverterEncodeBitRate, 4, &bitRate) == noErr)
        let buffers = ClientBuffers<Float>(channels: 2, frames: 4096, interleaved: true, filling: 0)
        while true {
            var frames: UInt32 = 4096
            buffers.reset()
            #expect(ExtAudioFileRead(input, &frames, buffers.list.unsafeMutablePointer) == noErr)
            guard frames > 0 else { break }
            #expect(ExtAudioFileWrite(output, frames, buffers.list.unsafePointer) == noErr)
        }
        #expect(ExtAudioFileDispose(input) == noErr)
        #expect(ExtAudioFileDispose(output) == noErr)
        let written = try samples(of: folder.path("out.m4a"))
        #expect(written.count == 2 && written[0].count == 88_200)
        // The encoder keeps the waveform of a tone and only the power of noise, which it may put another noise for.
        let tone = Measure.gain(at: 1000, from: sound, to: written[0], sampleRate: 44_100)
        #expect(abs(tone) < 0.5, "the tone at \(tone) dB")
        #expect(abs(Measure.level(written[0]) - Measure.level(sound)) < 1)
        // Two seconds of noise at 192 kbit/s are 48 000 bytes; at the encoder's own choice, 128, they would be 32 000.
        let fileSize = try Data(contentsOf: folder.url.appendingPathComponent("out.m4a")).count
        #expect((44_000...54_000).contains(fileSize))
    }
    #endif

    @Test("What does not go together is refused, and an existing file is kept without the flag to erase it")
    func refusals() throws {
        var file: ExtAudioFileRef?
        func create(
            _ name: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription,
            _ flags: AudioFileFlags = .eraseFile
        ) -> OSStatus {
            var format = format
            return ExtAudioFileCreateWithURL(folder.file(name), type, &format, nil, flags.rawValue, &file)
        }
        #expect(create("a.xyz", 0x7878_7878, .integers(48_000, 2)) == kAudioFileUnsupportedFileTypeError)
        #expect(
            create("a.wav", kAudioFileWAVEType, .compressed(kAudioFormatFLAC, 48_000, 2))
                == kAudioFileUnsupportedDataFormatError)
        #expect(create("a.wav", kAudioFileWAVEType, .integers(.nan, 2)) == kAudioFileUnsupportedDataFormatError)
        #expect(create("a.wav", kAudioFileWAVEType, .integers(48_000, 0)) == kAudioFileUnsupportedDataFormatError)
        try makeFile(folder.path("a.wav"), .wav, .pcm16, [[0.5]])
        #expect(
            create("a.wav", kAudioFileWAVEType, .integers(48_000, 1), []) == kAudioFilePermissionsError && file == nil)
        #expect(try samples(of: folder.path("a.wav")) == [[0.5]])
    }

    @Test("Channel roles set before the first frame are in the file")
    func layout() throws {
        let file = try create(
            "a.caf", kAudioFileCAFType, .floats(48_000, 6, interleaved: true), client: .floats(48_000, 6))
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
        #expect(
            ExtAudioFileSetProperty(
                file, kExtAudioFileProperty_FileChannelLayout, UInt32(MemoryLayout<AudioChannelLayout>.size), &layout)
                == noErr)
        #expect(
            ExtAudioFileSetProperty(
                file, kExtAudioFileProperty_ClientChannelLayout, UInt32(MemoryLayout<AudioChannelLayout>.size), &layout)
                == noErr)
        write(tones(channels: 6, frames: 100), to: file)
        #expect(
            ExtAudioFileSetProperty(
                file, kExtAudioFileProperty_FileChannelLayout, UInt32(MemoryLayout<AudioChannelLayout>.size), &layout)
                == kExtAudioFileError_InvalidOperationOrder)
        #expect(ExtAudioFileDispose(file) == noErr)
        #expect(try AudioFileReader(path: folder.path("a.caf")).info.channelLabels == [1, 2, 3, 4, 5, 6])
    }
}
