@_exported import Foundation
@_exported import OssicleSIMD

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

    /// Makes `child` belong to this object and to no other. An object cannot be put below itself; such a call changes
    /// nothing.
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

/// The smallest box along the axes that holds something.
public struct MDLAxisAlignedBoundingBox: Sendable {
    /// The corner with the largest coordinates.
    public var maxBounds: vector_float3
    /// The corner with the smallest coordinates.
    public var minBounds: vector_float3

    /// The box of a point at the origin.
    public init() { self.init(maxBounds: .zero, minBounds: .zero) }

    /// From both corners.
    public init(maxBounds: vector_float3, minBounds: vector_float3) {
        self.maxBounds = maxBounds
        self.minBounds = minBounds
    }
}

extension MDLAxisAlignedBoundingBox {
    /// The box of those points that are finite; nil without any.
    init?(of points: some Sequence<vector_float3>) {
        var bounds: (low: vector_float3, high: vector_float3)?
        for point in points where point.x.isFinite && point.y.isFinite && point.z.isFinite {
            bounds = (simd_min(bounds?.low ?? point, point), simd_max(bounds?.high ?? point, point))
        }
        guard let (low, high) = bounds else { return nil }
        self.init(maxBounds: high, minBounds: low)
    }
}

/// How a surface scatters light.
open class MDLScatteringFunction: NSObject, MDLNamed {
    /// The name. Default "".
    open var name = ""

    /// A function without name.
    public override init() {}
}

/// A scattering function after the physics of real surfaces.
open class MDLPhysicallyPlausibleScatteringFunction: MDLScatteringFunction {
    /// The version of the model: 1.
    open var version: Int { 1 }
}

/// What a surface is made of.
open class MDLMaterial: NSObject, MDLNamed {
    /// The name.
    open var name: String
    /// How it scatters light.
    public let scatteringFunction: MDLScatteringFunction

    /// A material.
    public init(name: String, scatteringFunction: MDLScatteringFunction) {
        self.name = name
        self.scatteringFunction = scatteringFunction
    }
}

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
