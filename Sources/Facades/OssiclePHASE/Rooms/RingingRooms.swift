import OssicleDSP
import OssicleRender

/// A renderer of what a room leaves of sound.
protocol RoomRenderer: ControlledRenderer, ~Copyable where Control: RoomControl {
    static func ears(_ head: HeadTable) -> DiffuseEars
}

protocol RoomControl {
    /// Frames it goes on sounding after its input fell silent.
    var tail: Int { get }
    /// nil where loudspeakers play.
    var ears: EarsCell<DiffuseEars>? { get }
}

extension ReverbRenderer: RoomRenderer {}
extension LateFieldRenderer: RoomRenderer {}
extension ReverbRenderer.Control: RoomControl {}
extension LateFieldRenderer.Control: RoomControl {}

/// The rooms of one mix: those that sound is sent to, and those before them that still ring.
struct RingingRooms<Renderer: RoomRenderer & ~Copyable> {
    struct Room {
        let box: ControlledBox<Renderer>
        /// The number of the listener it surrounds; nil where it surrounds all.
        let listener: UInt64?
        /// Engine time at which it has faded away; nil for one that sound is sent to.
        fileprivate(set) var silentFrom: Int64?
        fileprivate var ears = GivenEars()

        var isPresent: Bool { silentFrom == nil }
    }

    private(set) var rooms: [Room] = []

    mutating func add(_ renderer: ControlledBox<Renderer>, around listener: UInt64? = nil) {
        rooms.append(Room(box: renderer, listener: listener))
    }

    /// Nothing is sent any more to the rooms that sound is sent to and that are `old`: they ring out.
    mutating func leave(at position: Int64, where old: (Room) -> Bool = { _ in true }) {
        for index in rooms.indices where rooms[index].isPresent && old(rooms[index]) {
            rooms[index].silentFrom = position + Int64(rooms[index].box.control.tail)
        }
    }

    /// Forgets what has faded away.
    /// - Returns: whether there was anything.
    mutating func forget(at position: Int64) -> Bool {
        let before = rooms.count
        rooms.removeAll { room in room.silentFrom.map { $0 <= position } ?? false }
        return rooms.indices.reduce(rooms.count != before) { rooms[$1].ears.forget(at: position) || $0 }
    }

    /// All rooms, those that ring out too, change over to another head.
    mutating func hear(with head: HeadFilters, at position: Int64) {
        for index in rooms.indices {
            let ears = RendererBox(Renderer.ears(head.table))
            rooms[index].ears.give(ears, at: position)
            rooms[index].box.control.ears?.write(ears.pointer)
        }
    }

    /// What the rooms hear with, to be kept alive by the plan.
    var ears: [AnyObject] { rooms.flatMap(\.ears.alive) }
}
