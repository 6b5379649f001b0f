import OssicleCore
import OssicleDSP

/// Plays a sample source at any rate, with a gain. Port: → out.
///
///     source ──▶ rate (exact copy at unity, windowed sinc otherwise) ──▶ edge ──▶ gain ──▶ outputs
///
/// `VoiceControl` says when. One output with a source of several channels carries their mean.
package struct PlayerRenderer: ControlledRenderer, ~Copyable {
    /// Newest-value parameters. The first ones are taken at once, later ones over `rampFrames`.
    package struct Parameters: BitwiseCopyable {
        package var gain: Float
        /// Source frames per engine frame, in 2⁻³² of a frame.
        package var step: UInt64
        /// The filter for that step.
        package var table: UnsafePointer<SincTable>
        package var rampFrames: Int

        package init(gain: Float, step: UInt64, table: UnsafePointer<SincTable>, rampFrames: Int) {
            (self.gain, self.step, self.table, self.rampFrames) = (gain, step, table, rampFrames)
        }
    }

    /// What the render side publishes about a player; read by any thread.
    package struct Status: ~Copyable {
        /// Engine time at which the last frame of a one-shot had been played; −1 until then.
        package let finishedAt = PublishedPosition()
        /// Engine time at which that will be if nothing changes; `Int64.max` for what loops or stands still, −1 before
        /// anything was rendered.
        package let endsAt = PublishedPosition()
        /// Source frame that comes next.
        package let position = PublishedPosition()
        /// Engine time at which `position` is played; of a stream, before it pulls frames and after a block.
        package let playedAt = PublishedPosition()
        /// Frames that a stream could not deliver in time.
        package let starvedFrames = PublishedPosition()

        init() {
            finishedAt.store(-1)
            endsAt.store(-1)
        }
    }

    package struct Control: BitwiseCopyable {
        package let cell: LatestValueCell<Parameters>
        package let status: UnsafeMutablePointer<Status>
    }

    package static var unityStep: UInt64 { 1 << 32 }

    package var control: Control { Control(cell: cell, status: status) }
    private let cell: LatestValueCell<Parameters>
    private let status: UnsafeMutablePointer<Status>
    private var voice = VoiceControl()
    private var levels: VoiceLevels
    private var reader: VoiceReader
    /// Takes over when what sounds now has faded out.
    private var nextSource: SampleSource?

    /// - Parameters:
    ///   - outputCount: the source's channel count, or 1.
    package init(source: SampleSource, outputCount: Int, parameters: Parameters) {
        reader = VoiceReader(source, outputCount: outputCount)
        levels = VoiceLevels(parameters)
        cell = LatestValueCell(parameters)
        status = .allocate(capacity: 1)
        status.initialize(to: Status())
    }

    deinit {
        cell.deallocate()
        status.deinitialize(count: 1).deallocate()
    }

    // MARK: Commands

    mutating func carryOut(_ command: VoiceCommand, at position: Int64) {
        switch command {
        case .replace(let source): nextSource = source
        case .start(let place, let at): voice.carryOut(.start(from: reader.source.place(place), at: at), at: position)
        case .seek(let place, let at):
            // A one-shot whose filter decays has finished.
            guard status.pointee.finishedAt.load() < 0 else { return }
            voice.carryOut(.seek(to: reader.source.place(place), at: at), at: position)
        case .wait, .pause, .resume, .stop, .sleep, .wake, .wakeAt: voice.carryOut(command, at: position)
        }
        moveIfSilent()
    }

    private mutating func moveIfSilent() {
        guard let place = voice.takeJump() else { return }
        if let source = nextSource { reader.source = source }
        nextSource = nil
        reader.move(to: place)
    }

    // MARK: Rendering

    /// Asks for where the next block looks for new parameters to be brought near the processor.
    @inline(__always)
    func prefetch() { cell.place.prefetch(64) }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew() { levels.take(new) }
        var done = 0
        while done < context.frames {
            let (stretch, frames) = voice.stretch(at: context.position + Int64(done), atMost: context.frames - done)
            switch stretch {
            case .sounding: play(ports, done, frames)
            case .still, .unheard:
                for channel in 0..<ports.outputCount { Mixing.clear(ports.output(channel) + done, frames) }
            }
            pass(stretch, context.position + Int64(done), frames)
            done += frames
        }
        report(context.position + Int64(context.frames))
    }

    private mutating func play(_ ports: Ports, _ offset: Int, _ frames: Int) {
        let parameters = levels.parameters
        reader.read(to: ports, offset, frames, step: parameters.step, table: parameters.table)
        levels.apply(&voice.edge, to: ports, offset, frames)
    }

    private mutating func pass(_ stretch: VoiceControl.Stretch, _ position: Int64, _ frames: Int) {
        if case .still = stretch { return }
        reportEnd(position, frames)
        reader.advance(frames, step: levels.parameters.step)
        if reader.isBehindEnd && voice.jump == nil { return voice.finish() }
        voice.pass(stretch)
        moveIfSilent()
    }

    /// A one-shot ends with the output frame that passes its last source frame, unless it is about to go elsewhere.
    private func reportEnd(_ position: Int64, _ frames: Int) {
        guard voice.jump == nil, status.pointee.finishedAt.load() < 0,
            let left = reader.framesLeft(from: reader.frame, reader.fraction, step: levels.parameters.step),
            left <= Int64(frames)
        else { return }
        status.pointee.finishedAt.store(position + left)
    }

    private func report(_ position: Int64) {
        status.pointee.position.store(reader.frame)
        if reader.starvedFrames > 0 { status.pointee.starvedFrames.store(reader.starvedFrames) }
        let step = levels.parameters.step
        let (place, fraction) = (voice.jump ?? reader.frame, voice.jump == nil ? reader.fraction : 0)
        guard let from = voice.movesFrom(position), let left = reader.framesLeft(from: place, fraction, step: step),
            from < Int64.max - left
        else {
            return status.pointee.endsAt.store(.max)
        }
        status.pointee.endsAt.store(from + left)
    }
}

extension SampleSource {
    /// Where a start or a seek to `frame` leads: within the loop, or behind the last audible frame of a one-shot.
    fileprivate func place(_ frame: Int64) -> Int64 {
        if loops { return max(frame, 0) % frameCount }
        return frame < frameCount ? max(frame, 0) : frameCount + Int64(SincTable.longestReach)
    }
}
