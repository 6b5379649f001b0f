import Foundation
import OssicleSoundEvents

/// Plays one of its children, drawn anew at each trigger.
open class PHASERandomNodeDefinition: PHASESoundEventNodeDefinition {
    private var weights: [Double] = []

    /// For how many further triggers a child that was drawn is left out. Default 0; clamped to 0 and up.
    ///
    /// With as many as there are children, or more, every child comes once and then the one that waited longest.
    open var uniqueSelectionQueueLength = 0 {
        didSet { uniqueSelectionQueueLength = max(uniqueSelectionQueueLength, 0) }
    }

    public init() { super.init() }

    public convenience init(identifier: String) {
        self.init()
        self.identifier = identifier
    }

    /// - Parameter weight: how often this child comes, relative to the others; clamped to 1 and up.
    open func addSubtree(_ subtree: PHASESoundEventNodeDefinition, weight: NSNumber) {
        children.append(subtree)
        weights.append(weight.doubleValue >= 1 ? weight.doubleValue : 1)
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind {
        .random(weights: weights, uniqueQueue: uniqueSelectionQueueLength)
    }
}
