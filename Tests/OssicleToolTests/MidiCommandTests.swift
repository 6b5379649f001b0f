import Foundation
import OssicleFiles
import OssicleInstruments
import OssicleTestSupport
import Testing
@testable import ossicle

@Suite struct MidiCommandTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("midi-\(UUID().uuidString)")

    private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// A note of 480 Hz for a beat, at 120 beats a minute.
    private static let music: [UInt8] = {
        let track: [UInt8] = [0, 0x90, 60, 100, 0x83, 0x60, 0x80, 60, 0, 0, 0xFF, 0x2F, 0]
        return Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0] + Array("MTrk".utf8) + [
            0, 0, 0, UInt8(track.count),
        ]
            + track
    }()

    private static var bank: [UInt8] {
        let tone = Signal.sine(480, count: 4800).map { Int16($0 * 20_000) }
        return BankWriter(
            presets: [.init(zones: [.init(generators: [(41, 0)])])],
            instruments: [[.init(generators: [(54, 1), (53, 0)])]], samples: [.init(frames: tone, loop: 100..<4700)]
        ).bytes
    }

    @Test func `a file is rendered with a bank, to the same bytes twice`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (music, bank) = (try write("a.mid", Self.music), try write("a.sf2", Self.bank))
        let paths = ["a.wav", "b.wav"].map { folder.appendingPathComponent($0).path }
        for path in paths { try MidiCommand.parse([music, "--soundfont", bank, "-o", path]).run() }
        let bytes = paths.map { FileManager.default.contents(atPath: $0) }
        #expect(bytes[0] != nil && bytes[0] == bytes[1])
        let sound = try ResidentAudio(path: paths[0])
        #expect(sound.sampleRate == 48_000 && sound.channelCount == 2)
        #expect(abs(Measure.pitch(near: 480, in: Array(sound.samples(0)[4800..<20_000])).frequency - 480) < 0.01)
        // Behind a short release the reverb dies away: from -52 dB, give or take what one tone scatters, to -100 dB at
        // 60 dB in 1.8 s.
        #expect((64_000..<128_000).contains(sound.frameCount))
        let dry = folder.appendingPathComponent("dry.wav").path
        try MidiCommand.parse([music, "--soundfont", bank, "--no-effects", "-o", dry]).run()
        // What follows the release is left out.
        #expect((24_000..<40_000).contains(try ResidentAudio(path: dry).frameCount))
        #expect(throws: ToolError.self) { try MidiCommand.parse([music, "--soundfont", bank, "-o", paths[0]]).run() }
    }

    @Test func `what is wrong is said`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (music, bank) = (try write("a.mid", Self.music), try write("a.sf2", Self.bank))
        let path = folder.appendingPathComponent("a.wav").path
        #expect(throws: (any Error).self) { try MidiCommand.parse([music, "-o", path, "--rate", "1000"]) }
        #expect(throws: (any Error).self) { try MidiCommand.parse([music, "-o", path, "--gain", "99"]) }
        #expect(throws: (any Error).self) { try MidiCommand.parse([music]) }
        #expect(throws: (any Error).self) { try MidiCommand.parse([music, "-o", path, "--synthesiser", "none"]) }
        let missing = #expect(throws: InstrumentError.self) {
            try MidiCommand.parse([music, "--soundfont", folder.path + "/gone.sf2", "-o", path]).run()
        }
        #expect(missing?.kind == .missing)
        #expect(throws: (any Error).self) { try MidiCommand.parse([bank, "--soundfont", bank, "-o", path]).run() }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
