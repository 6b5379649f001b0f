import Foundation
import OssicleAcoustics
import OssicleCore
@testable import OssicleResponses
@testable import OssicleTestSupport
import Testing

@Suite("The late part of a response") struct LateTests {
    private static let times = [1.6, 1.6, 1.5, 1.4, 1.2, 1.0, 0.9, 0.8, 0.7, 0.6]

    /// Energy in a band of what lies behind `start`, by the flanks of the tests' own filters.
    private static func energy(_ signal: [Float], _ band: Int, from start: Double) -> Double {
        let (filtered, _) = Spectrum(of: signal, minimumCount: signal.count + 4800).filtered {
            Measure.octaveWeight(band, at: $0)
        }
        return filtered.dropFirst(Int(start * 48_000)).prefix(signal.count).reduce(0) { $0 + $1 * $1 }
    }

    /// The same of a pulse of energy 1, which all bands share by their width.
    private static func unit(_ band: Int) -> Double {
        let silence = [Float](repeating: 0, count: 24_000)
        return energy(silence + [1] + silence, band, from: 0)
    }

    @Test(
        "every band from 125 Hz up has its energy within 0.5 dB and its decay within 5 %; below, where chance rules, the mean of six seeds has"
    )
    func energies() throws {
        let part = LatePart(energy: Rooms.decay(Self.times, level: -3), start: 0.03)
        var means = [Double](repeating: 0, count: OctaveBands.count)
        for seed in 1...6 as ClosedRange<UInt64> {
            let response = try ResponseSynthesiser(sampleRate: 48_000, seed: seed).response(
                [SourceAcoustics(direct: .silent)], late: part, listener: Pose(), frameCount: 96_000)
            let measured = Measure.reverberationTimes(response.channels, bands: 0..<10, span: 20)
            for band in 0..<OctaveBands.count {
                let level =
                    10 * log10(Self.energy(response.channels[0], band, from: 0) / Self.unit(band)) - 10
                    * log10(Double(part.total[band]))
                means[band] += level / 6
                guard band > 1 else { continue }
                #expect(abs(level) < 0.5, "band \(band), seed \(seed): \(level) dB")
                #expect(
                    abs(measured[band] / Self.times[band] - 1) < 0.05,
                    "band \(band), seed \(seed): \(measured[band]) s for \(Self.times[band])")
            }
        }
        for band in 0..<OctaveBands.count { #expect(abs(means[band]) < 0.5, "band \(band): \(means[band]) dB") }
    }

