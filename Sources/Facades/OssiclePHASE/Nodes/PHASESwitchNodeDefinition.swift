import OssicleSoundEvents

/// Plays the child that belongs to the current text of a meta-parameter. Chosen at the trigger, not while playing.
open class PHASESwitchNodeDefinition: PHASESoundEventNodeDefinition {
    open private(set) var switchMetaParameterDefinition: PHASEStringMetaParameterDefinition
    private var texts: [String] = []

    public init(switchMetaParameterDefinition: PHASEStringMetaParameterDefinition) {
        self.switchMetaParameterDefinition = switchMetaParameterDefinition
        super.init()
    }

    public convenience init(switchMetaParameterDefinition: PHASEStringMetaParameterDefinition, identifier: String) {
        self.init(switchMetaParameterDefinition: switchMetaParameterDefinition)
        self.identifier = identifier
    }

    /// Of several children with the same text the first one counts.
    open func addSubtree(_ subtree: PHASESoundEventNodeDefinition, switchValue: String) {
        children.append(subtree)
        texts.append(switchValue)
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind {
        .selection(parameter: try capture.parameter(switchMetaParameterDefinition), texts: texts)
    }
}
