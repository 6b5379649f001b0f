import OssicleCore
import OssicleDSP

/// Octave gains as the minimum-phase filter that has them exactly at the centres: what walls, edges and air do to one path, without a sound
/// before it arrives.
///
/// The logarithm of the magnitude is the sum of the bands' gains in nepers times their shapes, and the phase of least delay is its Hilbert
/// transform (Oppenheim and Schafer, *Discrete-Time Signal Processing*), which is linear: the phases of the ten shapes are found once.
final class PathFilter: Sendable {
    /// Samples of a filter.
    let tapCount: Int
    private let transform: RealFourierTransform
    /// For each bin, how much a neper of each band counts: in nepers and in radians.
    private let magnitudes: [OctaveBands]
    private let phases: [OctaveBands]
    private let fade: [Float]

    /// −120 dB below the loudest band: less counts as this.
    private static let faintest: Float = 1e-6

    init(sampleRate: Double) {
        let size = OctaveSplit.size(atUsualRate: 8192, sampleRate: sampleRate)
        transform = RealFourierTransform(count: size)
        magnitudes = OctaveSplit.shares(size: size, sampleRate: sampleRate)
        phases = PathFilter.phases(of: magnitudes, transform)
        let count = size / 2
        tapCount = count
        fade = (0..<count).map { tap in
            let place = Double(tap) / Double(count)
            return place < 0.75 ? 1 : Float(0.5 + 0.5 * DeterministicMath.cos((place - 0.75) * 4 * DeterministicMath.pi))
        }
    }

    /// The filter; a single tap where all bands are alike, none where nothing passes.
    func taps(_ gains: OctaveBands) -> [Float] {
        let loudest = gains.values.max() ?? 0
        guard loudest > 0 else { return [] }
        if gains.values.allSatisfy({ $0 == loudest }) { return [loudest] }
        let nepers = gains.values.map { DeterministicMath.log(Double(max($0, loudest * PathFilter.faintest))) }
        let bins = magnitudes.count
        var (real, imaginary) = ([Float](repeating: 0, count: bins), [Float](repeating: 0, count: bins))
        for bin in 0..<bins {
            var (level, phase) = (0.0, 0.0)
            for band in 0..<OctaveBands.count {
                level += Double(magnitudes[bin][band]) * nepers[band]
                phase += Double(phases[bin][band]) * nepers[band]
            }
            let (sine, cosine) = DeterministicMath.sincos(phase)
            let magnitude = DeterministicMath.exp(level)
            (real[bin], imaginary[bin]) = (Float(magnitude * cosine), Float(magnitude * sine))
        }
        var signal = [Float](repeating: 0, count: 2 * (bins - 1))
        transform.inverse(real: &real, imaginary: &imaginary, signal: &signal)
        return (0..<tapCount).map { signal[$0] * fade[$0] }
    }

    /// The phase of each shape: cepstrum, its future folded onto its past, and back.
    private static func phases(of shapes: [OctaveBands], _ transform: borrowing RealFourierTransform) -> [OctaveBands] {
        let size = 2 * (shapes.count - 1)
        var phases = [OctaveBands](repeating: .zeros, count: shapes.count)
        for band in 0..<OctaveBands.count {
            var (real, imaginary) = (shapes.map { $0[band] }, [Float](repeating: 0, count: shapes.count))
            var cepstrum = [Float](repeating: 0, count: size)
            transform.inverse(real: &real, imaginary: &imaginary, signal: &cepstrum)
            for index in 1..<size / 2 {
                cepstrum[index] *= 2
                cepstrum[size - index] = 0
            }
            transform.forward(cepstrum, real: &real, imaginary: &imaginary)
            for bin in phases.indices { phases[bin][band] = imaginary[bin] }
        }
        return phases
    }
}
