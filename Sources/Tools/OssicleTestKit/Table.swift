import Foundation

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
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.map { Table.cells(of: String($0)) }
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
