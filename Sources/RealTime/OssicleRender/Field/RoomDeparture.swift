import OssicleCore
import OssicleDSP

/// What goes into a room, until sound leaves it for another one: then less and less, while the other fills
/// (`RoomFeed`).
///
/// The control side writes how fast the other fills, once; the room's input stays connected. Audio thread, but for
/// `init`.
struct RoomDeparture: ~Copyable {
    /// Belongs to the room.
    let cell = LatestValueCell(BuildUp(start: 0, end: 0))
    private var feed = RoomFeed(isOpen: true)
    private let fed = SampleMemory(count: Grid.quantum)

    deinit { cell.deallocate() }

    /// A block of the room's input as the room gets it; valid until the next.
    mutating func input(_ input: UnsafePointer<Float>, _ context: RenderContext) -> UnsafePointer<Float> {
        if context.isControlPoint, let other = cell.takeIfNew() { feed.close(while: other) }
        if feed.isOpen { return input }
        feed.process(from: input, to: fed.pointer, context.frames)
        return UnsafePointer(fed.pointer)
    }
}
