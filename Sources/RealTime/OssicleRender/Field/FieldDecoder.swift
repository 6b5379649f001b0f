import OssicleCore
import OssicleDSP

/// What becomes of a sound field.
package enum FieldDecoding {
    case binaural(AmbisonicHRTFFilters)
    /// As `FieldSpeakers.gains` has them: an output's gains of all channels, output by output.
    case panned([Float])

    /// nil where loudspeakers play.
    package var ears: AmbisonicHRTFTable? {
        if case .binaural(let filters) = self { filters.table } else { nil }
    }
}

/// A sound field to the outputs: a filter per channel and ear, or a gain per channel and loudspeaker. Audio thread, but
/// for `init`.
struct FieldDecoder: ~Copyable {
    /// nil where loudspeakers play.
    private let ears: UnsafeMutablePointer<FieldEars>?
    /// Output by output.
    private let gains: SampleMemory
    private let channelCount, outputCount: Int
    /// Keeps the filters' memory.
    private let filters: AmbisonicHRTFFilters?

    /// - Parameters:
    ///   - decoding: for at least `channelCount` channels. - outputCount: at least 2 for ears, which are the first two.
    init(_ decoding: FieldDecoding, channelCount: Int, outputCount: Int) {
        (self.channelCount, self.outputCount) = (channelCount, outputCount)
        switch decoding {
        case .binaural(let filters):
            self.filters = filters
            let memory = UnsafeMutablePointer<FieldEars>.allocate(capacity: 1)
            memory.initialize(to: FieldEars(filters))
            ears = memory
            gains = SampleMemory(count: 1)
        case .panned(let values):
            filters = nil
            ears = nil
            gains = SampleMemory(count: outputCount * channelCount)
            for (index, value) in values.prefix(outputCount * channelCount).enumerated() { gains[index] = value }
        }
    }

    deinit {
        ears?.deinitialize(count: 1)
        ears?.deallocate()
    }

    /// nil where loudspeakers play.
    var cell: FieldFilterCell? { ears?.pointee.cell }

    func reset() { if let ears { ears.pointee.reset() } }

    /// Overwrites the outputs.
    /// - Parameters:
    ///   - channels: nil for silence. - offset: frames since the grid line; the block does not cross the next one.
    /// - Returns: whether there is any sound.
    func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>?,
        to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, _ frames: Int
    ) -> Bool {
        if let ears {
            return ears.pointee.process(channels, to: outputs, outputCount: outputCount, offset: offset, frames)
        }
        guard let channels else {
            for output in 0..<outputCount { Mixing.clear(outputs[output], frames) }
            return false
        }
        for output in 0..<outputCount { feed(channels, outputs[output], row: output * channelCount, frames) }
        return true
    }

    private func feed(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ output: UnsafeMutablePointer<Float>, row: Int,
        _ frames: Int
    ) {
        Mixing.clear(output, frames)
        for channel in 0..<channelCount where gains[row + channel] != 0 {
            let (input, gain) = (channels[channel], gains[row + channel])
            for i in 0..<frames { output[i] += input[i] * gain }
        }
    }
}

/// Carries other filters across the line. The control side keeps those it has written for as long as they may be used.
package typealias FieldFilterCell = LatestValueCell<AmbisonicHRTFTable?>

/// A sound field at two ears, through a mix of its own: meters and effects tell it from direct sound.
private struct FieldEars: ~Copyable {
    let cell = FieldFilterCell(nil)
    private var ears: AmbisonicEars
    private let mix: BinauralMix

    init(_ filters: AmbisonicHRTFFilters) {
        ears = AmbisonicEars(filters.table)
        mix = BinauralMix(tapCount: filters.head.tapCount)
    }

    deinit { cell.deallocate() }

    mutating func reset() {
        ears.reset()
        mix.reset()
    }

    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>?,
        to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, outputCount: Int, offset: Int, _ frames: Int
    ) -> Bool {
        if offset + frames == Grid.quantum, let new = cell.takeIfNew(), let new { ears.turn(to: new) }
        ears.process(channels, offset: offset, frames, addingTo: mix.sums)
        for output in 0..<outputCount { Mixing.clear(outputs[output], frames) }
        return mix.play(addingToLeft: outputs[0], right: outputs[1], offset: offset, frames)
    }
}
