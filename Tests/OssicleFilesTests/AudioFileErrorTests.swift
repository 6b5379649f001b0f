import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Unusable sound files") struct AudioFileErrorTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func kind(_ body: () throws -> Void) -> AudioFileError.Kind? {
        do { try body() } catch { return (error as? AudioFileError)?.kind }
        return nil
    }

    private func put(_ bytes: some Sequence<UInt8>, _ name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
        return folder.path(name)
    }

    @Test("Missing, empty, foreign files and folders give errors that name the path and the cure")
    func refusals() throws {
        #expect(kind { _ = try ResidentAudio(path: folder.path("none.wav")) } == .missing)
        #expect(kind { _ = try ResidentAudio(path: "") } == .missing)
        #expect(kind { _ = try ResidentAudio(path: folder.url.path) } == .notAFile)
        #expect(kind { _ = try ResidentAudio(path: "/dev/null") } == .notAFile)
        let empty = try put([], "empty.wav"), text = try put("just some text, no sound".utf8, "text.wav")
        #expect(kind { _ = try ResidentAudio(path: empty) } == .empty)
        #expect(kind { _ = try StreamedAudio(path: text) } == .unrecognized)
        do { _ = try AudioFileProbe.probe(path: folder.path("none.wav")) } catch {
            #expect(error.description.contains("none.wav") && !error.rule.isEmpty && !error.cure.isEmpty)
        }
    }

    @Test("A WAVE file cut short gives the frames that are there", arguments: [44, 45, 46, 47, 48, 144, 2043])
    func truncatedWave(length: Int) throws {
        try write(Signal.tonesAndNoise(channels: 1, frames: 1000), to: folder.path("whole.wav"), .wav, .pcm16)
        let whole = try ResidentAudio(path: folder.path("whole.wav")).arrays[0]
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("whole.wav")))
        let audio = try ResidentAudio(path: put(bytes.prefix(length), "cut.wav"))
        #expect(audio.frameCount == (length - 44) / 2)
        #expect(audio.arrays[0] == Array(whole.prefix(audio.frameCount)))
    }

    @Test("Every file cut anywhere gives a part of its samples or an error", arguments: Coding.all)
    func truncatedAnywhere(coding: Coding) throws {
        try write(
            Signal.tonesAndNoise(channels: 2, frames: 6000), to: folder.path(coding.name), coding.container,
            coding.codec)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path(coding.name)))
        for part in 1..<20 {
            let path = try put(bytes.prefix(bytes.count * part / 20 + part), "cut-" + coding.name)
            let audio = try? ResidentAudio(path: path)
            #expect((audio?.frameCount ?? 0) <= 6600)
            #expect(audio?.arrays.areFinite ?? true)
        }
    }

    @Test("Bytes changed at random never trap", arguments: Coding.all)
    func fuzzed(coding: Coding) throws {
        try write(
            Signal.tonesAndNoise(channels: 2, frames: 3000), to: folder.path(coding.name), coding.container,
            coding.codec)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path(coding.name)))
        var state: UInt32 = 99
        for round in 0..<60 {
            var damaged = bytes
            for _ in 0..<4 {
                state = state &* 1_664_525 &+ 1_013_904_223
                let reach = round % 2 == 0 ? min(128, bytes.count) : bytes.count
                damaged[Int(state >> 8) % reach] = UInt8(truncatingIfNeeded: state >> 3)
            }
            guard let reader = try? StreamedAudio(path: put(damaged, "f-" + coding.name)).makeReader() else { continue }
            let samples = try read(reader, 10_000)
            #expect(samples.areFinite)
        }
    }

    @Test("A header that claims four gigabytes gives the frames that are there, or an error")
    func hugeClaims() throws {
        try write(Signal.tonesAndNoise(channels: 1, frames: 100), to: folder.path("a.wav"), .wav, .pcm16)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.wav")))
        bytes.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try ResidentAudio(path: put(bytes, "huge.wav")).frameCount == 100)

        try write(Signal.tonesAndNoise(channels: 1, frames: 100), to: folder.path("a.flac"), .flac, .flac16)
        var flac = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.flac")))
        flac.replaceSubrange(22..<26, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let audio = try? ResidentAudio(path: put(flac, "huge.flac"))
        #expect((audio?.frameCount ?? 0) <= 100)
    }

    @Test("A WAVE file without frames is empty sound, not an error")
    func noFrames() throws {
        try write([[]], to: folder.path("a.wav"), .wav, .pcm16)
        #expect(try ResidentAudio(path: folder.path("a.wav")).frameCount == 0)
    }

    @Test("Writing refuses what cannot be written")
    func writerRefusals() throws {
        func open(
            _ name: String, _ container: AudioContainer = .wav, _ codec: AudioCodec = .pcm16, rate: Double = 48_000,
            channels: Int = 1
        ) -> AudioFileError.Kind? {
            kind {
                _ = try AudioFileWriter(
                    FileEncoderRequest(
                        path: folder.path(name), container: container, codec: codec, sampleRate: rate,
                        channelCount: channels))
            }
        }
        #expect(open("no/folder/a.wav") == .missing)
        #expect(open("") == .notAFile)
        for rate in [0, -1, .nan, .infinity, 44_100.5, 1e300] { #expect(open("a.wav", rate: rate) == .unsupported) }
        for channels in [0, -1, 100_000] { #expect(open("a.wav", channels: channels) == .unsupported) }
        #expect(open("a.flac", .flac, .float32) == .unsupported)
        #expect(open("a.ogg", .ogg, .opus, rate: 44_100) == .unsupported)
    }

    @Test("A closed reader or writer tells so")
    func closed() throws {
        let writer = try write([[0.5]], to: folder.path("a.wav"), .wav, .pcm16)
        #expect(kind { try writer.write([UnsafePointer<Float>](), frames: 0) } == .closed)
        let reader = try AudioFileReader(path: folder.path("a.wav"))
        reader.close()
        #expect(kind { try reader.read(into: [UnsafeMutablePointer<Float>](), frames: 1) } == .closed)
    }
}
