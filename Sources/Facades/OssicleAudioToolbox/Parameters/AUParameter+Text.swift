// Values in words, and back.

extension AUParameter {
    /// The value at `value`, or the current one, in words.
    @discardableResult
    public func string(fromValue value: UnsafePointer<AUValue>?) -> String {
        implementorStringFromValueCallback(self, value)
    }

    /// The value that `string` means, within the range; the current one where it means none.
    @discardableResult
    public func value(from string: String) -> AUValue {
        let value = implementorValueFromStringCallback(self, string)
        return value.isNaN ? self.value : min(max(value, minValue), maxValue)
    }

    /// The value's own string, or the number rounded to three decimals.
    func plainString(of value: AUValue) -> String {
        if let valueStrings, let index = Int(exactly: (value - minValue).rounded()),
            valueStrings.indices.contains(index)
        {
            return valueStrings[index]
        }
        guard value.magnitude < 1e6 else { return "\(value)" }
        let text = "\((Double(value) * 1000).rounded() / 1000)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The value that has this string, or the number the text begins with; NaN where there is neither.
    func plainValue(of text: String) -> AUValue {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        if let index = valueStrings?.firstIndex(where: { $0.caseInsensitiveCompare(trimmed) == .orderedSame }) {
            return minValue + AUValue(index)
        }
        let number = trimmed.prefix { $0.isNumber || "+-.eE".contains($0) }
        return (0...number.count).lazy.compactMap { AUValue(number.dropLast($0)) }.first ?? .nan
    }
}
