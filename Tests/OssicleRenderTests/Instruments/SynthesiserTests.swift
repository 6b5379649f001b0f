import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing
@testable import OssicleRender

@Suite struct SynthesiserTests {
    private typealias Bench = InstrumentBench
    /// Amplitude on each side of a sound in the middle.
    private let middle = 0.5.squareRoot()

    /// A looped tone whose period is a whole number of frames: 480 Hz at key 60.
    private func tone(_ change: (inout InstrumentZone) -> Void = { _ in }) -> Bench {
        Bench(
            [Signal.sine(480, count: 4800)],
            zones: [
                Bench.zone {
                    ($0.loop, $0.loopStart, $0.loopEnd) = (.endless, 1000, 4700)
                    change(&$0)
                }
            ], modulators: ZoneModulator.standard)
    }

    @Test func `a sample at its own key is itself, from the frame of the note on`() {
        let noise = Signal.noise(count: 900, seed: 3)
        let bench = Bench([noise], zones: [Bench.zone()])
        let sound = bench.play([Bench.on(60, at: 777)], frames: 2000, cuts: [100])
        #expect(sound[0][..<777].allSatisfy { $0 == 0 })
        let expected = noise.map { $0 * Float(middle) }
        #expect(Measure.largestDifference(Array(sound[0][777..<1677]), expected) < 1e-6)
        #expect(sound[0][1720...].allSatisfy { $0 == 0 })
        #expect(sound[0][777] != 0)
    }

