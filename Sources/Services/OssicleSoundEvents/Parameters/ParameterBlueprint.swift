/// A meta-parameter as it was defined: a number or a text that the client moves while the sound event plays.
package struct ParameterBlueprint: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case number(NumberLimits, initial: Double)
        case text(initial: String)
        /// Follows another number: envelope(input). `input` is the index of a parameter that stands before this one.
        case mapped(input: Int, Envelope)
    }

    package let identifier: String
    package let kind: Kind

    package init(identifier: String, kind: Kind) {
        (self.identifier, self.kind) = (identifier, kind)
    }
}

/// The range a number may move in.
package struct NumberLimits: Hashable, Sendable {
    package let minimum: Double
    package let maximum: Double

    /// Any finite number.
    package static let unlimited = NumberLimits(minimum: -.greatestFiniteMagnitude, maximum: .greatestFiniteMagnitude)

    /// Limits given in the wrong order are exchanged; a limit that is NaN or infinite does not limit.
    package init(minimum: Double, maximum: Double) {
        let low = minimum.isFinite ? minimum : -.greatestFiniteMagnitude
        let high = maximum.isFinite ? maximum : .greatestFiniteMagnitude
        (self.minimum, self.maximum) = (min(low, high), max(low, high))
    }

    /// The nearest number within the limits; nil for NaN, which is near nothing.
    package func nearest(to value: Double) -> Double? {
        value.isNaN ? nil : min(max(value, minimum), maximum)
    }
}
