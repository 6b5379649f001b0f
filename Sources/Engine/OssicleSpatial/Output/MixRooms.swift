import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleRender

/// A renderer of the reverberation of a room.
package protocol RoomRenderer: ControlledRenderer, ~Copyable where Control: RoomControl {}

package protocol RoomControl {
    /// Frames of output after the end of its input.
    var tail: Int { get }
    /// Written when sound leaves the room: how fast the one fills that it goes into.
    var departure: LatestValueCell<BuildUp> { get }
}

extension ReverbRenderer: RoomRenderer {}
extension LateFieldRenderer: RoomRenderer {}
extension ConvolutionRenderer: RoomRenderer {}
extension ReverbRenderer.Control: RoomControl {}
extension LateFieldRenderer.Control: RoomControl {}
extension ConvolutionRenderer.Control: RoomControl {}

extension LateField {
    /// How fast the field fills.
    package func buildUp(sampleRate: Double) -> BuildUp {
        FeedbackDelayNetwork.Parameters(t60: t60, energy: energy, start: mixingTime).buildUp(sampleRate: sampleRate)
    }
}

/// The rooms of one mix: those in use, and former ones whose tail has not finished.
package struct RingingRooms<Renderer: RoomRenderer & ~Copyable> {
    package struct Room {
        package let box: ControlledBox<Renderer>
        /// The number of the listener it surrounds; nil where it surrounds all.
        package let listener: UInt64?
        /// Engine time at which its tail has finished; nil for a room in use.
        fileprivate(set) var silentFrom: Int64?

        package var isPresent: Bool { silentFrom == nil }
    }

    private(set) var rooms: [Room] = []

    mutating func add(_ renderer: ControlledBox<Renderer>, around listener: UInt64? = nil) {
        rooms.append(Room(box: renderer, listener: listener))
    }

    /// Sound leaves the present rooms that are `old`, while another fills; what they hold rings out.
    mutating func leave(for other: BuildUp, at position: Int64, where old: (Room) -> Bool = { _ in true }) {
        for index in rooms.indices where rooms[index].isPresent && old(rooms[index]) {
            rooms[index].box.control.departure.write(other)
            let fed = other.end + 2 * Grid.quantum
            rooms[index].silentFrom = position + Int64(fed + rooms[index].box.control.tail)
        }
    }

    /// Releases rooms that are no longer audible.
    /// - Returns: whether there were any.
    mutating func release(at position: Int64) -> Bool {
        let before = rooms.count
        rooms.removeAll { room in room.silentFrom.map { $0 <= position } ?? false }
        return rooms.count != before
    }
}

/// The room of the engine's reverb preset, and the rooms before it whose tail sounds.
///
///     sends ─┬─▶ the present room ───────┬─▶ late
///            └─▶ less and less ──▶ old ──┘
struct PresetRooms {
    private(set) var ringing = RingingRooms<ReverbRenderer>()
    private var preset: ReverbPreset?
    private let make: (ReverbPreset) -> ControlledBox<ReverbRenderer>

    init(make: @escaping (ReverbPreset) -> ControlledBox<ReverbRenderer>) { self.make = make }

    /// What rings in another output's rooms rings out here, while a room of this output's fills.
    mutating func takeOver(_ old: PresetRooms, sampleRate: Double, at position: Int64) {
        ringing = old.ringing
        guard let left = old.preset else { return }
        ringing.leave(for: left.parameters().buildUp(sampleRate: sampleRate), at: position)
    }

    /// - Returns: whether the plan has to change.
    /// - Parameter next: how fast the room fills that is in use from here on.
    mutating func set(_ wanted: ReverbPreset?, next: @autoclosure () -> BuildUp, at position: Int64) -> Bool {
        let hasReleased = ringing.release(at: position)
        guard wanted != preset else { return hasReleased }
        preset = wanted
        ringing.leave(for: next(), at: position)
        if let wanted { ringing.add(make(wanted)) }
        return true
    }
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
        var directions = SIMD16<Float>.zero
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

    /// What rings in another output's rooms rings out here, while rooms of this output's fill.
    mutating func takeOver(_ old: FieldRooms, at position: Int64) {
        ringing = old.ringing
        for (listener, room) in old.present {
            let filling = room.field?.buildUp(sampleRate: sampleRate) ?? BuildUp(start: 0, end: 0)
            ringing.leave(for: filling, at: position) { $0.listener == listener }
        }
    }

    /// - Parameter next: how fast the room fills that is in use where no field is.
    /// - Returns: whether the plan has to change.
    mutating func set(_ wanted: [RoomField], next: @autoclosure () -> BuildUp, at position: Int64) -> Bool {
        var changes = ringing.release(at: position)
        for (listener, room) in present {
            let field = wanted.first { $0.listener == listener }?.network
            if let field, Self.isAlike(field.meanFreeTime, room.meanFreeTime) { continue }
            let filling = field?.buildUp(sampleRate: sampleRate) ?? next()
            ringing.leave(for: filling, at: position) { $0.listener == listener }
            present[listener] = nil
            changes = true
        }
        for room in wanted {
            guard let field = room.network else { continue }
            if present[room.listener] == nil {
                let renderer = make(field.meanFreeTime)
                ringing.add(renderer, around: room.listener)
                present[room.listener] = Present(renderer: renderer, meanFreeTime: field.meanFreeTime)
                changes = true
            }
            send(field, room)
        }
        return changes
    }

    private static func isAlike(_ a: Double, _ b: Double) -> Bool { a < 2 * b && b < 2 * a }

    private mutating func send(_ field: LateField, _ room: RoomField) {
        let directions = room.directions
        guard let last = present[room.listener], last.field != field || last.directions != directions else { return }
        last.renderer.control.cell.write(
            LateFieldRenderer.Parameters(
                t60: field.t60, energy: field.energy, start: field.mixingTime, directions: directions,
                rampFrames: Int(Self.glide * sampleRate)))
        present[room.listener]?.field = field
        present[room.listener]?.directions = directions
    }
}
