import OssicleCore
import OssicleDSP

/// A sound field for two ears: one filter per channel and ear.
///
///     even = Σ h ∗ c over the channels that are alike on both sides,   odd = Σ h ∗ c over the others;   left = even + odd
///
/// In a symmetric head the right ear is even − odd, and half the work is saved. Audio thread, but for `init`.
package struct AmbisonicBinaural: FieldBinaural, ~Copyable {
    private let table: AmbisonicHRTFTable
    /// Frames that a channel is kept for.
    let history: Int
    /// Per channel its history, then the block.
    private let signals: SampleMemory
    private let sums = SampleMemory(count: 3 * Grid.quantum)

    /// - Parameter latency: frames by which all is later than the filters need.
    package init(_ table: AmbisonicHRTFTable, latency: Int = 0) {
        self.table = table
        history = table.tapCount - 1 + table.delay + latency
        signals = SampleMemory(count: table.channelCount * (history + Grid.quantum + HRTFConvolution.group))
    }

    private func signal(_ channel: Int) -> UnsafeMutablePointer<Float> {
        signals.pointer + channel * (history + Grid.quantum + HRTFConvolution.group)
    }

    func reset() { signals.clear() }

    func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        for channel in 0..<table.channelCount {
            (signal(channel) + history).update(from: channels[channel] + offset, count: frames)
        }
        let (even, odd) = (sums.pointer, sums.pointer + Grid.quantum)
        convolve(ear: 0, even, odd, frames)
        for i in 0..<frames { left[i] = even[i] + odd[i] }
        if table.isSymmetric {
            for i in 0..<frames { right[i] = even[i] - odd[i] }
        } else {
            convolve(ear: 1, even, odd, frames)
            for i in 0..<frames { right[i] = even[i] + odd[i] }
        }
        for channel in 0..<table.channelCount { signal(channel).update(from: signal(channel) + frames, count: history) }
    }

    private func convolve(
        ear: Int, _ even: UnsafeMutablePointer<Float>, _ odd: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        let term = sums.pointer + 2 * Grid.quantum
        Mixing.clear(even, frames)
        Mixing.clear(odd, frames)
        for channel in 0..<table.channelCount {
            HRTFConvolution.run(signal(channel), table.filter(ear, channel), table.tapCount, into: term, frames)
            Mixing.add(term, into: SphericalHarmonics.isOdd(channel) ? odd : even, frames)
        }
    }
}
