import OssicleCore
import OssicleDSP
import OssicleRender

/// The measured rooms of one mix: those in use, each as loud as the listener is in it, and former ones whose tail
/// sounds.
struct ResponseRooms {
    private struct Present {
        let renderer: ControlledBox<ConvolutionRenderer>
        let room: MeasuredRoom
        let listener: UInt64?
        var gain: Float
    }

    private(set) var ringing = RingingRooms<ConvolutionRenderer>()
    private var present: [Present] = []
    private let make: (MeasuredRoom, Float) -> ControlledBox<ConvolutionRenderer>

    /// Frames in which a gain glides: updates follow each other as fast.
    private static let glide = 1024

    init(make: @escaping (_ room: MeasuredRoom, _ gain: Float) -> ControlledBox<ConvolutionRenderer>) {
        self.make = make
    }

    /// Another output's rooms sound on here: a measured room is the same for ears and loudspeakers.
    mutating func takeOver(_ old: ResponseRooms) { (ringing, present) = (old.ringing, old.present) }

    /// - Parameter next: how fast the room fills that is in use from here on.
    /// - Returns: whether the plan has to change.
    mutating func set(_ wanted: [RoomResponse], next: @autoclosure () -> BuildUp, at position: Int64) -> Bool {
        var changes = ringing.release(at: position)
        for old in present where !wanted.contains(where: { Self.isSame($0, old) }) {
            ringing.leave(for: next(), at: position) { $0.box === old.renderer }
            changes = true
        }
        present.removeAll { old in !wanted.contains { Self.isSame($0, old) } }
        for room in wanted {
            if let index = present.firstIndex(where: { Self.isSame(room, $0) }) {
                guard present[index].gain != room.gain else { continue }
                present[index].gain = room.gain
                present[index].renderer.control.cell.write(
                    ConvolutionRenderer.Parameters(gain: room.gain, rampFrames: Self.glide))
            } else {
                let renderer = make(room.room, room.gain)
                ringing.add(renderer, around: room.listener)
                present.append(
                    Present(renderer: renderer, room: room.room, listener: room.listener, gain: room.gain))
                changes = true
            }
        }
        return changes
    }

    private static func isSame(_ wanted: RoomResponse, _ present: Present) -> Bool {
        wanted.room === present.room && wanted.listener == present.listener
    }
}
