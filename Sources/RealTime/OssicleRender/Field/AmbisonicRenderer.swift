import OssicleCore
import OssicleDSP

/// An ambient bed that is a sound field: rotated against the head, then decoded to ears or loudspeakers. Port: bed →
/// out.
///
///     bed ──▶ turned ─┬─▶ a filter per channel and ear ──▶ gain ──▶ left, right
///                     └─▶ a gain per channel and loudspeaker ──▶ gain ──▶ loudspeakers
package struct AmbisonicRenderer: ControlledRenderer, ~Copyable {
    /// What becomes of the field.
    package enum Decoder {
        case binaural(AmbisonicHRTFFilters)
        /// As `FieldSpeakers.gains` has them: an output's gains of all channels, output by output.
        case panned([Float])
    }

    package struct Control: BitwiseCopyable {
        package let cell: LatestValueCell<AmbientRenderer.Parameters>
        /// nil where loudspeakers play.
        package let ears: BinauralCell<AmbisonicBinaural>?
    }

    package var control: Control { Control(cell: cell, ears: ears?.pointee.cell) }
    private let cell = LatestValueCell(AmbientRenderer.Parameters.silent)
    private var field: RotatingField
    /// nil where loudspeakers play.
    private let ears: UnsafeMutablePointer<CrossfadedBinaural<AmbisonicBinaural>>?
    /// Output by output.
    private let gains: SampleMemory
    private let outputCount: Int
    private let channels: ChannelMemory
    private var gain = GainRamp(0)
    private var isFresh = true
    /// Keeps the filters' memory.
    private let filters: AmbisonicHRTFFilters?

    /// - Parameters:
    ///   - decoder: for at least the format's channels. - outputCount: 2 for ears.
    package init(format: SoundFieldFormat, decoder: Decoder, outputCount: Int) {
        field = RotatingField(format)
        self.outputCount = outputCount
        let count = format.count
        channels = ChannelMemory(count: count)
        switch decoder {
        case .binaural(let filters):
            self.filters = filters
            let memory = UnsafeMutablePointer<CrossfadedBinaural<AmbisonicBinaural>>.allocate(capacity: 1)
            memory.initialize(to: CrossfadedBinaural(AmbisonicBinaural(filters.table)))
            ears = memory
            gains = SampleMemory(count: 1)
        case .panned(let values):
            filters = nil
            ears = nil
            gains = SampleMemory(count: outputCount * count)
            for (index, value) in values.prefix(outputCount * count).enumerated() { gains[index] = value }
        }
    }

    deinit {
        ears?.deinitialize(count: 1)
        ears?.deallocate()
        cell.deallocate()
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew() { take(new) }
        field.process(ports.inputs, to: channels.channels, context.frames)
        if let ears {
            ears.pointee.process(channels.channels, left: ports.output(0), right: ports.output(1), context.frames)
        } else {
            for output in 0..<outputCount { feed(ports.output(output), row: output * field.count, context.frames) }
        }
        let before = gain
        for output in 0..<outputCount {
            gain = before
            gain.process(ports.output(output), context.frames)
        }
    }

    private func feed(_ output: UnsafeMutablePointer<Float>, row: Int, _ frames: Int) {
        Mixing.clear(output, frames)
        for channel in 0..<field.count where gains[row + channel] != 0 {
            let (input, gain) = (channels[channel], gains[row + channel])
            for i in 0..<frames { output[i] += input[i] * gain }
        }
    }

    private mutating func take(_ new: AmbientRenderer.Parameters) {
        if isFresh || new.gain != gain.target { gain.setTarget(new.gain, frames: isFresh ? 0 : new.rampFrames) }
        isFresh = false
        field.turn(right: new.right, up: new.up, back: new.back, frames: new.rampFrames)
    }
}
