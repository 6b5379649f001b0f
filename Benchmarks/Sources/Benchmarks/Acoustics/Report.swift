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
}
