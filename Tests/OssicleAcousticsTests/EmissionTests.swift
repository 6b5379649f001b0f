@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

/// Reads `name=value` out of a table's parameter column.
private func parameter(_ name: String, in text: String) -> Double {
    text.split(separator: " ").first { $0.hasPrefix(name + "=") }.flatMap { Double($0.dropFirst(name.count + 1)) }
        ?? .nan
}

@Suite struct DistanceTests {
    @Test("Distance laws agree with their table within 1e−6")
    func table() throws {
        for row in try Table.load("distance-check.csv").rows {
            let text = row["parameters"]
            let rolloff = parameter("rolloff", in: text)
            let law: DistanceLaw? =
                switch row["model"] {
                case "phase_geometric": .geometricSpreading(rolloff: rolloff)
                case "avenv_inverse": .inverse(reference: parameter("ref", in: text), rolloff: rolloff)
                case "avenv_exponential": .exponential(reference: parameter("ref", in: text), rolloff: rolloff)
                case "avenv_linear":
                    .linear(
                        reference: parameter("ref", in: text), maximum: parameter("max", in: text), rolloff: rolloff)
                default: nil
                }
            let gain = try #require(law).gain(at: row.number("distance_m"))
            #expect(abs(gain - row.number("gain")) < 1e-6, "\(row["model"]) \(text) at \(row["distance_m"])")
        }
    }

    @Test("A formula that cannot be evaluated attenuates nothing")
    func impossibleFormulas() {
        #expect(DistanceLaw.inverse(reference: 0, rolloff: 0).gain(at: 3) == 1)
        #expect(DistanceLaw.exponential(reference: -1, rolloff: 1).gain(at: 3) == 1)
        #expect(DistanceLaw.linear(reference: 5, maximum: 5, rolloff: 1).gain(at: 3) == 1)
        #expect(DistanceLaw.geometricSpreading(rolloff: .nan).gain(at: 3) == 1)
        #expect(DistanceLaw.curve { _ in .nan }.gain(at: 3) == 1)
    }

    @Test("Geometric spreading grows no more within a quarter of a metre; curves see the distance as it is")
    func nearAndCurve() {
        #expect(
            DistanceLaw.geometricSpreading(rolloff: 1).gain(at: 0)
                == DistanceLaw.geometricSpreading(rolloff: 1).gain(at: 0.25))
        #expect(DistanceLaw.curve { 1 / (1 + $0) }.gain(at: 3) == 0.25)
        #expect(DistanceLaw.curve { _ in -2 }.gain(at: 3) == 0)
        #expect(DistanceLaw.constant.gain(at: 1e6) == 1)
    }

    @Test("The cull window is whole until its last tenth, half in the middle of it, and nothing at its end")
    func cullWindow() {
        let window = CullWindow(cullDistance: 20)
        #expect(window.fadeStart == 18)
        #expect(window.gain(at: 18) == 1 && window.gain(at: 20) == 0 && window.gain(at: 1e9) == 0)
        #expect(abs(window.gain(at: 19) - 0.5) < 1e-12)
        #expect(CullWindow(cullDistance: 2).fadeStart == 1.5)
        #expect(CullWindow(cullDistance: 0).cullDistance == 1)
        #expect(CullWindow(cullDistance: .nan).gain(at: 1e9) == 1)
    }
}

@Suite struct DirectivityTests {
    private func angle(_ degrees: Double) -> Double { degrees * DeterministicMath.pi / 180 }

    @Test("Patterns agree with their table within 1e−6")
    func table() throws {
        for row in try Table.load("directivity-check.csv").rows {
            let text = row["parameters"]
            let pattern: DirectivityPattern =
                row["model"] == "cone"
                ? .cone(
                    innerAngle: parameter("inner", in: text), outerAngle: parameter("outer", in: text),
                    outerGain: parameter("outerGain", in: text))
                : .cardioid(pattern: parameter("pattern", in: text), sharpness: parameter("sharpness", in: text))
            let gain = pattern.gain(angle: angle(row.number("angle_deg_from_axis")))
            #expect(abs(gain - row.number("gain")) < 1e-6, "\(text) at \(row["angle_deg_from_axis"])°")
        }
    }

    @Test("Between sub-bands the gain in dB runs straight over log frequency, and holds outside")
    func subBands() {
        let directivity = Directivity([
            .init(frequency: 4000, pattern: .cone(innerAngle: 0, outerAngle: 0, outerGain: 0.01)),
            .init(frequency: 250, pattern: .omnidirectional),
        ])
        let gains = directivity.gains(angle: angle(90))
        let levels = gains.values.map { Decibels.of(amplitude: Double($0)) }
        for (band, level) in [0, 0, 0, 0, -10, -20, -30, -40, -40, -40].enumerated() {
            #expect(abs(levels[band] - Double(level)) < 1e-4)
        }
    }

    @Test("A null in one band stays finite in the blend: −60 dB")
    func nullsAreFinite() {
        let gains = Directivity(.cardioid(pattern: 0.5, sharpness: 1)).gains(angle: angle(180))
        #expect(gains.values.allSatisfy { abs($0 - 0.001) < 1e-8 })
    }

    @Test("The mean power over the sphere is (1 − p)² + p²/3 within 0.01 dB", arguments: [0, 0.25, 0.5, 0.75, 1])
    func meanPower(p: Double) {
        let mean = Directivity(.cardioid(pattern: p, sharpness: 1)).meanPower
        let exact = (1 - p) * (1 - p) + p * p / 3
        #expect(abs(Decibels.of(energy: Double(mean[5]) / exact)) < 0.01)
    }

    @Test("The mean power of a silent-backed hemisphere is one half")
    func hemisphere() {
        let mean = Directivity(.cone(innerAngle: 180, outerAngle: 180, outerGain: 0)).meanPower
        #expect(abs(mean[5] - 0.5) < 0.005)
    }

    @Test("A source without sub-bands is the same all round; unusable sub-bands count as none")
    func omnidirectional() {
        #expect(Directivity.omnidirectional.gains(angle: 3) == .ones)
        #expect(Directivity.omnidirectional.meanPower == .ones)
        #expect(
            Directivity([.init(frequency: .nan, pattern: .cardioid(pattern: 1, sharpness: 1))]).gains(angle: 1.5)
                == .ones)
    }

    @Test("The angle is measured from the pose's forward axis")
    func poseGains() {
        let dipole = Directivity(.cardioid(pattern: 1, sharpness: 1))
        #expect(abs(dipole.gains(from: .identity, towards: Vector(0, 0, -5))[5] - 1) < 1e-6)
        #expect(abs(dipole.gains(from: .identity, towards: Vector(5, 0, 0))[5] - 0.001) < 1e-6)
        #expect(dipole.gains(from: .identity, towards: .zero)[5] == 1)
    }
}
