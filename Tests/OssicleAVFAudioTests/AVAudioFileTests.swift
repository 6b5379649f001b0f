import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioFile") struct AVAudioFileTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private static var pcm16: [String: Any] {
        [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 2,
            AVLinearPCMBitDepthKey: 16,
        ]
    }

    /// 10 000 frames of two ramps that every 16-bit format holds exactly.
    private func ramp(_ format: AVAudioFormat, frames: AVAudioFrameCount = 10_000) throws -> AVAudioPCMBuffer {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames))
        buffer.frameLength = frames
        let samples = try #require(buffer.floatChannelData)
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<Int(frames) { samples[channel][frame] = Float(frame % 4000 - 2000 + channel) / 32_768 }
        }
        return buffer
    }

    private func write(_ name: String, _ settings: [String: Any] = pcm16) throws -> AVAudioPCMBuffer {
        let file = try AVAudioFile(forWriting: folder.file(name), settings: settings)
        let buffer = try ramp(file.processingFormat)
        try file.write(from: buffer)
        #expect(file.length == 10_000 && file.framePosition == 10_000)
        file.close()
        return buffer
    }

    @Test(
        "What is written is read back",
        arguments: [
            ("a.wav", kAudioFormatLinearPCM, 16, false), ("b.wav", kAudioFormatLinearPCM, 24, false),
            ("c.wav", kAudioFormatLinearPCM, 32, true),
            ("d.wav", kAudioFormatLinearPCM, 64, true), ("a.aiff", kAudioFormatLinearPCM, 16, false),
            ("a.caf", kAudioFormatLinearPCM, 32, true),
            ("b.caf", kAudioFormatAppleLossless, 16, false), ("a.flac", kAudioFormatFLAC, 16, false),
            ("b.flac", kAudioFormatFLAC, 24, false),
        ])
    func roundTrip(name: String, id: AudioFormatID, depth: Int, isFloat: Bool) throws {
        let written = try write(
            name,
            [
                AVFormatIDKey: id, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: depth,
                AVLinearPCMIsFloatKey: isFloat,
            ])
        let file = try AVAudioFile(forReading: folder.file(name))
        #expect(
            file.length == 10_000 && file.fileFormat.streamDescription.pointee.mFormatID == id
                && file.processingFormat.isStandard)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 12_000))
        try file.read(into: buffer)
        #expect(buffer.frameLength == 10_000)
        let (read, expected) = (try #require(buffer.floatChannelData), try #require(written.floatChannelData))
        #expect((0..<10_000).allSatisfy { read[0][$0] == expected[0][$0] && read[1][$0] == expected[1][$0] })
    }

    @Test("Reading advances, stops at the end, and starts again where the position is set")
    func positions() throws {
        _ = try write("a.wav")
        let file = try AVAudioFile(forReading: folder.file("a.wav"))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 6000))
        try file.read(into: buffer)
        #expect(buffer.frameLength == 6000 && file.framePosition == 6000)
        try file.read(into: buffer)
        #expect(buffer.frameLength == 4000 && file.framePosition == file.length)
        try file.read(into: buffer)
        #expect(buffer.frameLength == 0)
        file.framePosition = 2001
        try file.read(into: buffer, frameCount: 1)
        #expect(buffer.frameLength == 1 && buffer.floatChannelData?[0][0] == 1 / 32_768)
        file.framePosition = -7
        #expect(file.framePosition == 0)
        file.framePosition = .max
        #expect(file.framePosition == 10_000)
        try file.read(into: buffer, frameCount: 0)
        #expect(buffer.frameLength == 0)
    }

    @Test("Files are read into every common form")
    func forms() throws {
        _ = try write("a.wav")
        let file = try AVAudioFile(forReading: folder.file("a.wav"), commonFormat: .pcmFormatInt16, interleaved: true)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 100))
        try file.read(into: buffer)
        #expect(buffer.int16ChannelData?[0][0] == -2000 && buffer.int16ChannelData?[1][2] == -1998)
        let wide = try AVAudioFile(forReading: folder.file("a.wav"), commonFormat: .pcmFormatInt32, interleaved: false)
        let wideBuffer = try #require(AVAudioPCMBuffer(pcmFormat: wide.processingFormat, frameCapacity: 100))
        try wide.read(into: wideBuffer)
        #expect(wideBuffer.int32ChannelData?[1][0] == -1999 << 16)
    }

    @Test("32-bit integers pass through a file without loss")
    func exactIntegers() throws {
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 32,
        ]
        let file = try AVAudioFile(
            forWriting: folder.file("a.wav"), settings: settings, commonFormat: .pcmFormatInt32, interleaved: false)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4))
        let values: [Int32] = [.min, .max, 123_456_789, -1]
        for (index, value) in values.enumerated() { buffer.int32ChannelData?[0][index] = value }
        buffer.frameLength = 4
        try file.write(from: buffer)
        file.close()
        let reading = try AVAudioFile(
            forReading: folder.file("a.wav"), commonFormat: .pcmFormatInt32, interleaved: false)
        try reading.read(into: buffer)
        #expect((0..<4).map { buffer.int32ChannelData?[0][$0] } == values)
    }

    @Test("A surround layout survives, channels without one are discrete")
    func surround() throws {
        var settings = Self.pcm16
        settings[AVNumberOfChannelsKey] = 6
        #expect(
            avfaudioCode { _ = try AVAudioFile(forWriting: folder.file("a.wav"), settings: settings) }
                == kAudioFileUnsupportedDataFormatError)
        settings[AVChannelLayoutKey] = layoutData(kAudioChannelLayoutTag_MPEG_5_1_A)
        _ = try write("a.wav", settings)
        #expect(
            try AVAudioFile(forReading: folder.file("a.wav")).processingFormat.channelLayout?.layoutTag
                == kAudioChannelLayoutTag_MPEG_5_1_A)
        settings[AVChannelLayoutKey] = layoutData(kAudioChannelLayoutTag_DiscreteInOrder | 6)
        _ = try write("b.caf", settings)
        #expect(
            try AVAudioFile(forReading: folder.file("b.caf")).processingFormat.channelLayout?.layoutTag
                == kAudioChannelLayoutTag_DiscreteInOrder | 6)
    }

    @Test("A file's own settings write a file of the same format", arguments: ["a.wav", "a.aiff", "a.caf", "a.flac"])
    func settingsRoundTrip(name: String) throws {
        var settings = Self.pcm16
        if name.hasSuffix("flac") { settings[AVFormatIDKey] = kAudioFormatFLAC }
        _ = try write(name, settings)
        let format = try AVAudioFile(forReading: folder.file(name)).fileFormat
        _ = try write("again-" + name, format.settings)
        #expect(try AVAudioFile(forReading: folder.file("again-" + name)).fileFormat == format)
    }

    @Test("Files that cannot be opened throw errors of AVFAudio with their code")
    func refusals() throws {
        try Data("no sound here at all".utf8).write(to: folder.file("text.wav"))
        try Data().write(to: folder.file("empty.wav"))
        #expect(avfaudioCode { _ = try AVAudioFile(forReading: folder.file("none.wav")) } == kAudio_FileNotFoundError)
        #expect(
            avfaudioCode { _ = try AVAudioFile(forReading: folder.file("text.wav")) }
                == kAudioFileUnsupportedFileTypeError)
        #expect(
            avfaudioCode { _ = try AVAudioFile(forReading: folder.file("empty.wav")) } == kAudioFileInvalidFileError)
        #expect(avfaudioCode { _ = try AVAudioFile(forReading: folder.url) } == kAudioFileUnsupportedFileTypeError)
        #expect(
            try avfaudioCode { _ = try AVAudioFile(forReading: #require(URL(string: "https://example.org/a.wav"))) }
                == kAudio_BadFilePathError)
        #expect(
            avfaudioCode {
                _ = try AVAudioFile(forReading: folder.file("none.wav"), commonFormat: .otherFormat, interleaved: false)
            } == kAudioFileUnsupportedDataFormatError)
    }

    @Test("Formats that cannot be written throw, and say what can")
    func writingRefusals() throws {
        func code(_ name: String, _ more: [String: Any]) -> OSStatus? {
            avfaudioCode {
                _ = try AVAudioFile(forWriting: folder.file(name), settings: Self.pcm16.merging(more) { $1 })
            }
        }
        #expect(code("a.m4a", [:]) == kAudioFileUnsupportedDataFormatError)
        #expect(code("a.xyz", [:]) == kAudioFileUnsupportedFileTypeError)
        #expect(code("a", [:]) == kAudioFileUnsupportedFileTypeError)
        #expect(code("a.wav", [AVAudioFileTypeKey: kAudioFileAMRType]) == kAudioFileUnsupportedFileTypeError)
        #expect(code("a", [AVAudioFileTypeKey: kAudioFileWAVEType]) == nil)
        #expect(code("b.wav", [AVFormatIDKey: kAudioFormatMPEG4AAC]) == kAudioFileUnsupportedDataFormatError)
        #if !FFmpeg
        #expect(code("a.caf", [AVFormatIDKey: kAudioFormatMPEG4AAC]) == kAudioFileUnsupportedDataFormatError)
        do {
            _ = try AVAudioFile(
                forWriting: folder.file("a.m4a"),
                settings: Self.pcm16.merging([AVFormatIDKey: kAudioFormatMPEG4AAC]) { $1 })
        } catch let error as OssicleError {
            #expect(error.rule.contains("\"FFmpeg\"") && error.cure.contains("FFmpeg"))
        }
        #endif
        #expect(code("a.flac", [:]) == kAudioFileUnsupportedDataFormatError)
        #expect(code("a.wav", [AVSampleRateKey: 0]) == kAudio_ParamError)
        #expect(code("a.wav", [AVSampleRateKey: Double.infinity]) == kAudio_ParamError)
        #expect(code("no/a.wav", [:]) == kAudio_FileNotFoundError)
        do { _ = try AVAudioFile(forWriting: folder.file("a.m4a"), settings: Self.pcm16) } catch let error
            as OssicleError
        {
            #expect(error.object.contains("a.m4a") && error.rule.contains("Apple Lossless") && !error.cure.isEmpty)
        }
    }

    @Test("Wrong buffers, closed files and the wrong direction throw")
    func misuse() throws {
        let written = try write("a.wav")
        let file = try AVAudioFile(forReading: folder.file("a.wav"))
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let wrong = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 10))
        #expect(avfaudioCode { try file.read(into: wrong) } == kExtAudioFileError_InvalidDataFormat)
        #expect(avfaudioCode { try file.write(from: written) } == kAudioFileOperationNotSupportedError)
        file.close()
        #expect(!file.isOpen && file.length == 10_000)
        #expect(avfaudioCode { try file.read(into: written) } == kAudio_FileNotFoundError)
        let writing = try AVAudioFile(forWriting: folder.file("b.wav"), settings: Self.pcm16)
        #expect(avfaudioCode { try writing.read(into: written) } == kAudioFileOperationNotSupportedError)
        writing.close()
        #expect(avfaudioCode { try writing.write(from: written) } == kAudio_FileNotFoundError)
    }

    @Test("A file object that goes away leaves a complete file")
    func deallocation() throws {
        do {
            let file = try AVAudioFile(
                forWriting: folder.file("a.flac"),
                settings: Self.pcm16.merging([AVFormatIDKey: kAudioFormatFLAC]) { $1 })
            try file.write(from: ramp(file.processingFormat))
        }
        #expect(try AVAudioFile(forReading: folder.file("a.flac")).length == 10_000)
    }

    @Test("A URL without a scheme stands for its path, to write and to read")
    func plainURL() throws {
        let url = try #require(URL(string: folder.path("plain.caf")))
        #expect(url.scheme == nil)
        let file = try AVAudioFile(forWriting: url, settings: Self.pcm16)
        try file.write(from: ramp(file.processingFormat))
        file.close()
        #expect(try AVAudioFile(forReading: url).length == 10_000)
        #expect(throws: (any Error).self) {
            try AVAudioFile(forReading: #require(URL(string: "https://example.com/a.caf")))
        }
    }

    @Test("AIFF takes no floating point, AIFF-C does")
    func aiff() throws {
        var settings = Self.pcm16
        (settings[AVLinearPCMIsFloatKey], settings[AVLinearPCMBitDepthKey]) = (true, 32)
        #expect(throws: (any Error).self) {
            try AVAudioFile(forWriting: URL(fileURLWithPath: folder.path("a.aiff")), settings: settings)
        }
        let file = try AVAudioFile(forWriting: URL(fileURLWithPath: folder.path("a.aifc")), settings: settings)
        #expect(file.fileFormat.streamDescription.pointee.mFormatFlags & kAudioFormatFlagIsBigEndian != 0)
        settings[AVAudioFileTypeKey] = kAudioFileAIFCType
        _ = try AVAudioFile(forWriting: URL(fileURLWithPath: folder.path("b.aiff")), settings: settings)
        #expect(throws: (any Error).self) {
            settings[AVAudioFileTypeKey] = kAudioFileAIFFType
            return try AVAudioFile(forWriting: URL(fileURLWithPath: folder.path("c.aifc")), settings: settings)
        }
    }

    @Test("A file that is cut off says so when it is opened; a whole one says nothing")
    func cutFile() throws {
        let buffer = try write("whole.wav"), path = folder.path("cut.wav")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("whole.wav")))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
        let file = try AVAudioFile(forReading: URL(fileURLWithPath: path))
        #expect(
            file.length < Int64(buffer.frameLength)
                && file.fileWarnings.contains { $0.contains("cut short") && $0.contains(path) })
        #expect(try AVAudioFile(forReading: URL(fileURLWithPath: folder.path("whole.wav"))).fileWarnings.isEmpty)
    }

    /// In a process of its own, whose files cannot grow beyond the limit.
    @Test("close() of a file that cannot be finished tells so")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            signal(SIGXFSZ, SIG_IGN)
            let settings: [String: Any] = [
                AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 1,
                AVLinearPCMBitDepthKey: 16,
            ]
            let file = try AVAudioFile(forWriting: URL(fileURLWithPath: folder.path("a.flac")), settings: settings)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1000))
            buffer.frameLength = 1000
            try file.write(from: buffer)
            var limit = rlimit(rlim_cur: 20, rlim_max: 20)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            file.close()
            try #require(file.fileWarnings.count == 1 && !file.isOpen)
        }
    }
}
