import OssicleAcoustics
import OssicleCore

extension LatePart {
    /// Seconds after which less than 10^(−`decibels`/10) of a band's energy is still to come, in every band: where a response may end.
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
