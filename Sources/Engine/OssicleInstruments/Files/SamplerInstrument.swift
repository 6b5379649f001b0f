import OssicleFiles
import OssicleRender

/// An EXS24 instrument: blocks of zones, groups and samples, as public descriptions of the format have them. Nothing of
/// it is documented by its maker, so envelopes, filters and modulation of the instrument as a whole are left out.
///
///     block: kind, size, number, "TBOS", name of 64 bytes, content
enum SamplerInstrument {
    private static let headLength = 84
    private static let mostBlocks = 1 << 16
    private static let mostBytes = 64 << 20

    /// Whether a file begins like one.
    static func isOne(_ head: ByteReader) -> Bool { ["TBOS", "JBOS", "SOBT", "SOBJ"].contains(head.tag(16)) }

    private struct Block {
        let kind: Int
        let name: String
        let content: Range<Int>
    }

    private struct Group {
        var velocities = 0...127
        var decibels: Float = 0
        var pan: Float = 0
        var exclusive = 0
        /// Muted, or not one of those that play without a condition.
        var isOut = false
    }

    static func read(_ file: RIFFFile, _ path: String) throws(InstrumentError) -> Instrument {
        guard file.byteCount <= mostBytes else {
            throw file.fault(
                .tooLarge, "\(file.byteCount) bytes", "64 MiB of an instrument are read.", cure: "Split it.")
        }
        var bytes = ByteReader(try file.bytes(0..<file.byteCount))
        bytes.isBigEndian = bytes.tag(16).hasPrefix("SOB")
        let blocks = blocks(bytes)
        let groups = blocks.filter { $0.kind == 2 }.map { group(bytes, $0.content.lowerBound) }
        let samples = blocks.filter { $0.kind == 3 }.map { sample(bytes, $0) }
        var draft = InstrumentDraft(), files = SampleFiles(path)
        draft.programs = [.init(bank: 0, number: 0, name: InstrumentFile.name(of: path))]
        for block in blocks where block.kind == 1 && !draft.isFull {
            let place = block.content.lowerBound, index = bytes.s32(place + 92), number = bytes.s32(place + 88)
            guard samples.indices.contains(index) else { continue }
            let group = groups.indices.contains(number) ? groups[number] : Group()
            if group.isOut {
                draft.warn("zones of groups that are muted or played under a condition")
                continue
            }
            for zone in files.zones(zone(bytes, place, group), samples[index]) {
                draft.add(zone, modulators: ZoneModulator.plain)
            }
        }
        return try files.finish(draft, named: InstrumentFile.name(of: path))
    }

    private static func blocks(_ bytes: ByteReader) -> [Block] {
        var blocks: [Block] = [], place = 0
        while place + headLength <= bytes.count, blocks.count < mostBlocks {
            let kind = bytes.u32(place) >> 24 & 0x0F, size = bytes.u32(place + 4)
            guard bytes.tag(place + 16).contains("BO") || bytes.tag(place + 16).contains("OB") else { break }
            let start = place + headLength, end = min(start + size, bytes.count)
            blocks.append(Block(kind: kind, name: bytes.text(place + 20, 64), content: start..<end))
            place = start + size
        }
        return blocks
    }

    private static func group(_ bytes: ByteReader, _ place: Int) -> Group {
        var group = Group()
        (group.decibels, group.pan) = (Float(bytes.s8(place)), Float(bytes.s8(place + 1)))
        group.exclusive = bytes.u8(place + 4)
        let (low, high) = (bytes.u8(place + 5), bytes.u8(place + 6))
        if low <= high, high <= 127, high > 0 { group.velocities = low...high }
        // Muted; triggered by releases; chosen by round robin (but for the first), controllers and the like.
        let isLater = bytes.u8(place + 84) == 2 && bytes.s32(place + 80) > 0
        group.isOut = bytes.u8(place + 3) & 16 != 0 || bytes.u8(place + 73) != 0 || isLater
        return group
    }

    /// The path of a sample: folder and name, or its own name.
    private static func sample(_ bytes: ByteReader, _ block: Block) -> String {
        let place = block.content.lowerBound
        let folder = bytes.text(place + 80, 256), name = bytes.text(place + 336, 256)
        let last = block.content.count > 336 && !name.isEmpty ? name : block.name
        return folder.isEmpty || folder.hasSuffix(last) ? (folder.isEmpty ? last : folder) : folder + "/" + last
    }

    private static func zone(_ bytes: ByteReader, _ place: Int, _ group: Group) -> InstrumentZone {
        var zone = InstrumentZone()
        let options = bytes.u8(place)
        zone.isOneShot = options & 1 != 0
        zone.scaleTuning = options & 2 != 0 ? 0 : 100
        zone.rootPitch = Float(min(bytes.u8(place + 1), 127)) * 100
        zone.generators[ZoneGenerator.fineTune] = Float(bytes.s8(place + 2))
        zone.generators[ZoneGenerator.coarseTune] = Float(bytes.s8(place + 80))
        zone.generators[ZoneGenerator.pan] = min(
            max(Float(bytes.s8(place + 3)) / 64 * 500 + group.pan / 64 * 500, -500), 500)
        zone.generators[ZoneGenerator.attenuation] = -10 * (Float(bytes.s8(place + 4)) + group.decibels)
        (zone.lowKey, zone.highKey) = (UInt8(min(bytes.u8(place + 6), 127)), UInt8(min(bytes.u8(place + 7), 127)))
        var velocities = group.velocities
        if options & 8 != 0, bytes.u8(place + 9) <= bytes.u8(place + 10) {
            let own = bytes.u8(place + 9)...bytes.u8(place + 10)
            velocities = own.overlaps(velocities) ? own.clamped(to: velocities) : 127...127
        }
        zone.lowVelocity = UInt8(min(velocities.lowerBound, 127))
        zone.highVelocity = UInt8(min(velocities.upperBound, 127))
        (zone.start, zone.end) = (bytes.u32(place + 12), bytes.u32(place + 16))
        let loop = bytes.u8(place + 33)
        if loop & 1 != 0 {
            zone.loop = loop & 4 != 0 ? .untilRelease : .endless
            (zone.loopStart, zone.loopEnd) = (bytes.u32(place + 20), bytes.u32(place + 24))
        }
        zone.exclusiveClass = UInt16(group.exclusive)
        return zone
    }
}
