import Foundation

/// Numbers and columns as text, independent of the user's locale.
enum Text {
    /// Fixed decimals with a true minus sign; "−∞" and "–" for what is not a number.
    static func number(_ value: Double, decimals: Int) -> String {
        guard value.isFinite else { return value == -.infinity ? "−∞" : "–" }
        let text = String(format: "%.\(decimals)f", abs(value))
        let isNegative = value < 0 && text.contains { $0 != "0" && $0 != "." }
        return isNegative ? "−" + text : text
    }

    /// `text` filled up with spaces on the left to `width` characters.
    static func right(_ text: String, width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }

    /// `text` filled up with spaces on the right to `width` characters.
    static func left(_ text: String, width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
}
