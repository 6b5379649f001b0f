import Foundation
import OssicleCore
import OssicleTestSupport
import PHASE
import Testing

/// Movement without clicks: what moves, turns, or is put elsewhere.
@Suite struct MotionTests {
    enum Output: String, CaseIterable, Sendable {
        case mono, panned, binaural

        func stage() throws -> Stage {
            switch self {
            case .mono: try Stage(channels: 1)
            case .panned: try Stage(mode: .alwaysUseChannelBased)
            case .binaural: try Stage(mode: .alwaysUseBinaural)
            }
        }
    }

    /// Largest share of energy in dB, over the channels, farther from 1 kHz than `width`.
    private func splatter(_ out: [[Float]], _ width: Double) -> Double {
        out.map { Measure.energyOutside(1000 - width, 1000 + width, in: Array($0[8192...])) }.max() ?? 0
    }

    // The pitch is shifted by 1000 · 10/343 = 30 Hz at most. What the level and the direction do has no more than v/r =
    // 5 rad/s to it, and falls off outside of that by e^(−2πδr/v), 160 dB within 15 Hz; the corners that panning laws
    // have at loudspeakers fall by 9 dB per doubling and are below −75 dB from 60 Hz on. A head measured every 5° tells
    // no more than 36 periods per turn: 29 Hz at 5 rad/s, 36 Hz at one turn a second. Its delays modulate the phase,
    // where two such periods add up: 30 + 2 · 29 Hz are heard in passing, 2 · 36 Hz in turning, and all of it is in the
    // band. What straight lines between its measurements would add lies beyond it, as do the steps of one update, at
    // multiples of 94 Hz.
    private static let band = 90.0

    @Test(arguments: Output.allCases)
    func `a source that passes at 10 m per second sounds clean`(output: Output) throws {
        let ride = try Ride(output.stage(), at: SIMD3(-10, 0, -2), rolloff: 1)
        let out = try ride.go(96_256) { time in ride.source.transform = .place(SIMD3(10 * time - 10, 0, -2)) }
        #expect(splatter(out, Self.band) <= -70)
    }

    @Test(arguments: Output.allCases)
    func `a source that circles at 10 m per second sounds clean`(output: Output) throws {
        let ride = try Ride(output.stage(), at: SIMD3(0, 0, -2), rolloff: 1)
        let out = try ride.go(96_256) { time in
            ride.source.transform = .place(SIMD3(2 * sin(5 * time), 0, -2 * cos(5 * time)))
        }
        #expect(splatter(out, Self.band) <= -70)
    }

    @Test(arguments: Output.allCases)
    func `a head that turns once a second hears no clicks`(output: Output) throws {
        let ride = try Ride(output.stage(), at: SIMD3(0, 0.5, -2), rolloff: 1)
        let out = try ride.go(96_256) { time in ride.stage.listener.transform = .turn(2 * .pi * time) }
        #expect(splatter(out, Self.band) <= -70)
    }

    @Test(arguments: Output.allCases)
    func `a source that is put elsewhere neither clicks nor sweeps`(output: Output) throws {
        let ride = try Ride(output.stage(), at: SIMD3(-1, 0, -1))
        _ = try ride.go(24_576) { _ in }
        ride.source.transform = .translation(SIMD3<Float>(40, 0, -30))
        let out = try ride.go(24_576, from: 24_576) { _ in }
        for channel in out {
            // The cross-fade of a quantum begins up to a quantum later where ears hear it.
            let after = Array(channel[256...])
            let tone = Measure.pitch(near: 1000, in: Array(after[..<2048]))
            #expect(abs(1200 * log2(tone.frequency / 1000)) < 0.5)
            // A cross-fade of one quantum between two tones that differ by 2 A at most bends by A/64 where it begins
            // and ends, and the tone itself by (2πf/fs)² A. A click would bend by 2 A.
            let amplitude = max(Measure.peak(channel), 1e-3)
            #expect(Measure.largestKink(channel) < amplitude * Float(1.0 / 64 + pow(2 * Double.pi / 48, 2)) * 1.5)
        }
    }

