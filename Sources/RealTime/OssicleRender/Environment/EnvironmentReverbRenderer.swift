import OssicleCore
import OssicleDSP

/// The reverb all strips of an environment share. Port: send (mono) → out.
///
///     send ─┬─▶ room ─┐
///           └─▶ room ─┴─▶ filter ─▶ level ─▶ out
///
/// Each preset is a room of its own, put in its place when parameters first name it. Another preset opens another room to
/// the sound, while the one before rings out.
package struct EnvironmentReverbRenderer: ControlledRenderer, ~Copyable {
    /// A room and where it stands, 0 … `roomCount` − 1, always the same. Whoever made it keeps its memory for as long as the renderer's.
    package struct Place: BitwiseCopyable, Equatable, @unchecked Sendable {
        package let index: Int
        package let room: UnsafeMutablePointer<EnvironmentRoom>

        package init(_ index: Int, _ room: UnsafeMutablePointer<EnvironmentRoom>) { (self.index, self.room) = (index, room) }
    }

    package struct Parameters: BitwiseCopyable, Equatable, Sendable {
        /// The room that is to be heard; nil is no reverb.
        package var room: Place?
        /// Amplitude.
        package var level: Float
        package var filter: EnvironmentFilter

        package init(room: Place? = nil, level: Float = 1, filter: EnvironmentFilter = EnvironmentFilter()) {
            (self.room, self.level, self.filter) = (room, level, filter)
        }
    }

    package var control: LatestValueCell<Parameters> { cell }
    private let cell = LatestValueCell(Parameters())
    private let sampleRate: Double
    private let outputCount: Int
    private let rooms: UnsafeMutablePointer<UnsafeMutablePointer<EnvironmentRoom>?>
    private let roomCount: Int
    private var parameters = Parameters()
    private var filter: FadingFilter
    private var level = GainRamp(0)
    private var hasHeard = false
    private let memory: SampleMemory
    private let scratch: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    package init(sampleRate: Double, outputCount: Int, roomCount: Int) {
        (self.sampleRate, self.outputCount, self.roomCount) = (sampleRate, outputCount, roomCount)
        rooms = .allocate(capacity: max(roomCount, 1))
        rooms.initialize(repeating: nil, count: max(roomCount, 1))
        filter = FadingFilter(.identity, channels: outputCount)
        memory = SampleMemory(count: outputCount * Grid.quantum)
        scratch = .allocate(capacity: max(outputCount, 1))
        for channel in 0..<outputCount { (scratch + channel).initialize(to: memory.pointer + channel * Grid.quantum) }
    }

    deinit {
        cell.deallocate()
        rooms.deallocate()
        scratch.deallocate()
    }

    package mutating func reset() {
        for place in 0..<roomCount { rooms[place]?.pointee.reset(UnsafePointer(scratch)) }
        filter.reset()
        hasHeard = false
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew() { take(new) }
        let frames = context.frames
        let isLine = context.position & Int64(Grid.quantum - 1) == 0
        if isLine, parameters.room == nil, level.isIdle { hush() }
        var sounds = false
        for place in 0..<roomCount {
            guard let room = rooms[place], room.pointee.process(ports.input(0), isSilent: ports.isInputSilent(0),
                                                               to: sounds ? UnsafePointer(scratch) : ports.outputs, frames, isLine: isLine) else { continue }
            if sounds {
                for channel in 0..<outputCount { Mixing.add(scratch[channel], into: ports.output(channel), frames) }
            }
            sounds = true
        }
        guard sounds else { return rest(ports, frames) }
        hasHeard = true
        filter.process(ports.outputs, frames)
        let before = level
        for channel in 0..<outputCount {
            level = before
            level.process(ports.output(channel), frames)
        }
        if level.isIdle && level.target == 0 { ports.markSilent(0) }
    }

    private mutating func rest(_ ports: Ports, _ frames: Int) {
        ports.silenceOutputs(frames)
        filter.reset()
        hasHeard = false
        level = GainRamp(level.target)
    }

    private mutating func hush() { for place in 0..<roomCount { rooms[place]?.pointee.hush() } }

    private mutating func take(_ new: Parameters) {
        if new.room != parameters.room {
            setFeed(parameters.room, 0)
            setFeed(new.room, 1)
        }
        if new.filter != parameters.filter {
            filter.setTarget(new.filter.coefficients(sampleRate: sampleRate), atOnce: !hasHeard)
        }
        level.setTarget(new.room == nil ? 0 : new.level, frames: hasHeard ? GlidingMatrix.glide : 0)
        parameters = new
    }

    private func setFeed(_ place: Place?, _ gain: Float) {
        guard let place, place.index >= 0, place.index < roomCount else { return }
        rooms[place.index] = place.room
        place.room.pointee.setFeed(gain, frames: hasHeard ? Grid.quantum : 0)
    }
}
