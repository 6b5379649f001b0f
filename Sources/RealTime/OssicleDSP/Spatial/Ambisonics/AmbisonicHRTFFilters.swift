import OssicleCore

/// A sound field for two ears, one filter per channel and ear: made on the control side from any HRTF, which it keeps,
/// and kept alive there while renderers read `table`.
///
/// A decoder of magnitude least squares with a diffuse-field covariance constraint, see `AmbisonicHRTFDesign`.
package final class AmbisonicHRTFFilters: Sendable {
    /// What renderers hold. The caller keeps this object for as long as they play.
    package let table: AmbisonicHRTFTable
    /// The head it was made from, at its sample rate.
    package let head: HRTFFilters

    /// - Parameter order: 0…7.
    package init(head: HRTFFilters, order: Int) {
        self.head = head
        table = AmbisonicHRTFTable(AmbisonicHRTFDesign(head, order: order), head)
    }

    deinit { table.deallocate() }
}

/// Filters of both ears for the channels of a sound field. Plain pointers, for the audio thread.
package struct AmbisonicHRTFTable: BitwiseCopyable, @unchecked Sendable {
    /// Frames by which a direction is later than the delay that a `HRTFTable` has for it, less that head's
    /// `leastDelay`.
    package static var lead: Int { AmbisonicHRTFDesign.lead }
    /// Frames by which sound from nearby is later in the bus than through the head's own filters, as far as the delay
    /// that all of its directions have does not make up for it.
    package static func lead(beyond head: HRTFTable) -> Double { Double(max(lead - head.leastDelay, 0)) }
    /// Frames that the filters leave out before they begin: the head's `leastDelay`.
    package let delay: Int
    /// A multiple of 16.
    package let tapCount: Int
    package let channelCount: Int
    /// The right ear's filters are the left ear's, odd channels with the other sign.
    package let isSymmetric: Bool
    /// Of voices with this HRTF, to whose sums the field is added.
    let transform: EarTransform
    /// Parts that one transform takes of the filters, and quanta in each.
    let partCount, partQuanta: Int
    /// Quanta of the field's past that filters of any head with as many taps need.
    let longestPast: Int
    private let taps: UnsafeMutablePointer<Float>
    /// By part and channel the left, then the right ear's.
    private let spectra: UnsafeMutablePointer<Float>

    /// Seconds; no HRTF delays an ear by more (`HRTFSet`).
    private static let longestDelay = 0.002

    fileprivate init(_ design: AmbisonicHRTFDesign, _ head: HRTFFilters) {
        (delay, tapCount, channelCount) = (design.delay, design.tapCount, design.filters[0].count)
        isSymmetric = zip(design.filters[0], design.filters[1]).enumerated().allSatisfy { index, pair in
            pair.0 == (SphericalHarmonics.isOdd(index) ? pair.1.map { -$0 } : pair.1)
        }
        transform = EarTransform(tapCount: head.tapCount)
        partQuanta = transform.size / Grid.quantum - 1
        let part = partQuanta * Grid.quantum
        partCount = (tapCount + part - 1) / part
        let longest = max(
            tapCount, AmbisonicHRTFDesign.tapCount(head.table, delays: Int(Self.longestDelay * head.sampleRate) + 1))
        longestPast = ((longest + part - 1) / part - 1) * partQuanta
        taps = .allocate(capacity: 2 * channelCount * tapCount)
        taps.initialize(repeating: 0, count: 2 * channelCount * tapCount)
        spectra = .allocate(capacity: partCount * channelCount * transform.spectraCount)
        spectra.initialize(repeating: 0, count: partCount * channelCount * transform.spectraCount)
        for (ear, filters) in design.filters.enumerated() {
            for (channel, filter) in filters.enumerated() {
                self.filter(ear, channel).update(from: filter, count: tapCount)
            }
        }
        transformFilters()
    }

    private func transformFilters() {
        let scratch = SampleMemory(count: 2 * transform.partCount)
        let part = partQuanta * Grid.quantum
        for index in 0..<partCount {
            for channel in 0..<channelCount {
                transform.filter(
                    left: filter(0, channel) + index * part, right: filter(1, channel) + index * part,
                    tapCount: min(part, tapCount - index * part), into: spectrum(index, 0, channel),
                    scratch: scratch.pointer)
            }
        }
    }

    fileprivate func deallocate() {
        taps.deallocate()
        spectra.deallocate()
    }

    /// - Parameter ear: 0 left, 1 right.
    package func filter(_ ear: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
        taps + (ear * channelCount + channel) * tapCount
    }

    func spectrum(_ part: Int, _ ear: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
        spectra + (2 * (part * channelCount + channel) + ear) * transform.size
    }
}
