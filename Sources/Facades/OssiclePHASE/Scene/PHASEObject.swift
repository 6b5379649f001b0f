import Foundation
import OssicleCore
import OssicleSIMD

/// A place in the scene: a node of the engine's object tree, with a transform relative to its parent.
///
/// Right-handed: +X right, +Y up, −Z forward. An object takes part in the simulation once it hangs, directly or through others,
/// below the engine's `rootObject`. Any thread.
open class PHASEObject: NSObject, NSCopying, @unchecked Sendable {
    let core: EngineCore
    /// A stable number, in order of creation: what random choices and reports are keyed by.
    let number: UInt64
    var localTransform = matrix_identity_float4x4
    private var childObjects: [PHASEObject] = []
    private weak var parentObject: PHASEObject?

    /// An object of `engine`, at the origin, without a parent.
    public init(engine: PHASEEngine) {
        core = engine.core
        number = core.nextObjectNumber()
        super.init()
    }

    /// A name for reports (an addition): “Source 3”, or whatever `name` was set to.
    var kind: String { "Object" }

    // MARK: Tree

    /// Hangs `child` below this object; the child's transform is relative to this object from then on.
    /// - Throws: `PHASEError.invalidObject` if the child has a parent already, is the root object or an ancestor of this object, or
    ///   belongs to another engine.
    open func addChild(_ child: PHASEObject) throws {
        try core.locked {
            if let reason = obstacle(to: child) {
                throw PHASEError(.invalidObject, "\(child.reportName) cannot become a child of \(reportName): \(reason)")
            }
            childObjects.append(child)
            child.parentObject = self
            core.sceneChanged()
        }
    }

    private func obstacle(to child: PHASEObject) -> String? {
        if child.core !== core { return "it belongs to another engine; create it with this engine." }
        if let parent = child.parentObject { return "it is a child of \(parent.reportName) already; remove it there first." }
        if child === core.root { return "it is the engine's root object, which has no parent." }
        if ancestors.contains(where: { $0 === child }) || child === self { return "it is this object or one above it; a tree has no cycles." }
        return nil
    }

    /// Takes `child` out of the tree below this object. Nothing happens if it is not a child of this object.
    open func removeChild(_ child: PHASEObject) {
        core.locked {
            guard let index = childObjects.firstIndex(where: { $0 === child }) else { return }
            childObjects.remove(at: index)
            child.parentObject = nil
            core.sceneChanged()
        }
    }

    /// Takes all children out of the tree below this object.
    open func removeChildren() {
        core.locked {
            childObjects.forEach { $0.parentObject = nil }
            childObjects = []
            core.sceneChanged()
        }
    }

    /// The object this one hangs below; nil at the top.
    open var parent: PHASEObject? { core.locked { parentObject } }
    /// The children in the order in which they were added.
    open var children: [PHASEObject] { core.locked { childObjects } }

    var isLeaf: Bool { childObjects.isEmpty }

    var ancestors: [PHASEObject] {
        var found: [PHASEObject] = []
        var next = parentObject
        while let object = next {
            found.append(object)
            next = object.parentObject
        }
        return found
    }

    /// True if the object hangs below the root, however deep.
    var isInScene: Bool {
        guard let root = core.root else { return false }
        return self === root || ancestors.last === root
    }

    // MARK: Directions

    /// (1, 0, 0)
    open class var right: simd_float3 { simd_float3(1, 0, 0) }
    /// (0, 1, 0)
    open class var up: simd_float3 { simd_float3(0, 1, 0) }
    /// (0, 0, −1)
    open class var forward: simd_float3 { simd_float3(0, 0, -1) }

    // MARK: Transform

    /// Position, orientation and scale relative to the parent. Default: identity. Axes must be orthogonal, right-handed and scaled alike; a matrix that
    /// is not so (or not finite) is recorded as the engine's `lastError` and the old transform stays. The scale is that of positions below this object and of
    /// its shapes, not of levels.
    open var transform: simd_float4x4 {
        get { core.locked { localTransform } }
        set { core.locked { setTransform(newValue) } }
    }

    /// Position and orientation in the world. Setting it rewrites `transform`.
    open var worldTransform: simd_float4x4 {
        get { core.locked { worldMatrix } }
        set {
            core.locked {
                guard let parent = parentObject else { return setTransform(newValue) }
                setTransform(parent.worldMatrix.inverse * newValue)
            }
        }
    }

    private func setTransform(_ matrix: simd_float4x4) {
        if self === core.root {
            return core.record(PHASEError(.invalidObject, "The root object cannot be moved: it is the world. Move its children instead."))
        }
        if let fault = Pose.fault(in: matrix) {
            return core.record(PHASEError(.invalidObject, "The transform of \(reportName) was not taken: \(fault)"))
        }
        localTransform = matrix
        core.poseChanged(of: self)
    }

    var worldMatrix: simd_float4x4 {
        ancestors.reduce(localTransform) { $1.localTransform * $0 }
    }

    /// Position in metres and unit axes.
    var worldPose: Pose { Pose(checked: worldMatrix, unitsPerMeter: core.unitsPerMeter) }

    // MARK: Copying

    /// A copy with the same transform and settings (gain, shapes, tracking flags), without parent, children and name. It shares its shapes with the
    /// original. Of the root object: a plain object (and a recorded error).
    open func copy(with zone: NSZone? = nil) -> Any {
        core.locked {
            if self === core.root {
                core.record(PHASEError(.invalidObject, "The root object was copied as a plain object: an engine has one root."))
            }
            let copy = makeCopy()
            copy.localTransform = localTransform
            return copy
        }
    }

    /// A new object of the same class and settings; subclasses override it.
    func makeCopy() -> PHASEObject { PHASEObject(core: core) }

    init(core: EngineCore) {
        self.core = core
        number = core.nextObjectNumber()
        super.init()
    }
}
