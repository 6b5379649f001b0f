import OssicleCore
import OssicleDSP

/// The reverb all strips of an environment share. Port: send (mono) → out.
///
///     send ─┬─▶ room ─┐
///           └─▶ room ─┴─▶ filter ─▶ level ─▶ out
///
/// Each preset is a room of its own, put in its place when parameters first name it. Another preset opens another room
/// to the sound, while the one before is fed until that has filled, and decays.
package struct EnvironmentReverbRenderer: ControlledRenderer, ~Copyable {
    /// A room and where it stands, 0 … `roomCount` − 1, always the same. The owner keeps its memory for as long
    /// as the renderer's.
    package struct Place: BitwiseCopyable, Equatable, @unchecked Sendable {
        package let index: Int
        package let room: UnsafeMutablePointer<EnvironmentRoom>

        package init(_ index: Int, _ room: UnsafeMutablePointer<EnvironmentRoom>) {
            (self.index, self.room) = (index, room)
        }
    }

    package struct Parameters: BitwiseCopyable, Equatable, Sendable {
        /// The room in use; nil is no reverb.
        package var room: Place?
        /// Amplitude.
        package var level: Float
        package var filter: EqualizerBand

        package init(room: Place? = nil, level: Float = 1, filter: EqualizerBand = EqualizerBand()) {
            (self.room, self.level, self.filter) = (room, level, filter)
        }
    }

    package var control: LatestValueCell<Parameters> { cell }
    private let cell = LatestValueCell(Parameters())
    private let sampleRate: Double
    private let outputCount: Int
    private let rooms: OwnedMemory<UnsafeMutablePointer<EnvironmentRoom>?>
    private let roomCount: Int
    private var parameters = Parameters()
    private var filter: FadingFilter
    private var level = GainRamp(0)
    private var hasReceived = false
    private let scratch: ChannelMemory

    package init(sampleRate: Double, outputCount: Int, roomCount: Int) {
        (self.sampleRate, self.outputCount, self.roomCount) = (sampleRate, outputCount, roomCount)
        rooms = OwnedMemory(count: roomCount, nil)
        filter = FadingFilter(.identity, channels: outputCount)
        scratch = ChannelMemory(count: outputCount)
    }

    deinit { cell.deallocate() }

    package mutating func reset() {
        for place in 0..<roomCount { rooms.pointer[place]?.pointee.reset() }
        filter.reset()
        hasReceived = false
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew() { take(new) }
        let frames = context.frames
        if context.isOnGrid, parameters.room == nil, level.isIdle { skipDecay() }
        var sounds = false
        for place in 0..<roomCount {
            guard let room = rooms.pointer[place],
                room.pointee.process(
                    ports.input(0), isSilent: ports.isInputSilent(0),
                    to: sounds ? scratch.channels : ports.outputs, offset: context.offset, frames)
            else { continue }
            if sounds {
                for channel in 0..<outputCount { Mixing.add(scratch[channel], into: ports.output(channel), frames) }
            }
            sounds = true
        }
        guard sounds else { return rest(ports, frames) }
        hasReceived = true
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
        hasReceived = false
        level = GainRamp(level.target)
    }

    private mutating func skipDecay() { for place in 0..<roomCount { rooms.pointer[place]?.pointee.skipDecay() } }

    private mutating func take(_ new: Parameters) {
        if new.room != parameters.room {
            leave(parameters.room, for: new.room)
            enter(new.room)
        }
        if new.filter != parameters.filter {
            filter.setTarget(new.filter.coefficients(sampleRate: sampleRate), atOnce: !hasReceived)
        }
        level.setTarget(new.room == nil ? 0 : new.level, frames: hasReceived ? GlidingMatrix.glide : 0)
        parameters = new
    }

    private func leave(_ place: Place?, for other: Place?) {
        guard let place, place.index >= 0, place.index < roomCount else { return }
        place.room.pointee.leave(for: hasReceived ? other?.room.pointee.buildUp ?? BuildUp(start: 0, end: 0) : nil)
    }

    private func enter(_ place: Place?) {
        guard let place, place.index >= 0, place.index < roomCount else { return }
        rooms.pointer[place.index] = place.room
        place.room.pointee.enter(frames: hasReceived ? Grid.quantum : 0)
    }
}

/// One room of an environment's reverb: fed or not, ringing or at rest.
///
/// It wakes with the first sound, and rests once it has fallen by 90 dB: then, on a grid line, so that the cut of
/// blocks leaves no trace.
package struct EnvironmentRoom: ~Copyable {
    /// No head's filters ring longer.
    private static let headFrames = 4096

    private var room: ReverbRoom
    private let field: FieldMix
    let buildUp: BuildUp
    private var feed = RoomFeed(isOpen: false)
    private var silence = SilenceCount()
    private var isClean = true
    private let ringing: Int
    private let mono = ChannelMemory(count: 1)

    package init(_ preset: ReverbPreset, sampleRate: Double, seed: UInt64, field: FieldDecoding, outputCount: Int) {
        ringing =
            Int(sampleRate * (1.5 * Double(preset.room.t60.lanes.max()) + preset.room.mixingTime)) + 2 * Grid.quantum
        buildUp = preset.parameters().buildUp(sampleRate: sampleRate)
        self.field = FieldMix(field, outputCount: outputCount)
        // Direct sound is as late.
        room = ReverbRoom(preset, sampleRate: sampleRate, latency: 0, seed: seed, ears: field.ears)
    }

    mutating func enter(frames: Int) { feed.open(frames: frames) }

    /// - Parameter other: how fast the room fills that sound goes into; nil shuts this one at once.
    mutating func leave(for other: BuildUp?) {
        if let other { feed.close(while: other) } else { feed.shut() }
    }

    /// Stops ringing, at the next grid line.
    mutating func skipDecay() { silence.skip(to: ringing) }

    /// Clears all memory now.
    mutating func reset() {
        room.reset()
        field.reset()
        if feed.isOpen { feed.open(frames: 0) } else { feed.shut() }
        silence = SilenceCount()
        isClean = true
    }

    /// Writes the outputs, if there is any sound.
    /// - Returns: whether there is.
    mutating func process(
        _ input: UnsafePointer<Float>, isSilent: Bool, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        offset: Int, _ frames: Int
    ) -> Bool {
        if offset == 0, !isClean, silence.frames >= ringing {
            room.reset()
            isClean = true
        }
        let wasOver = isClean && silence.frames >= ringing + Self.headFrames
        let isShut = feed.isShut
        feed.process(from: input, to: mono[0], frames)
        silence.listen(mono.channels, 1, isSilent: isSilent || isShut, frames)
        let hasInput = silence.frames < frames
        if wasOver && !hasInput { return false }
        if hasInput { isClean = false }
        room.reverberate(mono[0], addingTo: field.sums, frames)
        _ = field.play(to: outputs, offset: offset, frames)
        return true
    }
}
