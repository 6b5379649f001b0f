import Foundation
import Testing
@testable import OssicleFiles

@Suite("Loudness") struct LoudnessTests {
    private static let rate = 48_000.0

    private static func sine(_ frequency: Double, _ decibels: Double, seconds: Double = 10) -> [Float] {
        Signal.sine(frequency, amplitude: pow(10, decibels / 20), frames: Int(seconds * rate), rate: rate)
    }

    /// The signals of the check table, under the names it gives them.
    private static func channels(_ name: String) -> [[Float]]? {
        switch name {
        case "mono 997 Hz sine 0 dBFS": [sine(997, 0)]
        case "stereo 997 Hz sine 0 dBFS both": [sine(997, 0), sine(997, 0)]
        case "stereo 1 kHz sine -23 dBFS both": [sine(1000, -23), sine(1000, -23)]
        case "stereo 1 kHz sine -33 dBFS both": [sine(1000, -33), sine(1000, -33)]
        case "L R C Ls Rs 1 kHz sine -28 -28 -24 -30 -30 dBFS": [-28, -28, -24, -30, -30].map { sine(1000, $0) }
        case "mono 50 Hz sine -20 dBFS": [sine(50, -20)]
        case "mono 100 Hz sine -20 dBFS": [sine(100, -20)]
        case "mono 500 Hz sine -20 dBFS": [sine(500, -20)]
        case "mono 2000 Hz sine -20 dBFS": [sine(2000, -20)]
        case "mono 10000 Hz sine -20 dBFS": [sine(10_000, -20)]
        case "stereo 1 kHz sine 10 s -36, 10 s -23, 10 s -36 dBFS (gating)":
            [[Float]](repeating: sine(1000, -36) + sine(1000, -23) + sine(1000, -36), count: 2)
        default: nil
        }
    }

    @Test("Integrated loudness agrees with the check table to 0.1 LU")
    func table() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Tables/loudness-check.csv")
        let rows = try String(contentsOf: path, encoding: .utf8).split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.dropFirst()
        #expect(rows.count == 11)
        for row in rows {
            let comma = try #require(row.lastIndex(of: ","))
            let name = row[..<comma].trimmingCharacters(in: CharacterSet(charactersIn: "\"")), expected = try #require(Double(row[row.index(after: comma)...]))
            let channels = try #require(Self.channels(name), "no signal named \(name)")
            let measured = try #require(LoudnessMeasurement(sound(channels)))
            #expect(abs(measured.integrated - expected) < 0.1, "\(name): \(measured.integrated)")
        }
    }

    @Test("A sine between the samples has its true peak above its sample peak")
    func truePeak() throws {
        // A quarter of the rate, 45° late: every sample is ±0.707 of the true amplitude (3.01 dB).
        let samples = (0..<48_000).map { Float(0.5 * sin(.pi / 2 * Double($0) + .pi / 4)) }
        let measured = try #require(LoudnessMeasurement(sound([samples])))
        #expect(abs(measured.samplePeak - 0.5 * 0.5.squareRoot()) < 1e-6)
        #expect(abs(measured.truePeakDecibels - 20 * log10(0.5)) < 0.3)
    }

    @Test("Silence has no loudness, and the LFE channel none either")
    func silence() throws {
        let silence = [Float](repeating: 0, count: 48_000)
        let silent = try sound([silence])
        #expect(LoudnessMeasurement(silent)?.integrated == -.infinity)
        let onlyLFE = try sound([silence, silence, Self.sine(50, -6, seconds: 1)], labels: [1, 2, 4])
        #expect(LoudnessMeasurement(onlyLFE)?.integrated == -.infinity)
    }

    @Test("A rate that no measure is defined for gives none")
    func absurdRate() throws {
        let slow = try sound([[0]], rate: 3)
        #expect(LoudnessMeasurement(slow) == nil)
    }
}
