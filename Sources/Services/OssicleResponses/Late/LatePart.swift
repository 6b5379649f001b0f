import OssicleAcoustics
import OssicleCore

/// The part of a response that no path carries: energy per band and octant over time.
package struct LatePart: Sendable, Hashable {
    package let energy: EnergyResponse
    /// Seconds from emission. Bins that end before it count as carried by paths; the one it falls into counts wholly as late, because nothing arrives
    /// before the straight way does.
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
