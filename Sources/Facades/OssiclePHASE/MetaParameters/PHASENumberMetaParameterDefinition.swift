import OssicleSoundEvents

/// A number between two limits.
open class PHASENumberMetaParameterDefinition: PHASEMetaParameterDefinition {
    package let limits: NumberLimits
    /// The initial value that was asked for, where the limits do not hold it.
    let refusedValue: Double?

    /// Any number: from the most negative to the greatest finite one.
    public convenience init(value: Double) {
        self.init(value: value, limits: .unlimited)
    }

    public convenience init(value: Double, identifier: String) {
        self.init(value: value)
        self.identifier = identifier
    }

    /// - Parameters:
    ///   - value: the initial value, moved within the limits; NaN becomes what is nearest to 0. Either is recorded as the engine's `lastError` when
    ///     the definition is registered.
    ///   - minimum, maximum: exchanged if they come in the wrong order; one that is not finite does not limit.
    public convenience init(value: Double, minimum: Double, maximum: Double) {
        self.init(value: value, limits: NumberLimits(minimum: minimum, maximum: maximum))
    }

    public convenience init(value: Double, minimum: Double, maximum: Double, identifier: String) {
        self.init(value: value, minimum: minimum, maximum: maximum)
        self.identifier = identifier
    }

    package init(value: Double, limits: NumberLimits) {
        self.limits = limits
        refusedValue = limits.nearest(to: value) == value ? nil : value
        super.init(initial: limits.nearest(to: value) ?? limits.nearest(to: 0) ?? 0)
    }

    open var minimum: Double { limits.minimum }
    open var maximum: Double { limits.maximum }

    override var correction: PHASEAssetError? {
        refusedValue.map { refused in
            PHASEAssetError(.badParameters, object: "Meta-parameter “\(identifier)”", value: "its initial value is \(refused); it begins at \(value)",
                            rule: "An initial value lies within the limits, here \(minimum)…\(maximum).", cure: "Pass such a value, or wider limits.")
        }
    }

    override func capturedKind(following input: Int?) -> ParameterBlueprint.Kind {
        .number(limits, initial: value as? Double ?? 0)
    }
}
