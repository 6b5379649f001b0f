import Foundation

// Numbers and names in reports and error messages.

extension Double {
    /// With so many digits behind the point.
    package func words(_ digits: Int) -> String {
        if isNaN { return "no number" }
        if isInfinite { return self < 0 ? "−∞" : "∞" }
        let text = String(format: "%.\(digits)f", self)
        // −0.0 reads as 0.0.
        return text.hasPrefix("-") && text.contains(where: { ("1"..."9").contains($0) })
            ? "−" + text.dropFirst() : text.replacing("-", with: "")
    }
}

extension String {
    /// Filled up with spaces behind it.
    /// - Parameter width: characters.
    package func padded(_ width: Int) -> String { self + fill(to: width) }

    /// Filled up with spaces before it.
    /// - Parameter width: characters.
    package func aligned(_ width: Int) -> String { fill(to: width) + self }

    private func fill(to width: Int) -> String { String(repeating: " ", count: Swift.max(width - count, 0)) }
}

extension [String] {
    /// “a”, “b” and “c”.
    package var quotedList: String {
        let quoted = map { "“\($0)”" }
        guard let last = quoted.last, count > 1 else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " and " + last
    }
}
