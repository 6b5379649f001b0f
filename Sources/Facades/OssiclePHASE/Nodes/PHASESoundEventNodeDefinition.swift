import OssicleSoundEvents

/// A node of the tree that says what a sound event plays.
open class PHASESoundEventNodeDefinition: PHASEDefinition {
    /// In the order they were added.
    open internal(set) var children: [PHASESoundEventNodeDefinition] = []

    /// What is particular to this kind of node.
    func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind { .container }
}
