import OssicleCore

/// From decay times of octave bands, as they are measured and tabulated, to those at the bands' centre frequencies.
///
/// Where reverberation falls quickly from band to band, the lower edge of a band rings longest and rules its late
/// decay: the band measures longer than its centre. Here the T30 (ISO 3382-1: −5 to −35 dB) of a band is predicted from
/// five frequencies in it, decay times between centres taken on straight lines over the logarithms of both, and the
/// centres are moved until the predictions are what was asked.
enum BandDecay {
    typealias Lanes = SIMD16<Float>
    private static var offsets: SIMD8<Float> { SIMD8(-0.4, -0.2, 0, 0.2, 0.4, 0, 0, 0) }
    /// Share of a band's width, in Hz, that each of the five stands for.
    private static var widths: SIMD8<Float> { SIMD8(0.1516, 0.1741, 0.2, 0.2297, 0.2639, 0, 0, 0) }

    /// Seconds at the centres for seconds per band.
    static func centreTimes(for bands: OctaveBands) -> OctaveBands {
        var padded = Lanes(repeating: bands[OctaveBands.count - 1])
        for band in 0..<OctaveBands.count { padded[band] = bands[band] }
        let wanted = LaneMath.log2(padded)
        var centres = wanted
        for _ in 0..<4 { centres = wanted + LaneMath.held(centres - measured(centres), within: 1) }
        let times = LaneMath.exp2(centres)
        var result = bands
        for band in 0..<OctaveBands.count { result[band] = times[band] }
        return result
    }

    /// log₂ of the T30 of each band, for log₂ of the times at the centres.
    private static func measured(_ centres: Lanes) -> Lanes {
        let below = centres.shiftedUp(inserting: centres[0]) - centres
        let above = centres.shiftedDown - centres
        var rates = InlineArray<5, Lanes>(repeating: .zero)
        var energies = InlineArray<5, Lanes>(repeating: .zero)
        for k in 0..<5 {
            let times = LaneMath.exp2(centres + (offsets[k] < 0 ? below * -offsets[k] : above * offsets[k]))
            rates[k] = Lanes(repeating: 19.931_57) / times // log₂ 10⁶ per reverberation time
            energies[k] = times * widths[k]
        }
        let span = time(rates, energies, 11.626_75) - time(rates, energies, 1.660_964) // −35 and −5 dB as powers of two
        return LaneMath.log2(span * 2)
    }

    /// When Σ e·2^(−rt) has fallen by `bits` powers of two. Newton's method on the logarithm, which is convex and so
    /// never overshoots from the left.
    private static func time(_ rates: InlineArray<5, Lanes>, _ energies: InlineArray<5, Lanes>, _ bits: Float) -> Lanes
    {
        let start = LaneMath.log2(energies[0] + energies[1] + energies[2] + energies[3] + energies[4])
        var t = Lanes.zero
        for _ in 0..<6 {
            var (level, slope) = (Lanes.zero, Lanes.zero)
            for k in 0..<5 {
                let energy = energies[k] * LaneMath.exp2(-rates[k] * t)
                level += energy
                slope += energy * rates[k]
            }
            t += (LaneMath.log2(level) - start + bits) * level / slope
        }
        return t
    }
}

extension SIMD16<Float> {
    /// Every lane moves up by one; lane 0 gets `scalar`.
    fileprivate func shiftedUp(inserting scalar: Float) -> Self {
        Self(
            scalar, self[0], self[1], self[2], self[3], self[4], self[5], self[6], self[7], self[8], self[9], self[10],
            self[11], self[12], self[13], self[14])
    }

    /// Every lane moves down by one; the last stays.
    fileprivate var shiftedDown: Self {
        Self(
            self[1], self[2], self[3], self[4], self[5], self[6], self[7], self[8], self[9], self[10], self[11],
            self[12], self[13], self[14], self[15], self[15])
    }
}
