import OssicleAcoustics
import OssicleCore

extension LatePart {
    /// Bins whose mean is what a decay goes on from.
    private static let basis = 0.05

    /// The same with what rays did not live to see: behind the last complete bin each band goes on decaying as it did, from where the energy
    /// came last.
    /// - Parameter seconds: end of the response; nothing is cut off.
    package func continued(to seconds: Double) -> LatePart {
        let width = energy.binWidth
        let complete = min(max(energy.completeBins, 0), energy.bins.count)
        guard seconds.isFinite, complete > 1, complete < energy.bins.count else { return self }
        let count = max(energy.bins.count, Int(min(max(seconds, 0), 600) / width))
        let span = min(max(Int(Self.basis / width), 1), complete)
        let last = (complete - span)..<complete
        var result = EnergyResponse(binWidth: width, binCount: count)
        for bin in 0..<complete { (result.bins[bin], result.octants[bin]) = (energy.bins[bin], energy.octants[bin]) }
        let mean = last.reduce(OctaveBands.zeros) { $0 + energy.bins[$1] } * (1 / Float(span))
        let octants = last.reduce(SIMD8<Float>.zero) { $0 + energy.octants[$1] }
        let rates = (0..<OctaveBands.count).map { band -> Double? in
            let curve = DecayCurve(energies: energy.bins[..<complete].map { Double($0[band]) }, binWidth: width)
            return (curve.time(from: -5, to: -25)).map { 6 * DeterministicMath.ln10 / $0 }
        }
        for bin in complete..<count {
            // From the middle of the basis to the middle of the bin.
            let time = (Double(bin - last.lowerBound) + 0.5 - Double(span) / 2) * width
            for band in 0..<OctaveBands.count {
                result.bins[bin][band] = rates[band].map { mean[band] * Float(DeterministicMath.exp(-$0 * time)) } ?? 0
            }
            result.octants[bin] = octants
        }
        return LatePart(energy: result, start: start)
    }
}
