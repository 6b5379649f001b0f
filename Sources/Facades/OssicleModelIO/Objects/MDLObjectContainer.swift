import Foundation

/// The usual container of children.
open class MDLObjectContainer: NSObject, MDLObjectContainerComponent {
    /// The children in the order they were added in.
    open private(set) var objects: [MDLObject] = []

    /// Without children.
    public override init() {}

    /// The number of children.
    open var count: Int { objects.count }

    /// Adds a child, once.
    open func add(_ object: MDLObject) {
        if !objects.contains(where: { $0 === object }) { objects.append(object) }
    }

    /// Removes a child, if it is one.
    open func remove(_ object: MDLObject) { objects.removeAll { $0 === object } }
}
