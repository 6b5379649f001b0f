import Foundation

/// Lines on paper.
enum Report {
    static func line(_ title: String, _ words: String) {
        Swift.print(title.padding(toLength: 28, withPad: " ", startingAt: 0) + words)
    }

    /// Three figures.
    static func number(_ value: Double) -> String {
        let decimals = value > 0 ? min(max(2 - Int(log10(value).rounded(.down)), 0), 5) : 0
        return String(format: "%.\(decimals)f", value)
    }

    /// At once, also into a file: a run takes minutes.
    static func lines(_ words: String) { FileHandle.standardOutput.write(Data((words + "\n").utf8)) }

    /// As few digits as it takes.
    static func short(_ value: Double) -> String { String(format: "%g", value) }
}
