import Foundation
import OssicleCore

/// Test signals with known answers.
public enum Signal {
    /// amplitude·sin(2π·frequency·t + phase), frequency in Hz, phase in radians; computed in double precision.
    public static func sine(
        _ frequency: Double, sampleRate: Double = 48000, count: Int, amplitude: Double = 1, phase: Double = 0
    ) -> [Float] {
        (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / sampleRate + phase)) }
    }

    /// Silence but for one sample of height `height`.
    public static func impulse(count: Int, at index: Int = 0, height: Float = 1) -> [Float] {
        var signal = [Float](repeating: 0, count: count)
        if signal.indices.contains(index) { signal[index] = height }
        return signal
    }

    /// White noise, uniform in ±amplitude; the same seed gives the same samples.
    public static func noise(count: Int, seed: UInt64 = 1, amplitude: Double = 1) -> [Float] {
        let random = CounterRandom(seed: seed, object: 0)
        return (0..<count).map { Float(amplitude * (2 * random.unit(UInt64($0)) - 1)) }
    }

    public static func silence(count: Int) -> [Float] { [Float](repeating: 0, count: count) }

    /// Σ taps[k]·signal[n − k] for the first `signal.count` frames, tap by tap in double precision.
    public static func convolved(_ signal: [Float], with taps: [Float]) -> [Double] {
        signal.indices.map { n in
            (0..<min(taps.count, n + 1)).reduce(0) { $0 + Double(taps[$1]) * Double(signal[n - $1]) }
        }
    }
}

/// A check table: comment lines with `#`, a header, then comma-separated rows; a cell may be quoted.
public struct Table: Sendable {
    public struct Row: Sendable {
        let cells: [String: String]
        public subscript(column: String) -> String { cells[column] ?? "" }
        /// The cell as a number; NaN where it is not one, which no comparison passes.
        public func number(_ column: String) -> Double { Double(self[column]) ?? .nan }
    }

    public let columns: [String]
    public let rows: [Row]

    public init(text: String) {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.map {
            Table.cells(of: String($0))
        }
        columns = lines.first ?? []
        let names = columns
        rows = lines.dropFirst().map { Row(cells: Dictionary(zip(names, $0), uniquingKeysWith: { first, _ in first })) }
    }

    /// A table of `Tests/Tables`.
    public static func load(_ name: String, file: String = #filePath) throws -> Table {
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        while folder.lastPathComponent != "Tests", folder.pathComponents.count > 1 { folder.deleteLastPathComponent() }
        return Table(text: try String(contentsOf: folder.appendingPathComponent("Tables/\(name)"), encoding: .utf8))
    }

    private static func cells(of line: String) -> [String] {
        var cells = [""]
        var quoted = false
        for character in line {
            switch character {
            case "\"": quoted.toggle()
            case "," where !quoted: cells.append("")
            default: cells[cells.count - 1].append(character)
            }
        }
        return cells
    }
}

/// A folder that disappears with the test.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in it.
    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
