import OssicleCore

/// Which targets a surface looks at for its next-event estimates: all of a few. Of many one is drawn, with known
/// probability, and weighs the more, so that a crowd costs little more than one source; that of the room, which all its
/// sources share, is always looked at.
///
/// The draw has two steps: four candidates evenly spaced in the list from a random place, and one of them by what it
/// would get if it were in sight (resampled importance sampling, Talbot et al. 2005). What is near a surface is looked
/// at more often, at a cost that does not grow with the number of targets.
struct NextEventEstimation: BitwiseCopyable {
    private let targets: UnsafeBufferPointer<RayTarget>
    /// Targets ahead of this place are drawn, the others always looked at.
    let drawn: Int

    /// Beyond that many, targets are drawn.
    static let most = 4
    /// A source is no smaller than this radius squared, so that no single surface near it outshines all others.
    private static let leastDistanceSquared = 0.01

    /// - Parameter hearsRoom: whether the last target stands for the room.
    init(_ targets: UnsafeBufferPointer<RayTarget>, hearsRoom: Bool) {
        self.targets = targets
        drawn = NextEventEstimation.drawn(of: targets.count, hearsRoom: hearsRoom)
    }

    static func drawn(of count: Int, hearsRoom: Bool) -> Int { count > most ? count - (hearsRoom ? 1 : 0) : 0 }

    /// Calls `visit` with targets in front of a surface, and by what factor what they get in sight counts.
    /// - Parameter draw: random bits; requested where there are many targets.
    @inline(__always)
    func choose(from hit: Hit, _ draw: @autoclosure () -> UInt64, _ visit: (_ target: Int, _ share: Float) -> Void) {
        for target in drawn..<targets.count {
            let share = share(of: target, from: hit)
            if share > 0 { visit(target, share) }
        }
        if drawn > 0 { drawOne(from: hit, draw(), visit) }
    }

    @inline(__always)
    private func drawOne(from hit: Hit, _ bits: UInt64, _ visit: (_ target: Int, _ share: Float) -> Void) {
        let step = Float(drawn) / 4
        let first = Float(bits >> 40) * 0x1p-24 * step
        func candidate(_ number: Int) -> Int { min(Int(first + Float(number) * step), drawn - 1) }
        var sums = SIMD4<Float>.zero, total: Float = 0
        for number in 0..<4 {
            total += share(of: candidate(number), from: hit)
            sums[number] = total
        }
        guard total > 0 else { return }
        let place = Float(bits & 0xFF_FFFF) * 0x1p-24 * total
        visit(candidate(place < sums[1] ? (place < sums[0] ? 0 : 1) : (place < sums[2] ? 2 : 3)), total * step)
    }

    /// What a target would get in sight. What lies behind the surface gets nothing, nor does what is nowhere.
    @inline(__always)
    private func share(of target: Int, from hit: Hit) -> Float {
        let offset = targets[target].position - hit.position
        let square = offset.lengthSquared
        let share = Float(
            offset.dot(hit.normal) / (square.squareRoot() * max(square, NextEventEstimation.leastDistanceSquared)))
        return share > 0 ? share : 0
    }
}
