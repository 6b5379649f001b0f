import OssicleDSP

/// The interaural cross-correlation coefficient (ISO 3382-1, Annex B):
///
///     IACC = max over |τ| ≤ 1 ms of |∫ l(t) r(t + τ) dt| / √(∫ l² dt ∫ r² dt)
///
/// Correlations come from spectra, block by block: of the left ear a block, of the right one what is within 1 ms of it.
package enum InterauralCorrelation {
    /// Seconds to each side.
    private static let reach = 0.001
    /// Samples of a transform at least.
    private static let size = 8192

    /// 0…1; nil where an ear has nothing.
    package static func coefficient(_ left: [Double], _ right: [Double], sampleRate: Double) -> Double? {
        let lags = Int((reach * sampleRate).rounded()), count = min(left.count, right.count)
        let energy = [left, right].map { $0.reduce(0) { $0 + $1 * $1 } }
        guard energy[0] > 0, energy[1] > 0, energy[0].isFinite, energy[1].isFinite else { return nil }
        let transform = RealFourierTransform(count: max(size, 8 * lags)), step = transform.count - 2 * lags
        // Full scale for numbers of single precision.
        let scales = energy.map { 1 / $0.squareRoot() }
        var ears = [[Float]](repeating: [Float](repeating: 0, count: transform.count), count: 2)
        let none = [Float](repeating: 0, count: transform.binCount)
        var (l, r, sum) = ((re: none, im: none), (re: none, im: none), (re: none, im: none))
        for start in stride(from: 0, to: count, by: step) {
            for index in 0..<transform.count {
                let (here, there) = (start + index, start + index - lags)
                ears[0][index] = index < step && here < count ? Float(left[here] * scales[0]) : 0
                ears[1][index] = right.indices.contains(there) && there < count ? Float(right[there] * scales[1]) : 0
            }
            transform.forward(ears[0], real: &l.re, imaginary: &l.im)
            transform.forward(ears[1], real: &r.re, imaginary: &r.im)
            for bin in none.indices {
                sum.re[bin] += l.re[bin] * r.re[bin] + l.im[bin] * r.im[bin]
                sum.im[bin] += l.re[bin] * r.im[bin] - l.im[bin] * r.re[bin]
            }
        }
        var products = [Float](repeating: 0, count: transform.count)
        transform.inverse(real: &sum.re, imaginary: &sum.im, signal: &products)
        return min(Double(products[...(2 * lags)].lazy.map(\.magnitude).max() ?? 0), 1)
    }
}
