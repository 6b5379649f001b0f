import OssicleCore
import OssicleDSP

/// An ambient bed that is a sound field: rotated against the head, then decoded to ears or loudspeakers. Port: bed →
/// out.
///
///     bed ──▶ turned ─┬─▶ a filter per channel and ear ──▶ gain ──▶ left, right
///                     └─▶ a gain per channel and loudspeaker ──▶ gain ──▶ loudspeakers
package struct AmbisonicRenderer: ControlledRenderer, ~Copyable {
    package struct Control: BitwiseCopyable {
        package let cell: LatestValueCell<AmbientRenderer.Parameters>
        /// nil where loudspeakers play.
        package let ears: FieldFilterCell?
    }

    package var control: Control { Control(cell: cell, ears: decoder.cell) }
    private let cell = LatestValueCell(AmbientRenderer.Parameters.silent)
    private var field: RotatingField
    private let decoder: FieldDecoder
    private let outputCount: Int
    private let channels: ChannelMemory
    private var gain = GainRamp(0)
    private var isFresh = true

    /// - Parameters:
    ///   - decoding: for at least the format's channels. - outputCount: 2 for ears.
    package init(format: SoundFieldFormat, decoding: FieldDecoding, outputCount: Int) {
        field = RotatingField(format)
        self.outputCount = outputCount
        channels = ChannelMemory(count: format.count)
        decoder = FieldDecoder(decoding, channelCount: format.count, outputCount: outputCount)
    }

    deinit { cell.deallocate() }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew() { take(new) }
        field.process(ports.inputs, to: channels.channels, context.frames)
        let sounds = decoder.process(
            channels.channels, to: ports.outputs, offset: context.offset, context.frames)
        if !sounds { ports.markSilent(0) }
        let before = gain
        for output in 0..<outputCount {
            gain = before
            gain.process(ports.output(output), context.frames)
        }
    }

    private mutating func take(_ new: AmbientRenderer.Parameters) {
        if isFresh || new.gain != gain.target { gain.setTarget(new.gain, frames: isFresh ? 0 : new.rampFrames) }
        isFresh = false
        field.turn(right: new.right, up: new.up, back: new.back, frames: new.rampFrames)
    }
}
