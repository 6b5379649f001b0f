import Foundation
import OssicleAcoustics
import OssicleCore
@testable import OssicleResponses
import Testing

@Suite("Directivities from SOFA") struct DirectivityFileTests {
    /// Receivers every 10° around a source, at two frequencies; amplitudes by azimuth (to the left), elevation and
    /// frequency in Hz.
    private static func file(
        conventions: String = "FreeFieldDirectivityTF",
        _ amplitude: (_ azimuth: Double, _ elevation: Double, _ frequency: Double) -> Double
    ) throws -> [UInt8] {
        let directions = stride(from: -90.0, through: 90, by: 10).flatMap { elevation in
            stride(from: 0.0, to: 360, by: 10).map { ($0, elevation) }
        }
        let frequencies = [250.0, 1000]
        let amplitudes = directions.flatMap { direction in frequencies.map { amplitude(direction.0, direction.1, $0) } }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString).sofa")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try NetcdfFile.write(
            to: path, dimensions: ["I": 1, "C": 3, "R": directions.count, "E": 1, "N": 2, "M": 1],
            attributes: [("Conventions", "SOFA"), ("SOFAConventions", conventions)],
            variables: [
                .init("N", ["N"], values: frequencies, attributes: [("Units", "hertz")]),
                .init("Data.Real", ["M", "R", "N"], values: amplitudes.map { $0 * 0.6 }, attributes: []),
                .init("Data.Imag", ["M", "R", "N"], values: amplitudes.map { $0 * -0.8 }, attributes: []),
                .init(
                    "ReceiverPosition", ["R", "C", "I"], values: directions.flatMap { [$0.0, $0.1, 2] },
                    attributes: [("Type", "spherical"), ("Units", "degree, degree, metre")]),
            ])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test("levels are re ahead by octave, exact at the receivers, with left and up in their places")
    func levels() throws {
        let bytes = try Self.file { azimuth, elevation, frequency in
            let left = sin(azimuth * .pi / 180) * cos(elevation * .pi / 180), up = sin(elevation * .pi / 180)
            return 3 * pow(10, (left * (frequency == 250 ? 1 : 6) + up * 3) / 20)
        }
        let balloon = try DirectivityFile(bytes, name: "a.sofa").balloon
        func level(_ direction: Vector, _ band: Int) -> Double {
            20 * log10(Double(balloon.gains(towards: direction)[band]))
        }
        #expect(abs(level(Vector(0, 0, -1), 5)) < 1e-3)
        for (direction, low, high) in [
            (Vector(-1, 0, 0), 1.0, 6.0), (Vector(1, 0, 0), -1, -6), (Vector(0, 1, 0), 3, 3),
        ] {
            #expect(abs(level(direction, 0) - low) < 1e-3 && abs(level(direction, 3) - low) < 1e-3)
            #expect(abs(level(direction, 5) - high) < 1e-3 && abs(level(direction, 9) - high) < 1e-3)
        }
        // Between receivers within a tenth of the step.
        let between = HeadDirection.vector(azimuth: 45, elevation: 0)
        #expect(abs(level(between, 5) - 6 * sin(.pi / 4)) < 0.15)
    }

    @Test("what is no directivity is refused in words, and no mutation does more")
    func refusals() throws {
        #expect { try DirectivityFile([1, 2, 3], name: "a.sofa") } throws: { "\($0)".contains("signature of HDF5") }
        let other = try Self.file(conventions: "GeneralTF") { _, _, _ in 1 }
        #expect { try DirectivityFile(other, name: "a.sofa") } throws: { "\($0)".contains("GeneralTF") }
        let bytes = try Self.file { _, _, _ in 1 }
        for round in 0..<12 {
            let random = CounterRandom(seed: 7, object: UInt64(round))
            var mutated = bytes
            for change in 0..<8 {
                let bits = random.bits(UInt64(change))
                mutated[8 + Int(bits % UInt64(round < 6 ? 2048 : mutated.count - 8))] = UInt8(
                    truncatingIfNeeded: bits >> 40)
            }
            if round % 4 == 3 { mutated.removeLast(mutated.count / 3) }
            do { _ = try DirectivityFile(mutated, name: "a.sofa") } catch { #expect("\(error)".contains("a.sofa")) }
        }
    }
}