    @Test func `a listener that is put elsewhere neither clicks nor sweeps`() throws {
        let ride = try Ride(Output.binaural.stage(), at: SIMD3(-1, 0, -1))
        _ = try ride.go(24_576) { _ in }
        ride.stage.listener.transform = .translation(SIMD3<Float>(30, 0, 0)) * .turn(2)
        let out = try ride.go(24_576, from: 24_576) { _ in }
        for channel in out {
            let tone = Measure.pitch(near: 1000, in: Array(channel[512..<4096]))
            #expect(abs(1200 * log2(tone.frequency / 1000)) < 0.5 && tone.signalToNoise > 50)
        }
    }

    // MARK: Turning

    /// What a click from `source` makes at the ears of a listener in `pose`.
    private func click(_ position: SIMD3<Float>, _ listener: simd_float4x4) throws -> [[Float]] {
        let stage = try Stage(mode: .alwaysUseBinaural)
        try stage.register("click", [Signal.impulse(count: 4096, at: 100, height: 0.5)])
        let mixer = try stage.spatialMixer(rolloff: 1)
        let event = try stage.registerEvent("click", into: mixer)
        stage.listener.transform = listener
        try stage.start()
        try stage.event(event, mixer, stage.source(at: position)).start(completion: nil)
        return try stage.render(4096)
    }

    @Test(arguments: 0..<32)
    func `turning the head is turning the world the other way`(index: Int) throws {
        let random = CounterRandom(seed: 77, object: UInt64(index))
        func unit(_ k: UInt64) -> Float { Float(random.unit(k)) * 2 - 1 }
        let place = simd_normalize(SIMD3(unit(0), unit(1), unit(2))) * (0.5 + 2 * abs(unit(3)))
        let turn = simd_quatf(angle: unit(4) * .pi, axis: simd_normalize(SIMD3(unit(5), unit(6), unit(7))))
        let turned = try click(place, simd_float4x4(turn))
        let moved = try click(turn.inverse.act(place), matrix_identity_float4x4)
        for ear in 0..<2 {
            let (a, b) = (Measure.octaveEnergies(of: turned[ear]), Measure.octaveEnergies(of: moved[ear]))
            for band in 2..<9 { #expect(abs(a[band] - b[band]) < 0.1, "band \(band), ear \(ear)") }
            #expect(abs(Measure.delay(of: turned[ear], after: moved[ear], range: 32)) < 0.1)
        }
    }

    // MARK: Coming and going

    @Test(arguments: [true, false])
    func `what is taken out and put back falls silent and sounds again, without a click`(isSource: Bool) throws {
        let ride = try Ride(Output.panned.stage(), at: SIMD3(0, 0, -1))
        let object: PHASEObject = isSource ? ride.source : ride.stage.listener
        var out = try ride.go(12_288) { _ in }[0]
        let level = rms(out[8192...])
        ride.stage.engine.rootObject.removeChild(object)
        let without = try ride.go(12_288, from: 12_288) { _ in }[0]
        let isSilent = without[1024...].allSatisfy { $0 == 0 }
        #expect(isSilent)
        #expect(ride.event.renderingState == .started)
        try ride.stage.engine.rootObject.addChild(object)
        let again = try ride.go(12_288, from: 24_576) { _ in }[0]
        #expect(abs(decibels(rms(again[8192...]) / level)) < 0.01)
        out += without + again
        // A tone of 1 kHz bends by 0.017 of its amplitude, and what fades over 512 frames hardly more.
        #expect(Measure.largestKink(out[1024...].map { $0 }) < Measure.peak(out) * 0.03)
    }

    @Test func `what moves while it is away comes back where it is`() throws {
        let ride = try Ride(Output.mono.stage(), at: SIMD3(0, 0, -1), rolloff: 1)
        let near = rms(try ride.go(12_288) { _ in }[0][8192...])
        ride.stage.engine.rootObject.removeChild(ride.source)
        _ = try ride.go(12_288, from: 12_288) { time in
            ride.source.transform = .place(SIMD3(0, 0, -1 - 20 * (time - 0.256)))
        }
        ride.source.transform = .translation(SIMD3<Float>(0, 0, -4))
        try ride.stage.engine.rootObject.addChild(ride.source)
        let out = try ride.go(24_576, from: 24_576) { _ in }[0]
        #expect(abs(decibels(rms(out[12_000...]) / near) + 12.041) < 0.05)
        let tone = Measure.pitch(near: 1000, in: Array(out[1024..<8192]))
        #expect(abs(1200 * log2(tone.frequency / 1000)) < 0.5)
    }
}
