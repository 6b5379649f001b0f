import OssicleDSP
import OssicleRender

/// The engine's room, and the rooms before it that still ring.
///
///     sends ──▶ the present room ─┬─▶ late
///               silence ──▶ old ──┘
final class RoomReverb {
    private struct Ringing {
        let box: RendererBox<ReverbRenderer>
        /// Engine time at which it has faded away; nil for the present room.
        var silentFrom: Int64?
        var ears = GivenEars()
    }

    private var rooms: [Ringing] = []
    private var preset = PHASEReverbPreset.none
    private let make: (ReverbPreset) -> RendererBox<ReverbRenderer>

    init(make: @escaping (ReverbPreset) -> RendererBox<ReverbRenderer>) { self.make = make }

    /// - Returns: whether the plan has to change.
    func set(_ wanted: PHASEReverbPreset, at position: Int64) -> Bool {
        let before = rooms.count
        rooms.removeAll { room in room.silentFrom.map { $0 <= position } ?? false }
        let hasForgotten = forgetEars(at: position)
        guard wanted != preset else { return rooms.count != before || hasForgotten }
        preset = wanted
        for index in rooms.indices where rooms[index].silentFrom == nil {
            rooms[index].silentFrom = position + Int64(rooms[index].box.pointer.pointee.tail)
        }
        if let room = wanted.room { rooms.append(Ringing(box: make(room), silentFrom: nil)) }
        return true
    }

    /// All rooms, those that ring out too, change over to another head.
    func hear(with head: HeadFilters, at position: Int64) {
        for index in rooms.indices {
            let ears = RendererBox(ReverbRenderer.ears(head.table))
            rooms[index].ears.give(ears, at: position)
            rooms[index].box.pointer.pointee.hear(with: ears)
        }
    }

    private func forgetEars(at position: Int64) -> Bool {
        rooms.indices.reduce(false) { rooms[$1].ears.forget(at: position) || $0 }
    }

    /// What the rooms hear with, to be kept alive by the plan.
    var ears: [AnyObject] { rooms.flatMap(\.ears.alive) }

    /// All that sound, with the present room marked.
    var sounding: [(box: RendererBox<ReverbRenderer>, isPresent: Bool)] { rooms.map { ($0.box, $0.silentFrom == nil) } }
}

extension PHASEReverbPreset {
    var room: ReverbPreset? {
        switch self {
        case .none: nil
        case .smallRoom: .smallRoom
        case .mediumRoom: .mediumRoom
        case .largeRoom: .largeRoom
        case .largeRoom2: .largeRoom2
        case .mediumChamber: .mediumChamber
        case .largeChamber: .largeChamber
        case .mediumHall: .mediumHall
        case .mediumHall2: .mediumHall2
        case .mediumHall3: .mediumHall3
        case .largeHall: .largeHall
        case .largeHall2: .largeHall2
        case .cathedral: .cathedral
        }
    }
}
