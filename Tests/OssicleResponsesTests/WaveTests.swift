import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleDSP
@testable import OssicleResponses
import Testing

@Suite struct WaveTests {
    private let rate = 48_000.0

    @Test("Both sides of the crossover add up to one level at every frequency, and are 6 dB down where they meet")
    func crossover() throws {
        let crossover = WaveCrossover(frequency: 200, sampleRate: rate)
        var click = [Float](repeating: 0, count: 16_384)
        click[0] = 1
        let (high, all) = (crossover.highPassed(click), crossover.allPassed(click))
        for frequency in [20.0, 100, 200, 400, 5000] {
            let s = Complex(0, 2 * .pi * frequency)
            #expect(abs(Self.spectrum(all, frequency, rate).magnitude - 1) < 1e-3)
            let sum = Self.spectrum(high, frequency, rate) + crossover.lowGain(s)
            #expect((sum - Self.spectrum(all, frequency, rate)).magnitude < 1e-3)
        }
        #expect(abs(crossover.lowGain(Complex(0, 400 * .pi)).magnitude - 0.5) < 1e-6)
        #expect(throws: ResponseError.self) { try WaveOptions(crossover: 20) }
    }

    /// The middle of a wide box, and its response until the first reflection: the direct sound alone.
    private func direct(
        _ receiver: Receiver, from azimuth: Double
    ) throws -> (before: ImpulseResponse, after: ImpulseResponse) {
        let walls: [[Int32]] = [
            [0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5],
        ]
        let mesh = TriangleMesh(
            vertices: (0..<8).map { Vector($0 & 1 == 0 ? 0 : 24, $0 & 2 == 0 ? 0 : 24, $0 & 4 == 0 ? 0 : 24) },
            triangles: walls.flatMap { [SIMD3($0[0], $0[1], $0[2]), SIMD3($0[0], $0[2], $0[3])] },
            elements: [Int32](repeating: 0, count: 12), elementCount: 1)
        let room = Occluder(
            id: 1, name: "room", geometry: MeshGeometry(mesh), material: MaterialLibrary.material(.wood))
        let tracer = PortableTracer(AcousticScene(occluders: [room]))
        let listener = Pose(listenerAt: Vector(12.1, 11.9, 12.2))
        let source = listener.position + HeadDirection.vector(azimuth: azimuth, elevation: 0) * 2
        let synthesiser = try ResponseSynthesiser(sampleRate: rate, receiver: receiver)
        let before = try synthesiser.response(
            [Rooms.acoustics(Rooms.box, from: source, to: listener.position, order: 0)], late: nil,
            listener: listener, frameCount: Int(0.05 * rate))
        let part = WavePart(
            tracer: tracer, receiver: receiver, sampleRate: rate, options: try WaveOptions())
        return (before, try part.crossed(before, from: source, to: listener, workers: .shared))
    }

    @Test("The direct sound crosses over without a step in level or delay")
    func alignment() throws {
        let (before, after) = try direct(.mono, from: 0)
        let crossover = WaveCrossover(frequency: 200, sampleRate: rate)
        let wanted = crossover.allPassed(before.channels[0])
        // 50 ms are too few for the lowest octaves' transients.
        for frequency in [100.0, 160, 200, 250, 400, 1000] {
            let ratio =
                Self.spectrum(after.channels[0], frequency, rate) / Self.spectrum(wanted, frequency, rate)
            #expect(abs(20 * log10(ratio.magnitude)) < 0.5, "\(frequency) Hz: \(20 * log10(ratio.magnitude)) dB")
            #expect(abs(atan2(ratio.im, ratio.re)) < 0.2, "\(frequency) Hz: \(atan2(ratio.im, ratio.re)) rad")
        }
    }

    @Test("Ears have the head's delay at low frequencies, a sound field the direction")
    func receivers() throws {
        let head = try HRTFFilters(sampleRate: rate)
        let ears = try direct(.binaural(head), from: 90).after.channels
        let (left, right) = (Self.spectrum(ears[0], 150, rate), Self.spectrum(ears[1], 150, rate))
        let phase = right / left
        let delay = -atan2(phase.im, phase.re) / (2 * .pi * 150) * 1e6
        let pair = HRIRPair(head, Vector(-1, 0, 0))
        #expect(abs(delay - (pair.lags[1] - pair.lags[0]) / rate * 1e6) < 80, "\(delay) µs")
        let field = try direct(.ambisonic(order: 1), from: 30).after.channels.map { Self.spectrum($0, 150, rate) }
        let (y, x) = ((field[1] / field[0]).re, (field[3] / field[0]).re)
        #expect(abs(atan2(y, x) * 180 / .pi - 30) < 3 && abs(hypot(x, y) - 1) < 0.1, "\(x), \(y)")
    }

    private static func spectrum(_ signal: [Float], _ frequency: Double, _ rate: Double) -> Complex {
        let back = Complex(0, -2 * .pi * frequency / rate).exponential
        return signal.reversed().reduce(Complex.zero) { $0 * back + Complex(Double($1)) }
    }
}
