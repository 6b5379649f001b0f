import OssicleCore

/// A sound field for two ears, one filter per channel and ear: made on the control side from any HRTF, kept
/// alive there while renderers read `table`.
///
/// A decoder of magnitude least squares with a diffuse-field covariance constraint, see `AmbisonicHRTFDesign`.
package final class AmbisonicHRTFFilters: Sendable {
    /// What renderers hold. The caller keeps this object for as long as they play.
    package let table: AmbisonicHRTFTable
    /// The head it was made from.
    package let head: HRTFTable

    package init(head: HRTFTable, sampleRate: Double, order: Int) {
        self.head = head
        table = AmbisonicHRTFTable(AmbisonicHRTFDesign(head, sampleRate: sampleRate, order: order))
    }

    deinit { table.deallocate() }
}

/// Filters of both ears for the channels of a sound field. Plain pointers, for the audio thread.
package struct AmbisonicHRTFTable: BitwiseCopyable, @unchecked Sendable {
    /// Frames by which a direction is later than the delay that a `HRTFTable` has for it.
    package static var lead: Int { AmbisonicHRTFDesign.lead }
    /// Frames before the filters begin.
    package let delay: Int
    /// A multiple of 16.
    package let tapCount: Int
    package let channelCount: Int
    /// The right ear's filters are the left ear's, odd channels with the other sign.
    package let isSymmetric: Bool
    private let taps: UnsafeMutablePointer<Float>

    fileprivate init(_ design: AmbisonicHRTFDesign) {
        (delay, tapCount, channelCount) = (design.delay, design.tapCount, design.filters[0].count)
        isSymmetric = zip(design.filters[0], design.filters[1]).enumerated().allSatisfy { index, pair in
            pair.0 == (SphericalHarmonics.isOdd(index) ? pair.1.map { -$0 } : pair.1)
        }
        taps = .allocate(capacity: 2 * channelCount * tapCount)
        taps.initialize(repeating: 0, count: 2 * channelCount * tapCount)
        for (ear, filters) in design.filters.enumerated() {
            for (channel, filter) in filters.enumerated() {
                self.filter(ear, channel).update(from: filter, count: tapCount)
            }
        }
    }

    fileprivate func deallocate() { taps.deallocate() }

    /// - Parameter ear: 0 left, 1 right.
    package func filter(_ ear: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
        taps + (ear * channelCount + channel) * tapCount
    }
}
