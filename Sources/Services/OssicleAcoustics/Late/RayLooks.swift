import OssicleCore

/// Which targets a surface looks at for its next-event estimates: all of a few; of many about `most`, drawn with known odds, and weighing the more.
///
/// Half of the odds is shared out evenly, so that no target is ever left out for long and none weighs more than 2n/`most`-fold. The other half goes by
/// what a target would get if it were in sight, so that what is near is looked at nearly always. The draw is systematic (Madow 1949): one random number
/// for all targets, and hardly a look more or less from surface to surface.
struct RayLooks: BitwiseCopyable {
    /// What each target would get in sight, cos θ/d²; written anew at every surface where there are many.
    private let shares: UnsafeMutablePointer<Float>
    private let targets: UnsafeBufferPointer<RayTarget>

    /// Beyond that many, targets are drawn.
    static let most = 4
    /// A source is no smaller than this radius squared, so that no single surface near it outshines all others.
    private static let leastDistanceSquared = 0.01

    /// - Parameter scratch: room for as many numbers as there are targets, for one thread.
    init(_ targets: UnsafeBufferPointer<RayTarget>, scratch: UnsafeMutablePointer<Float>) {
        (self.targets, shares) = (targets, scratch)
    }

    /// Calls `look` with targets in front of a surface, and by what factor what they get in sight counts.
    /// - Parameter draw: uniform in 0..<1; asked for where there are many.
    @inline(__always)
    func choose(from hit: Hit, _ draw: @autoclosure () -> Float, _ look: (_ target: Int, _ share: Float) -> Void) {
        guard targets.count > RayLooks.most else {
            for target in targets.indices {
                let share = share(of: target, from: hit)
                if share > 0 { look(target, share) }
            }
            return
        }
        let total = weigh(hit)
        guard total > 0 else { return }
        let (even, scale) = (0.5 * Float(RayLooks.most) / Float(targets.count), 0.5 * Float(RayLooks.most) / total)
        var (sum, next) = (Float(0), draw())
        for target in targets.indices where shares[target] > 0 {
            let odds = min(even + scale * shares[target], 1)
            sum += odds
            guard sum > next else { continue }
            next += 1
            look(target, shares[target] / odds)
        }
    }

    /// What all targets together would get in sight.
    @inline(__always)
    private func weigh(_ hit: Hit) -> Float {
        var total: Float = 0
        for target in targets.indices {
            shares[target] = share(of: target, from: hit)
            total += shares[target]
        }
        return total
    }

    /// What a target would get in sight. What lies behind the surface gets nothing, nor does what is nowhere.
    @inline(__always)
    private func share(of target: Int, from hit: Hit) -> Float {
        let way = targets[target].place - hit.position
        let square = way.lengthSquared
        let share = Float(way.dot(hit.normal) / (square.squareRoot() * max(square, RayLooks.leastDistanceSquared)))
        return share > 0 ? share : 0
    }
}
