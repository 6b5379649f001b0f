import Foundation
import OssicleSIMD

/// A node of a hierarchy of things.
open class MDLObject: NSObject, MDLNamed {
    /// The name; need not be unique. Default "".
    open var name = ""
    /// The object this one belongs to.
    open weak var parent: MDLObject?
    /// Whether it should not be shown. Default false.
    open var hidden = false
    /// The container of what belongs to this object.
    open var children: any MDLObjectContainerComponent = MDLObjectContainer()

    /// An object without name, parent and children.
    public override init() {}

    /// The names from the root to this object, each after a "/".
    open var path: String { lineage.reversed().map { "/" + $0.name }.joined() }

    /// Makes `child` belong to this object and to no other. An object cannot be put below itself; such a call changes nothing.
    open func addChild(_ child: MDLObject) {
        guard !lineage.contains(where: { $0 === child }) else { return }
        child.parent?.children.remove(child)
        child.parent = self
        children.add(child)
    }

    /// The box around this object and all that belongs to it; nothing here moves with time.
    @discardableResult
    open func boundingBox(atTime time: TimeInterval) -> MDLAxisAlignedBoundingBox {
        let corners = family.compactMap(\.ownBox).flatMap { [$0.minBounds, $0.maxBounds] }
        return MDLAxisAlignedBoundingBox(of: corners) ?? MDLAxisAlignedBoundingBox()
    }

    /// The box around what this object itself has; nil if that is nothing.
    var ownBox: MDLAxisAlignedBoundingBox? { nil }

    /// This object and those it belongs to, up to the root. `parent` can be set to make a ring, which is followed once.
    private var lineage: [MDLObject] {
        var found: [MDLObject] = []
        var next: MDLObject? = self
        while let object = next, !found.contains(where: { $0 === object }) {
            found.append(object)
            next = object.parent
        }
        return found
    }

    /// This object and all below it, each once.
    private var family: [MDLObject] {
        var (found, seen, open) = ([MDLObject](), Set<ObjectIdentifier>(), [self])
        while let object = open.popLast() {
            guard seen.insert(ObjectIdentifier(object)).inserted else { continue }
            found.append(object)
            open += object.children.objects
        }
        return found
    }
}
