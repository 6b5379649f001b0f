/// A text, for instance the name of a surface that switches footsteps.
open class PHASEStringMetaParameterDefinition: PHASEMetaParameterDefinition {
    public init(value: String) { super.init(initial: value) }

    public convenience init(value: String, identifier: String) {
        self.init(value: value)
        self.identifier = identifier
    }
}
