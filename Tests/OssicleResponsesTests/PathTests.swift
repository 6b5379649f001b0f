import Foundation
import OssicleAcoustics
import OssicleCore
@testable import OssicleResponses
import OssicleTestSupport
import Testing

@Suite("Paths in a response") struct PathTests {
    /// dB of a signal's spectrum at one frequency.
    static func level(_ signal: [Float], at frequency: Double, _ rate: Double = 48_000) -> Double {
        var (re, im) = (0.0, 0.0)
        for (index, sample) in signal.enumerated() where sample != 0 {
            let angle = 2 * .pi * frequency * Double(index) / rate
            re += Double(sample) * cos(angle)
            im += Double(sample) * sin(angle)
        }
        return 10 * log10(re * re + im * im)
    }

    @Test(
        "every image source of a box is at its place within half a sample and at its level within 0.2 dB in every band")
    func images() throws {
        let synthesiser = try ResponseSynthesiser(sampleRate: 48_000)
        let rows = try Table.load("image-source-check.csv").rows
        let acoustics = Rooms.acoustics(Rooms.box, from: Rooms.source, to: Rooms.listener, order: 3)
        #expect(rows.count == 63 && acoustics.reflections.count == 62)
        var (worstLevel, worstDelay) = (0.0, 0.0)
        for row in rows {
            let index = SIMD3(Int(row.number("ix")), Int(row.number("iy")), Int(row.number("iz")))
            let path = acoustics.reflections.first {
                abs($0.length - row.number("distance_m")) < 1e-4 && $0.bandGains == Rooms.box.gains(of: index)
            }
            let one =
                path.map { SourceAcoustics(direct: .silent, reflections: [$0]) }
                ?? SourceAcoustics(direct: acoustics.direct)
            let response = try synthesiser.response(
                [one], late: nil, listener: Pose(position: Rooms.listener), frameCount: 6000)
            let air = Medium().gains(distance: row.number("distance_m"))
            for band in 0..<OctaveBands.count {
                let expected = row.number("gain_db") + 20 * log10(Double(air[band]))
                worstLevel = max(
                    worstLevel, abs(Self.level(response.channels[0], at: OctaveBands.centre(band)) - expected))
            }
            let samples = row.number("delay_ms") * 48
            worstDelay = max(worstDelay, abs(Self.peak(response.channels[0]) - samples))
        }
        print("image sources: within \(worstLevel) dB and \(worstDelay) samples")
        #expect(worstLevel < 0.2)
        #expect(worstDelay < 0.5)
    }

    /// Where the loudest sample is, by a parabola through it and its neighbours.
    static func peak(_ signal: [Float]) -> Double {
        let top = signal.indices.max { signal[$0].magnitude < signal[$1].magnitude } ?? 0
        guard top > 0, top < signal.count - 1 else { return Double(top) }
        let (a, b, c) = (
            Double(signal[top - 1].magnitude), Double(signal[top].magnitude), Double(signal[top + 1].magnitude)
        )
        return Double(top) + 0.5 * (a - c) / (a - 2 * b + c)
    }

    @Test(
        "bands as different as 30 dB have their levels at the centres, and nothing sounds before the path arrives",
        arguments: [44_100.0, 48_000, 96_000])
    func bands(rate: Double) throws {
        var gains = OctaveBands.ones
        for band in 0..<OctaveBands.count { gains[band] = Float(pow(10, -Double(band * 7 % 10) * 3 / 20)) }
        let taps = PathFilter(sampleRate: rate).signal(gains, at: 0).samples
        for band in 0..<OctaveBands.count {
            let error = abs(Self.level(taps, at: OctaveBands.centre(band), rate) - 20 * log10(Double(gains[band])))
            #expect(error < (band < 2 ? 0.5 : 0.2), "\(OctaveBands.centre(band)) Hz: \(error) dB")
        }
        var direct = Rooms.direct(from: Vector(0, 0, -3.432), to: .zero)
        direct.bandGains = gains
        let response = try ResponseSynthesiser(sampleRate: rate)
            .response([SourceAcoustics(direct: direct)], late: nil, listener: Pose(), frameCount: 8000)
        let early = Measure.energy(response.channels[0][..<Int(rate / 100 - 32)]) / Measure.energy(response.channels[0])
        #expect(early < 1e-9)
    }

