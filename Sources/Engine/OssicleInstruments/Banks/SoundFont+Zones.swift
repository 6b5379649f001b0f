// From presets of instruments to plain zones.

import OssicleRender

extension SoundFont {
    /// The share of a file's attenuation that is applied. E-mu's synthesisers, for which SoundFonts are made, do so,
    /// and everything that plays SoundFonts has followed.
    private static let attenuationShare: Float = 0.4
    /// Generators that a preset's zone cannot add to: places, fixed keys, loop modes, classes, root keys.
    private static let ownedByInstruments: Set<Int> = [0, 1, 2, 3, 4, 12, 45, 46, 47, 50, 54, 57, 58]

    /// All programs that are wanted.
    func draft(_ isWanted: (_ bank: Int, _ number: Int) -> Bool) -> InstrumentDraft {
        var draft = InstrumentDraft()
        var instruments: [Int: [Bag]] = [:]
        for preset in presets where isWanted(Self.bank(preset.bank), preset.number) {
            guard (0...127).contains(preset.number) else {
                draft.warn("preset \"\(preset.name)\" has number \(preset.number)")
                continue
            }
            draft.programs.append(
                InstrumentDraft.Program(bank: Self.bank(preset.bank), number: preset.number, name: preset.name))
            for bag in presetBags(preset.bags) {
                guard let index = bag.generators[41], let keys = bag.range(43), let velocities = bag.range(44) else {
                    continue
                }
                let parts = instruments[index] ?? instrumentBags(index)
                instruments[index] = parts
                for part in parts {
                    if draft.isFull { return draft }
                    add(part, under: bag, keys, velocities, to: &draft)
                }
            }
        }
        return draft
    }

    /// Percussion is bank 128; beyond 127 there is nothing else.
    static func bank(_ number: Int) -> Int { min(number, 128) }

    private func add(
        _ part: Bag, under preset: Bag, _ keys: ClosedRange<Int>, _ velocities: ClosedRange<Int>,
        to draft: inout InstrumentDraft
    ) {
        guard let own = part.range(43), let ownVelocities = part.range(44), own.overlaps(keys),
            ownVelocities.overlaps(velocities), let index = part.generators[53], headers.indices.contains(index)
        else { return }
        let header = headers[index]
        guard !header.isROM else { return draft.warn("sample \"\(header.name)\" lies in a ROM") }
        var zone = InstrumentZone()
        (zone.lowKey, zone.highKey) = (
            UInt8(max(own.lowerBound, keys.lowerBound)), UInt8(min(own.upperBound, keys.upperBound))
        )
        zone.lowVelocity = UInt8(max(ownVelocities.lowerBound, velocities.lowerBound))
        zone.highVelocity = UInt8(min(ownVelocities.upperBound, velocities.upperBound))
        zone.sample = Int32(index)
        place(part, header, in: &zone)
        set(part, preset, header, in: &zone)
        var modulators = ZoneModulator.standard
        for modulator in part.modulators { modulators.set(modulator) }
        draft.add(zone, modulators: modulators + preset.modulators)
    }

    /// Places in the sample, from its first frame.
    private func place(_ part: Bag, _ header: Header, in zone: inout InstrumentZone) {
        func offset(_ fine: Int, _ coarse: Int) -> Int {
            Int(Int16(truncatingIfNeeded: part.generators[fine] ?? 0))
                + 32_768 * Int(Int16(truncatingIfNeeded: part.generators[coarse] ?? 0))
        }
        let first = header.isVorbis ? 0 : header.start
        zone.start = offset(0, 4)
        // The length of a compressed sample is known once it is decoded.
        zone.end = (header.isVorbis ? Int(Int32.max) : header.end - header.start) + offset(1, 12)
        zone.loopStart = header.loopStart - first + offset(2, 45)
        zone.loopEnd = header.loopEnd - first + offset(3, 50)
        switch (part.generators[54] ?? 0) & 3 {
        case 1: zone.loop = .endless
        case 3: zone.loop = .untilRelease
        default: zone.loop = .none
        }
    }

    private func set(_ part: Bag, _ preset: Bag, _ header: Header, in zone: inout InstrumentZone) {
        func number(_ bag: Bag, _ generator: Int) -> Float? {
            bag.generators[generator].map { Float(Int16(truncatingIfNeeded: $0)) }
        }
        for generator in 5..<ZoneGenerator.pitch where !Self.ownedByInstruments.contains(generator) && generator != 56 {
            guard ![41, 43, 44, 53].contains(generator) else { continue }
            if let value = number(part, generator) { zone.generators[generator] = value }
            if let value = number(preset, generator) { zone.generators[generator] += value }
        }
        zone.generators[ZoneGenerator.attenuation] *= Self.attenuationShare
        zone.scaleTuning = (number(part, 56) ?? 100) + (number(preset, 56) ?? 0)
        let root = part.generators[58].flatMap { (0...127).contains($0) ? $0 : nil } ?? header.key
        zone.rootPitch = Float(root <= 127 ? root : 60) * 100
        zone.generators[ZoneGenerator.fineTune] += Float(header.correction)
        if let key = part.generators[46], (0...127).contains(key) { zone.fixedKey = Int8(key) }
        if let velocity = part.generators[47], (1...127).contains(velocity) { zone.fixedVelocity = Int8(velocity) }
        zone.exclusiveClass = UInt16(truncatingIfNeeded: part.generators[57] ?? 0)
    }
}