    @Test func `what is rendered does not depend on the cut`() {
        let bench = Bench(
            [Signal.noise(count: 3000, seed: 1), Signal.sine(440, count: 2000)],
            zones: [
                Bench.zone {
                    ($0.loop, $0.loopStart, $0.loopEnd) = (.untilRelease, 400, 1100)
                    $0.generators[ZoneGenerator.filterCutoff] = 9000
                    $0.generators[ZoneGenerator.modEnvelopeToCutoff] = 2000
                    $0.generators[ZoneGenerator.modEnvelopeDecay] = -1200
                    $0.generators[ZoneGenerator.modEnvelopeSustain] = 700
                    $0.generators[ZoneGenerator.vibratoLFOToPitch] = 30
                    $0.generators[ZoneGenerator.volumeAttack] = -8000
                    $0.generators[ZoneGenerator.volumeRelease] = -3000
                },
                Bench.zone {
                    ($0.sample, $0.loop, $0.loopStart, $0.loopEnd) = (1, .endless, 100, 209)
                    $0.generators[ZoneGenerator.modLFOToVolume] = 60
                    $0.generators[ZoneGenerator.pan] = -300
                },
            ], modulators: ZoneModulator.standard)
        let events = [
            Bench.on(40, 100), Bench.on(72, 90, at: 333), Bench.control(1, 90, at: 500),
            Bench.control(64, 127, at: 900),
            Bench.off(40, at: 1000), .init(frame: 1234, bytes: [0xE0, 0, 96]), Bench.on(91, 64, at: 1500),
            Bench.control(64, 0, at: 2111), Bench.off(72, at: 3000), Bench.control(7, 60, at: 3333),
            Bench.off(91, at: 4000),
        ]
        for rate in [8000.0, 48_000, 192_000] {
            let whole = bench.play(events, frames: 9000, rate: rate, cuts: [9000])
            #expect(Measure.peak(whole[0]) > 0.05)
            for cuts in [[1], [64], [127], [1024, 3, 500]] {
                let pieces = bench.play(events, frames: 9000, rate: rate, cuts: cuts)
                #expect(
                    Measure.sameBytes(whole[0], pieces[0]) && Measure.sameBytes(whole[1], pieces[1]), "\(rate) \(cuts)")
            }
        }
    }

    @Test(arguments: [(48, 240.0), (60, 480), (67, 719.2), (84, 1920)])
    func `a key has its pitch`(key: Int, frequency: Double) {
        let sound = tone().play([Bench.on(UInt8(key))], frames: 24_000)
        let found = Measure.pitch(near: frequency, in: Array(sound[0][2000...])).frequency
        let exact = 480 * DeterministicMath.exp2(Double(key - 60) / 12)
        #expect(abs(1200 * DeterministicMath.log2(found / exact)) < 0.05)
    }

    @Test func `wheel, its range, tuning and scale move the pitch as they say`() {
        /// How far the pitch is from what is expected, in cents.
        func error(_ cents: Double, _ events: [Bench.Event], key: UInt8 = 60, _ bench: Bench? = nil) -> Double {
            let sound = (bench ?? tone()).play(events + [Bench.on(key, at: 1)], frames: 24_000)
            let expected = 480 * DeterministicMath.exp2(cents / 1200)
            let pitch = Measure.pitch(near: expected, in: Array(sound[0][2000...])).frequency
            return abs(1200 * DeterministicMath.log2(pitch / expected))
        }
        let up = Bench.Event(frame: 0, bytes: [0xE0, 127, 127]), down = Bench.Event(frame: 0, bytes: [0xE0, 0, 0])
        #expect(error(200, [up]) < 0.1 && error(-200, [down]) < 0.1)
        let range = [Bench.control(101, 0), Bench.control(100, 0), Bench.control(6, 7), Bench.control(38, 0)]
        #expect(error(700, range + [up]) < 0.1)
        let fine = [Bench.control(101, 0), Bench.control(100, 1), Bench.control(6, 96), Bench.control(38, 0)]
        #expect(error(50, fine) < 0.1)
        let coarse = [Bench.control(101, 0), Bench.control(100, 2), Bench.control(6, 67)]
        #expect(error(300, coarse) < 0.1)
        #expect(error(200, [], key: 64, tone { $0.scaleTuning = 50 }) < 0.1)
        let master = Bench.Event(frame: 0, bytes: [0xF0, 0x7F, 0x7F, 0x04, 0x03, 0, 96, 0xF7])
        #expect(error(50, [master]) < 0.1)
    }

    @Test
    func `portamento glides from the last key in a straight line of pitch, and controller 84 from the key it says`() {
        // 0.512 s for two octaves, which is the time that FluidSynth gives 4 of controller 5.
        let switches = [Bench.control(5, 4), Bench.control(65, 127)]
        /// Pitches, in cents above the tone's own, a quarter, half and three quarters of the time into the second note,
        /// and behind its end.
        func glide(_ events: [Bench.Event]) -> [Double] {
            let sound = tone { $0.generators[ZoneGenerator.volumeRelease] = -12_000 }.play(events, frames: 60_000)[0]
            return [0.25, 0.5, 0.75, 1.2].map { share in
                let center = 12_000 + Int(share * 0.512 * 48_000)
                let expected = share < 1 ? -2400 * (1 - share) : 0
                let near = 480 * DeterministicMath.exp2(expected / 1200)
                let pitch = Measure.pitch(near: near, in: Array(sound[center - 400..<center + 400])).frequency
                return 1200 * DeterministicMath.log2(pitch / 480)
            }
        }
        let notes = [Bench.on(36), Bench.off(36, at: 11_000), Bench.on(60, at: 12_000)]
        for (found, expected) in zip(glide(switches + notes), [-1800.0, -1200, -600, 0]) {
            #expect(abs(found - expected) < 15)
        }
        let source = [Bench.control(5, 4), Bench.control(84, 36, at: 11_500), Bench.on(60, at: 12_000)]
        for (found, expected) in zip(glide(source), [-1800.0, -1200, -600, 0]) { #expect(abs(found - expected) < 15) }
    }

    @Test func `keys have pitches and bends of their own in MIDI 2.0`() {
        /// Cents of a note of key 60 above 480 Hz.
        func cents(_ words: [(UInt32, UInt32)], near expected: Double, thenReset: Bool = false) -> Double {
            var synthesiser = Synthesiser(sampleRate: 48_000)
            let bench = tone()
            synthesiser.take(bench.table.view)
            for pair in words { synthesiser.take(pair) }
            var left = [Float](repeating: 0, count: 24_000), right = left
            synthesiser.render(24_000, left: &left, right: &right)
            let near = 480 * DeterministicMath.exp2(expected / 1200)
            return 1200 * DeterministicMath.log2(Measure.pitch(near: near, in: Array(left[2000...])).frequency / 480)
        }
        let on: (UInt32, UInt32) = (0x4090_3C00, 0xFFFF_0000)
        let bend: (UInt32, UInt32) = (0x4060_3C00, 0x9000_0000), other: (UInt32, UInt32) = (0x4060_3D00, 0xF000_0000)
        // An eighth of 48 semitones; of 4 semitones, by registered parameter 7; another key's changes nothing.
        #expect(abs(cents([on, bend, other], near: 600) - 600) < 0.2)
        #expect(abs(cents([(0x4020_0007, 4 << 25), on, bend], near: 50) - 50) < 0.2)
        // Pitch 60.25 by controller, 59.5 by the note itself, with a bend as well, and a reset.
        let tune: (UInt32, UInt32) = (0x4000_3C03, 60 << 25 | 1 << 23)
        let own: (UInt32, UInt32) = (0x4090_3C03, 0xFFFF_0000 | 59 << 9 | 1 << 8)
        #expect(abs(cents([tune, on], near: 25) - 25) < 0.2)
        #expect(abs(cents([tune, own], near: -50) + 50) < 0.2)
        #expect(abs(cents([own, bend], near: 550) - 550) < 0.2)
        #expect(abs(cents([tune, bend, on, (0x40F0_3C01, 0)], near: 0)) < 0.2)
    }

    @Test func `velocity, volume and expression follow their curve in dB`() {
        func level(_ events: [Bench.Event], _ velocity: UInt8) -> Double {
            Measure.level(tone().play(events + [Bench.on(60, velocity)], frames: 9600)[0][4800...])
        }
        let full = level([], 127)
        #expect(abs(full - (Measure.decibels(middle) - 3.0103)) < 0.02)
        for value in [100, 64, 20] {
            // 40·log₁₀ of the share (SoundFont 2.04 §8.4.1).
            let fall = 40 * DeterministicMath.log10(Double(value) / 127)
            // Velocity darkens as well, which takes nothing from 480 Hz but 0.1 dB.
            #expect(abs(level([], UInt8(value)) - full - fall) < 0.1)
            #expect(abs(level([Bench.control(7, UInt8(value))], 127) - full - fall) < 0.02)
            #expect(abs(level([Bench.control(11, UInt8(value))], 127) - full - fall) < 0.02)
        }
        #expect(level([Bench.control(7, 0)], 127) < full - 90)
    }

    @Test func `pan keeps the power`() {
        for pan in [0, 30, 64, 100, 127] {
            let sound = tone().play([Bench.control(10, UInt8(pan)), Bench.on(60)], frames: 9600)
            let power = Measure.energy(sound[0][4800...]) + Measure.energy(sound[1][4800...])
            #expect(abs(10 * DeterministicMath.log10(power / 2400)) < 0.02)
        }
        let left = tone().play([Bench.control(10, 0), Bench.on(60)], frames: 960)
        #expect(Measure.peak(left[1]) < 1e-6)
    }

    @Test func `the volume envelope has its stages`() {
        let bench = tone {
            $0.generators[ZoneGenerator.volumeDelay] = -3986 // 0.1 s
            $0.generators[ZoneGenerator.volumeAttack] = -2786 // 0.2 s
            $0.generators[ZoneGenerator.volumeHold] = -3986
            $0.generators[ZoneGenerator.volumeDecay] = 0 // 1 s for 100 dB
            $0.generators[ZoneGenerator.volumeSustain] = 200 // 20 dB
            $0.generators[ZoneGenerator.volumeRelease] = 0
        }
        let sound = bench.play([Bench.on(60), Bench.off(60, at: 48_000)], frames: 96_000)[0]
        func level(_ second: Double) -> Double {
            let start = Int(second * 48_000)
            return Measure.level(sound[start..<start + 100]) - Measure.decibels(middle) + 3.0103
        }
        #expect(sound[..<4780].allSatisfy { $0 == 0 })
        #expect(abs(level(0.2) + 6.02) < 0.3) // half of a straight rise
        #expect(abs(level(0.35)) < 0.1)
        #expect(abs(level(0.5) + 10) < 0.3) // 0.1 s at 100 dB a second
        #expect(abs(level(0.8) + 20) < 0.1)
        #expect(abs(level(1.2) + 40) < 0.4)
        #expect(sound[90_000...].allSatisfy { $0 == 0 })
    }

    @Test func `loops go on, and leave when they should`() {
        // A sample of numbers that say where they are.
        let ramp = (0..<400).map { Float($0) / 1000 }
        func play(_ mode: LoopMode) -> [Float] {
            let bench = Bench(
                [ramp],
                zones: [
                    Bench.zone {
                        ($0.loop, $0.loopStart, $0.loopEnd) = (mode, 100, 200)
                        $0.generators[ZoneGenerator.volumeRelease] = 5000
                    }
                ])
            let sound = bench.play([Bench.on(60), Bench.off(60, at: 550)], frames: 1000)[0]
            return sound.map { $0 / Float(middle) }
        }
        let once = play(.none), endless = play(.endless), until = play(.untilRelease)
        #expect(abs(once[399] - 0.399) < 1e-4 && once[440] == 0)
        for frame in [150, 250, 350, 549] {
            let place = frame < 200 ? frame : 100 + (frame - 100) % 100
            #expect(abs(endless[frame] - Float(place) / 1000) < 1e-4 && endless[frame] == until[frame])
        }
        // The 550th frame is 150 of the sample; from there on, with a release of 18 s, it runs to its end.
        #expect(abs(until[700] - 0.300) < 2e-2 && until[850] == 0)
        #expect(abs(endless[700] - 0.100) < 1e-2)
    }

    @Test func `pedals hold what they should`() {
        func sounding(_ events: [Bench.Event], at frame: Int) -> Bool {
            let sound = tone { $0.generators[ZoneGenerator.volumeRelease] = -7973 }.play(events, frames: frame + 200)[0]
            return Measure.peak(sound[frame...]) > 0.01
        }
        let short = [Bench.on(60), Bench.off(60, at: 1000)]
        #expect(!sounding(short, at: 3000))
        #expect(sounding([Bench.control(64, 127)] + short, at: 3000))
        #expect(!sounding([Bench.control(64, 127)] + short + [Bench.control(64, 0, at: 2000)], at: 4000))
        // Sostenuto holds only what was down when it went down.
        #expect(sounding([Bench.on(60), Bench.control(66, 127, at: 500), Bench.off(60, at: 1000)], at: 3000))
        #expect(!sounding([Bench.control(66, 127), Bench.on(60, at: 1), Bench.off(60, at: 1000)], at: 3000))
        #expect(!sounding([Bench.on(60), Bench.control(120, 0, at: 1000)], at: 3000))
        #expect(!sounding([Bench.on(60), Bench.control(123, 0, at: 1000)], at: 3000))
    }

    @Test func `a class sounds alone`() {
        let bench = tone { $0.exclusiveClass = 1 }
        var counts: [Int] = []
        _ = bench.play([Bench.on(60), Bench.on(72, at: 1000)], frames: 4000) { synthesiser, _ in
            counts.append(synthesiser.activeVoiceCount)
        }
        #expect(counts.contains(2) && counts.last == 1)
    }

    @Test func `zones of a cycle take turns, note by note`() {
        let zones = [(1, 0, 3), (1, 1, 3), (1, 2, 3), (2, 0, 2), (2, 1, 2)].enumerated().map { index, place in
            Bench.zone {
                $0.sample = Int32(index)
                ($0.cycle, $0.turn, $0.turns) = (UInt8(place.0), UInt8(place.1), UInt8(place.2))
                // The second cycle has the upper keys.
                if place.0 == 1 { $0.highKey = 63 } else { $0.lowKey = 64 }
            }
        }
        let samples = (1...5).map { [Float](repeating: Float($0) / 8, count: 4000) }
        let keys = [60, 50, 70, 60, 72, 60, 70] as [UInt8]
        let events = keys.enumerated().flatMap {
            [Bench.on($1, at: $0 * 1000), Bench.off($1, at: $0 * 1000 + 500)]
        }
        let sound = Bench(samples, zones: zones).play(events, frames: 7000)[0]
        let found = keys.indices.map { (Double(sound[$0 * 1000 + 300]) / middle * 8).rounded() }
        #expect(found == [1, 2, 4, 3, 5, 1, 4])
    }

    @Test func `more notes than voices take the oldest`() {
        var events: [Bench.Event] = []
        for channel in 0..<UInt8(5) {
            for key in 0..<UInt8(100) { events.append(Bench.on(key, 30, at: events.count * 40, channel: channel)) }
        }
        var most = 0, stolen = 0
        _ = tone().play(events, frames: 24_000) { synthesiser, _ in
            most = max(most, synthesiser.activeVoiceCount)
            stolen = synthesiser.stolenCount
        }
        #expect(most <= Synthesiser.polyphony + 32 && stolen == 500 - Synthesiser.polyphony)
    }

    @Test func `channels have programs of their own`() {
        let zones = (0..<3).map { number in Bench.zone { $0.sample = Int32(number) } }
        let bench = Bench(
            (1...3).map { [Float](repeating: Float($0) / 10, count: 4000) }, zones: zones,
            programs: [(0, 0, 0..<1), (0, 5, 1..<2), (128, 0, 2..<3)])
        var general = Synthesiser.Settings()
        general.isGeneralMIDI = true
        func value(_ events: [Bench.Event], channel: UInt8, settings: Synthesiser.Settings = .init()) -> Float {
            let sound = bench.play(events + [Bench.on(60, at: 1, channel: channel)], frames: 200, settings: settings)
            return sound[0][100] / Float(middle) * 10
        }
        func change(_ channel: UInt8, _ program: UInt8) -> Bench.Event {
            .init(frame: 0, bytes: [0xC0 | channel, program])
        }
        #expect(abs(value([], channel: 0) - 1) < 1e-3)
        #expect(abs(value([change(3, 5)], channel: 3) - 2) < 1e-3)
        #expect(abs(value([change(3, 5)], channel: 2) - 1) < 1e-3)
        #expect(abs(value([], channel: 9, settings: general) - 3) < 1e-3)
        #expect(abs(value([change(9, 40)], channel: 9, settings: general) - 3) < 1e-3)
        // A bank that is not there falls back, a program that is not there changes nothing.
        #expect(abs(value([Bench.control(0, 8), change(0, 5)], channel: 0) - 2) < 1e-3)
        #expect(abs(value([change(0, 77)], channel: 0) - 1) < 1e-3)
        #expect(abs(value([Bench.control(0, 120), change(0, 0)], channel: 0) - 3) < 1e-3)
    }

    @Test func `the low pass has its corner and its resonance`() {
        func gain(_ cutoff: Float, _ q: Float, at frequency: Double) -> Double {
            func sound(_ cutoff: Float, _ q: Float) -> [Float] {
                Bench(
                    [Signal.sine(frequency, count: 48_000)],
                    zones: [
                        Bench.zone {
                            $0.generators[ZoneGenerator.filterCutoff] = cutoff
                            $0.generators[ZoneGenerator.filterQ] = q
                        }
                    ]
                ).play([Bench.on(60)], frames: 40_000)[0]
            }
            return Measure.level(sound(cutoff, q)[20_000...]) - Measure.level(sound(13_500, 0)[20_000...])
        }
        // 8,372 cents are 1,030 Hz.
        let corner: Float = 8372, hertz = SampleVoice.hertz(corner)
        #expect(abs(gain(corner, 0, at: hertz) + 3.01) < 0.1)
        #expect(abs(gain(corner, 0, at: hertz / 16)) < 0.1)
        #expect(abs(gain(corner, 0, at: hertz * 4) + 24.3) < 0.6)
        // 12 dB over the level at 0 Hz, less half of it on the whole.
        #expect(abs(gain(corner, 120, at: hertz) - (12 - 3.01 - 6)) < 0.2)
        #expect(abs(gain(corner, 120, at: hertz / 64) + 6) < 0.1)
    }

    @Test func `wild messages do no harm`() {
        var mutator = Mutator(seed: 99)
        let bench = tone { $0.exclusiveClass = 3 }
        var events: [Bench.Event] = []
        for index in 0..<3000 {
            events.append(
                .init(
                    frame: index * 7, bytes: mutator.mutate([UInt8(0x80 | index % 128), 60, 100, 1, 2, 3, 4], most: 3)))
        }
        let sound = bench.play(events, frames: 22_000)
        #expect(Measure.isFinite(sound[0]) && Measure.isFinite(sound[1]))
    }
}
