import Foundation
import OssicleCodecs
import OssicleFiles
import OssicleRender
import OssicleTestSupport
import Testing
@testable import OssicleInstruments

@Suite struct SoundFontTests {
    private typealias Zone = BankWriter.Zone
    private let frames = (0..<500).map { Int16($0 * 50) }

    private func read(_ bank: BankWriter, _ choice: ProgramChoice = .all) throws -> Instrument {
        try InstrumentFile.bank(MemoryBytes(bank.bytes, name: "bank"), choice)
    }

    private func zones(
        _ presetZones: [Zone], _ instrumentZones: [Zone], _ sample: BankWriter.Sample? = nil
    ) throws
        -> (Instrument, [InstrumentZone])
    {
        let instrument = try read(
            BankWriter(
                presets: [.init(zones: presetZones)], instruments: [instrumentZones],
                samples: [sample ?? .init(frames: frames, loop: 100..<300)]))
        return (instrument, instrument.table.programList.flatMap { instrument.table.zones(of: $0) })
    }

    @Test func `generators of the preset are added to those of the instrument`() throws {
        let (instrument, found) = try zones(
            [
                Zone(generators: [(8, -500)]), // global
                Zone(generators: [(43, BankWriter.range(20, 80)), (51, 2), (48, 100), (41, 0)]),
            ],
            [
                Zone(generators: [(8, 9000), (17, 250)]), // global
                Zone(generators: [
                    (43, BankWriter.range(60, 100)), (44, BankWriter.range(1, 64)), (51, 1), (48, 50), (58, 62),
                    (56, 50),
                    (54, 1), (0, 10), (2, 5), (3, -20), (57, 7), (53, 0),
                ]),
                Zone(generators: [(8, 8000), (43, BankWriter.range(81, 127)), (53, 0)]),
            ])
        // The second zone shares no key with the preset's.
        let zone = try #require(found.first)
        #expect(found.count == 1 && instrument.name == "A bank")
        #expect(zone.lowKey == 60 && zone.highKey == 80 && zone.lowVelocity == 1 && zone.highVelocity == 64)
        #expect(zone.generators[ZoneGenerator.filterCutoff] == 8500 && zone.generators[ZoneGenerator.pan] == 250)
        #expect(zone.generators[ZoneGenerator.coarseTune] == 3 && zone.generators[ZoneGenerator.attenuation] == 60)
        #expect(zone.rootPitch == 6200 && zone.scaleTuning == 50 && zone.exclusiveClass == 7)
        #expect(zone.loop == .endless && zone.start == 10 && zone.loopStart == 105 && zone.loopEnd == 280)
        let sample = instrument.table.sample(of: zone)
        #expect(sample.frameCount == 500 && sample.rate == 48_000)
        #expect(sample.data.assumingMemoryBound(to: Int16.self)[499] == 499 * 50)
    }

    @Test func `modulators replace the standard ones and each other, the preset's are added`() throws {
        let (instrument, found) = try zones(
            [Zone(generators: [(41, 0)], modulators: [(0x0502, 48, 100, 0)])],
            [
                Zone(generators: [], modulators: [(0x0502, 48, 500, 0), (0x0081, 17, 20, 0)]),
                Zone(generators: [(53, 0)], modulators: [(0x0502, 48, 700, 0), (0x1502, 48, 1, 0)]),
            ])
        let modulators = instrument.table.modulators(of: try #require(found.first))
        let attenuation = modulators.filter { $0.source.bits == 0x0502 }.map(\.amount)
        #expect(attenuation == [700, 100])
        #expect(
            modulators.count == 10 + 1 + 1 && modulators.contains { $0.source.bits == 0x0081 && $0.destination == 17 })
    }

    @Test func `samples have a key and a tuning of their own`() throws {
        let (_, found) = try zones(
            [Zone(generators: [(41, 0)])], [Zone(generators: [(53, 0)])],
            .init(frames: frames, key: 57, correction: -12))
        #expect(found.first?.rootPitch == 5700 && found.first?.generators[ZoneGenerator.fineTune] == -12)
        #expect(found.first?.loop == LoopMode.none)
    }

