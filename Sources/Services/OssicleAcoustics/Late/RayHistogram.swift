import OssicleCore

/// What the rays of one chunk found: energies by target and time, and what became of the rays themselves.
final class RayHistogram: @unchecked Sendable {
    // Written by the one worker that made it, read after that.
    let targetCount: Int
    let binCount: Int
    private let binsPerSecond: Double
    private let energies: UnsafeMutablePointer<SIMD16<Float>>
    private let octants: UnsafeMutablePointer<SIMD8<Float>>
    /// By bin: surfaces met, rays that ended for good, rays whose bounces ran out.
    private let met: UnsafeMutablePointer<Double>
    private let ended: UnsafeMutablePointer<Double>
    private let cut: UnsafeMutablePointer<Double>
    /// Energy of the middle band that left for good; each ray starts with 1.
    private(set) var escaped = 0.0

    init(targetCount: Int, binCount: Int, binWidth: Double) {
        (self.targetCount, self.binCount, binsPerSecond) = (targetCount, binCount, 1 / binWidth)
        energies = .allocate(capacity: max(targetCount * binCount, 1))
        energies.initialize(repeating: .zero, count: targetCount * binCount)
        octants = .allocate(capacity: max(targetCount * binCount, 1))
        octants.initialize(repeating: .zero, count: targetCount * binCount)
        met = .allocate(capacity: 3 * binCount)
        met.initialize(repeating: 0, count: 3 * binCount)
        (ended, cut) = (met + binCount, met + 2 * binCount)
    }

    deinit {
        energies.deallocate()
        octants.deallocate()
        met.deallocate()
    }

    /// For inner loops: no reference to count. Valid as long as the histogram lives.
    var view: View { View(energies: energies, octants: octants, met: met, ended: ended, cut: cut, binCount: binCount, binsPerSecond: binsPerSecond) }

    func escape(_ energy: Double) { escaped += energy }

    /// Adds a target's energies to a response of as many bins.
    func add(target: Int, to response: inout EnergyResponse) {
        for bin in 0..<min(binCount, response.bins.count) {
            response.bins[bin].lanes += energies[target * binCount + bin]
            response.octants[bin] += octants[target * binCount + bin]
        }
    }

    /// Adds the fates of the rays to lists of as many bins.
    func add(to fates: inout RayFates) {
        fates.escaped += escaped
        for bin in 0..<min(binCount, fates.met.count) {
            fates.met[bin] += met[bin]
            fates.ended[bin] += ended[bin]
            fates.cut[bin] += cut[bin]
        }
    }

    struct View: BitwiseCopyable {
        fileprivate let energies: UnsafeMutablePointer<SIMD16<Float>>
        fileprivate let octants: UnsafeMutablePointer<SIMD8<Float>>
        fileprivate let met: UnsafeMutablePointer<Double>
        fileprivate let ended: UnsafeMutablePointer<Double>
        fileprivate let cut: UnsafeMutablePointer<Double>
        fileprivate let binCount: Int
        fileprivate let binsPerSecond: Double

        /// Nil after the end, and for a time that is none.
        @inline(__always)
        func bin(at time: Double) -> Int? {
            let bin = time * binsPerSecond
            return bin >= 0 && bin < Double(binCount) ? Int(bin) : nil
        }

        @inline(__always)
        func add(_ energy: SIMD16<Float>, target: Int, bin: Int, octant: Int) {
            let place = target * binCount + bin
            energies[place] += energy
            octants[place][octant] += energy.total
        }

        // In rays that left the listener.
        @inline(__always) func countMet(_ bin: Int, _ rays: Double) { met[bin] += rays }
        @inline(__always) func countEnd(_ bin: Int, _ rays: Double) { ended[bin] += rays }
        @inline(__always) func countCut(_ bin: Int, _ rays: Double) { cut[bin] += rays }
    }
}
