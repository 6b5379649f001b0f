import OssicleFiles
import OssicleRender

/// An EXS24 instrument: blocks of zones, groups and samples, as public descriptions of the format have them. Nothing of
/// it is documented by its maker. Read are zones, groups that take turns (round robin) and the tuning of the whole.
/// What public descriptions give no units for is left out: envelopes, filters and modulation.
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
        var keys = 0...127
        var decibels: Float = 0
        var pan: Float = 0
        var exclusive = 0
        /// Muted, played when keys go up, or in a circle of turns without a first.
        var isOut = false
        /// Of a group that takes turns the number of the group before it, beyond all groups for the first; `nil` for
        /// others.
        var before: Int?
        var (cycle, turn, turns): (UInt8, UInt8, UInt8) = (0, 0, 1)
    }

    static func read(_ file: RIFFFile, _ path: String) throws(InstrumentError) -> Instrument {
        guard file.byteCount <= mostBytes else {
            throw file.fault(
                .tooLarge, "\(file.byteCount) bytes", "64 MiB of an instrument are read.", cure: "Split it.")
        }
        var bytes = ByteReader(try file.bytes(0..<file.byteCount))
        bytes.isBigEndian = bytes.tag(16).hasPrefix("SOB")
        let blocks = blocks(bytes)
        var groups = blocks.filter { $0.kind == 2 }.map { group(bytes, $0.content.lowerBound) }
        setTurns(of: &groups)
        let tuning = tuning(bytes, blocks)
        let samples = blocks.filter { $0.kind == 3 }.map { sample(bytes, $0) }
        var draft = InstrumentDraft(), files = SampleFiles(path)
        draft.programs = [.init(bank: 0, number: 0, name: InstrumentFile.name(of: path))]
        for block in blocks where block.kind == 1 && !draft.isFull {
            let place = block.content.lowerBound, index = bytes.s32(place + 92), number = bytes.s32(place + 88)
            guard samples.indices.contains(index) else { continue }
            let group = groups.indices.contains(number) ? groups[number] : Group()
            if group.isOut {
                draft.warn("zones of groups that are muted, or that sound when keys go up")
                continue
            }
            var zone = zone(bytes, place, group)
            zone.generators[ZoneGenerator.coarseTune] += tuning.semitones
            zone.generators[ZoneGenerator.fineTune] += tuning.cents
            for zone in files.zones(zone, samples[index]) {
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
        let (lowKey, highKey) = (bytes.u8(place + 88), bytes.u8(place + 89))
        if lowKey <= highKey, highKey <= 127, highKey > 0 { group.keys = lowKey...highKey }
        // Muted, or triggered by releases.
        group.isOut = bytes.u8(place + 3) & 16 != 0 || bytes.u8(place + 73) != 0
        if bytes.u8(place + 84) == 2 { group.before = bytes.s32(place + 80) }
        return group
    }

    /// Groups that take turns form chains, each by the number of the group before it. Of chains beyond those that are
    /// distinguished the first group plays always.
    private static func setTurns(of groups: inout [Group]) {
        let mostTurns = 127
        var rounds: [(root: Int, turn: Int)?] = [], lengths: [Int: Int] = [:], cycles: [Int: Int] = [:]
        for index in groups.indices {
            guard groups[index].before != nil else {
                rounds.append(nil)
                continue
            }
            var (root, turn) = (index, 0)
            while let before = groups[root].before, groups.indices.contains(before), groups[before].before != nil,
                turn <= mostTurns
            {
                (root, turn) = (before, turn + 1)
            }
            rounds.append((root, turn))
            lengths[root] = max(lengths[root] ?? 0, turn + 1)
            if cycles[root] == nil { cycles[root] = cycles.count + 1 }
        }
        for index in groups.indices {
            guard let round = rounds[index], let cycle = cycles[round.root], let length = lengths[round.root] else {
                continue
            }
            if round.turn > mostTurns || length > mostTurns || cycle >= TurnCounters.count {
                // A circle, or too many.
                groups[index].isOut = groups[index].isOut || round.turn > 0
            } else {
                (groups[index].cycle, groups[index].turn) = (UInt8(cycle), UInt8(round.turn))
                groups[index].turns = UInt8(length)
            }
        }
    }

    /// What the block of parameters says of the instrument's tuning: numbers of parameters in bytes, and their values
    /// in two bytes each.
    private static func tuning(_ bytes: ByteReader, _ blocks: [Block]) -> (semitones: Float, cents: Float) {
        guard let block = blocks.first(where: { $0.kind == 4 }) else { return (0, 0) }
        let place = block.content.lowerBound + 4, count = min(bytes.u32(place - 4), 256)
        var tuning: (semitones: Float, cents: Float) = (0, 0)
        for index in 0..<count {
            let value = Float(bytes.s16(place + count + 2 * index))
            switch bytes.u8(place + index) {
            case 0x0E: tuning.semitones = value
            case 0x0F: tuning.cents = value
            default: break
            }
        }
        return tuning
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
        zone.lowKey = UInt8(max(min(bytes.u8(place + 6), 127), group.keys.lowerBound))
        zone.highKey = UInt8(min(bytes.u8(place + 7), group.keys.upperBound))
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
        (zone.cycle, zone.turn, zone.turns) = (group.cycle, group.turn, group.turns)
        return zone
    }
}
