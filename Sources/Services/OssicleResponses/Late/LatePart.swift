import OssicleAcoustics
import OssicleCore

/// The part of a response that no path carries: energy per band and octant over time.
package struct LatePart: Sendable, Hashable {
    package let energy: EnergyResponse
    /// Seconds from emission. Bins that end before it count as carried by paths; the one it falls into counts wholly as
    /// late, because nothing arrives before the straight way does.
    package let start: Double

    /// Seconds a bin may have.
    private static let widths = 1e-5...10.0

    /// What is no energy counts as none.
    package init(energy: EnergyResponse, start: Double = 0) {
        let isSound = LatePart.widths.contains(energy.binWidth) && energy.octants.count == energy.bins.count
        var sound = isSound ? energy : EnergyResponse(binWidth: 0.004, binCount: 0)
        for index in sound.bins.indices {
            sound.bins[index].lanes.dropHoles()
            sound.octants[index].dropHoles()
        }
        (self.energy, self.start) = (sound, start.isFinite ? max(start, 0) : 0)
    }

    /// The bin the start falls into; their number where it is behind all.
    var firstBin: Int { Int(min(start / energy.binWidth, Double(energy.bins.count))) }

    /// Energy of each band.
    package var total: OctaveBands { energy.bins[firstBin...].reduce(.zeros, +) }

    /// The energies in bins that begin at the start: those of bins it cuts are shared out by time.
    func fromStart() -> EnergyResponse {
        let (first, count) = (firstBin, energy.bins.count)
        let late = Float(min(max(start / energy.binWidth - Double(first), 0), 1))
        var result = EnergyResponse(binWidth: energy.binWidth, binCount: count - first)
        for bin in first..<count {
            let (early, place) = (bin == first ? 0 : late, bin - first)
            result.bins[place] = result.bins[place] + energy.bins[bin] * (1 - early)
            result.octants[place] += energy.octants[bin] * (1 - early)
            guard place > 0 else { continue }
            result.bins[place - 1] = result.bins[place - 1] + energy.bins[bin] * early
            result.octants[place - 1] += energy.octants[bin] * early
        }
        return result
    }
}

extension SIMD where Scalar == Float {
    /// Puts 0 where there is no finite number above it.
    fileprivate mutating func dropHoles() { replace(with: 0, where: .!((self .> 0) .& (self .< .infinity))) }
}

extension LatePart {
    /// Seconds after which less than 10^(−`decibels`/10) of a band's energy is still to come, in every band: where a
    /// response may end.
    package func end(below decibels: Double) -> Double {
        let limit = Float(Decibels.energy(-decibels))
        let total = total
        var rest = OctaveBands.zeros
        for index in energy.bins.indices[firstBin...].reversed() {
            rest = rest + energy.bins[index]
            let isOver = (0..<OctaveBands.count).allSatisfy { rest[$0] <= total[$0] * limit }
            if !isOver { return Double(index + 1) * energy.binWidth }
        }
        return 0
    }
}

extension LatePart {
    /// Half the span over which an arrival is spread, as a share of the time since the start.
    private static let span = 0.05

    /// The same with each bin spread evenly over the twentieth of its time before and after it.
    ///
    /// Late, few rays stand for many paths that were not traced, and a single one would sound as a burst. Energies are
    /// kept; a decay of T seconds comes out 0.3 dB higher at −60 dB, and all but unchanged before.
    func spread() -> LatePart {
        let first = start / energy.binWidth
        var result = EnergyResponse(binWidth: energy.binWidth, binCount: energy.bins.count)
        for index in energy.bins.indices {
            let half = Int(max((Double(index) - first) * Self.span, 0))
            // The same number of bins on both sides, as far as there are any.
            let reach = min(half, index, energy.bins.count - 1 - index)
            let share = 1 / Float(2 * reach + 1)
            for place in index - reach...index + reach {
                result.bins[place] = result.bins[place] + energy.bins[index] * share
                result.octants[place] += energy.octants[index] * share
            }
        }
        return LatePart(energy: result, start: start)
    }
}

extension LatePart {
    /// Bins whose mean is what a decay continues from.
    private static let basis = 0.05

    /// The same with what rays did not live to see: behind the last complete bin each band keeps decaying as it did,
    /// from where the energy came last.
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
