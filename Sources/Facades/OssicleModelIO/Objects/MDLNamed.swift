import Foundation

/// Something with a name.
public protocol MDLNamed {
    /// The name; need not be unique.
    var name: String { get set }
}

/// A part of an object.
public protocol MDLComponent: NSObjectProtocol {}

/// The part of an object that keeps its children.
public protocol MDLObjectContainerComponent: MDLComponent {
    /// Adds a child, once.
    func add(_ object: MDLObject)
    /// Removes a child, if it is one.
    func remove(_ object: MDLObject)
    /// The number of children.
    var count: Int { get }
    /// The children in the order they were added in.
    var objects: [MDLObject] { get }
}
