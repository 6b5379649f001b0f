import OssicleSoundEvents

/// A number that follows another one through an envelope.
open class PHASEMappedMetaParameterDefinition: PHASENumberMetaParameterDefinition {
    open private(set) var envelope: PHASEEnvelope
    open private(set) var inputMetaParameterDefinition: PHASENumberMetaParameterDefinition

    /// The value is envelope(input); its limits are the envelope's range.
    public init(inputMetaParameterDefinition: PHASENumberMetaParameterDefinition, envelope: PHASEEnvelope) {
        (self.envelope, self.inputMetaParameterDefinition) = (envelope, inputMetaParameterDefinition)
        let range = envelope.envelope.range
        super.init(value: envelope.evaluate(x: inputMetaParameterDefinition.value as? Double ?? 0),
                   limits: NumberLimits(minimum: range.lowerBound, maximum: range.upperBound))
    }

    public convenience init(inputMetaParameterDefinition: PHASENumberMetaParameterDefinition, envelope: PHASEEnvelope, identifier: String) {
        self.init(inputMetaParameterDefinition: inputMetaParameterDefinition, envelope: envelope)
        self.identifier = identifier
    }

    override var followed: PHASENumberMetaParameterDefinition? { inputMetaParameterDefinition }

    override func capturedKind(following input: Int?) -> ParameterBlueprint.Kind {
        input.map { .mapped(input: $0, envelope.envelope) } ?? super.capturedKind(following: nil)
    }
}
