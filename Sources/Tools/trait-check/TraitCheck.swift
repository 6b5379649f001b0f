// What a library user has who did not ask for FFmpeg: MPEG-4 and AAC are refused by an error that names the trait, and
// the rest works.

import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleMessages

@main
struct TraitCheck {
    static func main() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-trait-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let m4a = folder.appendingPathComponent("a.m4a")
        try? Data([0, 0, 0, 16] + Array("ftypM4A ".utf8) + [0, 0, 0, 0]).write(to: m4a)
        let refusals = [
            refusal("writing M4A") { () throws(AudioFileError) in _ = try writer(m4a, .mpeg4, .aac) },
            refusal("writing ADTS") { () throws(AudioFileError) in
                _ = try writer(folder.appendingPathComponent("a.aac"), .adts, .aac)
            },
            refusal("reading M4A") { () throws(AudioFileError) in _ = try AudioFileReader(path: m4a.path) },
        ]
        guard refusals.allSatisfy({ $0 }), roundTrip(folder.appendingPathComponent("a.flac")) else { exit(1) }
        print("Without the trait: M4A and AAC are refused by name, FLAC works.")
    }

    private static func writer(
        _ url: URL, _ container: AudioContainer, _ codec: AudioCodec
    ) throws(AudioFileError) -> AudioFileWriter {
        try AudioFileWriter(
            FileEncoderRequest(path: url.path, container: container, codec: codec, sampleRate: 44_100, channelCount: 1))
    }

    private static func refusal(_ deed: String, _ body: () throws(AudioFileError) -> Void) -> Bool {
        do throws(AudioFileError) {
            try body()
            return complain("\(deed) was not refused")
        } catch {
            return error.kind == .traitOff && "\(error)".contains("\"FFmpeg\"")
                || complain("\(deed) was refused with \(error)")
        }
    }

    private static func roundTrip(_ url: URL) -> Bool {
        do throws(AudioFileError) {
            let file = try writer(url, .flac, .flac16)
            let sound: [Double] = (0..<1000).map { Double($0) / 1024 }
            let plane = UnsafeMutablePointer<Double>.allocate(capacity: sound.count)
            defer { plane.deallocate() }
            plane.initialize(from: sound, count: sound.count)
            try file.write([UnsafePointer(plane)], frames: sound.count)
            file.close()
            plane.update(repeating: 0, count: sound.count)
            let frames = try AudioFileReader(path: url.path).read(into: [plane], frames: sound.count)
            return frames == sound.count && Array(UnsafeBufferPointer(start: plane, count: frames)) == sound
                || complain("FLAC came back changed")
        } catch {
            return complain("\(error)")
        }
    }

    private static func complain(_ words: String) -> Bool {
        StandardError.write("\(words)\n")
        return false
    }
}
