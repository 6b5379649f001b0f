import Foundation
import OssicleCore
import OssicleSIMD
import OssicleSpatial

/// A place in the scene: a node of the engine's object tree, with a transform relative to its parent.
///
/// Right-handed: +X right, +Y up, −Z forward. An object takes part in the simulation once it hangs, directly or through
/// others, below the engine's `rootObject`. Any thread.
open class PHASEObject: NSObject, NSCopying, Posting, @unchecked Sendable {
    /// What the client sets of an object.
    struct State {
        var transform = matrix_identity_float4x4
        var children: [PHASEObject] = []
        weak var parent: PHASEObject?
    }

    let control: EngineControl
    /// A stable number, in order of creation: what random choices and reports are keyed by.
    let number: UInt64
    /// What the client set last. Under the mailbox's lock, as `changesTree`.
    @exclusivity(unchecked) private final var requested = State()
    /// The tree has changed since it was last applied.
    @exclusivity(unchecked) private final var changesTree = false
    @exclusivity(unchecked) final var isPosted = false
    // What the simulation works with. Under the engine's lock, which is why what every update looks at needs no check
    // against overlapping accesses; each by itself, because a copy of all would count references.
    @exclusivity(unchecked) private final var currentTransform = matrix_identity_float4x4
    @exclusivity(unchecked) private(set) final var currentChildren: [PHASEObject] = []
    private final weak var currentParent: PHASEObject?
    /// Its parent is the root object, which is never moved: nearly all hang there.
    @exclusivity(unchecked) private final var isBelowRoot = false
    /// Among the objects that sound events are bound to, if it is one. Under the engine's lock.
    @exclusivity(unchecked) final var slot: Int?

    /// An object of `engine`, at the origin, without a parent.
    public init(engine: PHASEEngine) {
        control = engine.control
        number = control.objects.nextNumber()
        super.init()
        control.noteCreation(of: self)
    }

    /// A name for reports (an addition): “Source 3”, or whatever `name` was set to.
    var kind: String { "Object" }

    // MARK: Tree

    /// Hangs `child` below this object; the child's transform is relative to this object from then on.
    /// - Throws: `PHASEError.invalidObject` if the child has a parent already, is the root object or an ancestor of
    ///   this object, or belongs to another engine.
    open func addChild(_ child: PHASEObject) throws {
        let obstacle: String? = control.lock.mailbox.locked {
            if let obstacle = self.obstacle(to: child) { return obstacle }
            requested.children.append(child)
            child.requested.parent = self
            postTree(with: [child])
            control.note(.addChild(child.number, to: number))
            return nil
        }
        if let obstacle {
            throw PHASEError(.invalidObject, "\(child.reportName) cannot become a child of \(reportName): \(obstacle)")
        }
        control.lock.settle()
    }

    private func obstacle(to child: PHASEObject) -> String? {
        if child.control !== control { return "it belongs to another engine; create it with this engine." }
        if let parent = child.requested.parent {
            return "it is a child of \(parent.reportName) already; remove it there first."
        }
        if child === control.objects.root { return "it is the engine's root object, which has no parent." }
        if child === self || requestedAncestors.contains(where: { $0 === child }) {
            return "it is this object or one above it; a tree has no cycles."
        }
        return nil
    }

    /// Takes `child` out of the tree below this object. Nothing happens if it is not a child of this object.
    open func removeChild(_ child: PHASEObject) { remove { $0 === child } }

    /// Takes all children out of the tree below this object.
    open func removeChildren() { remove { _ in true } }

    private func remove(_ isMeant: (PHASEObject) -> Bool) {
        // Kept until no lock is held: their client may run code when they go.
        let gone = control.lock.mailbox.locked {
            let gone = requested.children.filter(isMeant)
            guard !gone.isEmpty else { return gone }
            requested.children.removeAll(where: isMeant)
            for child in gone { child.requested.parent = nil }
            postTree(with: gone)
            control.note(.remove(gone.map(\.number), from: number))
            return gone
        }
        withExtendedLifetime(gone) { control.lock.settle() }
    }

    private func postTree(with others: [PHASEObject]) {
        for object in [self] + others {
            object.changesTree = true
            control.lock.mailbox.post(object)
        }
    }

    /// The object this one hangs below; nil at the top.
    open var parent: PHASEObject? { control.requested { requested.parent } }
    /// The children in the order in which they were added.
    open var children: [PHASEObject] { control.requested { requested.children } }

    private var requestedAncestors: [PHASEObject] { Array(sequence(first: self) { $0.requested.parent }.dropFirst()) }

    // MARK: Directions

    /// (1, 0, 0)
    open class var right: simd_float3 { simd_float3(1, 0, 0) }
    /// (0, 1, 0)
    open class var up: simd_float3 { simd_float3(0, 1, 0) }
    /// (0, 0, −1)
    open class var forward: simd_float3 { simd_float3(0, 0, -1) }

