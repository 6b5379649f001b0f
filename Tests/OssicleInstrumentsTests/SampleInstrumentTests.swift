import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleRender
import OssicleTestSupport
import Testing
@testable import OssicleInstruments

/// Instruments that name sound files: the sampler's presets, EXS24, and sound files by themselves.
@Suite struct SampleInstrumentTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "instruments-\(UUID().uuidString)")

    private func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// A WAVE file of 16 bits with frames that count up, and chunks of one's own.
    private func wave(_ name: String, channels: Int = 1, chunks: [[UInt8]] = []) throws -> String {
        let format = RIFFBytes.make {
            $0.u16(1)
            $0.u16(channels)
            $0.u32(44_100)
            $0.u32(88_200 * channels)
            $0.u16(2 * channels)
            $0.u16(16)
        }
        let data = RIFFBytes.make {
            for frame in 0..<300 { for channel in 0..<channels { $0.u16(frame * (channel + 1)) } }
        }
        return try file(
            name,
            RIFFBytes.list(
                "WAVE", [RIFFBytes.chunk("fmt ", format), RIFFBytes.chunk("data", data)] + chunks, name: "RIFF"))
    }

    private func zones(_ instrument: Instrument) -> [InstrumentZone] {
        instrument.table.programList.flatMap { instrument.table.zones(of: $0) }
    }

    /// Keys, a root and a loop.
    private func sampledWave(_ name: String) throws -> String {
        let sampler = RIFFBytes.chunk(
            "smpl",
            RIFFBytes.make {
                for number in [0, 0, 0, 64, 0x8000_0000, 0, 0, 1, 0, 0, 0, 20, 119, 0, 0] { $0.u32(number) }
            })
        return try wave(name, chunks: [sampler, RIFFBytes.chunk("inst", [64, 0, 0, 50, 70, 10, 100, 0])])
    }

    /// An AIFF file of 16 bits with keys and a root, big endian.
    private var sampledAIFF: [UInt8] {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
        }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + bytes(content.count, 4) + content
        }
        // 44,100 Hz as a number of 80 bits.
        let rate = bytes(0x400E, 2) + bytes(0xAC44, 2) + bytes(0, 6)
        let common = chunk("COMM", bytes(1, 2) + bytes(300, 4) + bytes(16, 2) + rate)
        let keys = chunk("INST", [62, 10, 50, 70, 10, 100] + [UInt8](repeating: 0, count: 14))
        let sound = chunk("SSND", bytes(0, 8) + (0..<300).flatMap { bytes($0, 2) })
        return chunk("FORM", Array("AIFF".utf8) + common + keys + sound)
    }

    @Test func `a sound file says where it lies and what it repeats`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let zone = try #require(zones(try InstrumentFile.instrument(path: sampledWave("a.wav"))).first)
        #expect(zone.lowKey == 50 && zone.highKey == 70 && zone.lowVelocity == 10 && zone.highVelocity == 100)
        #expect(zone.rootPitch == 6400 && zone.loop == .endless && zone.loopStart == 20 && zone.loopEnd == 120)
        let other = try #require(zones(try InstrumentFile.instrument(path: file("a.aiff", sampledAIFF))).first)
        #expect(other.lowKey == 50 && other.highKey == 70 && other.lowVelocity == 10 && other.highVelocity == 100)
        // Ten cents higher to be played means that the sound is as much too low.
        #expect(other.rootPitch == 6190 && other.loop == .none)
    }

    @Test func `a file without numbers lies over all keys, several lie next to each other`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (mono, stereo) = (try wave("a.wav"), try wave("b.wav", channels: 2))
        let one = zones(try InstrumentFile.audioFiles(paths: [mono]))
        #expect(one.count == 1 && one[0].lowKey == 0 && one[0].highKey == 127 && one[0].rootPitch == 6000)
        let two = zones(try InstrumentFile.audioFiles(paths: [mono, stereo]))
        #expect(two.map(\.lowKey) == [60, 61, 61] && two.map(\.rootPitch) == [6000, 6100, 6100])
        #expect(two.map { $0.generators[ZoneGenerator.pan] } == [0, -500, 500])
    }

    private func preset(_ path: String) throws -> Data {
        let zone: [String: Any] = [
            "ID": 1, "enabled": true, "waveform": 268_435_457, "root key": 62, "min key": 40, "max key": 80,
            "min velocity": 5, "max velocity": 90, "loop enabled": true, "loop start": 10, "loop end": 200,
            "pitch fine": 25.0,
            "gain": -3.0,
        ]
        let stages: [[String: Any]] = [
            ["stage": 1, "time": 0.5], ["stage": 4, "level": 0.1], ["stage": 5, "time": 2.0],
        ]
        let layer: [String: Any] = [
            "Zones": [zone], "Envelopes": [["ID": 0, "Stages": stages]], "Amplifier": ["enabled": true],
            "Filters": ["ID": 0, "enabled": true, "cutoff": 880.0, "resonance": 6.0, "type": 40],
        ]
        return try PropertyListSerialization.data(
            fromPropertyList: [
                "name": "A preset", "Instrument": ["Layers": [layer]], "file-references": ["Sample:268435457": path],
            ] as [String: Any], format: .xml, options: 0)
    }

    @Test func `a preset's zones and envelope are read, and samples are found beside it`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try wave("Kit/a.wav")
        let path = try file("p.aupreset", try preset("/Volumes/Elsewhere/Kit/a.wav"))
        let instrument = try InstrumentFile.instrument(path: path)
        let zone = try #require(zones(instrument).first)
        #expect(instrument.name == "A preset" && instrument.warnings.isEmpty)
        #expect(zone.lowKey == 40 && zone.highKey == 80 && zone.lowVelocity == 5 && zone.highVelocity == 90)
        #expect(zone.rootPitch == 6200 && zone.generators[ZoneGenerator.fineTune] == 25)
        #expect(zone.generators[ZoneGenerator.attenuation] == 30 && zone.loop == .endless && zone.loopEnd == 200)
        #expect(
            zone.generators[ZoneGenerator.volumeAttack] == -1200 && zone.generators[ZoneGenerator.volumeSustain] == 200)
        #expect(zone.generators[ZoneGenerator.volumeRelease] == 1200)
        // An octave above 440 Hz, which is key 69.
        #expect(zone.generators[ZoneGenerator.filterCutoff] == 8100 && zone.generators[ZoneGenerator.filterQ] == 60)
    }

    /// - Parameter before: the groups' predecessors, for groups that take turns; one zone each.
    private func exs(_ path: String, _ name: String, before: [Int] = []) -> [UInt8] {
        func block(_ kind: Int, _ name: String, _ content: [UInt8]) -> [UInt8] {
            RIFFBytes.make {
                $0.u32(kind << 24 | 0x101)
                $0.u32(content.count)
                for _ in 0..<2 { $0.u32(0) }
                $0.text("TBOS", 4)
                $0.text(name, 64)
            } + content
        }
        func zone(_ group: Int) -> [UInt8] {
            RIFFBytes.make {
                for number in [8, 65, -10, 32, -6, 0, 48, 72, 0, 20, 110, 0] { $0.u8(number) }
                for number in [0, 300, 30, 210, 0] { $0.u32(number) }
                for number in [0, 5, 0] { $0.u8(number) }
                $0.text("", 45)
                $0.u8(-12)
                $0.text("", 7)
                $0.u32(group)
                $0.u32(0)
            }
        }
        let sample = RIFFBytes.make {
            $0.text("", 80)
            $0.text(path, 256)
            $0.text(name, 256)
        }
        func group(_ before: Int?) -> [UInt8] {
            var group = [UInt8](repeating: 0, count: 96)
            (group[4], group[6]) = (3, 127)
            guard let before else { return group }
            group.replaceSubrange(80..<84, with: RIFFBytes.make { $0.u32(before & 0xFFFF_FFFF) })
            (group[84], group[88], group[89]) = (2, 50, 60)
            return group
        }
        // Coarse tuning of two semitones and fine tuning of −7 cents.
        let parameters = RIFFBytes.make {
            $0.u32(2)
            for number in [0x0E, 0x0F] { $0.u8(number) }
            for number in [2, 0x10000 - 7] { $0.u16(number) }
        }
        let groups = before.isEmpty ? [nil] : before.map(Optional.some)
        return block(0, "instrument", []) + groups.indices.flatMap { block(1, "zone", zone($0)) }
            + groups.flatMap { block(2, "group", group($0)) } + block(3, name, sample)
            + (before.isEmpty ? [] : block(4, "parameters", parameters))
    }

    @Test func `an EXS24 instrument's zones are read, and its absolute paths give way to the file's own folder`() throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try wave("Samples/a.wav")
        let path = try file("i.exs", exs("/Library/Somewhere", "a.wav"))
        let zone = try #require(zones(try InstrumentFile.instrument(path: path)).first)
        #expect(zone.lowKey == 48 && zone.highKey == 72 && zone.lowVelocity == 20 && zone.highVelocity == 110)
        #expect(zone.rootPitch == 6500 && zone.generators[ZoneGenerator.fineTune] == -10)
        #expect(zone.generators[ZoneGenerator.coarseTune] == -12 && zone.generators[ZoneGenerator.attenuation] == 60)
        #expect(zone.loop == .untilRelease && zone.loopStart == 30 && zone.loopEnd == 210 && zone.exclusiveClass == 3)
    }

    @Test func `groups of an EXS24 instrument take turns, and its parameters tune it`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try wave("a.wav")
        // A round of three, one of two, and a circle, of which there is no first.
        let path = try file("i.exs", exs("", "a.wav", before: [-1, 0, -1, 1, 2, 6, 5]))
        let zones = zones(try InstrumentFile.instrument(path: path))
        #expect(zones.map(\.cycle) == [1, 1, 2, 1, 2] && zones.map(\.turn) == [0, 1, 0, 2, 1])
        #expect(zones.map(\.turns) == [3, 3, 2, 3, 2])
        #expect(zones.allSatisfy { $0.lowKey == 50 && $0.highKey == 60 })
        #expect(zones.allSatisfy { $0.generators[ZoneGenerator.coarseTune] == -10 })
        #expect(zones.allSatisfy { $0.generators[ZoneGenerator.fineTune] == -17 })
    }

    @Test func `missing samples are named`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try file("i.exs", exs("/Library/Somewhere", "gone.wav"))
        let error = #expect(throws: InstrumentError.self) { try InstrumentFile.instrument(path: path) }
        #expect(error?.kind == .sampleMissing && "\(error!)".contains("/Library/Somewhere/gone.wav"))
        #expect(error?.status == -43)
    }

    @Test func `spoilt instruments are read or refused`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try wave("a.wav")
        let originals = [
            exs("/x", "a.wav", before: [-1, 0]), Array(try preset("a.wav")),
            Array(try Data(contentsOf: URL(fileURLWithPath: sampledWave("b.wav")))), sampledAIFF,
        ]
        var mutator = Mutator(seed: 1234), readable = [0, 0, 0, 0], synthesiser = Synthesiser(sampleRate: 48_000)
        for turn in 0..<mutationCount(800) {
            let path = try file("spoilt", mutator.mutate(originals[turn % 4], most: 3))
            guard let instrument = try? InstrumentFile.instrument(path: path) else { continue }
            readable[turn % 4] += 1
            if turn % 16 < 4 { playEverything(of: instrument, by: &synthesiser, frames: 64) }
        }
        #expect(readable.allSatisfy { $0 > 10 }, "\(readable)")
        if readable.reduce(0, +) > 1000 { print("readable of each kind: \(readable)") }
    }
}
