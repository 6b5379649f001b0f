/// Plays all its children together.
open class PHASEContainerNodeDefinition: PHASESoundEventNodeDefinition {
    public required init() { super.init() }

    public init(identifier: String) { super.init(identifier: identifier) }

    @discardableResult
    open class func new() -> Self { self.init() }

    open func addSubtree(_ subtree: PHASESoundEventNodeDefinition) { children.append(subtree) }
}
