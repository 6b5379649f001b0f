import OssicleRender

/// The connections of a DLS instrument or region as generators and modulators. Scales are 65,536ths of cents,
/// timecents, centibels and tenths of a percent (DLS Level 2.2 §2.8 …), so that most only change their names.
struct Articulation {
    var generators = InstrumentZone.defaults
    var modulators = ZoneModulator.standard
    var scaleTuning: Float = 100

    init() {
        // The defaults that differ from SoundFont's: oscillators of 5 Hz, no velocity to cutoff.
        generators[ZoneGenerator.modLFOFrequency] = -851
        generators[ZoneGenerator.vibratoLFOFrequency] = -851
        modulators.removeAll { $0.destination == ZoneGenerator.filterCutoff }
    }

    private enum Source {
        static let none = 0, lfo = 1, velocity = 2, key = 3, envelope2 = 5, wheel = 6, pressure = 8, vibrato = 9
    }

    private static let settings: [Int: Int] = [
        0x001: ZoneGenerator.attenuation, 0x003: ZoneGenerator.pitch, 0x004: ZoneGenerator.pan,
        0x080: ZoneGenerator.chorusSend,
        0x081: ZoneGenerator.reverbSend, 0x104: ZoneGenerator.modLFOFrequency, 0x105: ZoneGenerator.modLFODelay,
        0x114: ZoneGenerator.vibratoLFOFrequency, 0x115: ZoneGenerator.vibratoLFODelay,
        0x206: ZoneGenerator.volumeAttack,
        0x207: ZoneGenerator.volumeDecay, 0x209: ZoneGenerator.volumeRelease, 0x20A: ZoneGenerator.volumeSustain,
        0x20B: ZoneGenerator.volumeDelay, 0x20C: ZoneGenerator.volumeHold, 0x30A: ZoneGenerator.modEnvelopeAttack,
        0x30B: ZoneGenerator.modEnvelopeDecay, 0x30D: ZoneGenerator.modEnvelopeRelease,
        0x30E: ZoneGenerator.modEnvelopeSustain,
        0x30F: ZoneGenerator.modEnvelopeDelay, 0x310: ZoneGenerator.modEnvelopeHold, 0x500: ZoneGenerator.filterCutoff,
        0x501: ZoneGenerator.filterQ,
    ]

    /// What a moving source adds to a destination, as generators.
    private static let depths: [SIMD2<Int>: Int] = [
        SIMD2(Source.lfo, 0x003): ZoneGenerator.modLFOToPitch, SIMD2(Source.lfo, 0x001): ZoneGenerator.modLFOToVolume,
        SIMD2(Source.lfo, 0x500): ZoneGenerator.modLFOToCutoff,
        SIMD2(Source.vibrato, 0x003): ZoneGenerator.vibratoLFOToPitch,
        SIMD2(Source.envelope2, 0x003): ZoneGenerator.modEnvelopeToPitch,
        SIMD2(Source.envelope2, 0x500): ZoneGenerator.modEnvelopeToCutoff,
    ]

    mutating func connect(source: Int, control: Int, destination: Int, scale: Int, _ draft: inout InstrumentDraft) {
        let amount = Float(scale) / 65_536
        if source == Source.none, control == 0, let generator = Self.settings[destination] {
            return set(generator, amount, isNothing: scale == Int(Int32.min))
        }
        if let depth = Self.depths[SIMD2(source, destination)] {
            // A centibel more is a centibel less attenuation, as the generator counts.
            switch control {
            case 0: generators[depth] += amount
            case 0x81: modulators.set(ZoneModulator(source: .init(bits: 0x0081), destination: depth, amount: amount))
            case Source.pressure:
                modulators.set(ZoneModulator(source: .init(bits: 0x000D), destination: depth, amount: amount))
            default: draft.warn("a depth that is controlled by \(control)")
            }
            return
        }
        switch (source, destination) {
        case (Source.key, 0x003): scaleTuning = amount / 128
        case (Source.key, 0x207): follow(ZoneGenerator.volumeDecay, ZoneGenerator.keyToVolumeDecay, amount)
        case (Source.key, 0x20C): follow(ZoneGenerator.volumeHold, ZoneGenerator.keyToVolumeHold, amount)
        case (Source.key, 0x30B): follow(ZoneGenerator.modEnvelopeDecay, ZoneGenerator.keyToModDecay, amount)
        case (Source.key, 0x310): follow(ZoneGenerator.modEnvelopeHold, ZoneGenerator.keyToModHold, amount)
        case (Source.velocity, 0x206): add(0x0002, ZoneGenerator.volumeAttack, amount)
        case (Source.velocity, 0x30A): add(0x0002, ZoneGenerator.modEnvelopeAttack, amount)
        case (Source.velocity, 0x500): add(0x0002, ZoneGenerator.filterCutoff, amount)
        case (Source.key, 0x500): add(0x0003, ZoneGenerator.filterCutoff, amount)
        // As the standard modulators have it.
        case (Source.velocity, 0x001), (0x87, 0x001), (0x8B, 0x001), (0x8A, 0x004), (Source.wheel, 0x003),
            (0xDB, 0x081), (0xDD, 0x080):
            break
        default: draft.warn("a connection of \(source) with \(destination)")
        }
    }

    private mutating func add(_ source: UInt16, _ generator: Int, _ amount: Float) {
        modulators.set(ZoneModulator(source: .init(bits: source), destination: generator, amount: amount))
    }

    private mutating func set(_ generator: Int, _ amount: Float, isNothing: Bool) {
        switch generator {
        // Tenths of a percent of full level become decibels below it, of which 96 are nothing.
        case ZoneGenerator.volumeSustain: generators[generator] = (1000 - min(max(amount, 0), 1000)) * 0.96
        case ZoneGenerator.modEnvelopeSustain: generators[generator] = 1000 - amount
        case ZoneGenerator.attenuation: generators[generator] = -amount
        default: generators[generator] = isNothing ? -12_000 : amount
        }
    }

    /// A time that changes with the key: DLS counts from key 0 to 128, generators from key 60.
    private mutating func follow(_ time: Int, _ key: Int, _ amount: Float) {
        generators[time] += amount * 60 / 128
        generators[key] = -amount / 128
    }
}
