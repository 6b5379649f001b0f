import Foundation

/// Numbers and columns as text, independent of the user's locale.
package enum Text {
    /// Fixed decimals with a true minus sign; "−∞" and "–" for what is not a number.
    package static func number(_ value: Double, decimals: Int) -> String {
        guard value.isFinite else { return value == -.infinity ? "−∞" : "–" }
        let text = String(format: "%.\(decimals)f", abs(value))
        let isNegative = value < 0 && text.contains { $0 != "0" && $0 != "." }
        return isNegative ? "−" + text : text
    }

    /// Metres to the millimetre, without zeros at the end: "1.5".
    package static func length(_ metres: Double) -> String {
        var text = number(metres, decimals: 3)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    /// A name of a thing as part of a file's name: what separates folders, controls and leads to hidden files becomes
    /// "_".
    package static func fileName(_ name: String) -> String {
        let kept = name.unicodeScalars.map { scalar -> Character in
            scalar.value < 0x20 || "/\\:*?\"<>|\u{7F}".unicodeScalars.contains(scalar) ? "_" : Character(scalar)
        }
        let text = String(kept.prefix(80))
        return text.isEmpty || text.hasPrefix(".") ? "_" + text : text
    }

    /// `text` filled up with spaces on the left to `width` characters.
    package static func right(_ text: String, width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// `text` filled up with spaces on the right to `width` characters.
    package static func left(_ text: String, width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// "3:25" or "10:00:07": hours, minutes and whole seconds.
    package static func clock(_ seconds: Double) -> String {
        guard let whole = Int(exactly: seconds.rounded(.down)) else { return "–" }
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }

    /// Without line breaks and control characters, which would let a file's text write anywhere on a terminal.
    package static func oneLine(_ text: String) -> String {
        String(text.map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
    }
}