    // MARK: Transform

    /// Position, orientation and scale relative to the parent. Default: identity. Axes must be orthogonal, right-handed
    /// and scaled alike; a matrix that is not so (or not finite) is recorded as the engine's `lastError` and the old
    /// transform stays. The scale is that of positions below this object and of its shapes, not of levels.
    open var transform: simd_float4x4 {
        get { control.requested { requested.transform } }
        set { move { newValue } }
    }

    /// Position and orientation in the world. Setting it rewrites `transform`.
    open var worldTransform: simd_float4x4 {
        get { control.requested { requestedWorldMatrix } }
        set { move { requested.parent.map { $0.requestedWorldMatrix.inverse * newValue } ?? newValue } }
    }

    private var requestedWorldMatrix: simd_float4x4 {
        requestedAncestors.reduce(requested.transform) { $1.requested.transform * $0 }
    }

    /// Waits for the next update where these follow one another: what moves mostly moves with many others.
    /// - Parameter transform: from the parent.
    private func move(_ transform: () -> simd_float4x4) {
        let mailbox = control.lock.mailbox
        mailbox.lock.lock()
        let fault: PHASEError? = take(transform())
        let settles = fault == nil && !mailbox.isUpdated
        mailbox.lock.unlock()
        if let fault { return control.record(fault) }
        if settles { control.lock.settle() }
    }

    /// Under the mailbox's lock.
    /// - Returns: why not, if it does not.
    private func take(_ matrix: simd_float4x4) -> PHASEError? {
        if number == control.objects.rootNumber {
            return PHASEError(
                .invalidObject, "The root object cannot be moved: it is the world. Move its children instead.")
        }
        if let fault = Pose.fault(in: matrix) {
            return PHASEError(.invalidObject, "The transform of \(reportName) was not taken: \(fault)")
        }
        requested.transform = matrix
        control.lock.mailbox.post(self)
        noteTransform()
        return nil
    }

    // MARK: What the simulation works with, under the engine's lock

    func applyRequested(_ control: EngineControl) {
        currentTransform = requested.transform
        guard changesTree else { return control.poseChanged(of: self) }
        changesTree = false
        currentChildren.forEach(control.lock.release)
        (currentChildren, currentParent) = (requested.children, requested.parent)
        isBelowRoot = currentParent.map { $0.number == control.objects.rootNumber } ?? false
        control.spatial.sceneChanged()
    }

    /// What a scene has of it that changes with a move: where it is, and its gain.
    var placement: BoundObjects.Placement { BoundObjects.Placement(pose: worldPose, gain: 1) }

    /// Whether looking where it is in every update is all that a move of it takes.
    var movesAlone: Bool { false }

    final var isLeaf: Bool { currentChildren.isEmpty }

    private var ancestors: some Sequence<PHASEObject> { sequence(first: self) { $0.currentParent }.dropFirst() }

    /// True if the object hangs below the root, however deep.
    var isInScene: Bool {
        guard let root = control.objects.root else { return false }
        return self === root || ancestors.contains { $0 === root }
    }

    /// Position in metres and unit axes.
    final var worldPose: Pose {
        var transform = currentTransform
        if isBelowRoot {
            transform = matrix_identity_float4x4 * transform
        } else {
            var object = currentParent
            while let parent = object {
                transform = parent.currentTransform * transform
                object = parent.currentParent
            }
        }
        return Pose(checked: transform, unitsPerMeter: control.settings.current.unitsPerMeter)
    }

    // MARK: Copying

    /// A copy with the same transform and settings (gain, shapes, tracking flags), without parent, children and name.
    /// It shares its shapes with the original. Of the root object: a plain object (and a recorded error).
    @discardableResult
    open func copy(with zone: NSZone? = nil) -> Any {
        if self === control.objects.root {
            control.record(
                PHASEError(.invalidObject, "The root object was copied as a plain object: an engine has one root."))
        }
        let (copy, transform) = (makeCopy(), self.transform)
        control.post(copy) {
            copy.requested.transform = transform
            copy.noteTransform()
        }
        return copy
    }

    /// A new object of the same class and settings; subclasses override it.
    private func noteTransform() {
        control.note(.transform(number, (0..<4).flatMap { column in (0..<4).map { requested.transform[column][$0] } }))
    }

    /// What a recording makes it of.
    var recordedKind: PHASECommand.Kind { .object }
    var recordedShapes: [PHASEShape] { [] }

    func makeCopy() -> PHASEObject { PHASEObject(control: control) }

    init(control: EngineControl) {
        self.control = control
        number = control.objects.nextNumber()
        super.init()
        control.noteCreation(of: self)
    }
}
