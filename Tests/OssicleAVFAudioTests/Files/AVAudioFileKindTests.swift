import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// Every kind of file by the settings a client gives.
@Suite("Kinds of files in AVAudioFile") struct AVAudioFileKindTests {
    private let folder: TemporaryFolder
    private static let count = 20_011
    init() throws { folder = try TemporaryFolder() }

    /// Two tones, at a place in time that only they have; for lossless files in steps of `bits`.
    private func sound(_ kind: FileKind, channels: Int = 2) -> [[Float]] {
        (0..<channels).map { channel in
            let tones = zip(
                Signal.sine(997, count: Self.count, amplitude: 0.3),
                Signal.sine(313 + 50 * Double(channel), count: Self.count, amplitude: 0.2)
            ).map { $0 + $1 }
            guard case .exact(let bits) = kind.fidelity else { return tones }
            let scale = Float(1 << (bits - 1))
            return tones.map { ($0 * scale).rounded() / scale }
        }
    }

    private func write(
        _ kind: FileKind, _ sound: [[Float]], _ more: [String: Any] = [:], name: String? = nil
    ) throws -> URL {
        let url = folder.file(name ?? kind.name),
            file = try AVAudioFile(forWriting: url, settings: kind.settings(channels: sound.count, more))
        for case .give(let buffer) in try Rig.pieces(sound, of: 4999, format: file.processingFormat) {
            try file.write(from: try #require(buffer as? AVAudioPCMBuffer))
        }
        #expect(file.length == AVAudioFramePosition(sound[0].count))
        file.close()
        return url
    }

    private func read(
        _ file: AVAudioFile, from start: AVAudioFramePosition = 0, count: Int = 30_000
    ) throws -> [[Float]] {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: UInt32(count)))
        file.framePosition = start
        try file.read(into: buffer)
        return try Rig.samples(buffer)
    }

    @Test(
        "What is written is read back in its place, and no frame more", arguments: FileKind.linear + FileKind.compressed
    )
    func roundTrip(kind: FileKind) throws {
        let sound = sound(kind), file = try AVAudioFile(forReading: write(kind, sound)), found = try read(file)
        let asbd = file.fileFormat.streamDescription.pointee
        #expect(
            asbd.mFormatID == kind.id && file.processingFormat.isStandard && file.processingFormat.sampleRate == 48_000
                && file.fileFormat.channelCount == 2)
        if kind.tellsLength {
            #expect(
                file.length == Int64(Self.count) && found[0].count == Self.count
                    && abs(file.duration - Double(Self.count) / 48_000) < 1e-9)
        }
        switch kind.fidelity {
        case .exact: #expect(found == sound)
        case .lossy(let least):
            let shift = kind.tellsLength ? 0 : Int(Measure.delay(of: found[0], after: sound[0], range: 4000).rounded())
            for (a, b) in zip(sound, found) {
                let error = (3000..<17_000).map { b[$0 + shift] - a[$0] }
                #expect(Measure.level(a[3000..<17_000]) - Measure.level(error) > least)
            }
        }
    }

    @Test(
        "From any frame come the samples that reading in order gives",
        arguments: [FileKind.linear[2]] + FileKind.compressed)
    func seeking(kind: FileKind) throws {
        let url = try write(kind, sound(kind)), file = try AVAudioFile(forReading: url)
        let whole = try read(file)
        for start in [12_345, 0, 19_999, 4096, 1] {
            let part = try read(file, from: AVAudioFramePosition(start), count: 500)
            let expected = whole.map { Array($0[min(start, $0.count)..<min(start + 500, $0.count)]) }
            #expect(
                part == expected && file.framePosition == AVAudioFramePosition(start + expected[0].count),
                "from \(start)")
        }
    }

    @Test("A file's own settings write another of the same format", arguments: FileKind.linear + FileKind.compressed)
    func settings(kind: FileKind) throws {
        let sound = sound(kind), format = try AVAudioFile(forReading: write(kind, sound)).fileFormat
        let again = try AVAudioFile(forWriting: folder.file("again-" + kind.name), settings: format.settings)
        #expect(again.fileFormat == format)
        try again.write(from: Rig.buffer(sound, format: again.processingFormat))
        again.close()
        #expect(try AVAudioFile(forReading: folder.file("again-" + kind.name)).fileFormat == format)
    }

    @Test("The format in a compressed file is told in full", arguments: FileKind.compressed)
    func formats(kind: FileKind) throws {
        let asbd = try AVAudioFile(forReading: write(kind, sound(kind))).fileFormat.streamDescription.pointee
        switch kind.id {
        case kAudioFormatAppleLossless:
            #expect(
                asbd.mFramesPerPacket == 4096
                    && asbd.mFormatFlags
                        == (kind.depth == 16
                            ? kAppleLosslessFormatFlag_16BitSourceData : kAppleLosslessFormatFlag_24BitSourceData)
            )
        case kAudioFormatMPEG4AAC: #expect(asbd.mFramesPerPacket == 1024 && asbd.mBytesPerPacket == 0)
        case kAudioFormatMPEGLayer3: #expect(asbd.mFramesPerPacket == 1152)
        case kAudioFormatULaw, kAudioFormatALaw: #expect(asbd.mFramesPerPacket == 1 && asbd.mBytesPerPacket == 2)
        case kAudioFormatFLAC:
            #expect(
                asbd.mFormatFlags
                    == (kind.depth == 16
                        ? kAppleLosslessFormatFlag_16BitSourceData : kAppleLosslessFormatFlag_24BitSourceData))
        default: #expect(asbd.mBitsPerChannel == 0)
        }
    }

    @Test("CAF keeps the byte order that was asked for")
    func byteOrder() throws {
        for kind in FileKind.linear where kind.name.hasSuffix("caf") {
            let file = try AVAudioFile(forReading: write(kind, sound(kind)))
            #expect(
                (file.fileFormat.streamDescription.pointee.mFormatFlags & kAudioFormatFlagIsBigEndian != 0)
                    == kind.isBigEndian)
        }
    }

    @Test("Every settings key of an encoder is understood, and a senseless value refused")
    func encoderKeys() throws {
        let kind = FileKind(name: "a.ogg", id: kAudioFormatOpus, fidelity: .lossy(0)),
            noise = [Signal.noise(count: 96_000, amplitude: 0.3), Signal.noise(count: 96_000, seed: 2, amplitude: 0.3)]
        func size(_ more: [String: Any]) throws -> Int {
            var settings = kind.settings(more)
            if more[AVEncoderBitRatePerChannelKey] != nil { settings[AVEncoderBitRateKey] = nil }
            let file = try AVAudioFile(forWriting: folder.file("a.ogg"), settings: settings)
            try file.write(from: Rig.buffer(noise))
            file.close()
            return try Data(contentsOf: folder.file("a.ogg")).count
        }
        let small = try size([
            AVEncoderBitRateKey: 64_000, AVEncoderBitRateStrategyKey: AVAudioBitRateStrategy_Constant,
        ])
        #expect(
            try size([AVEncoderBitRateKey: 192_000, AVEncoderBitRateStrategyKey: AVAudioBitRateStrategy_Constant]) > 2
                * small)
        #expect(
            try size([
                AVEncoderBitRatePerChannelKey: 32_000, AVEncoderBitRateStrategyKey: AVAudioBitRateStrategy_Constant,
            ]) == small)
        for (key, value) in [
            (AVEncoderBitRateKey, "fast"), (AVEncoderBitRateKey, -1), (AVEncoderBitRateStrategyKey, "lavish"),
            (AVEncoderAudioQualityKey, "good"), (AVEncoderBitDepthHintKey, 99),
        ] as [(String, Any)] {
            #expect(
                avfaudioCode {
                    _ = try AVAudioFile(forWriting: folder.file("b.ogg"), settings: kind.settings([key: value]))
                } == kAudio_ParamError, "\(key)")
        }
    }

    @Test(
        "Metadata is written ahead of the sound and read back",
        arguments: FileKind.compressed.filter { ["a.flac", "a.m4a", "a.ogg", "a.mp3"].contains($0.name) } + [
            FileKind.linear[1]
        ])
    func metadata(kind: FileKind) throws {
        var metadata = AVAudioFile.Metadata()
        (metadata.title, metadata.artist, metadata.album, metadata.date) = (
            "Über den Fluß", "Ein Chor", "Lieder", "1998"
        )
        let file = try AVAudioFile(forWriting: folder.file(kind.name), settings: kind.settings())
        try file.setMetadata(metadata)
        #expect(file.metadata == metadata)
        try file.write(from: Rig.buffer(sound(kind)))
        #expect(avfaudioCode { try file.setMetadata(metadata) } == kAudioFileOperationNotSupportedError)
        file.close()
        let reading = try AVAudioFile(forReading: folder.file(kind.name)), read = reading.metadata
        #expect(
            read.title == metadata.title && read.artist == metadata.artist && read.album == metadata.album
                && read.date == metadata.date)
        #expect(
            reading.length == Int64(Self.count)
                && avfaudioCode { try reading.setMetadata(metadata) } == kAudioFileOperationNotSupportedError)
        #expect(
            AVAudioFile.Metadata()
                == (try AVAudioFile(forReading: write(FileKind.linear[1], sound(FileKind.linear[1]), name: "plain.wav"))
                    .metadata))
    }

    #if FFmpeg
    @Test(
        "5.1 in AAC comes in the codec's order, each channel what it was, whatever order it was written in",
        arguments: [kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_MPEG_5_1_D])
    func surround(tag: AudioChannelLayoutTag) throws {
        let kind = FileKind(name: "a.m4a", id: kAudioFormatMPEG4AAC, fidelity: .lossy(20)), layout = try Rig.layout(tag)
        // The channel for low frequencies holds nothing else.
        let tones: [AudioChannelLabel: Double] = [1: 400, 2: 600, 3: 800, 4: 60, 5: 1000, 6: 1200]
        let sound = layout.channelLabels.map { Signal.sine(tones[$0] ?? 0, count: Self.count, amplitude: 0.3) }
        let file = try AVAudioFile(forReading: write(kind, sound, [AVChannelLayoutKey: layout.data]))
        #expect(
            file.processingFormat.channelLayout?.layoutTag == kAudioChannelLayoutTag_AAC_5_1
                && file.length == Int64(Self.count))
        let found = try read(file), labels = try #require(file.processingFormat.channelLayout).channelLabels
        #expect(labels == [3, 1, 2, 5, 6, 4])
        for (label, channel) in zip(labels, found) {
            #expect(
                abs(Measure.tone(tones[label] ?? 0, in: Array(channel[3000..<17_000])).amplitude - 0.3) < 0.02,
                "channel \(label)")
        }
    }
    #endif
}
