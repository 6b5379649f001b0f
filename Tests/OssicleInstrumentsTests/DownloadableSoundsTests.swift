import OssicleFiles
import OssicleRender
import OssicleTestSupport
import Testing
@testable import OssicleInstruments

@Suite struct DownloadableSoundsTests {
    /// Source, control, destination, scale.
    private typealias Connection = (Int, Int, Int, Int)

    private static func articulation(_ connections: [Connection]) -> [UInt8] {
        RIFFBytes.list(
            "lart",
            [
                RIFFBytes.chunk(
                    "art1",
                    RIFFBytes.make {
                        $0.u32(8)
                        $0.u32(connections.count)
                        for (source, control, destination, scale) in connections {
                            for number in [source, control, destination, 0] { $0.u16(number) }
                            $0.u32(scale)
                        }
                    })
            ])
    }

    private static func sampler(_ note: Int, fine: Int, gain: Int, loop: (Int, Int)?) -> [UInt8] {
        RIFFBytes.chunk(
            "wsmp",
            RIFFBytes.make {
                $0.u32(20)
                $0.u16(note)
                $0.u16(fine)
                $0.u32(gain)
                $0.u32(0)
                $0.u32(loop == nil ? 0 : 1)
                if let loop { for number in [16, 0, loop.0, loop.1] { $0.u32(number) } }
            })
    }

    private static func bank(bits: Int = 16, _ connections: [Connection] = []) -> [UInt8] {
        let region = RIFFBytes.list(
            "rgn ",
            [
                RIFFBytes.chunk("rgnh", RIFFBytes.make { for number in [36, 96, 0, 127, 0, 2] { $0.u16(number) } }),
                sampler(57, fine: -20, gain: -60 * 65_536, loop: (40, 100)),
                RIFFBytes.chunk(
                    "wlnk",
                    RIFFBytes.make {
                        $0.u32(0)
                        $0.u32(1)
                        $0.u32(0)
                    }),
            ])
        let instrument = RIFFBytes.list(
            "ins ",
            [
                RIFFBytes.chunk("insh", RIFFBytes.make { for number in [1, 0x8000_0000, 16] { $0.u32(number) } }),
                articulation(connections), RIFFBytes.list("lrgn", [region]),
            ])
        let wave = RIFFBytes.list(
            "wave",
            [
                RIFFBytes.chunk(
                    "fmt ",
                    RIFFBytes.make {
                        $0.u16(1)
                        $0.u16(1)
                        $0.u32(22_050)
                        $0.u32(22_050 * bits / 8)
                        $0.u16(bits / 8)
                        $0.u16(bits)
                    }),
                RIFFBytes.chunk(
                    "data", RIFFBytes.make { for frame in 0..<200 { bits == 8 ? $0.u8(frame) : $0.u16(frame * 100) } }),
            ])
        return RIFFBytes.list(
            "DLS ",
            [
                RIFFBytes.chunk("colh", [1, 0, 0, 0]), RIFFBytes.list("lins", [instrument]),
                RIFFBytes.chunk("ptbl", RIFFBytes.make { for number in [8, 1, 0] { $0.u32(number) } }),
                RIFFBytes.list("wvpl", [wave]),
            ], name: "RIFF")
    }

    @Test func `a region becomes a zone, and connections become generators`() throws {
        let cents = 65_536
        let instrument = try InstrumentFile.bank(
            MemoryBytes(
                Self.bank([
                    (0, 0, 0x206, -1200 * cents), (0, 0, 0x20A, 500 * cents), (0, 0, 0x104, 100 * cents),
                    (1, 0x81, 0x003, 40 * cents), (5, 0, 0x500, 2400 * cents), (3, 0, 0x003, 6400 * cents),
                    (3, 0, 0x207, -1280 * cents),
                ])))
        let program = try #require(instrument.table.programList.first)
        #expect(program.bank == 128 && program.number == 16)
        let zone = try #require(instrument.table.zones(of: program).first)
        #expect(zone.lowKey == 36 && zone.highKey == 96 && zone.highVelocity == 127 && zone.exclusiveClass == 2)
        #expect(zone.rootPitch == 5720 && zone.generators[ZoneGenerator.attenuation] == 60)
        #expect(zone.loop == .endless && zone.loopStart == 40 && zone.loopEnd == 140)
        #expect(
            zone.generators[ZoneGenerator.volumeAttack] == -1200 && zone.generators[ZoneGenerator.volumeSustain] == 480)
        #expect(zone.generators[ZoneGenerator.modLFOFrequency] == 100)
        #expect(zone.generators[ZoneGenerator.modEnvelopeToCutoff] == 2400 && zone.scaleTuning == 50)
        #expect(zone.generators[ZoneGenerator.keyToVolumeDecay] == 10)
        #expect(
            instrument.table.modulators(of: zone).contains {
                $0.source.bits == 0x81 && Int($0.destination) == ZoneGenerator.modLFOToPitch && $0.amount == 40
            })
        #expect(instrument.table.sample(of: zone).data.assumingMemoryBound(to: Int16.self)[199] == 19_900)
    }

    @Test func `waves of 8 bits are unsigned`() throws {
        let instrument = try InstrumentFile.bank(MemoryBytes(Self.bank(bits: 8)))
        let zone = try #require(instrument.table.programList.first.flatMap { instrument.table.zones(of: $0).first })
        let frames = instrument.table.sample(of: zone).data.assumingMemoryBound(to: Int16.self)
        #expect(frames[0] == -32_768 && frames[128] == 0 && frames[129] == 256)
    }

    @Test func `spoilt banks are read or refused`() throws {
        let original = Self.bank([(0, 0, 0x206, 65_536), (1, 0, 3, 65_536), (3, 0, 3, 1 << 20)])
        var mutator = Mutator(seed: 815), readable = 0, synthesiser = Synthesiser(sampleRate: 48_000)
        for _ in 0..<mutationCount(1000) {
            guard let instrument = try? InstrumentFile.bank(MemoryBytes(mutator.mutate(original))) else { continue }
            readable += 1
            playEverything(of: instrument, by: &synthesiser)
        }
        #expect(readable > 50)
    }
}
