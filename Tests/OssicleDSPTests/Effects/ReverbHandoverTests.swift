import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

/// One room after another: presets, and measured ones.
@Suite struct ReverbHandoverTests {
    /// A measured room of one channel with its memory.
    final class Room {
        let reference: ReverbResponse
        private let convolver: UnsafeMutablePointer<Convolver>

        /// - Parameter seconds: until the response has fallen by 60 dB; noise of an energy of 1.
        init(_ number: UInt32, seconds: Double, channels: Int = 8, delay: Int = 0) {
            let length = Int(seconds * 48_000)
            let responses = (0..<channels).map { channel in
                let noise = ConvolverTests.response(length, seed: UInt64(number) * 100 + UInt64(channel))
                let scale = Float(1 / Measure.energy(noise).squareRoot())
                return Signal.silence(count: delay) + noise.map { $0 * scale }
            }
            let response = ConvolutionResponse(responses)
            convolver = .allocate(capacity: 1)
            convolver.initialize(
                to: Convolver(
                    response, routes: (0..<channels).map { Convolver.Route(from: $0, to: $0, channel: $0) },
                    inputCount: channels, outputCount: channels))
            reference = ReverbResponse(
                number: number, convolver: convolver, buildUp: response.buildUp, duration: Float(seconds))
        }

        deinit { convolver.deinitialize(count: 1).deallocate() }

        var parameters: ReverbEffect.Parameters {
            var parameters = ReverbEffect.Parameters()
            parameters.response = reference
            return parameters
        }
    }

    /// Mean powers of eight channels in 50 ms each.
    static func levels(_ channels: [[Float]]) -> [Double] {
        stride(from: 0, to: channels[0].count - 2399, by: 2400).map { start in
            channels.reduce(0) { $0 + Measure.energy(Array($1[start..<start + 2400])) }
        }
    }

    /// Steady noise, and a change once the first room has filled.
    static func change(
        from first: ReverbEffect.Parameters, to second: ReverbEffect.Parameters, seconds: Double
    ) -> (before: Double, during: [Double], after: Double) {
        let noise = (0..<8).map { _ in Signal.noise(count: Int(seconds * 48_000), seed: 5) }
        var kernel = ReverbEffect(sampleRate: 48000, channelCount: 8, parameters: first)
        let before = levels(KernelLaws.run(&kernel, noise))
        kernel.take(second, atOnce: false)
        let during = levels(KernelLaws.run(&kernel, noise))
        return (mean(before.suffix(8)), during, mean(during.suffix(8)))
    }

    static func mean(_ values: some Collection<Double>) -> Double { values.reduce(0, +) / Double(values.count) }

    static func holds(_ levels: (before: Double, during: [Double], after: Double)) -> Double {
        Decibels.of(energy: (levels.during.min() ?? 0) / min(levels.before, levels.after))
    }

    @Test(
        "With steady noise a change of preset never falls more than 1 dB below the softer of both",
        arguments: [
            (ReverbPreset.smallRoom, ReverbPreset.largeHall), (.largeHall, .smallRoom), (.mediumRoom, .mediumChamber),
            (.smallRoom, .plate), (.mediumHall, .largeHall2),
        ])
    func presets(pair: (from: ReverbPreset, to: ReverbPreset)) {
        let seconds = Double(max(pair.from.room.t60[4], pair.to.room.t60[4])) * 0.7 + 0.6
        let dip = Self.holds(
            Self.change(
                from: ReverbEffect.Parameters(preset: pair.from), to: ReverbEffect.Parameters(preset: pair.to),
                seconds: seconds))
        #expect(dip > -1, "\(dip) dB")
    }

    @Test("Nor does a change from a preset to a measured room, from one to another, or back")
    func responses() {
        let (short, long, last) = (
            Room(1, seconds: 0.3), Room(2, seconds: 1.5, delay: 1500), Room(3, seconds: 0.5)
        )
        defer { withExtendedLifetime([short, long, last]) {} }
        let preset = ReverbEffect.Parameters(preset: .mediumRoom)
        for (first, second) in [(preset, long.parameters), (short.parameters, long.parameters)] {
            let dip = Self.holds(Self.change(from: first, to: second, seconds: 1.6))
            #expect(dip > -1, "\(dip) dB")
        }
        let back = Self.holds(Self.change(from: last.parameters, to: preset, seconds: 1.2))
        #expect(back > -1, "\(back) dB")
    }

