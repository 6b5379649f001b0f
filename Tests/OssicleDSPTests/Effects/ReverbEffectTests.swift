import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct ReverbEffectTests {
    static func parameters(
        _ preset: ReverbPreset, wet: Float = 100, _ change: (inout ReverbEffect.Parameters) -> Void = { _ in }
    ) -> ReverbEffect.Parameters {
        var parameters = ReverbEffect.Parameters(preset: preset, wetDryMix: wet)
        change(&parameters)
        return parameters
    }

    static func response(_ parameters: ReverbEffect.Parameters, seconds: Double, channels: Int = 2) -> [[Float]] {
        KernelLaws.run(
            ReverbEffect.self, parameters,
            [[Float]](repeating: Signal.impulse(count: Int(seconds * 48000)), count: channels))
    }

    @Test("The reverb keeps the laws: within a size, from size to size, and mixed with the dry sound")
    func laws() {
        KernelLaws.hold(
            ReverbEffect.self, from: Self.parameters(.smallRoom), to: Self.parameters(.mediumRoom, wet: 40),
            symmetric: false)
        KernelLaws.hold(
            ReverbEffect.self, from: Self.parameters(.plate, wet: 70), to: Self.parameters(.largeHall), symmetric: false
        )
    }

    @Test("The numbers of the factory presets are the vendor's")
    func numbers() {
        let names = [
            "smallRoom", "mediumRoom", "largeRoom", "mediumHall", "largeHall", "plate", "mediumChamber", "largeChamber",
            "cathedral",
            "largeRoom2", "mediumHall2", "mediumHall3", "largeHall2",
        ]
        #expect(ReverbPreset.factory.map(\.rawValue) == names && Set(names).count == ReverbPreset.allCases.count)
        for (number, preset) in ReverbPreset.factory.enumerated() {
            #expect(ReverbPreset(factoryNumber: number) == preset && preset.factoryNumber == number)
        }
        #expect(ReverbPreset(factoryNumber: -1) == .mediumHall && ReverbPreset(factoryNumber: 13) == .mediumHall)
    }

    @Test("Every preset decays as its table says, within 10 % from 250 Hz to 4 kHz", arguments: ReverbPreset.factory)
    func decay(preset: ReverbPreset) {
        let table = preset.room.t60
        // Eight channels, because the decay of one octave of one short tail is a matter of chance.
        let response = Self.response(Self.parameters(preset), seconds: Double(table[3]) * 0.8 + 0.3, channels: 8)
        for (band, measured) in zip(3...7, Measure.reverberationTimes(response, bands: 3...7, span: 20)) {
            #expect(abs(measured / Double(table[band]) - 1) < 0.1, "octave \(band): \(measured) s for \(table[band]) s")
        }
    }

    @Test("The tails of left and right are correlated by less than 0.2", arguments: ReverbPreset.factory)
    func correlation(preset: ReverbPreset) {
        let response = Self.response(Self.parameters(preset), seconds: Double(preset.room.t60[5]))
        #expect(abs(Measure.correlation(response[0], response[1])) < 0.2)
    }

    @Test(
        "At 100 % an impulse comes back with its own energy at mid frequencies within 1.5 dB, with every preset",
        arguments: ReverbPreset.factory)
    func level(preset: ReverbPreset) {
        let response = Self.response(Self.parameters(preset), seconds: Double(preset.room.t60[1]))
        let dry = Measure.octaveEnergies(of: Signal.impulse(count: response[0].count))
        var energy = 0.0
        for channel in response {
            let wet = Measure.octaveEnergies(of: channel)
            energy += (4...5).reduce(0) { $0 + Decibels.energy(wet[$1] - dry[$1]) / 4 }
        }
        #expect(abs(Decibels.of(energy: energy)) < 1.5, "\(Decibels.of(energy: energy)) dB")
    }

    @Test("At 0 % the input passes bit for bit, at 100 % none of it; in between powers add up to one")
    func mix() {
        let noise = [Signal.noise(count: 4800, seed: 1), Signal.noise(count: 4800, seed: 2)]
        let dry = KernelLaws.run(ReverbEffect.self, Self.parameters(.mediumHall, wet: 0), noise)
        #expect(Measure.sameBytes(dry[0], noise[0]) && Measure.sameBytes(dry[1], noise[1]))
        let wet = Self.response(Self.parameters(.largeHall), seconds: 0.5)[0]
        #expect(wet[0] == 0)
        let wetEnergy = Measure.energy(wet)
        for percent in [10.0, 50, 80] {
            let mixed = Self.response(Self.parameters(.largeHall, wet: Float(percent)), seconds: 0.5)[0]
            let (direct, rest) = (Double(mixed[0]), Measure.energy(mixed.dropFirst()) / wetEnergy)
            #expect(abs(direct - DeterministicMath.cos(percent / 200 * DeterministicMath.pi)) < 1e-5)
            #expect(abs(direct * direct + rest - 1) < 1e-4)
        }
    }

    @Test(
        "Another preset cross-fades to its own decay without a click or a jump in level",
        arguments: [
            (ReverbPreset.smallRoom, ReverbPreset.largeHall), (.cathedral, .largeRoom), (.mediumHall, .largeHall2),
        ])
    func change(pair: (from: ReverbPreset, to: ReverbPreset)) {
        let tone = [Signal.sine(300, count: 96_000, amplitude: 0.5)]
        var kernel = ReverbEffect(sampleRate: 48000, channelCount: 1, parameters: Self.parameters(pair.from))
        let before = KernelLaws.run(&kernel, tone)[0]
        kernel.take(Self.parameters(pair.to), atOnce: false)
        let after = KernelLaws.run(&kernel, tone)[0]
        // A sine of 300 Hz bends by 1.5e-3 of its amplitude.
        #expect(
            Measure.largestKink(Array((before.suffix(4800) + after.prefix(9600)))) < 4e-3
                * max(Measure.peak(before), Measure.peak(after)))
        var later = ReverbEffect(sampleRate: 48000, channelCount: 8, parameters: Self.parameters(pair.from))
        _ = KernelLaws.run(&later, [[Float]](repeating: Signal.silence(count: 128), count: 8))
        later.take(Self.parameters(pair.to), atOnce: false)
        // The room before is fed until the new one would have filled.
        let filled = Self.parameters(pair.to).field.buildUp(sampleRate: 48_000).end + 256
        _ = KernelLaws.run(&later, [[Float]](repeating: Signal.silence(count: filled), count: 8))
        let impulse = Signal.impulse(count: Int(Double(pair.to.room.t60[3]) * 0.8 * 48000) + 14_400)
        let response = KernelLaws.run(&later, [[Float]](repeating: impulse, count: 8))
        for (band, measured) in zip(4...6, Measure.reverberationTimes(response, bands: 4...6, span: 20)) {
            #expect(abs(measured / Double(pair.to.room.t60[band]) - 1) < 0.1, "octave \(band): \(measured) s")
        }
    }

    @Test("Of several presets asked for at once the last is what sounds in the end")
    func lastOne() {
        var kernel = ReverbEffect(sampleRate: 48000, channelCount: 2, parameters: Self.parameters(.smallRoom))
        let noise = [Signal.noise(count: 9600), Signal.noise(count: 9600)]
        for preset in [ReverbPreset.largeHall, .plate, .smallRoom, .largeRoom] {
            kernel.take(Self.parameters(preset), atOnce: false)
            _ = KernelLaws.run(&kernel, noise.map { Array($0.prefix(300)) })
        }
        _ = KernelLaws.run(&kernel, noise)
        kernel.reset()
        var expected = ReverbEffect(sampleRate: 48000, channelCount: 2, parameters: Self.parameters(.largeRoom))
        #expect(Measure.sameBytes(KernelLaws.run(&kernel, noise)[0], KernelLaws.run(&expected, noise)[0]))
    }

    @Test("Decay times at either end scale the octaves near it, within 12 %")
    func ends() {
        let parameters = Self.parameters(.mediumHall) {
            ($0.decayTimeAt0Hz, $0.decayTimeAtNyquist) = (2 * $0.decayTimeAt0Hz, $0.decayTimeAtNyquist / 2)
        }
        let table = ReverbPreset.mediumHall.room.t60
        let measured = Measure.reverberationTimes(Self.response(parameters, seconds: 3), bands: 3...7, span: 20)
        for band in 3...7 {
            let expected = Double(table[band]) * DeterministicMath.exp2(1 - 2 * Double(band) / 9)
            #expect(
                abs(measured[band - 3] / expected - 1) < 0.12,
                "octave \(band): \(measured[band - 3]) s for \(expected) s")
        }
    }

    @Test("The tail starts when it is asked to, and the reverb's gain is its own")
    func startAndGain() {
        let late = Self.response(Self.parameters(.smallRoom) { $0.minDelayTime = 0.3 }, seconds: 1)[0]
        let onset = Double(Measure.onset(of: late, threshold: 0.05) ?? 0) / 48000
        #expect(abs(onset - 0.3) < 0.03, "\(onset) s")
        let (plain, loud) = (
            Self.response(Self.parameters(.smallRoom), seconds: 0.2)[0],
            Self.response(Self.parameters(.smallRoom) { $0.gain = 6 }, seconds: 0.2)[0]
        )
        #expect(abs(Measure.level(loud) - Measure.level(plain) - 6) < 0.01)
    }

    @Test("A reverb that has fallen asleep wakes with the sound of a fresh one")
    func sleep() {
        var kernel = ReverbEffect(sampleRate: 48000, channelCount: 2, parameters: Self.parameters(.smallRoom))
        let noise = [Signal.noise(count: 4800), Signal.noise(count: 4800, seed: 2)]
        let fresh = KernelLaws.run(&kernel, noise)
        _ = KernelLaws.run(&kernel, [Signal.silence(count: 300_000), Signal.silence(count: 300_000)])
        #expect(
            Measure.peak(KernelLaws.run(&kernel, [Signal.silence(count: 300), Signal.silence(count: 300)])[0]) == 0)
        let again = KernelLaws.run(&kernel, noise)
        #expect(
            Measure.largestDifference(fresh[0], again[0]) == 0 && Measure.largestDifference(fresh[1], again[1]) == 0)
    }

    @Test("More than two channels get tails of their own, up to eight")
    func channels() {
        let response = Self.response(Self.parameters(.mediumRoom), seconds: 0.6, channels: 9)
        for a in 0..<8 {
            for b in 0..<a { #expect(abs(Measure.correlation(response[a], response[b])) < 0.2, "\(a) \(b)") }
        }
        #expect(Measure.sameBytes(response[0], response[8]))
    }
}
