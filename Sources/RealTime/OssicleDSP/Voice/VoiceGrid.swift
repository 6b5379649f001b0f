/// The grid of voice processing: work is done once per hop of 4 ms, however calls are cut.
package struct VoiceGrid: BitwiseCopyable, Sendable {
    /// Rates in Hz that voice processing takes.
    package static let sampleRates = 8_000.0...48_000.0

    package let sampleRate: Double
    /// Frames from one grid line to the next.
    package let hop: Int
    /// Length of the adaptive filter's transforms, at least two hops.
    package let filterCount: Int
    /// Frames under the suppressor's window: four hops, of which the last two are synthesised.
    package let windowCount: Int
    /// Length of the suppressor's transforms.
    package let spectrumCount: Int

    /// - Parameter sampleRate: held within `sampleRates`; NaN is 16 000.
    package init(sampleRate: Double) {
        let range = VoiceGrid.sampleRates
        let held = sampleRate.isNaN ? 16_000 : min(max(sampleRate, range.lowerBound), range.upperBound)
        self.sampleRate = held
        hop = Int((held / 250).rounded())
        filterCount = VoiceGrid.powerOfTwo(atLeast: 2 * hop)
        windowCount = 4 * hop
        spectrumCount = VoiceGrid.powerOfTwo(atLeast: windowCount)
    }

    /// Hops in a time of so many seconds, rounded up.
    package func hops(_ seconds: Double) -> Int { Int((seconds * sampleRate / Double(hop)).rounded(.up)) }

    private static func powerOfTwo(atLeast count: Int) -> Int {
        var size = 2
        while size < count { size *= 2 }
        return size
    }
}