    @Test func `samples of version 3 are decoded`() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ogg")
        defer { try? FileManager.default.removeItem(at: url) }
        let tone = Signal.sine(440, count: 9000, amplitude: 0.5)
        let writer = try AudioFileWriter(
            FileEncoderRequest(path: url.path, container: .ogg, codec: .vorbis, sampleRate: 48_000, channelCount: 1))
        try tone.withUnsafeBufferPointer { try writer.write([$0.baseAddress!], frames: tone.count) }
        try writer.finish()
        var sample = BankWriter.Sample(frames: [], loop: 100..<8000, type: 0x11)
        sample.packed = Array(try #require(FileManager.default.contents(atPath: url.path)))
        let (instrument, found) = try zones(
            [Zone(generators: [(41, 0)])], [Zone(generators: [(54, 1), (53, 0)])], sample)
        let zone = try #require(found.first), memory = instrument.table.sample(of: zone)
        #expect(memory.frameCount == 9000 && zone.end == 9000 && zone.loopStart == 100 && zone.loopEnd == 8000)
        let frames = memory.data.assumingMemoryBound(to: Int16.self)
        let decoded = (0..<9000).map { Float(frames[$0]) / 32_768 }
        #expect(abs(Measure.tone(440, in: decoded).amplitude - 0.5) < 0.01)
    }

    @Test func `one program is found by bank and number, and errors say what is wrong`() throws {
        let zone = Zone(generators: [(41, 0)])
        let bank = BankWriter(
            presets: [
                .init(name: "Piano", number: 0, bank: 0, zones: [zone]),
                .init(name: "Kit", number: 8, bank: 128, zones: [zone]),
            ], instruments: [[Zone(generators: [(53, 0)])]], samples: [.init(frames: frames)])
        #expect(try read(bank).programNames == ["Piano", "Kit"])
        #expect(try read(bank, .only(bank: 128, number: 8)).programNames == ["Kit"])
        func refusal(_ body: () throws -> Instrument) -> InstrumentError? {
            do { _ = try body() } catch { return error as? InstrumentError }
            return nil
        }
        let missing = refusal { try read(bank, .only(bank: 3, number: 1)) }
        #expect(missing?.kind == .noProgram && "\(missing!)".contains("no program 1 in bank 3"))
        #expect(refusal { try InstrumentFile.bank(path: "/nowhere.sf2") }?.kind == .missing)
        #expect(refusal { try InstrumentFile.bank(MemoryBytes([1, 2, 3])) }?.kind == .unrecognized)
        let cut = Array(bank.bytes.prefix(bank.bytes.count - 400))
        #expect(refusal { try InstrumentFile.bank(MemoryBytes(cut)) }?.kind == .damaged)
        var rom = bank
        rom.samples[0].type = 0x8001
        #expect(refusal { try read(rom) }.map { "\($0)".contains("ROM") } == true)
    }

    @Test func `spoilt banks are read or refused`() throws {
        let zone = Zone(generators: [(43, BankWriter.range(0, 127)), (41, 0)], modulators: [(0x0081, 5, 50, 0)])
        let original = BankWriter(
            presets: (0..<4).map { .init(number: $0, bank: $0 == 3 ? 128 : 0, zones: [zone, zone]) },
            instruments: [
                [
                    Zone(generators: [(54, 1), (53, 0)], modulators: [(0x0502, 48, 900, 0)]),
                    Zone(generators: [(53, 1)]),
                ]
            ],
            samples: [.init(frames: Array(frames.prefix(60)), loop: 8..<50), .init(frames: Array(frames.prefix(40)))]
        ).bytes
        var mutator = Mutator(seed: 4711), readable = 0, synthesiser = Synthesiser(sampleRate: 48_000)
        for _ in 0..<mutationCount(1500) {
            let bytes = mutator.mutate(original)
            guard let instrument = try? InstrumentFile.bank(MemoryBytes(bytes)) else { continue }
            readable += 1
            playEverything(of: instrument, by: &synthesiser)
        }
        #expect(readable > 100)
    }
}

/// Plays some notes of each program: whatever was read may not lead outside of its samples. One synthesiser plays them
/// all, because making its reverb takes longer than the notes.
func playEverything(of instrument: Instrument, by synthesiser: inout Synthesiser, frames: Int = 300) {
    var left = [Float](repeating: 0, count: frames), right = left
    for program in instrument.table.programList.prefix(6) {
        synthesiser.reset()
        synthesiser.take(instrument.table.view)
        synthesiser.choose(bank: Int(program.bank), program: program.number)
        for key in stride(from: UInt8(0), through: 127, by: 21) {
            for bytes in [[0x90, key, 100], [0xE0, key, key]] as [[UInt8]] {
                bytes.withUnsafeBytes { synthesiser.take($0) }
            }
        }
        synthesiser.render(frames, left: &left, right: &right)
        precondition(left.allSatisfy(\.isFinite) && right.allSatisfy(\.isFinite))
    }
    // Its samples end with the instrument.
    synthesiser.take(nil)
}
