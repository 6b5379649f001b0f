import OssicleSoundEvents

extension PHASESoundEventNodeDefinition {
    /// The tree below this node as it is now.
    ///
    /// - Throws: `PHASEAssetError.badParameters`, naming the node, for a node below itself, more than 1,000 levels or
    ///   65,536 places, a blend threshold that is not a number, or one identifier for two kinds of meta-parameter.
    package func snapshot() throws -> EventTree { try DefinitionCapture.event(from: self).tree }
}