    @Test("a delay between samples is exact to a thousandth of one", arguments: [0.0, 0.1, 0.25, 0.5, 0.77])
    func fractions(fraction: Double) {
        let placed = PlacedSignal([1], at: 100 + fraction)
        var output = [Float](repeating: 0, count: 256)
        placed.add(to: &output, gain: 1)
        for frequency in [1000.0, 10_000, 20_000] {
            let turn = output.enumerated().reduce((0.0, 0.0)) { sum, sample in
                let angle = 2 * .pi * frequency * Double(sample.offset - 100) / 48_000
                return (sum.0 + Double(sample.element) * cos(angle), sum.1 + Double(sample.element) * sin(angle))
            }
            #expect(abs(atan2(turn.1, turn.0) / (2 * .pi * frequency) * 48_000 - fraction) < 0.001, "\(frequency) Hz")
        }
        for frequency in [100.0, 5000, 16_000, 20_000] {
            #expect(abs(Self.level(output, at: frequency)) < 0.01, "\(frequency) Hz")
        }
    }

    @Test(
        "a filter between samples is the filter on a sample, delayed by the placing kernel",
        arguments: [0.0, 0.2, 0.5, 0.83])
    func placedFilters(fraction: Double) {
        var gains = OctaveBands.ones
        for band in 0..<OctaveBands.count { gains[band] = Float(pow(10, -Double(band * 3 % 7) * 4 / 20)) }
        let filter = PathFilter(sampleRate: 48_000)
        let whole = filter.signal(gains, at: 0), between = filter.signal(gains, at: 10 + fraction)
        // On a sample the kernel is a single one: nothing stands before it.
        #expect(whole.samples.prefix(-whole.start).allSatisfy { $0.magnitude < 1e-6 })
        let expected = PlacedSignal(Array(whole.samples.dropFirst(-whole.start)), at: 10 + fraction)
        #expect(between.start == expected.start)
        let worst = zip(between.samples, expected.samples).map { ($0 - $1).magnitude }.max() ?? 1
        #expect(worst < 2e-6, "\(worst)")
    }

    @Test("e^z is that of the C library to six digits, for all angles a filter has")
    func exponential() {
        for step in 0..<4000 {
            let level = Float(-30 + 45 * Double(step % 61) / 61), angle = Float(-60 + 120 * Double(step) / 4000)
            let (real, imaginary) = ComplexExponential.value(
                level: .init(repeating: level), angle: .init(repeating: angle))
            let scale = exp(Double(level))
            #expect(abs(Double(real[3]) - scale * cos(Double(angle))) < 1e-6 * scale, "\(level) + \(angle)i")
            #expect(abs(Double(imaginary[3]) - scale * sin(Double(angle))) < 1e-6 * scale, "\(level) + \(angle)i")
        }
    }

    @Test("a convolution is the sum it stands for", arguments: [(1, 1), (5, 3), (16, 16), (100, 37), (3, 90)])
    func convolution(signal: Int, taps: Int) {
        let (a, b) = ((0..<signal).map { Float($0 * 7 % 11) - 5 }, (0..<taps).map { Float($0 * 5 % 13) - 6 })
        var expected = [Float](repeating: 0, count: signal + taps - 1)
        for (place, sample) in a.enumerated() {
            for (tap, gain) in b.enumerated() { expected[place + tap] += sample * gain }
        }
        // Whole numbers: exact in every order.
        #expect(PlacedSignal.convolved(a, b) == expected)
        #expect(PlacedSignal.convolved(a, []).isEmpty && PlacedSignal.convolved([], b).isEmpty)
    }

    @Test("paths that are none leave no trace")
    func hostile() throws {
        let broken = SoundPath(
            kind: .reflection(order: 1), identity: 0, length: .nan, bandGains: .ones, arrival: .zero, departure: .zero,
            corners: [])
        var loud = broken
        (loud.length, loud.bandGains) = (1, OctaveBands(repeating: .infinity))
        var endless = broken
        endless.length = 1e300
        var here = broken
        here.length = 0
        let acoustics = SourceAcoustics(direct: .silent, reflections: [broken, loud, endless, here])
        let response = try ResponseSynthesiser(sampleRate: 48_000).response(
            [acoustics], late: nil, listener: Pose(), frameCount: 100)
        let isFinite = Measure.isFinite(response.channels[0])
        #expect(isFinite)
    }
}
