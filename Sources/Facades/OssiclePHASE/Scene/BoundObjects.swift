import OssicleCore
import OssicleSpatial

/// The sources and listeners that sound events are bound to, and which of them have moved. Under the engine's lock.
///
/// Each has a slot, which it knows, so that a move costs no look-up.
struct BoundObjects {
    /// Where an object is and how loud, as of its last move.
    struct Placement {
        let pose: Pose
        let gain: Double
    }

    /// Where it stands in the scene that is followed.
    enum Place {
        case source(Int)
        case listener(Int)
    }

    private struct Slot {
        private(set) weak var object: PHASEObject?
        init(_ object: PHASEObject) { self.object = object }
    }

    /// What moves look at of a slot: apart from the weak references, which are slow to copy.
    private struct Follow {
        /// nil while it is in no scene.
        var place: Place?
        /// Among those that have moved, if it has.
        var move: Int?
    }

    private var slots: [Slot] = []
    private var follows: [Follow] = []
    private var slotsByNumber: [UInt64: Int] = [:]
    /// What has moved, in the order of the first moves. It need not be there any more when it is looked at.
    private var moved: [(slot: Int, placement: Placement)] = []

    subscript(number: UInt64) -> PHASEObject? { slotsByNumber[number].flatMap { slots[$0].object } }

    mutating func add(_ object: PHASEObject) {
        guard slotsByNumber[object.number] == nil else { return }
        append(object)
    }

    private mutating func append(_ object: PHASEObject) {
        slotsByNumber[object.number] = slots.count
        object.slot = slots.count
        slots.append(Slot(object))
        follows.append(Follow())
    }

    /// Another scene is to be followed: all are as it says. Those that are gone lose their slots.
    mutating func settle() {
        let objects = slots.compactMap(\.object)
        self = BoundObjects()
        slots.reserveCapacity(objects.count)
        for object in objects { append(object) }
    }

    /// The engine is going away; its objects may live on.
    mutating func removeAll() {
        for slot in slots { slot.object?.slot = nil }
        self = BoundObjects()
    }

    mutating func place(_ object: PHASEObject, at place: Place) {
        if let slot = object.slot { follows[slot].place = place }
    }

    mutating func noteMove(of object: PHASEObject) {
        guard let slot = object.slot, follows[slot].place != nil else { return }
        if let move = follows[slot].move {
            moved[move].placement = object.placement
        } else {
            follows[slot].move = moved.count
            moved.append((slot, object.placement))
        }
    }

    /// Tells a scene what has moved.
    mutating func takeMoved(_ scene: inout SceneSnapshot) {
        for move in moved {
            follows[move.slot].move = nil
            switch follows[move.slot].place {
            case .source(let place): scene.moveSource(at: place, to: move.placement.pose, gain: move.placement.gain)
            case .listener(let place):
                scene.moveListener(at: place, to: move.placement.pose, gain: move.placement.gain)
            case nil: break
            }
        }
        moved.removeAll(keepingCapacity: true)
    }
}
