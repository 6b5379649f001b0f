import OssicleCore

/// Numbers of the generators of a zone, after SoundFont 2.04 §8.1.2, as far as they can be modulated. Values are in the
/// file's units: cents, timecents (1200·log₂ of seconds), centibels, tenths of a percent.
package enum ZoneGenerator {
    package static let count = 60
    package static let modLFOToPitch = 5, vibratoLFOToPitch = 6, modEnvelopeToPitch = 7
    package static let filterCutoff = 8, filterQ = 9, modLFOToCutoff = 10, modEnvelopeToCutoff = 11
    package static let modLFOToVolume = 13, chorusSend = 15, reverbSend = 16, pan = 17
    package static let modLFODelay = 21, modLFOFrequency = 22, vibratoLFODelay = 23, vibratoLFOFrequency = 24
    package static let modEnvelopeDelay = 25, modEnvelopeAttack = 26, modEnvelopeHold = 27, modEnvelopeDecay = 28
    package static let modEnvelopeSustain = 29, modEnvelopeRelease = 30
    package static let keyToModHold = 31, keyToModDecay = 32
    package static let volumeDelay = 33, volumeAttack = 34, volumeHold = 35, volumeDecay = 36, volumeSustain = 37
    package static let volumeRelease = 38
    package static let keyToVolumeHold = 39, keyToVolumeDecay = 40
    package static let attenuation = 48, coarseTune = 51, fineTune = 52
    /// No generator of a file: what modulators add to the pitch, in cents.
    package static let pitch = 59
}

/// The values of all generators of a zone.
package typealias GeneratorValues = InlineArray<60, Float>

/// A sample in memory, read by any number of voices.
package struct InstrumentSample: BitwiseCopyable, @unchecked Sendable {
    /// What a frame is: an integer over 32,768, or a number.
    package enum Form: UInt8, BitwiseCopyable { case int16, float }

    package let data: UnsafeRawPointer
    package let form: Form
    package let frameCount: Int
    /// Hz.
    package let rate: Double

    package init(data: UnsafeRawPointer, form: Form, frameCount: Int, rate: Double) {
        (self.data, self.form, self.frameCount, self.rate) = (data, form, frameCount, rate)
    }

    /// Copies frames that are there.
    @inline(__always)
    func copy(from first: Int, count: Int, to target: UnsafeMutablePointer<Float>) {
        switch form {
        case .float: target.update(from: data.assumingMemoryBound(to: Float.self) + first, count: count)
        case .int16:
            let source = data.assumingMemoryBound(to: Int16.self) + first
            for index in 0..<count { target[index] = Float(source[index]) * 0x1p-15 }
        }
    }
}

/// What a loop does.
package enum LoopMode: UInt8, BitwiseCopyable, Sendable { case none, endless, untilRelease }

/// A stretch of keys and velocities and the sound that it plays. All numbers are within their ranges, and `start` …
/// `loopEnd` within the sample.
package struct InstrumentZone: BitwiseCopyable, Sendable {
    package var lowKey: UInt8 = 0, highKey: UInt8 = 127
    package var lowVelocity: UInt8 = 0, highVelocity: UInt8 = 127
    /// Key and velocity to sound with whatever was played; negative for none.
    package var fixedKey: Int8 = -1, fixedVelocity: Int8 = -1
    package var loop = LoopMode.none
    /// Plays to its end whatever happens to the key.
    package var isOneShot = false
    /// Notes of one class end each other; 0 for none.
    package var exclusiveClass: UInt16 = 0
    /// Zones that take turns note by note (round robin) have the number of one cycle, 1 … `TurnCounters.count` − 1; 0
    /// for none. Each has its turn, 0 … `turns` − 1.
    package var cycle: UInt8 = 0, turn: UInt8 = 0, turns: UInt8 = 1
    /// Index of the sample.
    package var sample: Int32 = 0
    /// Frames of the sample that it plays, and that it repeats.
    package var start = 0, end = 0, loopStart = 0, loopEnd = 0
    /// Cents of pitch at which the sample sounds at its own rate: 100 times the key.
    package var rootPitch: Float = 6000
    /// Cents from key to key.
    package var scaleTuning: Float = 100
    package var generators = Self.defaults
    /// Its modulators in the table's list.
    package var firstModulator: Int32 = 0, modulatorCount: Int32 = 0

    package init() {}

    /// SoundFont 2.04 §8.1.3.
    package static let defaults: GeneratorValues = {
        var values = GeneratorValues(repeating: 0)
        values[ZoneGenerator.filterCutoff] = 13_500
        for index in [
            ZoneGenerator.modLFODelay, ZoneGenerator.vibratoLFODelay, ZoneGenerator.modEnvelopeDelay,
            ZoneGenerator.modEnvelopeAttack,
            ZoneGenerator.modEnvelopeHold, ZoneGenerator.modEnvelopeDecay, ZoneGenerator.modEnvelopeRelease,
            ZoneGenerator.volumeDelay,
            ZoneGenerator.volumeAttack, ZoneGenerator.volumeHold, ZoneGenerator.volumeDecay,
            ZoneGenerator.volumeRelease,
        ] { values[index] = -12_000 }
        return values
    }()
}

