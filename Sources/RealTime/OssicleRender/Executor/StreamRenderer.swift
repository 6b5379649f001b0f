import OssicleCore
import OssicleDSP

/// Plays frames that something else makes as they are asked for, at any rate, with a gain. Port: → out.
///
///     feed ──▶ the last frames ──▶ rate (exact copy at unity, windowed sinc otherwise) ──▶ edge ──▶ gain ──▶ outputs
///
/// The feed's first frame comes out with the frame the stream starts at. The feed is asked for no more frames than the
/// outputs need: for none while the stream waits, stands still or sleeps.
package struct StreamRenderer: ControlledRenderer, ~Copyable {
    package var control: PlayerRenderer.Control { PlayerRenderer.Control(cell: cell, status: status) }
    private let cell: LatestValueCell<PlayerRenderer.Parameters>
    private let status: UnsafeMutablePointer<PlayerRenderer.Status>
    private let feed: RendererReference
    private let owner: AnyObject
    private let history: StreamWindow
    private let marks: StreamWindow.View
    private let frames: SampleSource
    /// Where the feed writes: a pointer per channel, moved along before it is asked.
    private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let flag: UnsafeMutablePointer<Bool>
    private let flags: UnsafeMutablePointer<UnsafeMutablePointer<Bool>>
    private var voice = VoiceControl()
    private var levels: VoiceLevels
    private var reader: VoiceReader

    /// - Parameters:
    ///   - feed: makes the frames: no inputs, `channelCount` outputs, rendered on a clock of the stream's own that
    ///     begins at 0, counts frames at
    ///     the stream's rate, and stands still while the stream does. - owner: keeps it alive.
    ///   - outputCount: `channelCount`, or 1 for the mean of the channels.
    package init(
        feed: RendererReference, owner: AnyObject, channelCount: Int, outputCount: Int,
        parameters: PlayerRenderer.Parameters
    ) {
        (self.feed, self.owner) = (feed, owner)
        history = StreamWindow(channelCount: channelCount, capacity: Self.historyFrames, start: 0)
        marks = history.view
        frames = history.source(frameCount: .max, loops: false)
        outputs = .allocate(capacity: max(channelCount, 1))
        for channel in 0..<channelCount {
            (outputs + channel).initialize(to: UnsafeMutablePointer(mutating: frames.channels[channel]))
        }
        (flag, flags) = (.allocate(capacity: 1), .allocate(capacity: 1))
        flag.initialize(to: false)
        flags.initialize(to: flag)
        reader = VoiceReader(frames, outputCount: outputCount)
        levels = VoiceLevels(parameters)
        cell = LatestValueCell(parameters)
        status = .allocate(capacity: 1)
        status.initialize(to: PlayerRenderer.Status())
    }

    deinit {
        cell.deallocate()
        status.deinitialize(count: 1).deallocate()
        outputs.deallocate()
        flags.deallocate()
        flag.deallocate()
    }

    /// A stream has no place to go to: it continues where it is.
    mutating func carryOut(_ command: VoiceCommand, at position: Int64) {
        switch command {
        case .seek, .replace: return
        case .wakeAt: voice.carryOut(.wake, at: position)
        case .start, .wait, .pause, .resume, .stop, .sleep, .wake: voice.carryOut(command, at: position)
        }
        _ = voice.takeJump()
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew() { levels.take(new) }
        var done = 0
        while done < context.frames {
            let (stretch, frames) = voice.stretch(at: context.position + Int64(done), atMost: context.frames - done)
            status.pointee.position.store(reader.frame)
            status.pointee.playedAt.store(context.position + Int64(done))
            render(stretch, ports, done, frames)
            voice.pass(stretch)
            done += frames
        }
        status.pointee.position.store(reader.frame)
        status.pointee.playedAt.store(context.position + Int64(done))
        status.pointee.endsAt.store(.max)
    }

    private mutating func render(_ stretch: VoiceControl.Stretch, _ ports: Ports, _ offset: Int, _ frames: Int) {
        let (step, table) = (levels.parameters.step, levels.parameters.table)
        if case .still = stretch {} else { pull(until: reader.end(ofNext: frames, step: step, table: table)) }
        if case .sounding = stretch {
            reader.read(to: ports, offset, frames, step: step, table: table)
            levels.apply(&voice.edge, to: ports, offset, frames)
        } else {
            for channel in 0..<ports.outputCount { Mixing.clear(ports.output(channel) + offset, frames) }
        }
        if case .still = stretch {} else { reader.advance(frames, step: step) }
    }

    /// Pulls the frames up to `end` that the feed has not made yet, block by block on the grid of the stream's
    /// own clock.
    private mutating func pull(until end: Int64) {
        var next = marks.written.pointee.load()
        while next < end {
            let block = Int(min(end - next, Int64(Grid.framesToNextLine(from: next))))
            for channel in 0..<frames.channelCount {
                outputs[channel] = UnsafeMutablePointer(mutating: frames.channels[channel]) + (Int(next) & marks.mask)
            }
            let ports = Ports(
                inputs: UnsafePointer(outputs), inputCount: 0, outputs: UnsafePointer(outputs),
                outputCount: frames.channelCount,
                inputFlags: UnsafePointer(flags), outputFlags: UnsafePointer(flags), outputPortCount: 1)
            ports.assumeSounding()
            feed.render(
                ports,
                RenderContext(
                    position: next, frames: block, isControlPoint: next & Int64(Grid.quantum - 1) == 0,
                    framesLeftInCall: Int(end - next)))
            next += Int64(block)
            marks.first.pointee.store(max(0, next - Int64(marks.mask + 1)))
            marks.written.pointee.store(next)
        }
    }

    /// A power of two above what one quantum needs at the fastest rate, filter and all.
    private static var historyFrames: Int { 2048 }
}
