import OssicleSoundEvents

/// A value that the client moves while a sound event plays.
open class PHASEMetaParameterDefinition: PHASEDefinition {
    /// The initial value: a `Double` or a `String`.
    open internal(set) var value: Any

    init(initial value: Any) {
        self.value = value
        super.init()
    }

    /// The definition this one follows, nil for one that is set by the client.
    var followed: PHASENumberMetaParameterDefinition? { nil }

    /// The error that tells of an initial value that was moved; nil if it stands as it was given.
    var correction: PHASEAssetError? { nil }

    /// As if it stood alone.
    var blueprint: ParameterBlueprint { ParameterBlueprint(identifier: identifier, kind: capturedKind(following: 0)) }

    /// - Parameter input: index of the `followed` definition, which has been captured before.
    func capturedKind(following input: Int?) -> ParameterBlueprint.Kind { .text(initial: value as? String ?? "") }
}

/// A number between two limits.
open class PHASENumberMetaParameterDefinition: PHASEMetaParameterDefinition {
    let limits: NumberLimits
    /// The initial value that was asked for, where the limits do not hold it.
    let refusedValue: Double?

    /// Any number: from the most negative to the greatest finite one.
    public convenience init(value: Double) {
        self.init(value: value, limits: .unlimited)
    }

    /// With an identifier of your own, by which events give its values.
    public convenience init(value: Double, identifier: String) {
        self.init(value: value)
        self.identifier = identifier
    }

    /// A number within limits, which are exchanged if they come in the wrong order.
    ///
    /// - Parameters:
    ///   - value: the initial value, moved within the limits; NaN becomes what is nearest to 0. Either is recorded as
    ///     the engine's `lastError` when the definition is registered.
    ///   - minimum: the lowest value; one that is not finite does not limit.
    ///   - maximum: the highest value; one that is not finite does not limit.
    public convenience init(value: Double, minimum: Double, maximum: Double) {
        self.init(value: value, limits: NumberLimits(minimum: minimum, maximum: maximum))
    }

    /// With an identifier of your own, by which events give its values.
    public convenience init(value: Double, minimum: Double, maximum: Double, identifier: String) {
        self.init(value: value, minimum: minimum, maximum: maximum)
        self.identifier = identifier
    }

    init(value: Double, limits: NumberLimits) {
        self.limits = limits
        refusedValue = limits.nearest(to: value) == value ? nil : value
        super.init(initial: limits.nearest(to: value) ?? limits.nearest(to: 0) ?? 0)
    }

    /// The lowest value.
    open var minimum: Double { limits.minimum }
    /// The highest value.
    open var maximum: Double { limits.maximum }

    override var correction: PHASEAssetError? {
        refusedValue.map { refused in
            PHASEAssetError(
                .badParameters, object: "Meta-parameter “\(identifier)”",
                value: "its initial value is \(refused); it begins at \(value)",
                rule: "An initial value lies within the limits, here \(minimum)…\(maximum).",
                cure: "Pass such a value, or wider limits.")
        }
    }

    override func capturedKind(following input: Int?) -> ParameterBlueprint.Kind {
        .number(limits, initial: value as? Double ?? 0)
    }
}

/// A number that follows another one through an envelope.
open class PHASEMappedMetaParameterDefinition: PHASENumberMetaParameterDefinition {
    /// From the input to the value.
    open private(set) var envelope: PHASEEnvelope
    /// What it follows.
    open private(set) var inputMetaParameterDefinition: PHASENumberMetaParameterDefinition

    /// The value is envelope(input); its limits are the envelope's range.
    public init(inputMetaParameterDefinition: PHASENumberMetaParameterDefinition, envelope: PHASEEnvelope) {
        (self.envelope, self.inputMetaParameterDefinition) = (envelope, inputMetaParameterDefinition)
        let range = envelope.envelope.range
        super.init(
            value: envelope.evaluate(x: inputMetaParameterDefinition.value as? Double ?? 0),
            limits: NumberLimits(minimum: range.lowerBound, maximum: range.upperBound))
    }

    /// With an identifier of your own, by which events give its values.
    public convenience init(
        inputMetaParameterDefinition: PHASENumberMetaParameterDefinition, envelope: PHASEEnvelope, identifier: String
    ) {
        self.init(inputMetaParameterDefinition: inputMetaParameterDefinition, envelope: envelope)
        self.identifier = identifier
    }

    override var followed: PHASENumberMetaParameterDefinition? { inputMetaParameterDefinition }

    override func capturedKind(following input: Int?) -> ParameterBlueprint.Kind {
        input.map { .mapped(input: $0, envelope.envelope) } ?? super.capturedKind(following: nil)
    }
}

/// A text, for instance the name of a surface that switches footsteps.
open class PHASEStringMetaParameterDefinition: PHASEMetaParameterDefinition {
    /// A text and its initial value.
    public init(value: String) { super.init(initial: value) }

    /// With an identifier of your own, by which events give its values.
    public convenience init(value: String, identifier: String) {
        self.init(value: value)
        self.identifier = identifier
    }
}
