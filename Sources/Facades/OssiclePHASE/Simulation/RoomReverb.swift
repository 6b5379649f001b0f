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
    }

    private var rooms: [Ringing] = []
    private var preset = PHASEReverbPreset.none
    private let make: (ReverbPreset) -> RendererBox<ReverbRenderer>

    init(make: @escaping (ReverbPreset) -> RendererBox<ReverbRenderer>) { self.make = make }

    /// - Returns: whether the plan has to change.
    func set(_ wanted: PHASEReverbPreset, at position: Int64) -> Bool {
        let before = rooms.count
        rooms.removeAll { room in room.silentFrom.map { $0 <= position } ?? false }
        guard wanted != preset else { return rooms.count != before }
        preset = wanted
        for index in rooms.indices where rooms[index].silentFrom == nil {
            rooms[index].silentFrom = position + Int64(rooms[index].box.pointer.pointee.tail)
        }
        if let room = wanted.room { rooms.append(Ringing(box: make(room), silentFrom: nil)) }
        return true
    }

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
