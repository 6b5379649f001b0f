/// The sources and listeners that sound events are bound to, and which of them have moved. Under the engine's lock.
///
/// Each has a slot, which it knows, so that a move costs no look-up.
struct BoundObjects {
    /// A class, because a look at a structure with a weak reference copies that.
    private final class Slot {
        private(set) weak var object: PHASEObject?
        /// In the scene that is followed; nil while it is in none.
        @exclusivity(unchecked) var place: Int?
        @exclusivity(unchecked) var hasMoved = false

        init(_ object: PHASEObject) { self.object = object }
    }

    private var slots: [Slot] = []
    private var slotsByNumber: [UInt64: Int] = [:]
    /// Slots of what has moved.
    private var moved: [Int] = []

    subscript(number: UInt64) -> PHASEObject? { slotsByNumber[number].flatMap { slots[$0].object } }

    mutating func add(_ object: PHASEObject) {
        guard slotsByNumber[object.number] == nil else { return }
        append(object)
    }

    private mutating func append(_ object: PHASEObject) {
        slotsByNumber[object.number] = slots.count
        object.slot = slots.count
        slots.append(Slot(object))
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

    mutating func place(_ object: PHASEObject, at place: Int) {
        if let slot = object.slot { slots[slot].place = place }
    }

    mutating func noteMove(of object: PHASEObject) {
        guard let slot = object.slot, !slots[slot].hasMoved, slots[slot].place != nil else { return }
        slots[slot].hasMoved = true
        moved.append(slot)
    }

    /// Gives all that has moved, with its place in the scene.
    mutating func takeMoved(_ body: (PHASEObject, Int) -> Void) {
        for slot in moved {
            slots[slot].hasMoved = false
            if let object = slots[slot].object, let place = slots[slot].place { body(object, place) }
        }
        moved.removeAll(keepingCapacity: true)
    }
}
