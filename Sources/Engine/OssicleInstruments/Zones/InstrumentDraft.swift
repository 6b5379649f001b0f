import OssicleRender

/// An instrument as a file describes it, put together program by program, and laid out for the audio thread in the end.
struct InstrumentDraft {
    struct Program {
        var bank: Int
        var number: Int
        var name: String
        var zones: [InstrumentZone] = []
    }

    /// Zones of all programs together that are read at the most: 20 MB.
    static let mostZones = 1 << 16
    /// Modulators likewise.
    static let mostModulators = 1 << 17

    var programs: [Program] = []
    var warnings: [String] = []
    private(set) var zoneCount = 0
    private var modulators: [ZoneModulator] = []
    private var places: [[ZoneModulator]: Int32] = [:]

    /// Whether as many zones are there as are kept.
    var isFull: Bool { zoneCount >= Self.mostZones || modulators.count >= Self.mostModulators }

    mutating func warn(_ text: String) { if warnings.count < 100, !warnings.contains(text) { warnings.append(text) } }

    /// Adds a zone to the last program.
    mutating func add(_ zone: InstrumentZone, modulators list: [ZoneModulator]) {
        guard !isFull, !programs.isEmpty else { return warn("more than \(Self.mostZones) zones; the rest is left out") }
        var zone = zone
        if let place = places[list] {
            zone.firstModulator = place
        } else {
            zone.firstModulator = Int32(modulators.count)
            places[list] = zone.firstModulator
            modulators += list
        }
        zone.modulatorCount = Int32(list.count)
        programs[programs.count - 1].zones.append(zone)
        zoneCount += 1
    }

    /// Lays it all out. Of programs with one bank and number the first counts; zones whose samples are missing or empty
    /// are left out.
    func instrument(named name: String, samples: [SampleBlock?]) -> Instrument {
        var seen: Set<Int> = [], kept: [(program: InstrumentProgram, name: String)] = [], zones: [InstrumentZone] = []
        let blocks = samples.compactMap { $0 }
        var numbers = [Int32](repeating: -1, count: samples.count), next: Int32 = 0
        for index in samples.indices where samples[index] != nil {
            numbers[index] = next
            next += 1
        }
        for program in programs {
            let playable = program.zones.compactMap { zone -> InstrumentZone? in
                guard samples.indices.contains(Int(zone.sample)), let block = samples[Int(zone.sample)] else {
                    return nil
                }
                var zone = zone
                zone.sample = numbers[Int(zone.sample)]
                return zone.fitted(to: block.frameCount)
            }
            guard !playable.isEmpty, seen.insert(program.bank << 8 | program.number).inserted else { continue }
            kept.append(
                (
                    InstrumentProgram(
                        bank: UInt16(clamping: program.bank), number: UInt8(clamping: program.number),
                        firstZone: Int32(zones.count), zoneCount: Int32(playable.count)), program.name
                ))
            zones += playable
        }
        kept.sort { $0.program.key < $1.program.key }
        let table = InstrumentTable(
            programs: kept.map(\.program), zones: zones, modulators: modulators, samples: blocks.map(\.sample),
            owners: blocks)
        return Instrument(name: name, table: table, programNames: kept.map(\.name), warnings: warnings)
    }
}

extension InstrumentZone {
    /// The zone with all places within a sample of so many frames; `nil` where nothing is left to play.
    fileprivate func fitted(to count: Int) -> InstrumentZone? {
        var zone = self
        zone.start = min(max(start, 0), count)
        zone.end = min(max(end, 0), count)
        zone.loopStart = min(max(loopStart, zone.start), count)
        zone.loopEnd = min(max(loopEnd, 0), count)
        if zone.loopEnd <= zone.loopStart { zone.loop = .none }
        if zone.loop != .none, zone.end < zone.loopEnd { zone.end = zone.loopEnd }
        guard zone.end > zone.start else { return nil }
        if zone.lowKey > zone.highKey || zone.lowVelocity > zone.highVelocity { return nil }
        for index in 0..<ZoneGenerator.count {
            let (low, high) = Self.range(of: index)
            let value = zone.generators[index]
            zone.generators[index] = value.isFinite ? min(max(value, low), high) : Self.defaults[index]
        }
        if !(zone.rootPitch.isFinite && zone.scaleTuning.isFinite) { return nil }
        zone.rootPitch = min(max(zone.rootPitch, -12_800), 25_600)
        zone.scaleTuning = min(max(zone.scaleTuning, 0), 1200)
        return zone
    }

    /// What a generator's value is held within, SoundFont 2.04 §8.1.3.
    private static func range(of generator: Int) -> (Float, Float) {
        switch generator {
        case ZoneGenerator.filterCutoff: (1500, 13_500)
        case ZoneGenerator.filterQ: (0, 960)
        case ZoneGenerator.modLFOToVolume: (-960, 960)
        case ZoneGenerator.chorusSend, ZoneGenerator.reverbSend: (0, 1000)
        case ZoneGenerator.pan: (-500, 500)
        case ZoneGenerator.modLFOFrequency, ZoneGenerator.vibratoLFOFrequency: (-16_000, 4500)
        case ZoneGenerator.modEnvelopeSustain: (0, 1000)
        case ZoneGenerator.volumeSustain, ZoneGenerator.attenuation: (0, 1440)
        case ZoneGenerator.keyToModHold...ZoneGenerator.keyToModDecay,
            ZoneGenerator.keyToVolumeHold...ZoneGenerator.keyToVolumeDecay:
            (-1200, 1200)
        case ZoneGenerator.modLFODelay, ZoneGenerator.vibratoLFODelay, ZoneGenerator.modEnvelopeDelay,
            ZoneGenerator.modEnvelopeHold,
            ZoneGenerator.volumeDelay, ZoneGenerator.volumeHold:
            (-12_000, 5000)
        case ZoneGenerator.modEnvelopeAttack, ZoneGenerator.modEnvelopeDecay, ZoneGenerator.modEnvelopeRelease,
            ZoneGenerator.volumeAttack, ZoneGenerator.volumeDecay, ZoneGenerator.volumeRelease:
            (-12_000, 8000)
        default: (-12_000, 12_000)
        }
    }
}