/// A sound that a program change chooses.
package struct InstrumentProgram: BitwiseCopyable, Sendable {
    /// 0 … 127, or 128 for percussion.
    package var bank: UInt16
    package var number: UInt8
    package var firstZone: Int32
    package var zoneCount: Int32

    package init(bank: UInt16, number: UInt8, firstZone: Int32, zoneCount: Int32) {
        (self.bank, self.number, self.firstZone, self.zoneCount) = (bank, number, firstZone, zoneCount)
    }

    /// Bank and number as one, by which programs are in order.
    package var key: Int { Int(bank) << 8 | Int(number) }
}

/// An instrument as the audio thread sees it: bare pointers to what an `InstrumentTable` keeps.
package struct InstrumentView: BitwiseCopyable, @unchecked Sendable {
    let programs: UnsafePointer<InstrumentProgram>
    let zones: UnsafePointer<InstrumentZone>
    let modulators: UnsafePointer<ZoneModulator>
    let samples: UnsafePointer<InstrumentSample>
    let programCount: Int

    /// The place of a program.
    func find(bank: Int, number: Int) -> Int? {
        let wanted = bank << 8 | number
        var (low, high) = (0, programCount)
        while low < high {
            let middle = (low + high) / 2
            if programs[middle].key < wanted { low = middle + 1 } else { high = middle }
        }
        return low < programCount && programs[low].key == wanted ? low : nil
    }
}

/// An instrument: programs, zones, modulators and samples, laid out for the audio thread. Immutable; voices of any
/// number of synthesisers read it.
package final class InstrumentTable: @unchecked Sendable {
    package let view: InstrumentView
    package let zoneCount: Int
    private let programs: OwnedMemory<InstrumentProgram>
    private let zones: OwnedMemory<InstrumentZone>
    private let modulators: OwnedMemory<ZoneModulator>
    private let samples: OwnedMemory<InstrumentSample>
    /// What keeps the memory of the samples.
    private let owners: [AnyObject]

    /// - Parameters:
    ///   - programs: in order of their keys.
    ///   - owners: keep the memory of `samples`.
    package init(
        programs: [InstrumentProgram], zones: [InstrumentZone], modulators: [ZoneModulator],
        samples: [InstrumentSample], owners: [AnyObject]
    ) {
        zoneCount = zones.count
        self.owners = owners
        self.programs = OwnedMemory(
            count: programs.count, InstrumentProgram(bank: 0, number: 0, firstZone: 0, zoneCount: 0))
        self.zones = OwnedMemory(count: zones.count, InstrumentZone())
        self.modulators = OwnedMemory(count: modulators.count, ZoneModulator.none)
        let nothing = UnsafeRawPointer(self.zones.pointer)
        self.samples = OwnedMemory(
            count: samples.count, InstrumentSample(data: nothing, form: .float, frameCount: 0, rate: 1))
        for (index, program) in programs.enumerated() { self.programs.pointer[index] = program }
        for (index, zone) in zones.enumerated() { self.zones.pointer[index] = zone }
        for (index, modulator) in modulators.enumerated() { self.modulators.pointer[index] = modulator }
        for (index, sample) in samples.enumerated() { self.samples.pointer[index] = sample }
        view = InstrumentView(
            programs: UnsafePointer(self.programs.pointer), zones: UnsafePointer(self.zones.pointer),
            modulators: UnsafePointer(self.modulators.pointer), samples: UnsafePointer(self.samples.pointer),
            programCount: programs.count)
    }

    /// The programs, in order.
    package var programList: [InstrumentProgram] { (0..<view.programCount).map { view.programs[$0] } }

    /// The zones of a program.
    package func zones(of program: InstrumentProgram) -> [InstrumentZone] {
        (0..<Int(program.zoneCount)).map { view.zones[Int(program.firstZone) + $0] }
    }

    /// The modulators of a zone.
    package func modulators(of zone: InstrumentZone) -> [ZoneModulator] {
        (0..<Int(zone.modulatorCount)).map { view.modulators[Int(zone.firstModulator) + $0] }
    }

    package func sample(of zone: InstrumentZone) -> InstrumentSample { view.samples[Int(zone.sample)] }
}
