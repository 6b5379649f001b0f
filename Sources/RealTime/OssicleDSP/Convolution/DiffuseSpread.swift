import OssicleCore

/// One or two signals of a measured room as a sound field from all around: the sixteen channels of order 3.
///
/// In an isotropic field all channels (in N3D weights) are incoherent and equally strong, so each is the signal behind
/// two allpasses, 1.1 to 5.3 ms long and no two pairs alike, which keep energy and spectrum and delay nothing. Where
/// the wave is longer than these are, channels are coherent, and only the lowest ones are heard.
///
/// Of two signals the first comes from the left: their sum goes into the channels that are even in left and right,
/// their difference, behind the same allpasses, into the odd ones. Every channel has the mean energy of the signals.
/// Audio thread, but for `init`.
package struct DiffuseSpread: ~Copyable {
    private static var count: Int { SphericalHarmonics.greatestCount }
    /// Milliseconds: no two have a common multiple within a tail's reach.
    private static let lengths = [
        1.13, 1.37, 1.57, 1.79, 2.03, 2.27, 2.53, 2.77, 3.07, 3.31, 3.67, 3.89, 4.21, 4.57, 4.93, 5.27,
    ]
    /// Of each channel's second allpass, and the channel's sign: of 400 draws those with which patterns of order 3 have
    /// the most even level in all directions and octaves (1.4 dB rms).
    private static let seconds = [0, 12, 14, 7, 10, 8, 3, 9, 2, 15, 1, 4, 11, 13, 6, 5]
    private static let signs: [Float] = [1, -1, 1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, 1, -1, 1]
    /// An odd channel is so many times left as this even one.
    private static let evenCounterparts = [0, 0, 2, 3, 3, 2, 6, 7, 8, 8, 7, 6, 12, 13, 14, 15]

    /// Two for each channel.
    private let allpasses: UnsafeMutablePointer<Diffuser>
    private let scales: OwnedMemory<Float>
    private let inputCount: Int
    /// Of two inputs, their sum and their difference.
    private let mixed = ChannelMemory(count: 2)

    /// - Parameter inputCount: 1 or 2.
    package init(sampleRate: Double, inputCount: Int) {
        self.inputCount = inputCount
        allpasses = .allocate(capacity: 2 * Self.count)
        scales = OwnedMemory(count: Self.count, 0)
        let weights = SphericalHarmonics.weights(order: SphericalHarmonics.greatestOrder).squareRoot()
        for channel in 0..<Self.count {
            let place = inputCount == 2 ? Self.evenCounterparts[channel] : channel
            for (number, length) in [place, Self.seconds[place]].enumerated() {
                let frames = Int(Self.lengths[length] * sampleRate / 1000)
                (allpasses + 2 * channel + number).initialize(to: Diffuser(length: max(frames, 1)))
            }
            scales.pointer[channel] = Self.signs[place] / Float(weights[channel])
        }
    }

    deinit { allpasses.deinitialize(count: 2 * Self.count).deallocate() }

    package mutating func reset() { for number in 0..<2 * Self.count { allpasses[number].reset() } }

    /// - Parameter channels: of the field, in ACN order and SN3D weights (overwritten). At most one quantum.
    package mutating func process(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ n: Int
    ) {
        if inputCount == 2 { mix(inputs[0], inputs[1], n) }
        for channel in 0..<Self.count {
            let from = inputCount == 2 ? mixed[SphericalHarmonics.isOdd(channel) ? 1 : 0] : inputs[0]
            let (to, scale) = (channels[channel], scales.pointer[channel])
            for i in 0..<n { to[i] = from[i] * scale }
            allpasses[2 * channel].process(to, n)
            allpasses[2 * channel + 1].process(to, n)
        }
    }

    private func mix(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ n: Int) {
        let (sum, difference, half) = (mixed[0], mixed[1], Float(0.5).squareRoot())
        for i in 0..<n {
            sum[i] = (left[i] + right[i]) * half
            difference[i] = (left[i] - right[i]) * half
        }
    }
}
