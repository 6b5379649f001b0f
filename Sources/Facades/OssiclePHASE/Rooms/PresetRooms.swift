import OssicleDSP
import OssicleRender

/// The room of the engine's reverb preset, and the rooms before it that still ring.
///
///     sends ──▶ the present room ─┬─▶ late
///               silence ──▶ old ──┘
struct PresetRooms {
    private(set) var ringing = RingingRooms<ReverbRenderer>()
    private var preset = PHASEReverbPreset.none
    private let make: (ReverbPreset) -> ControlledBox<ReverbRenderer>

    init(make: @escaping (ReverbPreset) -> ControlledBox<ReverbRenderer>) { self.make = make }

    /// - Returns: whether the plan has to change.
    mutating func set(_ wanted: PHASEReverbPreset, at position: Int64) -> Bool {
        let hasForgotten = ringing.forget(at: position)
        guard wanted != preset else { return hasForgotten }
        preset = wanted
        ringing.leave(at: position)
        if let room = wanted.room { ringing.add(make(room)) }
        return true
    }

    mutating func hear(with head: HeadFilters, at position: Int64) { ringing.hear(with: head, at: position) }
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
