import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing
@testable import OssicleRender

@Suite struct SendEffectsTests {
    private typealias Bench = InstrumentBench

    /// A short burst of noise.
    private func burst(_ change: (inout InstrumentZone) -> Void = { _ in }) -> Bench {
        Bench(
            [Signal.noise(count: 4800, seed: 5)], zones: [Bench.zone(change)], modulators: ZoneModulator.standard)
    }

    private func wet(_ bench: Bench, _ events: [Bench.Event], frames: Int = 60_000) -> [[Float]] {
        var dry = Synthesiser.Settings()
        dry.hasEffects = false
        let whole = bench.play(events, frames: frames)
        let without = bench.play(events, frames: frames, settings: dry)
        return zip(whole, without).map { zip($0, $1).map { $0 - $1 } }
    }

    /// dB of the octaves of 500 Hz and 1 kHz, for which the reverb's level is stated.
    private func energy(_ sound: [[Float]]) -> Double {
        let sum = sound.reduce(0) { sum, side in
            let octaves = Measure.octaveEnergies(of: side)
            return sum + Decibels.energy(octaves[4]) + Decibels.energy(octaves[5])
        }
        return 10 * DeterministicMath.log10(sum)
    }

    /// Controllers 91 and 93 send up to 20 % (SoundFont 2.04, 8.4.8 and 8.4.9), in a straight line.
    @Test(arguments: [127, 64, 20]) func `what is sent comes back at the level of the send`(value: Int) {
        let dry = energy(burst().play([Bench.on(60)], frames: 9600))
        let send = 20 * DeterministicMath.log10(0.2 * Double(value) / 127)
        // The energy of noise of a tenth of a second in two octaves is known within half a decibel, and behind the many
        // paths of a network within one.
        let reverb = energy(wet(burst(), [Bench.control(91, UInt8(value)), Bench.on(60)]))
        #expect(abs(reverb - dry - send) < 1.5, "reverb \(reverb - dry) for \(send)")
        let chorus = energy(wet(burst(), [Bench.control(93, UInt8(value)), Bench.on(60)]))
        #expect(abs(chorus - dry - send) < 0.5, "chorus \(chorus - dry) for \(send)")
    }

    @Test func `a zone's own sends count as well`() {
        let dry = energy(burst().play([Bench.on(60)], frames: 9600))
        let sending = burst { $0.generators[ZoneGenerator.reverbSend] = 500 }
        #expect(abs(energy(wet(sending, [Bench.on(60)])) - dry + 6.02) < 1.5)
        let both = burst {
            $0.generators[ZoneGenerator.chorusSend] = 900
            $0.generators[ZoneGenerator.pan] = -500
        }
        // More than the whole is the whole, and pan does not change the send.
        #expect(abs(energy(wet(both, [Bench.control(93, 127), Bench.on(60)])) - dry) < 0.5)
    }

    @Test func `without sends there is not a byte more, and effects switched off leave the dry sound`() {
        let bench = burst()
        var off = Synthesiser.Settings()
        off.hasEffects = false
        let plain = bench.play([Bench.on(60)], frames: 12_000)
        #expect(Measure.sameBytes(plain[0], bench.play([Bench.on(60)], frames: 12_000, settings: off)[0]))
        let sent = [Bench.control(91, 127), Bench.control(93, 127), Bench.on(60)]
        let dry = bench.play(sent, frames: 12_000, settings: off)
        #expect(Measure.largestDifference(dry[0], plain[0]) == 0)
    }

    /// General MIDI 2: seconds are e^((value − 40)/40).
    @Test(arguments: [(64, 1.8221), (44, 1.1052), (90, 3.4903)])
    func `the reverb's time is what global parameter control says`(value: UInt8, seconds: Double) {
        let message: [UInt8] = [0xF0, 0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1, 1, 1, value, 0xF7]
        let sound = wet(
            burst(), [.init(frame: 0, bytes: message), Bench.control(91, 127), Bench.on(60, at: 4800)], frames: 120_000)
        // The octaves of 500 Hz and 1 kHz, by Schroeder's integral.
        let times = Measure.reverberationTimes(sound.map { Array($0[9600...]) }, bands: 4...5)
        let mean = (times[0] + times[1]) / 2
        #expect(abs(mean / seconds - 1) < 0.08, "\(mean) s for \(seconds)")
    }

    @Test func `types of reverb and chorus have their numbers`() {
        func tail(_ slot: UInt8, _ pairs: [UInt8], _ controller: UInt8) -> [Float] {
            let message = [0xF0, 0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1, slot] + pairs + [0xF7]
            return wet(
                burst(), [.init(frame: 0, bytes: message), Bench.control(controller, 127), Bench.on(60, at: 9600)],
                frames: 60_000)[0]
        }
        // Large hall and chorus 3 are those of the beginning.
        let isHall = Measure.sameBytes(tail(1, [0, 4], 91), tail(1, [], 91))
        let isThird = Measure.sameBytes(tail(2, [0, 2], 93), tail(2, [], 93))
        let isFirst = Measure.sameBytes(tail(2, [0, 0], 93), tail(2, [1, 3, 2, 5, 3, 0], 93))
        let isSmall = !Measure.sameBytes(tail(1, [0, 0], 91), tail(1, [], 91))
        #expect(isHall && isThird && isFirst && isSmall)
        // A chorus that is sent to the reverb rings.
        let levels = [[4, 127], []].map { Measure.level(tail(2, $0, 93)[40_000...]) }
        #expect(levels[0] > levels[1] + 40, "\(levels)")
    }

    @Test func `no cut changes a byte, and a reset begins anew`() {
        let events = [
            Bench.control(91, 100), Bench.control(93, 80), Bench.on(60, at: 100), Bench.control(91, 20, at: 700),
            .init(frame: 3000, bytes: [0xF0, 0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1, 1, 0, 1, 0xF7]),
            Bench.on(67, 80, at: 4001),
        ]
        for rate in [8000.0, 48_000] {
            let whole = burst().play(events, frames: 9000, rate: rate, cuts: [9000])
            for cuts in [[1], [64], [127, 1024, 3]] {
                let pieces = burst().play(events, frames: 9000, rate: rate, cuts: cuts)
                #expect(Measure.sameBytes(whole[0], pieces[0]) && Measure.sameBytes(whole[1], pieces[1]))
            }
        }
        let bench = burst()
        defer { withExtendedLifetime(bench) {} }
        var synthesiser = Synthesiser(sampleRate: 48_000, settings: .generalMIDI)
        synthesiser.take(bench.table.view)
        func play() -> [Float] {
            var left = [Float](repeating: 0, count: 20_000), right = left
            synthesiser.take(0x90, 60, 100)
            synthesiser.render(20_000, left: &left, right: &right)
            return left
        }
        let first = play()
        synthesiser.reset()
        #expect(Measure.sameBytes(first, play()))
    }

    @Test func `it falls silent, and rests`() {
        var isSilent = false
        // The shortest time, 0.37 s: some 1.3 s to −200 dB, and 1.25 s of patience.
        let short = Bench.Event(frame: 0, bytes: [0xF0, 0x7F, 0x7F, 0x04, 0x05, 1, 1, 1, 1, 1, 1, 0, 0xF7])
        let events = [short, Bench.control(91, 127), Bench.control(93, 127), Bench.on(60)]
        _ = burst().play(events, frames: 150_000, cuts: [1024]) { synthesiser, _ in
            isSilent = synthesiser.isSilent
        }
        #expect(isSilent)
    }
}