    @Test("A measured room is the direct sum of its response, and after it is gone its tail rings out")
    func tail() {
        let room = Room(1, seconds: 0.5, channels: 1)
        defer { withExtendedLifetime(room) {} }
        var kernel = ReverbEffect(sampleRate: 48000, channelCount: 1, parameters: room.parameters)
        let response = KernelLaws.run(&kernel, [Signal.impulse(count: 4096)])[0]
        kernel.take(ReverbEffect.Parameters(preset: .smallRoom), atOnce: false)
        // Silence goes into the new room, so all of it is the old one's.
        let rest = KernelLaws.run(&kernel, [Signal.silence(count: 25_000)])[0]
        let expected = ConvolverTests.response(24_000, seed: 100)
        let scale = Float(1 / Measure.energy(expected).squareRoot())
        let differences = zip(response + rest, expected).map { abs($0 - $1 * scale) }
        #expect((differences.max() ?? 1) < 1e-6)
        #expect(Measure.peak(Array(rest.suffix(800))) < 1e-6)
    }

    @Test("Any cut of blocks gives the same bytes, also while rooms change")
    func cuts() {
        let noise = [Signal.noise(count: 9000, seed: 1), Signal.noise(count: 9000, seed: 2)]
        let results = [[128], [1, 63, 64], [127, 3, 5]].map { blocks in
            let rooms = [Room(1, seconds: 0.1, channels: 2), Room(2, seconds: 0.2, channels: 2)]
            defer { withExtendedLifetime(rooms) {} }
            var kernel = ReverbEffect(
                sampleRate: 48000, channelCount: 2, parameters: ReverbEffect.Parameters(preset: .smallRoom))
            var parts = [KernelLaws.run(&kernel, noise.map { Array($0[0..<1000]) }, blocks: blocks)]
            for (number, room) in rooms.enumerated() {
                kernel.take(room.parameters, atOnce: false)
                parts.append(
                    KernelLaws.run(
                        &kernel, noise.map { Array($0[(1000 + 1500 * number)..<(2500 + 1500 * number)]) },
                        blocks: blocks))
            }
            kernel.take(ReverbEffect.Parameters(preset: .largeRoom), atOnce: false)
            parts.append(KernelLaws.run(&kernel, noise.map { Array($0[4000...]) }, blocks: blocks))
            return (0..<2).map { channel in parts.flatMap { $0[channel] } }
        }
        for result in results.dropFirst() {
            for channel in 0..<2 { #expect(Measure.sameBytes(result[channel], results[0][channel])) }
        }
    }

    @Test("The effect tells which responses it still needs, and lets go of those that have rung out")
    func inUse() {
        let rooms = (1...7).map { Room(UInt32($0), seconds: 0.05, channels: 1) }
        defer { withExtendedLifetime(rooms) {} }
        var kernel = ReverbEffect(sampleRate: 48000, channelCount: 1, parameters: rooms[0].parameters)
        let cell = kernel.responsesInUse
        func kept() -> [UInt32] {
            _ = cell.advance()
            return (1...7).filter { cell.current.keeps(UInt32($0)) }.map { UInt32($0) }
        }
        // Newer ones are on their way.
        #expect(kept() == [1, 2, 3, 4, 5, 6, 7])
        let noise = [Signal.noise(count: 640, seed: 3)]
        for room in rooms.dropFirst() {
            kernel.take(room.parameters, atOnce: false)
            _ = KernelLaws.run(&kernel, noise)
        }
        // Four places and one that waits, but never the ones in between.
        #expect(kept().last == 7 && kept().count <= 5)
        _ = KernelLaws.run(&kernel, [Signal.noise(count: 96_000, seed: 4)])
        #expect(kept() == [7])
        kernel.take(ReverbEffect.Parameters(preset: .smallRoom), atOnce: false)
        _ = KernelLaws.run(&kernel, [Signal.silence(count: 96_000)])
        #expect(kept() == [])
    }

    @Test("Channels that cancel each other wake a measured room that sleeps")
    func wakes() {
        let room = Room(1, seconds: 0.05, channels: 2)
        defer { withExtendedLifetime(room) {} }
        var kernel = ReverbEffect(sampleRate: 48000, channelCount: 2, parameters: room.parameters)
        _ = KernelLaws.run(&kernel, [Signal.silence(count: 70_000), Signal.silence(count: 70_000)])
        let noise = Signal.noise(count: 1000, seed: 9)
        let output = KernelLaws.run(&kernel, [noise, noise.map { -$0 }])
        #expect(Measure.peak(output[0]) > 0.01 && Measure.peak(output[1]) > 0.01)
    }
}
