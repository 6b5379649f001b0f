import OssicleAcoustics
import OssicleCore

/// The part of a response that no path carries: energy per band and octant over time.
package struct LatePart: Sendable, Hashable {
    package var energy: EnergyResponse
    /// Seconds from emission; what the energy has before counts as carried by paths.
    package var start: Double

    package init(energy: EnergyResponse, start: Double = 0) { (self.energy, self.start) = (energy, start) }

    /// Energy of each band from the start on, a bin that the start divides counted in proportion.
    package var total: OctaveBands {
        var sum = OctaveBands.zeros
        for (index, bin) in energy.bins.enumerated() { sum = sum + bin * Float(shareAfterStart(index)) }
        return sum
    }

    func shareAfterStart(_ bin: Int) -> Double {
        guard energy.binWidth > 0 else { return 0 }
        return min(max(Double(bin + 1) - start / energy.binWidth, 0), 1)
    }
}
