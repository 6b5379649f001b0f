import OssicleSoundEvents

/// A value that the client moves while a sound event plays.
open class PHASEMetaParameterDefinition: PHASEDefinition {
    /// The initial value: a `Double` or a `String`.
    open internal(set) var value: Any

    package init(initial value: Any) {
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
