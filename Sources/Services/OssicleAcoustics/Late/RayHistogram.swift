import OssicleCore

/// What the rays of one chunk found: energies by target and time, and what became of the rays themselves.
final class RayHistogram: @unchecked Sendable {
    // Written by the one worker that made it, read after that.
    let targetCount: Int
    let binCount: Int
    private let binsPerSecond: Double
    private let energies: UnsafeMutablePointer<SIMD16<Float>>
    private let octants: UnsafeMutablePointer<SIMD8<Float>>
    /// Energies times cos² θ, then those times |cos θ|, as many again; nil where sides are not asked for.
    private let lateral: UnsafeMutablePointer<SIMD16<Float>>?
    /// By bin: surfaces met, rays that ended for good, rays whose bounces ran out.
    private let met: UnsafeMutablePointer<Double>
    private let ended: UnsafeMutablePointer<Double>
    private let cut: UnsafeMutablePointer<Double>
    /// Energy of the middle band that left for good; each ray starts with 1.
    private(set) var escaped = 0.0

    init(targetCount: Int, binCount: Int, binWidth: Double, hearsSides: Bool = false) {
        (self.targetCount, self.binCount, binsPerSecond) = (targetCount, binCount, 1 / binWidth)
        energies = .allocate(capacity: max(targetCount * binCount, 1))
        energies.initialize(repeating: .zero, count: targetCount * binCount)
        octants = .allocate(capacity: max(targetCount * binCount, 1))
        octants.initialize(repeating: .zero, count: targetCount * binCount)
        lateral = hearsSides ? .allocate(capacity: max(2 * targetCount * binCount, 1)) : nil
        lateral?.initialize(repeating: .zero, count: 2 * targetCount * binCount)
        met = .allocate(capacity: 3 * binCount)
        met.initialize(repeating: 0, count: 3 * binCount)
        (ended, cut) = (met + binCount, met + 2 * binCount)
    }

    deinit {
        energies.deallocate()
        octants.deallocate()
        lateral?.deallocate()
        met.deallocate()
    }

    /// For inner loops: no reference to count. Valid as long as the histogram lives.
    var view: View {
        View(
            energies: energies, octants: octants, lateral: lateral, products: targetCount * binCount, met: met,
            ended: ended, cut: cut, binCount: binCount, binsPerSecond: binsPerSecond)
    }

    func escape(_ energy: Double) { escaped += energy }

    /// Adds a target's energies to a response of as many bins.
    func add(target: Int, to response: inout EnergyResponse) {
        for bin in 0..<min(binCount, response.bins.count) {
            response.bins[bin].lanes += energies[target * binCount + bin]
            response.octants[bin] += octants[target * binCount + bin]
        }
        guard let lateral else { return }
        for bin in 0..<min(binCount, response.sides.count, response.products.count) {
            response.sides[bin].lanes += lateral[target * binCount + bin]
            response.products[bin].lanes += lateral[(targetCount + target) * binCount + bin]
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
        fileprivate let lateral: UnsafeMutablePointer<SIMD16<Float>>?
        /// Where in `lateral` the energies times |cos θ| begin.
        fileprivate let products: Int
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
        func add(_ energy: SIMD16<Float>, target: Int, bin: Int, ray: Ray) {
            let place = target * binCount + bin
            energies[place] += energy
            octants[place][ray.octant] += energy.total
            guard let lateral else { return }
            lateral[place] += energy * (ray.side * ray.side)
            lateral[products + place] += energy * ray.side.magnitude
        }

        // In rays that left the listener.
        @inline(__always) func countMet(_ bin: Int, _ rays: Double) { met[bin] += rays }
        @inline(__always) func countEnd(_ bin: Int, _ rays: Double) { ended[bin] += rays }
        @inline(__always) func countCut(_ bin: Int, _ rays: Double) { cut[bin] += rays }
    }
}

/// What became of the rays over time, all chunks together.
struct RayFates {
    // In rays that left the listener.
    var met: [Double]
    var ended: [Double]
    var cut: [Double]
    var escaped = 0.0

    init(binCount: Int) {
        met = Array(repeating: 0, count: binCount)
        (ended, cut) = (met, met)
    }

    /// Bins before one ray in two hundred had run out of bounces; at least one.
    func completeBins(rays: Int) -> Int {
        var lost = 0.0
        for bin in cut.indices {
            lost += cut[bin]
            if lost * 200 > Double(rays) { return max(bin, 1) }
        }
        return cut.count
    }
}

/// What rays tell about the space around a listener, independent of the sources in it.
package struct RaySurvey: Sendable, Hashable {
    /// Metres between two surfaces, 4V/S in a room; nil where no ray met any.
    package var meanFreePath: Double?
    /// Share of the rays' energy that left for good, at 1 kHz: 0 in a closed room, 1 in the open.
    package var escapedShare: Double

    package init(meanFreePath: Double?, escapedShare: Double) {
        (self.meanFreePath, self.escapedShare) = (meanFreePath, escapedShare)
    }

    /// Moves towards what other rays found, which counts for `weight` of the whole, 0…1.
    package mutating func approach(_ other: RaySurvey, weight: Double) {
        if let path = meanFreePath, let new = other.meanFreePath, weight < 1 {
            meanFreePath = path + (new - path) * weight
        } else {
            meanFreePath = other.meanFreePath
        }
        escapedShare += (other.escapedShare - escapedShare) * weight
    }

    /// Length flown over surfaces met, up to a time all rays reach: in a common span of time each ray weighs as much as
    /// it meets, where a common number of bounces would give long paths too much weight.
    init(_ fates: RayFates, rays: Int, binLength: Double) {
        var (alive, flown, met) = (Double(rays), 0.0, 0.0)
        for bin in 0..<fates.completeBins(rays: rays) {
            let gone = fates.ended[bin] + fates.cut[bin]
            flown += (alive - gone / 2) * binLength
            alive -= gone
            met += fates.met[bin]
        }
        meanFreePath = met > 0 && flown > 0 ? flown / met : nil
        escapedShare = min(max(fates.escaped / Double(max(rays, 1)), 0), 1)
    }
}
