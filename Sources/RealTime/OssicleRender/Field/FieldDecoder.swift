import OssicleCore
import OssicleDSP

/// What becomes of a sound field.
package enum FieldDecoding {
    case binaural(AmbisonicHRTFFilters)
    /// As `FieldSpeakers.gains` has them: an output's gains of all channels, output by output.
    case panned([Float])
}

/// A sound field to the outputs: a filter per channel and ear, or a gain per channel and loudspeaker. Audio thread, but for
/// `init`.
struct FieldDecoder: ~Copyable {
    /// nil where loudspeakers play.
    private let ears: UnsafeMutablePointer<CrossfadedBinaural<AmbisonicBinaural>>?
    /// Output by output.
    private let gains: SampleMemory
    private let channelCount, outputCount: Int
    /// Keeps the filters' memory.
    private let filters: AmbisonicHRTFFilters?

    /// - Parameters:
    ///   - decoding: for at least `channelCount` channels. - outputCount: at least 2 for ears, which are the first two.
    ///   - latency: frames by which ears hear it later than their filters need.
    init(_ decoding: FieldDecoding, channelCount: Int, outputCount: Int, latency: Int = 0) {
        (self.channelCount, self.outputCount) = (channelCount, outputCount)
        switch decoding {
        case .binaural(let filters):
            self.filters = filters
            let memory = UnsafeMutablePointer<CrossfadedBinaural<AmbisonicBinaural>>.allocate(capacity: 1)
            memory.initialize(to: CrossfadedBinaural(AmbisonicBinaural(filters.table, latency: latency)))
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
    var cell: BinauralCell<AmbisonicBinaural>? { ears?.pointee.cell }

    /// Frames of silence in that have silence out behind them.
    var history: Int { ears?.pointee.history ?? 0 }

    /// Of a field that has been silent for `history` frames: other ears are there at once.
    /// - Returns: whether nothing is left to do.
    func rests() -> Bool { ears?.pointee.rests() ?? true }

    func reset() { ears?.pointee.reset() }

    /// Overwrites the outputs. At most one quantum.
    func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int
    ) {
        if let ears {
            ears.pointee.process(channels, left: outputs[0], right: outputs[1], frames)
            for output in 2..<max(outputCount, 2) { Mixing.clear(outputs[output], frames) }
        } else {
            for output in 0..<outputCount { feed(channels, outputs[output], row: output * channelCount, frames) }
        }
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
