import Foundation
import OssicleAVFAudio
import OssicleAudioToolbox
import OssicleCoreAudioTypes

/// A folder that goes with the process.
struct Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-misuse-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let path = url
        let remove: @convention(c) () -> Void = { Folder.paths.forEach { try? FileManager.default.removeItem(at: $0) } }
        Folder.paths.append(path)
        if Folder.paths.count == 1 { atexit(remove) }
    }

    nonisolated(unsafe) private static var paths: [URL] = []

    /// A mono WAVE file at 48 kHz, open for reading.
    func sound(frames: UInt32, name: String = "sound.wav") throws -> AVAudioFile {
        let path = url.appendingPathComponent(name)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: max(frames, 1))
        else { throw MisuseFailure("no buffer") }
        buffer.frameLength = frames
        let file = try AVAudioFile(forWriting: path, settings: format.settings)
        try file.write(from: buffer)
        file.close()
        return try AVAudioFile(forReading: path)
    }
}

/// AVAudioFile and the C interfaces for files.
let fileCases: [MisuseCase] = [
    MisuseCase("files: places that are no sound files") {
        let folder = try Folder(), text = folder.url.appendingPathComponent("text.wav")
        try Data("no sound".utf8).write(to: text)
        try Data().write(to: folder.url.appendingPathComponent("empty.wav"))
        let places =
            [
                folder.url, text, folder.url.appendingPathComponent("empty.wav"),
                folder.url.appendingPathComponent("missing.wav"), URL(fileURLWithPath: ""),
                URL(fileURLWithPath: "/dev/zero"), URL(fileURLWithPath: "/dev/null"),
                URL(fileURLWithPath: "/proc/self/mem"),
            ]
            + ["https://example.com/a.wav", "data:,x", "a%00b.wav"].compactMap { URL(string: $0) }
        for place in places {
            try expectThrown("read \(place)") { _ = try AVAudioFile(forReading: place) }
            var id: AudioFileID?
            try expect(
                AudioFileOpenURL(place as CFURL, .readPermission, 0, &id) != noErr, "AudioFileOpenURL opened \(place)")
            var file: ExtAudioFileRef?
            try expect(ExtAudioFileOpenURL(place as CFURL, &file) != noErr, "ExtAudioFileOpenURL opened \(place)")
        }
    },
    MisuseCase("files: positions, lengths and formats of reads") {
        let folder = try Folder(), file = try folder.sound(frames: 1000)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 64),
            let other = AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 1).flatMap({
                AVAudioPCMBuffer(pcmFormat: $0, frameCapacity: 64)
            })
        else {
            throw MisuseFailure("no buffer")
        }
        for position in [Int64.min, -1, 0, 999, 1000, 1001, .max] {
            for count in Hostile.frames {
                note("position \(position), \(count) frames")
                file.framePosition = position
                try? file.read(into: buffer, frameCount: count)
                try expect(
                    buffer.frameLength <= 64 && (0...1000).contains(file.framePosition),
                    "read to \(file.framePosition), \(buffer.frameLength) frames")
            }
        }
        file.framePosition = 0
        try expectThrown("read into another format") { try file.read(into: other) }
        try expectThrown("write to a file for reading") { try file.write(from: buffer) }
        file.close()
        file.close()
        try expectThrown("read from a closed file") { try file.read(into: buffer) }
        _ = (file.length, file.framePosition, file.url)
    },
    MisuseCase("files: settings to write with") {
        let folder = try Folder(), path = folder.url.appendingPathComponent("a.wav")
        let good: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        ]
        let keys = [
            AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey, AVLinearPCMBitDepthKey, AVEncoderBitRateKey,
            AVEncoderAudioQualityKey, AVChannelLayoutKey,
        ]
        for value in [NSNull(), -1, 0, Double.nan, Double.infinity, "x", Data([1]), UInt64.max, Int.min] as [Any] {
            for key in keys {
                note("\(key) = \(value)")
                for ending in ["wav", "caf", "m4a", "flac", "nothing", ""] {
                    let place = folder.url.appendingPathComponent("a" + (ending.isEmpty ? "" : "." + ending))
                    if let file = try? AVAudioFile(forWriting: place, settings: good.merging([key: value]) { $1 }) {
                        file.close()
                    }
                }
            }
        }
        try expectThrown("no settings") { _ = try AVAudioFile(forWriting: path, settings: [:]) }
        try expectThrown("a folder that is not there") {
            _ = try AVAudioFile(forWriting: folder.url.appendingPathComponent("no/a.wav"), settings: good)
        }
        try expectThrown("a folder") { _ = try AVAudioFile(forWriting: folder.url, settings: good) }
        let file = try AVAudioFile(forWriting: path, settings: good)
        guard
            let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1).flatMap({
                AVAudioPCMBuffer(pcmFormat: $0, frameCapacity: 64)
            })
        else {
            throw MisuseFailure("no buffer")
        }
        mono.frameLength = 64
        try expectThrown("write another format") { try file.write(from: mono) }
        try expectThrown("read from a file for writing") { try file.read(into: mono) }
        file.close()
        try expectThrown("write to a closed file") { try file.write(from: mono) }
    },
]
