import OssicleCore

/// A sound field for two ears, one filter per channel and ear: made on the control side from any HRTF, kept
/// alive there while renderers read `table`.
///
/// Virtual loudspeakers stand at the 26 points of `SphereGrid`, which represent a field of order 3 exactly;
/// what they all make of one channel is one filter. Two things repair what a low order lacks:
/// - Above order × 600 Hz, where the field no longer resolves the ears' delays, all directions have the delay of the
///   front (Zaunschirm, Schörkhuber and Höldrich 2018): without that, high frequencies would cancel each other.
/// - The power of a diffuse field is brought to that of the head itself at every frequency.
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
    /// Frames a direction is delayed by before its filter begins, as a `HRTFTable`'s delays are; see
    /// `AmbisonicHRTFDesign.lead`.
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

/// The making of the filters: spectra of the grid's directions, summed with the harmonics' weights, and back to taps.
private struct AmbisonicHRTFDesign {
    /// Frames kept free before the first sound of a filter, for what rings ahead of it; as much as a voice's delay line
    /// is late by.
    static let lead = Int(FractionalDelayLine.minimumDelay)
    /// Hz per order.
    private static let clearFrequency = 600.0
    /// The repair of the diffuse field's power goes no further than this factor.
    private static let greatestRepair = 4.0

    let delay: Int
    let tapCount: Int
    /// Per ear and channel.
    let filters: [[[Float]]]

    init(_ head: HRTFTable, sampleRate: Double, order: Int) {
        let grid = SphereGrid.lebedev26()
        let ears = [0, 1].map { ear in
            grid.map { DirectionResponse(head, ear, ear == 0 ? $0.direction : Self.mirrored($0.direction)) }
        }
        let delays = ears.joined().map(\.delay)
        let (least, most) = ((delays.min() ?? 0).rounded(.down), delays.max() ?? 0)
        delay = Int(least)
        tapCount = (Self.lead + Int(most - least) + head.tapCount + 2 * Self.lead + 15) / 16 * 16
        let transform = RealFourierTransform(count: 2 * tapCount)
        let knee = Double(max(order, 1)) * Self.clearFrequency / sampleRate * Double(transform.count)
        let front = Double(head.frontDelay) - least
        let fields = ears.enumerated().map { ear, responses in
            FieldSpectrum(
                responses.map {
                    $0.spectrum(transform, delay: $0.delay - least, front: front, lead: Self.lead, knee: knee)
                },
                grid.map {
                    ($0.weight, SphericalHarmonics.values(ear == 0 ? $0.direction : Self.mirrored($0.direction)))
                }, order: order)
        }
        let repair = (0..<transform.binCount).map { bin -> Float in
            let (wanted, present) = (
                fields[0].wanted[bin] + fields[1].wanted[bin], fields[0].present[bin] + fields[1].present[bin]
            )
            return present > 0 ? Float(min((wanted / present).squareRoot(), Self.greatestRepair)) : 1
        }
        let count = tapCount
        filters = fields.map { field in field.channels.map { $0.taps(transform, repair, count) } }
    }

    /// The right ear sees the grid in a mirror, so that a symmetric head gives the same numbers on both sides.
    private static func mirrored(_ direction: Vector) -> Vector { Vector(-direction.x, direction.y, direction.z) }
}

/// What one ear makes of one direction.
private struct DirectionResponse {
    private let taps: [Float]
    /// Frames, as the head counts them; no head is larger than a few hundred.
    let delay: Double

    init(_ head: HRTFTable, _ ear: Int, _ direction: Vector) {
        let memory = SampleMemory(count: 2 * head.tapCount)
        let delays = head.interpolate(
            SIMD3<Float>(direction), left: memory.pointer, right: memory.pointer + head.tapCount)
        taps = (0..<head.tapCount).map { memory[ear * head.tapCount + $0] }
        let delay = ear == 0 ? delays.left : delays.right
        self.delay = delay > 0 ? Double(min(delay, 4096)) : 0
    }

    /// Delayed by `lead` and `delay`; above bin `knee` the phase continues as that of the delay `front`.
    func spectrum(
        _ transform: borrowing RealFourierTransform, delay: Double, front: Double, lead: Int, knee: Double
    ) -> Spectrum {
        let spectrum = Spectrum(transform, taps)
        return spectrum.mapped { bin, real, imaginary in
            let (below, above) = (min(Double(bin), knee), max(Double(bin) - knee, 0))
            let frames = (Double(lead) + delay) * below + (Double(lead) + front) * above
            let turn = DeterministicMath.sincos(
                -2 * DeterministicMath.pi * frames / Double(2 * (spectrum.real.count - 1)))
            return (real * turn.cos - imaginary * turn.sin, real * turn.sin + imaginary * turn.cos)
        }
    }
}

/// Bins 0 Hz … half the sample rate.
private struct Spectrum {
    var real, imaginary: [Double]

    init(silent count: Int) {
        (real, imaginary) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
    }

    init(_ transform: borrowing RealFourierTransform, _ taps: [Float]) {
        let bins = transform.binCount
        let signal = SampleMemory(count: transform.count)
        let re = SampleMemory(count: bins)
        let im = SampleMemory(count: bins)
        for (index, tap) in taps.enumerated() { signal[index] = tap }
        transform.forward(signal.pointer, real: re.pointer, imaginary: im.pointer)
        (real, imaginary) = ((0..<bins).map { Double(re[$0]) }, (0..<bins).map { Double(im[$0]) })
    }

    func mapped(_ change: (Int, Double, Double) -> (Double, Double)) -> Spectrum {
        var result = self
        for bin in real.indices { (result.real[bin], result.imaginary[bin]) = change(bin, real[bin], imaginary[bin]) }
        return result
    }

    func power(_ bin: Int) -> Double { real[bin] * real[bin] + imaginary[bin] * imaginary[bin] }

    func taps(_ transform: borrowing RealFourierTransform, _ gains: [Float], _ count: Int) -> [Float] {
        let bins = transform.binCount
        let signal = SampleMemory(count: transform.count)
        let re = SampleMemory(count: bins)
        let im = SampleMemory(count: bins)
        for bin in 0..<bins { (re[bin], im[bin]) = (Float(real[bin]) * gains[bin], Float(imaginary[bin]) * gains[bin]) }
        transform.inverse(real: re.pointer, imaginary: im.pointer, signal: signal.pointer)
        return (0..<count).map { signal[$0] }
    }
}

/// One ear's filters as spectra, and their power in a diffuse field against that of the head.
private struct FieldSpectrum {
    private(set) var channels: [Spectrum]
    let wanted, present: [Double]

    init(_ responses: [Spectrum], _ points: [(weight: Double, harmonics: SIMD16<Double>)], order: Int) {
        let bins = responses[0].real.count
        let weights = SphericalHarmonics.weights(order: order)
        channels = (0..<SphericalHarmonics.count(order: order)).map { channel in
            var sum = Spectrum(silent: bins)
            for (response, point) in zip(responses, points) {
                let gain = point.weight * weights[channel] * point.harmonics[channel]
                if gain == 0 { continue }
                for bin in 0..<bins {
                    sum.real[bin] += response.real[bin] * gain
                    sum.imaginary[bin] += response.imaginary[bin] * gain
                }
            }
            return sum
        }
        wanted = (0..<bins).map { bin in zip(responses, points).reduce(0.0) { $0 + $1.1.weight * $1.0.power(bin) } }
        let heard = channels
        present = (0..<bins).map { bin in heard.indices.reduce(0.0) { $0 + heard[$1].power(bin) / weights[$1] } }
    }
}
