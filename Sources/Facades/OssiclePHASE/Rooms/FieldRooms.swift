import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleRender

/// The listeners' rooms in one mix, as the scene's geometry and its zones make them, and the rooms before them that still ring.
///
/// A room whose field changes is the same room, and its renderer glides. Only where surfaces are twice as far apart, or half as far, is it another one.
struct FieldRooms {
    private struct Present {
        let renderer: ControlledBox<LateFieldRenderer>
        let meanFreeTime: Double
        var field: LateField?
        var corners = SIMD8<Float>.zero
    }

    private(set) var ringing = RingingRooms<LateFieldRenderer>()
    private var present: [UInt64: Present] = [:]
    private let sampleRate: Double
    private let make: (_ meanFreeTime: Double) -> ControlledBox<LateFieldRenderer>

    /// Seconds in which a field changes over.
    private static let glide = 0.2

    init(sampleRate: Double, make: @escaping (_ meanFreeTime: Double) -> ControlledBox<LateFieldRenderer>) {
        (self.sampleRate, self.make) = (sampleRate, make)
    }

    /// - Returns: whether the plan has to change.
    mutating func set(_ wanted: [RoomField], at position: Int64) -> Bool {
        var changes = ringing.forget(at: position)
        for (listener, room) in present {
            let field = wanted.first { $0.listener == listener }?.field
            if let field, Self.isAlike(field.meanFreeTime, room.meanFreeTime) { continue }
            ringing.leave(at: position) { $0.listener == listener }
            present[listener] = nil
            changes = true
        }
        for room in wanted {
            if present[room.listener] == nil {
                let renderer = make(room.field.meanFreeTime)
                ringing.add(renderer, around: room.listener)
                present[room.listener] = Present(renderer: renderer, meanFreeTime: room.field.meanFreeTime)
                changes = true
            }
            tell(room)
        }
        return changes
    }

    private static func isAlike(_ a: Double, _ b: Double) -> Bool { a < 2 * b && b < 2 * a }

    private mutating func tell(_ room: RoomField) {
        let corners = room.corners
        guard let last = present[room.listener], last.field != room.field || last.corners != corners else { return }
        let field = room.field
        last.renderer.control.cell.write(LateFieldRenderer.Parameters(t60: field.t60, energy: field.energy, start: field.mixingTime, corners: corners,
                                                                      rampFrames: Int(Self.glide * sampleRate)))
        present[room.listener]?.field = field
        present[room.listener]?.corners = corners
    }

    mutating func hear(with head: HeadFilters, at position: Int64) { ringing.hear(with: head, at: position) }
}
