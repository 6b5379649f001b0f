import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleDSP
@testable import OssicleResponses
import OssicleTestSupport
import Testing

@Suite("Receivers") struct ReceiverTests {
    private static func respond(
        _ receiver: Receiver, _ acoustics: [SourceAcoustics], late: LatePart? = nil, listener: Pose = Pose(),
        frames: Int = 4800
    ) throws -> ImpulseResponse {
        try ResponseSynthesiser(sampleRate: 48_000, receiver: receiver).response(
            acoustics, late: late, listener: listener, frameCount: frames)
    }

    private static func product(_ a: [Float], _ b: [Float]) -> Double {
        zip(a, b).reduce(0.0) { $0 + Double($1.0 * $1.1) }
    }

    @Test(
        "a sound field points to where the direct sound comes from within 2°, as the listener sees it",
        arguments: [
            Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1), Vector(-1, 2, -3), Vector(2, -1, 0.5),
        ])
    func direction(source: Vector) throws {
        // A listener that looks along +x: right is +z.
        let listener = Pose(
            position: Vector(5, 1, 2), right: Vector(0, 0, 1), up: Vector(0, 1, 0), back: Vector(-1, 0, 0))
        let place = listener.position + source
        for order in 1...3 {
            let direct = Rooms.direct(from: place, to: listener.position)
            let response = try Self.respond(
                .ambisonic(order: order), [SourceAcoustics(direct: direct)], listener: listener)
            let field = (1...3).map { Self.product(response.channels[0], response.channels[$0]) }
            // ACN 1, 2, 3 point left, up and front of the listener.
            let heard =
                (listener.right * -field[0] + listener.up * field[1] + listener.forward * field[2]).direction ?? .zero
            let angle = acos(min(max(heard.dot(source.direction ?? .zero), -1), 1)) * 180 / .pi
            #expect(angle < 2, "order \(order): \(angle)°")
            #expect(response.channels.count == (order + 1) * (order + 1))
        }
    }

    @Test("both ears are as far apart in time as the head has them, within 10 µs", arguments: [0.0, 30, 60, 90, -45])
    func timeDifference(azimuth: Double) throws {
        let head = try HRTFFilters.shared(sampleRate: 48_000)
        let direction = HeadDirection.vector(azimuth: azimuth, elevation: 0)
        let response = try Self.respond(
            .binaural(head), [SourceAcoustics(direct: Rooms.direct(from: direction * 2.5, to: .zero))])
        let ears = HRIRPair(head, direction)
        let expected = (ears.lags[1] - ears.lags[0]) / 48_000
        // Against the minimum-phase filters without their delays, so that what is left between the ears is the delay
        // alone.
        let filter = PathFilter(sampleRate: 48_000)
        let loss = filter.air(Medium().absorption, sampleRate: 48_000)
        let air = filter.signal(OctaveBands(repeating: Float(1 / 2.5)), through: (loss, 2.5), at: 0).samples
            .dropFirst(PlacedSignal.lead)
        let delays = (0..<2).map { ear in
            Measure.delay(
                of: response.channels[ear], after: PlacedSignal.convolved(Array(air), ears.taps[ear]), range: 500)
        }
        #expect(abs((delays[1] - delays[0]) / 48_000 - expected) < 10e-6)
        // KEMAR's 678 µs at the side (kemar-check.csv).
        if azimuth == 90 { #expect(abs(expected - 678e-6) < 40e-6, "\(expected)") }
        let middle = (delays[0] + delays[1]) / 2 / 48_000
        #expect(abs(middle - 2.5 / 343.2 - (ears.lags[0] + ears.lags[1]) / 2 / 48_000) < 10e-6)
    }

    @Test("in a diffuse field ears are alike at low frequencies and strangers at high ones")
    func coherence() throws {
        let late = LatePart(energy: Rooms.decay([Double](repeating: 4, count: 10)))
        let head = try HRTFFilters.shared(sampleRate: 48_000)
        let response = try Self.respond(.binaural(head), [SourceAcoustics(direct: .silent)], late: late, frames: 72_000)
        func correlation(_ low: Double, _ high: Double) -> Double {
            let ears = Spectrum(of: response.channels[0], and: response.channels[1]).filtered {
                $0 >= low && $0 < high ? 1 : 0
            }
            return Measure.correlation(ears.first.map(Float.init), ears.second.map(Float.init))
        }
        #expect(correlation(80, 160) > 0.8)
        #expect(abs(correlation(3000, 12_000)) < 0.2)
        let levels = response.channels.map { Measure.level($0) }
        #expect(abs(levels[0] - levels[1]) < 1)
    }

    @Test(
        "microphones of an array hear a plane wave at the times of their places, and a diffuse field as coherent as sin(kd)/kd"
    )
    func array() throws {
        let receiver = Receiver.array([.zero, Vector(0.1, 0, 0)])
        let places = receiver.places(around: Pose())
        let source = Vector(100, 0, 0)
        let response = try Self.respond(
            receiver, places.map { SourceAcoustics(direct: Rooms.direct(from: source, to: $0)) }, frames: 20_000)
        let lag = Measure.delay(of: response.channels[0], after: response.channels[1], range: 30)
        #expect(abs(lag - 0.1 / 343.2 * 48_000) < 0.02)

        let late = LatePart(energy: Rooms.decay([Double](repeating: 4, count: 10)))
        let field = try Self.respond(
            receiver, [SourceAcoustics(direct: .silent), SourceAcoustics(direct: .silent)], late: late, frames: 96_000)
        for (low, high) in [(300.0, 600.0), (1500, 2000)] {
            let pair = Spectrum(of: field.channels[0], and: field.channels[1]).filtered {
                $0 >= low && $0 < high ? 1 : 0
            }
            let found = Measure.correlation(pair.first.map(Float.init), pair.second.map(Float.init))
            let steps = stride(from: low, to: high, by: 10).map { frequency -> Double in
                let turn: Double = 2 * .pi * frequency * 0.1 / 343.2
                return sin(turn) / turn
            }
            #expect(abs(found - steps.reduce(0, +) / Double(steps.count)) < 0.15, "\(low) Hz: \(found)")
        }
    }

    @Test("what makes no sense is refused in words")
    func refusals() throws {
        #expect { try ResponseSynthesiser(sampleRate: .nan) } throws: { "\($0)".contains("outside 8000 to 384000") }
        func refused(_ words: String, _ deed: () throws -> Void) {
            #expect { try deed() } throws: { "\($0)".contains(words) }
        }
        refused("order 8 is outside 0 to 7") {
            _ = try ResponseSynthesiser(sampleRate: 48_000, receiver: .ambisonic(order: 8))
        }
        let head = try HRTFFilters.shared(sampleRate: 44_100)
        refused("make the head for the response's rate") {
            _ = try ResponseSynthesiser(sampleRate: 48_000, receiver: .binaural(head))
        }
        let synthesiser = try ResponseSynthesiser(sampleRate: 48_000, receiver: .array([.zero, .zero]))
        let silent = SourceAcoustics(direct: .silent)
        refused("1 places for 2 microphones") {
            _ = try synthesiser.response([silent], late: nil, listener: Pose(), frameCount: 10)
        }
        refused("A length of 0.0 s is outside") {
            _ = try synthesiser.response([silent, silent], late: nil, listener: Pose(), frameCount: 0)
        }
    }
}