    @Test("nothing sounds before the start, and the bands together are white where they are alike")
    func startAndColour() throws {
        let part = LatePart(energy: Rooms.decay([Double](repeating: 1, count: 10)), start: 0.1)
        let response = try ResponseSynthesiser(sampleRate: 48_000)
            .response([SourceAcoustics(direct: .silent)], late: part, listener: Pose(), frameCount: 48_000)
        let isSilent = response.channels[0][..<4800].allSatisfy { $0 == 0 }
        #expect(isSilent)
        let octaves = Measure.octaveEnergies(of: response.channels[0]).dropFirst(4).dropLast()
        for (lower, upper) in zip(octaves, octaves.dropFirst()) { #expect(abs(upper - lower - 10 * log10(2)) < 0.5) }
    }

    @Test("another number of workers gives the same bytes, another seed does not")
    func determinism() throws {
        let part = LatePart(energy: Rooms.decay(Self.times, seconds: 0.5))
        func render(_ seed: UInt64, _ workers: Int) throws -> ImpulseResponse {
            try ResponseSynthesiser(sampleRate: 48_000, receiver: .ambisonic(order: 1), seed: seed)
                .response(
                    [Rooms.acoustics(Rooms.box, from: Rooms.source, to: Rooms.listener, order: 3)], late: part,
                    listener: Pose(position: Rooms.listener), frameCount: 12_000, workers: WorkerPool(workers: workers))
        }
        let (one, seven, other) = (try render(5, 1), try render(5, 7), try render(6, 1))
        let areSame = one == seven
        let areOthers = one != other
        #expect(areSame)
        #expect(areOthers)
    }

    @Test("a single late ray does not sound as a burst, and keeps its energy")
    func burst() {
        var energy = EnergyResponse(binWidth: 0.002, binCount: 500)
        (energy.bins[300], energy.octants[300]) = (.ones, SIMD8(repeating: 1))
        let spread = LatePart(energy: energy, start: 0.1).spread()
        let bins = spread.energy.bins.indices.filter { spread.energy.bins[$0][4] > 0 }
        #expect(bins == Array(288...312))
        #expect(abs(spread.total[4] - 1) < 1e-4)
        #expect(abs(spread.energy.octants.reduce(SIMD8<Float>.zero, +).sum() - 8) < 1e-3)
    }

    @Test(
        "what comes in one bin with the direct sound is late, wherever in it the direct sound arrives",
        arguments: [0.0, 0.4, 0.9, 0.99])
    func onset(place: Double) throws {
        var energy = EnergyResponse(binWidth: 0.004, binCount: 100)
        energy.bins[5] = .ones
        let start = (5 + place) * 0.004
        let part = LatePart(energy: energy, start: start)
        #expect(part.total == .ones)
        #expect(abs(part.end(below: 60) - 0.024) < 1e-9)
        let signal = try ResponseSynthesiser(sampleRate: 48_000)
            .response([SourceAcoustics(direct: .silent)], late: part, listener: Pose(), frameCount: 24_000).channels[0]
        let isSilent = signal[..<Int(start * 48_000)].allSatisfy { $0 == 0 }
        #expect(isSilent)
        // Bands that are alike are white: together they have the energy of the pulse.
        #expect(abs(10 * log10(Measure.energy(signal))) < 0.3, "\(10 * log10(Measure.energy(signal))) dB")
    }

    @Test("what chance does to a first burst does not change the level of what follows")
    func burstAndEcho() throws {
        var energy = EnergyResponse(binWidth: 0.004, binCount: 100)
        (energy.bins[5], energy.bins[40]) = (.ones, OctaveBands(repeating: 0.01))
        var squares = 0.0
        for seed in 1...8 as ClosedRange<UInt64> {
            let response = try ResponseSynthesiser(sampleRate: 48_000, seed: seed)
                .response(
                    [SourceAcoustics(direct: .silent)], late: LatePart(energy: energy), listener: Pose(),
                    frameCount: 24_000)
            for band in 5..<9 {
                let level = 10 * log10(Self.energy(response.channels[0], band, from: 0.1) / Self.unit(band)) + 20
                squares += level * level / 32
            }
        }
        #expect(squares.squareRoot() < 0.35, "\(squares.squareRoot()) dB")
    }

    @Test(
        "what is no energy and no time counts as none: nothing traps, and all samples are numbers",
        arguments: [
            Double.nan, .infinity, -.infinity, -1, 1e300, 1e-300,
        ])
    func hostile(value: Double) throws {
        var broken = Rooms.decay([Double](repeating: 1, count: 10), seconds: 0.1)
        for bin in broken.bins.indices {
            broken.bins[bin][bin % 10] = Float(value)
            broken.octants[bin][bin % 8] = Float(value)
        }
        var short = Rooms.decay([Double](repeating: 1, count: 10), seconds: 0.1)
        short.octants = []
        let parts = [
            LatePart(energy: broken),
            LatePart(energy: Rooms.decay([Double](repeating: 1, count: 10), seconds: 0.1), start: value),
            LatePart(energy: short),
            LatePart(energy: EnergyResponse(binWidth: value, binCount: 10)),
            LatePart(energy: EnergyResponse(binWidth: 0.004, binCount: 0), start: value),
        ]
        for receiver in [Receiver.mono, .ambisonic(order: 1), .array([]), .array([.zero])] {
            let synthesiser = try ResponseSynthesiser(sampleRate: 48_000, receiver: receiver)
            let places = receiver.places(around: Pose()).map { _ in SourceAcoustics(direct: .silent) }
            for part in parts {
                let response = try synthesiser.response(
                    places, late: part.continued(to: value), listener: Pose(), frameCount: 4800)
                #expect(response.channels.allSatisfy { Measure.isFinite($0) })
                #expect(part.end(below: 60).isFinite)
            }
        }
    }

    @Test("energy from one octant comes from there")
    func octants() throws {
        var energy = Rooms.decay([Double](repeating: 1, count: 10), seconds: 1)
        for bin in energy.octants.indices { energy.octants[bin] = SIMD8(0, 0, 0, 0, 0, 0, 0, 1) }
        let response = try ResponseSynthesiser(sampleRate: 48_000, receiver: .ambisonic(order: 1)).response(
            [SourceAcoustics(direct: .silent)], late: LatePart(energy: energy), listener: Pose(), frameCount: 48_000)
        // Intensity: W with the three components, which in ACN order point left, up and front; octant 7 lies right, up
        // and back.
        let axes = (1...3).map { axis in
            zip(response.channels[0], response.channels[axis]).reduce(0.0) { $0 + Double($1.0 * $1.1) }
        }
        #expect(axes[0] < 0 && axes[1] > 0 && axes[2] < 0)
    }
}
