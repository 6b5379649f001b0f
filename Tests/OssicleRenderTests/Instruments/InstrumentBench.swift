import OssicleCore
import OssicleDSP
import OssicleTestSupport
@testable import OssicleRender

/// An instrument made by hand: samples as numbers, zones as a test sets them.
final class InstrumentBench {
    let table: InstrumentTable

    /// - Parameters:
    ///   - zones: each plays the sample of its number.
    ///   - programs: which zones each has, by bank and number; all in bank 0, program 0, if there are none.
    init(
        _ samples: [[Float]], rate: Double = 48_000, zones: [InstrumentZone], modulators: [ZoneModulator] = [],
        programs: [(bank: UInt16, number: UInt8, zones: Range<Int>)] = []
    ) {
        final class Memory {
            let memory: SampleMemory
            init(_ sound: [Float]) {
                memory = SampleMemory(count: sound.count)
                for (index, value) in sound.enumerated() { memory[index] = value }
            }
        }
        let memories = samples.map(Memory.init)
        let listed = programs.isEmpty ? [(0, 0, 0..<zones.count)] : programs
        table = InstrumentTable(
            programs: listed.map {
                InstrumentProgram(
                    bank: $0.0, number: $0.1, firstZone: Int32($0.2.lowerBound), zoneCount: Int32($0.2.count))
            },
            zones: zones.map {
                var zone = $0
                if zone.end == 0 { zone.end = samples[Int(zone.sample)].count }
                zone.modulatorCount = Int32(modulators.count)
                return zone
            }, modulators: modulators,
            samples: zip(samples, memories).map {
                InstrumentSample(
                    data: UnsafeRawPointer($1.memory.pointer), form: .float, frameCount: $0.count, rate: rate)
            }, owners: memories)
    }

    /// A zone with changes.
    static func zone(_ change: (inout InstrumentZone) -> Void = { _ in }) -> InstrumentZone {
        var zone = InstrumentZone()
        change(&zone)
        return zone
    }

    /// What happens before a frame.
    struct Event {
        let frame: Int
        let bytes: [UInt8]
    }

    /// Plays events in pieces of given lengths, again and again.
    func play(
        _ events: [Event], frames: Int, rate: Double = 48_000, cuts: [Int] = [128],
        settings: Synthesiser.Settings = .init(),
        inspect: (borrowing Synthesiser, Int) -> Void = { _, _ in }
    ) -> [[Float]] {
        var synthesiser = Synthesiser(sampleRate: rate, settings: settings)
        synthesiser.take(table.view)
        var first = [Float](repeating: 0, count: frames), second = first
        var done = 0, turn = 0, next = 0
        while done < frames {
            while next < events.count, events[next].frame <= done {
                events[next].bytes.withUnsafeBytes { synthesiser.take($0) }
                next += 1
            }
            var count = min(cuts[turn % cuts.count], frames - done)
            if next < events.count { count = min(count, events[next].frame - done) }
            first.withUnsafeMutableBufferPointer { left in
                second.withUnsafeMutableBufferPointer { right in
                    synthesiser.render(count, left: left.baseAddress! + done, right: right.baseAddress! + done)
                }
            }
            done += count
            turn += 1
            inspect(synthesiser, done)
        }
        return [first, second]
    }

    static func on(_ key: UInt8, _ velocity: UInt8 = 127, at frame: Int = 0, channel: UInt8 = 0) -> Event {
        Event(frame: frame, bytes: [0x90 | channel, key, velocity])
    }

    static func off(_ key: UInt8, at frame: Int, channel: UInt8 = 0) -> Event {
        Event(frame: frame, bytes: [0x80 | channel, key, 0])
    }

    static func control(_ controller: UInt8, _ value: UInt8, at frame: Int = 0, channel: UInt8 = 0) -> Event {
        Event(frame: frame, bytes: [0xB0 | channel, controller, value])
    }
}
