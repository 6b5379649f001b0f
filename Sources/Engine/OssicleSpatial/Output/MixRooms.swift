import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleRender

/// A renderer of the reverberation of a room.
package protocol RoomRenderer: ControlledRenderer, ~Copyable where Control: RoomControl {
    static func ears(_ hrtf: HRTFTable) -> DiffuseBinaural
}

package protocol RoomControl {
    /// Frames of output after the end of its input.
    var tail: Int { get }
    /// nil where loudspeakers play.
    var ears: BinauralCell<DiffuseBinaural>? { get }
}

extension ReverbRenderer: RoomRenderer {}
extension LateFieldRenderer: RoomRenderer {}
extension ReverbRenderer.Control: RoomControl {}
extension LateFieldRenderer.Control: RoomControl {}

/// The rooms of one mix: those that receive sound, and former ones whose tail has not finished.
package struct RingingRooms<Renderer: RoomRenderer & ~Copyable> {
    package struct Room {
        package let box: ControlledBox<Renderer>
        /// The number of the listener it surrounds; nil where it surrounds all.
        package let listener: UInt64?
        /// Engine time at which its tail has finished; nil for a room that receives sound.
        fileprivate(set) var silentFrom: Int64?
        fileprivate var ears = SentFilters()

        package var isPresent: Bool { silentFrom == nil }
    }

    private(set) var rooms: [Room] = []

    mutating func add(_ renderer: ControlledBox<Renderer>, around listener: UInt64? = nil) {
        rooms.append(Room(box: renderer, listener: listener))
    }

    /// Present rooms that are `old` receive nothing from now on.
    mutating func leave(at position: Int64, where old: (Room) -> Bool = { _ in true }) {
        for index in rooms.indices where rooms[index].isPresent && old(rooms[index]) {
            rooms[index].silentFrom = position + Int64(rooms[index].box.control.tail)
        }
    }

    /// Releases rooms and ears that are no longer audible.
    /// - Returns: whether there were any.
    mutating func release(at position: Int64) -> Bool {
        let before = rooms.count
        rooms.removeAll { room in room.silentFrom.map { $0 <= position } ?? false }
        return rooms.indices.reduce(rooms.count != before) { rooms[$1].ears.release(at: position) || $0 }
    }

    /// All rooms, also those whose tail sounds, cross-fade to another HRTF.
    mutating func apply(_ hrtf: HRTFTable, at position: Int64) {
        for index in rooms.indices {
            let ears = RendererBox(Renderer.ears(hrtf))
            rooms[index].ears.add(ears, at: position)
            rooms[index].box.control.ears?.write(ears.pointer)
        }
    }

    /// The rooms' ears, to be kept alive by the plan.
    var ears: [AnyObject] { rooms.flatMap(\.ears.alive) }
}

/// The room of the engine's reverb preset, and the rooms before it whose tail sounds.
///
///     sends ──▶ the present room ─┬─▶ late
///               silence ──▶ old ──┘
struct PresetRooms {
    private(set) var ringing = RingingRooms<ReverbRenderer>()
    private var preset: ReverbPreset?
    private let make: (ReverbPreset) -> ControlledBox<ReverbRenderer>

    init(make: @escaping (ReverbPreset) -> ControlledBox<ReverbRenderer>) { self.make = make }

    /// - Returns: whether the plan has to change.
    mutating func set(_ wanted: ReverbPreset?, at position: Int64) -> Bool {
        let hasReleased = ringing.release(at: position)
        guard wanted != preset else { return hasReleased }
        preset = wanted
        ringing.leave(at: position)
        if let wanted { ringing.add(make(wanted)) }
        return true
    }

    mutating func apply(_ hrtf: HRTFTable, at position: Int64) { ringing.apply(hrtf, at: position) }
}

/// The listeners' rooms in one mix, from geometry and zones, and the rooms before them whose tail sounds.
///
/// A room whose field changes is the same room, and its renderer glides. Only where the mean free time doubles or
/// halves is it another one.
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

    /// Seconds in which a field glides.
    private static let glide = 0.2

    init(sampleRate: Double, make: @escaping (_ meanFreeTime: Double) -> ControlledBox<LateFieldRenderer>) {
        self.sampleRate = sampleRate
        self.make = make
    }

    /// - Returns: whether the plan has to change.
    mutating func set(_ wanted: [RoomField], at position: Int64) -> Bool {
        var changes = ringing.release(at: position)
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
            send(room)
        }
        return changes
    }

    private static func isAlike(_ a: Double, _ b: Double) -> Bool { a < 2 * b && b < 2 * a }

    private mutating func send(_ room: RoomField) {
        let corners = room.corners
        guard let last = present[room.listener], last.field != room.field || last.corners != corners else { return }
        let field = room.field
        last.renderer.control.cell.write(
            LateFieldRenderer.Parameters(
                t60: field.t60, energy: field.energy, start: field.mixingTime, corners: corners,
                rampFrames: Int(Self.glide * sampleRate)))
        present[room.listener]?.field = field
        present[room.listener]?.corners = corners
    }

    mutating func apply(_ hrtf: HRTFTable, at position: Int64) { ringing.apply(hrtf, at: position) }
}
