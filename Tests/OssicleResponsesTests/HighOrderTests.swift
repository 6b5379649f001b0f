import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleDSP
@testable import OssicleResponses
import Testing

@Suite("Sound fields to order 7") struct HighOrderTests {
    /// Directions and weights of a product rule: exact means of polynomials to degree 15.
    private static let grid: [(direction: Vector, weight: Double)] = {
        // Nodes of Gauss and Legendre by Newton's method.
        let count = 8
        var nodes: [(z: Double, weight: Double)] = []
        for index in 0..<count {
            var z = cos(.pi * (Double(index) + 0.75) / (Double(count) + 0.5))
            var slope = 0.0
            for _ in 0..<60 {
                var (before, now) = (1.0, z)
                for l in 2...count {
                    (before, now) = (now, ((2 * Double(l) - 1) * z * now - (Double(l) - 1) * before) / Double(l))
                }
                slope = Double(count) * (z * now - before) / (z * z - 1)
                z -= now / slope
            }
            nodes.append((z, 1 / ((1 - z * z) * slope * slope)))
        }
        return nodes.flatMap { node in
            (0..<16).map { step in
                let (angle, radius) = (2 * Double.pi * Double(step) / 16, (1 - node.z * node.z).squareRoot())
                return (Vector(radius * cos(angle), node.z, radius * sin(angle)), node.weight / 16)
            }
        }
    }()

    @Test("the 64 harmonics are orthogonal, with means of squares of 1/(2l + 1), within 1e-12")
    func orthogonality() {
        let values = Self.grid.map { HighOrderHarmonics.values($0.direction, order: 7) }
        for a in 0..<64 {
            for b in a..<64 {
                let mean = zip(values, Self.grid).reduce(0.0) { $0 + $1.0[a] * $1.0[b] * $1.1.weight }
                let order = Int(Double(a).squareRoot())
                #expect(abs(mean - (a == b ? 1 / Double(2 * order + 1) : 0)) < 1e-12, "\(a), \(b): \(mean)")
            }
        }
    }

    @Test("they are those of lower orders where these are known, and each order's squares add up to 1")
    func lowerOrders() {
        for (direction, _) in Self.grid.prefix(40) {
            let values = HighOrderHarmonics.values(direction, order: 7)
            let low = SphericalHarmonics.values(direction)
            for index in 0..<16 { #expect(abs(values[index] - low[index]) < 1e-14) }
            for l in 0...7 {
                let sum = (l * l..<(l + 1) * (l + 1)).reduce(0.0) { $0 + values[$1] * values[$1] }
                #expect(abs(sum - 1) < 1e-13, "order \(l): \(sum)")
            }
        }
    }

    @Test("a plane wave's direction is found by the sharpest beam, whichever way the listener is turned")
    func rotation() throws {
        let listener = Pose(listenerAt: Vector(1, 2, 3), yaw: 35, pitch: -20)
        let direction = try #require(Vector(0.3, 0.5, -0.8).direction)
        let response = try ResponseSynthesiser(sampleRate: 48_000, receiver: .ambisonic(order: 7)).response(
            [SourceAcoustics(direct: Rooms.direct(from: listener.position + direction * 3, to: listener.position))],
            late: nil, listener: listener, frameCount: 2000)
        #expect(response.channels.count == 64)
        let local = Vector(direction.dot(listener.right), direction.dot(listener.up), direction.dot(listener.back))
        let loudest = try #require(
            response.channels[0].indices.max { abs(response.channels[0][$0]) < abs(response.channels[0][$1]) })
        let first = response.channels[0][loudest]
        // Rotation of the scene: the channels are the harmonics of the direction in the listener's axes.
        for (channel, value) in HighOrderHarmonics.values(local, order: 7).enumerated() {
            #expect(abs(response.channels[channel][loudest] / first - Float(value)) < 1e-5)
        }
    }

    @Test("N3D is SN3D times the root of 2l + 1")
    func weights() throws {
        let acoustics = [SourceAcoustics(direct: Rooms.direct(from: Vector(1, 2, -2), to: .zero))]
        let responses = try [false, true].map { isN3D in
            try ResponseSynthesiser(sampleRate: 48_000, receiver: .ambisonic(order: 5, isN3D: isN3D)).response(
                acoustics, late: nil, listener: .identity, frameCount: 1000)
        }
        for channel in 0..<36 {
            let scale = Float(2 * Int(Double(channel).squareRoot()) + 1).squareRoot()
            #expect(
                zip(responses[0].channels[channel], responses[1].channels[channel]).allSatisfy {
                    abs($0 * scale - $1) < 1e-6
                })
        }
    }
}

@Suite("Microphones with a pattern") struct MicrophonePatternTests {
    @Test(
        "direct sound is p + (1 − p) cos θ of what a microphone of no pattern has, with its sign",
        arguments: MicrophonePattern.named.map(\.pressure), [0.0, 60, 90, 135, 180])
    func direct(pressure: Double, azimuth: Double) throws {
        let place = HeadDirection.vector(azimuth: azimuth, elevation: 0) * 2
        let acoustics = [SourceAcoustics(direct: Rooms.direct(from: place, to: .zero))]
        let patterns = [
            MicrophonePattern.omnidirectional, MicrophonePattern(pressure: OctaveBands(repeating: Float(pressure))),
        ]
        let sounds = try patterns.map {
            try ResponseSynthesiser(sampleRate: 48_000, pattern: $0).response(
                acoustics, late: nil, listener: .identity, frameCount: 1000
            ).channels[0]
        }
        let gain = Float(pressure + (1 - pressure) * cos(azimuth * .pi / 180))
        #expect(zip(sounds[0], sounds[1]).allSatisfy { abs($0 * gain - $1) < 1e-5 })
    }

    @Test("a diffuse late field has p² + (1 − p)²/3 of its energy, within 0.7 dB", arguments: [0.5, 0.0])
    func diffuse(pressure: Double) throws {
        let late = LatePart(energy: Rooms.decay(Array(repeating: 0.4, count: 10)))
        let energies = try [1, pressure].map { value in
            try ResponseSynthesiser(
                sampleRate: 48_000, pattern: MicrophonePattern(pressure: OctaveBands(repeating: Float(value))), seed: 3
            ).response(
                [SourceAcoustics(direct: .silent)], late: late, listener: .identity, frameCount: 24_000
            ).channels[0].reduce(0.0) { $0 + Double($1) * Double($1) }
        }
        let wanted = pressure * pressure + (1 - pressure) * (1 - pressure) / 3
        #expect(abs(10 * log10(energies[1] / energies[0] / wanted)) < 0.7)
    }
}
