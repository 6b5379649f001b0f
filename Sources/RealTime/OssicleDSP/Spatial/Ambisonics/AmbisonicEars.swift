import COssicle
import OssicleCore

/// A sound field for two ears: gathers a quantum of each channel, transforms two channels at a time, and adds the
/// products with the channels' filters to the sums of a `BinauralMix`.
///
///     even = Σ X·H over the channels that are alike on both sides,   odd = Σ X·H over the others;   left = even + odd
///
/// In a symmetric head the right ear is even − odd, and half the products are saved. Filters longer than one transform
/// takes are cut into parts; each part is multiplied with the spectrum of an earlier quantum (uniformly partitioned
/// overlap-save, Stockham 1966; Kulp 1988). All of it is `BinauralMix.latency` frames late. Audio thread, but for
/// `init`.
package struct AmbisonicEars: ~Copyable {
    /// Of a channel without a partner, and of what lies behind the last.
    private static let pair = 2

    private let transform: EarTransform
    private let channelCount: Int
    /// Spectra that are kept of each channel.
    private let slotCount: Int
    /// Quanta of silence in behind which all memory holds zeros.
    private let longestSilence: Int
    private var table: AmbisonicHRTFTable
    private var next: AmbisonicHRTFTable?
    /// Per channel a ring of the N frames of a transform, of which the last quantum is gathered.
    private let signals: SampleMemory
    /// Where in the rings the oldest frame is, a multiple of a quantum.
    private var begin = 0
    /// By slot and channel.
    private let spectra: SampleMemory
    /// Both parts of a transform.
    private let parts: SampleMemory
    /// The sums of products, then both ears' spectra through the present and through the next filters.
    private let products: SampleMemory
    private let terms: OwnedMemory<ossicle_product>
    /// Of the newest spectra.
    private var slot = 0
    private var silence: Int
    private var isUsed = false

    package init(_ table: AmbisonicHRTFTable) {
        self.table = table
        transform = table.transform
        channelCount = table.channelCount
        slotCount = table.longestPast + 1
        let size = table.transform.size
        let evenCount = (table.channelCount + 1) / Self.pair * Self.pair
        longestSilence = size / Grid.quantum + slotCount
        silence = longestSilence
        signals = SampleMemory(count: evenCount * size)
        spectra = SampleMemory(count: slotCount * evenCount * size)
        parts = SampleMemory(count: 2 * table.transform.partCount)
        products = SampleMemory(count: 6 * size)
        terms = OwnedMemory(
            count: slotCount * table.channelCount, ossicle_product(signal: spectra.pointer, filter: spectra.pointer))
    }

    /// Silence; filters stay.
    package mutating func reset() {
        signals.clear()
        spectra.clear()
        (silence, isUsed) = (longestSilence, false)
    }

    /// Filters of another HRTF, whose voices have as many taps: cross-faded to over the next quantum, or there at once
    /// while nothing sounds. As if they had always been in use from then on.
    package mutating func turn(to other: AmbisonicHRTFTable) {
        guard other.transform.size == transform.size, other.channelCount == channelCount else { return }
        if silence >= longestSilence { (table, next) = (other, nil) } else { next = other }
    }

    /// Takes a block of the field; with the last of a quantum, all of it is added to the sums.
    /// - Parameters:
    ///   - channels: nil for silence. - offset: frames since the grid line; the block does not cross the next one.
    package mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>?, offset: Int, _ frames: Int,
        addingTo sums: BinauralSums
    ) {
        gather(channels, offset, frames)
        guard offset + frames == Grid.quantum else { return }
        silence = isUsed ? 0 : min(silence + 1, longestSilence)
        isUsed = false
        guard silence < longestSilence, sums.size == transform.size else { return }
        slot = slot == 0 ? slotCount - 1 : slot - 1
        transformChannels()
        add(to: sums)
    }

    private mutating func gather(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>?, _ offset: Int, _ frames: Int
    ) {
        if channels == nil && silence >= longestSilence && !isUsed { return }
        let size = transform.size
        let gathered = (begin + size - Grid.quantum) & (size - 1)
        for channel in 0..<channelCount {
            let place = signals.pointer + channel * size + gathered + offset
            if let channels {
                place.update(from: channels[channel], count: frames)
            } else {
                place.update(repeating: 0, count: frames)
            }
        }
        if channels != nil { isUsed = true }
    }

    /// Two real signals at a time. The gathered quantum then belongs to the past.
    private mutating func transformChannels() {
        let size = transform.size
        let (real, imaginary) = (parts.pointer, parts.pointer + transform.partCount)
        for channel in stride(from: 0, to: channelCount, by: Self.pair) {
            let first = signals.pointer + channel * size
            transform.forward(left: first, right: first + size, begin: begin, real: real, imaginary: imaginary)
            ossicle_ears_apart(real, imaginary, size, 1, spectrum(slot, channel))
        }
        begin = (begin + Grid.quantum) & (size - 1)
    }

    private func spectrum(_ slot: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
        let evenCount = (channelCount + 1) / Self.pair * Self.pair
        return spectra.pointer + (slot * evenCount + channel) * transform.size
    }

    private mutating func add(to sums: BinauralSums) {
        let (now, later) = (products.pointer + 2 * transform.size, products.pointer + 4 * transform.size)
        filter(table, into: now)
        if let next {
            filter(next, into: later)
            sums.add(from: now, to: later)
            (table, self.next) = (next, nil)
        } else {
            sums.add(now)
        }
    }

    /// Both ears' spectra through a table's filters.
    private func filter(_ table: AmbisonicHRTFTable, into ears: UnsafeMutablePointer<Float>) {
        let size = transform.size
        let (left, right) = (ears, ears + size)
        guard table.isSymmetric else {
            multiply(table, ear: 0, into: left) { _ in true }
            multiply(table, ear: 1, into: right) { _ in true }
            return
        }
        let (even, odd) = (products.pointer, products.pointer + size)
        multiply(table, ear: 0, into: even) { !SphericalHarmonics.isOdd($0) }
        multiply(table, ear: 0, into: odd) { SphericalHarmonics.isOdd($0) }
        for k in 0..<size {
            left[k] = even[k] + odd[k]
            right[k] = even[k] - odd[k]
        }
    }

    /// The sum of all parts' products over some of the channels.
    @inline(__always)
    private func multiply(
        _ table: AmbisonicHRTFTable, ear: Int, into sum: UnsafeMutablePointer<Float>, _ isMeant: (Int) -> Bool
    ) {
        var count = 0
        for part in 0..<min(table.partCount, 1 + (slotCount - 1) / table.partQuanta) {
            let age = slot + part * table.partQuanta
            for channel in 0..<channelCount where isMeant(channel) {
                terms.pointer[count] = ossicle_product(
                    signal: spectrum(age < slotCount ? age : age - slotCount, channel),
                    filter: table.spectrum(part, ear, channel))
                count += 1
            }
        }
        ossicle_spectra_filter(terms.pointer, count, transform.size, sum)
    }
}
