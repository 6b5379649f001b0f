// What a program does on a machine without any of the libraries that are looked for at run time: what this package does
// itself works, and all else is refused by an error that names the package to install.

import CRuntimeLibrary
import Foundation
import OssicleAcoustics
import OssicleCodecs
import OssicleConversion
import OssicleCore
import OssicleFiles
import OssicleHRTF
import OssicleLibraries
import OssicleMessages
import OssicleScenes

@main
final class LibraryCheck {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "ossicle-libraries-\(ProcessInfo.processInfo.processIdentifier)")
    private var failures = 0

    static func main() {
        // Before any is looked for; the name stays in memory.
        ossicle_hide_library(strdup("lib"))
        let check = LibraryCheck()
        try? FileManager.default.createDirectory(at: check.folder, withIntermediateDirectories: true)
        check.run()
        try? FileManager.default.removeItem(at: check.folder)
        guard check.failures == 0 else { exit(1) }
        print(
            OptionalLibrary.areLookedFor
                ? "Without libraries: linear and plain codecs work, rays are traced, and errors name what to install."
                : "With the trait off: linear and plain codecs, rates and rays work, and errors name the trait.")
    }

    private func run() {
        for container in [AudioContainer.wav, .rf64, .wave64, .aiff, .caf, .au] {
            for codec in [AudioCodec.pcm8, .pcm8Unsigned, .pcm16, .pcm24, .pcm32, .float32, .float64]
            where container.holds(codec) && isUsual(codec, container) { roundTrip(container, codec) }
        }
        for codec in [AudioCodec.alac16, .alac24, .ima4, .muLaw, .aLaw] { roundTrip(.caf, codec) }
        for container in [AudioContainer.wav, .rf64, .wave64, .aiff, .au] {
            for codec in [AudioCodec.muLaw, .aLaw] { roundTrip(container, codec) }
        }
        roundTrip(.aiff, .ima4)
        refusal("writing Ogg", .sndfile) { _ = try write("a.ogg", .ogg, .vorbis) }
        refusal("writing FLAC", .sndfile) { _ = try write("a.flac", .flac, .flac16) }
        refusal("packets of FLAC", .flac) { _ = try write("a.caf", .caf, .flac16) }
        refusal("packets of Opus", .opus) { _ = try write("b.caf", .caf, .opus) }
        refusal("reading MP3", .mpg123) {
            try Data([0xFF, 0xFB, 0x90, 0xC4] + [UInt8](repeating: 0, count: 413)).write(
                to: folder.appendingPathComponent("a.mp3"))
            _ = try AudioFileReader(path: folder.appendingPathComponent("a.mp3").path)
        }
        rate()
        refusal("a SOFA file", .mysofa) {
            try Data([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]).write(
                to: folder.appendingPathComponent("a.sofa"))
            _ = try HRTFSet(contentsOfFile: folder.appendingPathComponent("a.sofa").path)
        }
        refusal("an OBJ file", .assimp) {
            try Data("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".utf8).write(to: folder.appendingPathComponent("a.obj"))
            _ = try SceneFile(contentsOfFile: folder.appendingPathComponent("a.obj").path)
        }
        rays()
    }

    /// Eight bits are signed in AIFF, CAF and AU, and offset binary in WAV's family.
    private func isUsual(_ codec: AudioCodec, _ container: AudioContainer) -> Bool {
        let isOffset = [.wav, .rf64, .wave64].contains(container)
        return codec == .pcm8 ? !isOffset : codec == .pcm8Unsigned ? isOffset : true
    }

    /// A slow triangle from 0 on, in steps of eight bits.
    private static let sound = (0..<5000).map { (frame: Int) -> Double in
        let step: Int = abs((frame + 100) % 400 - 200) - 100
        return Double(step) / 128
    }

    private func write(_ name: String, _ container: AudioContainer, _ codec: AudioCodec) throws -> URL {
        let url = folder.appendingPathComponent(name)
        let writer = try AudioFileWriter(
            FileEncoderRequest(
                path: url.path, container: container, codec: codec, sampleRate: 48_000, channelCount: 2,
                metadata: AudioMetadata()))
        try Self.sound.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            try writer.write([start, start], frames: samples.count)
        }
        try writer.finish()
        return url
    }

    private func roundTrip(_ container: AudioContainer, _ codec: AudioCodec) {
        do {
            let url = try write("\(codec).\(container)", container, codec)
            let reader = try AudioFileReader(path: url.path), count = Self.sound.count
            let planes = (0..<2).map { _ in UnsafeMutablePointer<Double>.allocate(capacity: count) }
            defer { planes.forEach { $0.deallocate() } }
            let frames = try reader.read(into: planes, frames: count)
            let largest = codec == .ima4 ? 0.25 : codec == .muLaw || codec == .aLaw ? 1.0 / 32 : 0
            let isSame = planes.allSatisfy { plane in
                (0..<frames).allSatisfy { abs(plane[$0] - Self.sound[$0]) <= largest }
            }
            if frames != count || !isSame { complain("\(codec) in \(container) came back changed") }
        } catch { complain("\(codec) in \(container): \(error)") }
    }

    private func rate() {
        func convert() throws -> [Float] {
            guard
                let sound = ResidentAudio(
                    channels: [Self.sound.map { Float($0) }], sampleRate: 44_100, channelLabels: nil)
            else { return [] }
            return Array(try Resampling.convert(sound, to: 48_000).samples(0))
        }
        guard OptionalLibrary.areLookedFor else {
            if (try? convert())?.count != 5442 { complain("a rate was not converted without libraries") }
            return
        }
        refusal("a change of rate", .soxr) { _ = try convert() }
    }

    private func rays() {
        do {
            guard let material = MaterialLibrary.materials.first else { return complain("there are no materials") }
            let box = try BoxScene(size: Vector(4, 3, 5), materials: [material])
            let tracer = SceneTracer(AcousticScene(occluders: [box.occluder])), inside = Vector(1, 1, 1)
            if tracer.isBlocked(from: inside, to: Vector(3, 2, 4))
                || !tracer.isBlocked(from: inside, to: Vector(9, 1, 1))
            {
                complain("rays miss the walls of a box")
            }
        } catch { complain("a box: \(error)") }
    }

    private func refusal(_ deed: String, _ library: OptionalLibrary, _ body: () throws -> Void) {
        do {
            try body()
            complain("\(deed) was not refused")
        } catch {
            let words = "\(error)"
            let isNamed =
                OptionalLibrary.areLookedFor
                ? words.contains(library.name) && words.contains(library.debianPackage)
                : words.contains("SystemLibraries")
            if !isNamed { complain("\(deed) was refused with: \(words)") }
        }
    }

    private func complain(_ words: String) {
        StandardError.write("\(words)\n")
        failures += 1
    }
}
