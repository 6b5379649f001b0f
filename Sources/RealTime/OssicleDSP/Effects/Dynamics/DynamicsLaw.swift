import OssicleCore

/// How much a level is turned down once everything has settled, in dB (the static law).
///
///     over  = level − threshold             compression = −over² / (over + headRoom)                 where over > 0, else 0
///     under = level − expansionThreshold    expansion = (expansionRatio − 1) · under, −120 at least   where under < 0, else 0
///
/// So above the threshold the output rises as threshold + headRoom·over/(over + headRoom): with slope 1 at first, half
/// the head room when the input is the head room above, and never by more than the head room. Such a curve has its own
/// soft knee.
struct DynamicsLaw: BitwiseCopyable, Hashable, Sendable {
    typealias Lanes = SIMD16<Float>
    /// Expansion never takes away more.
    static let deepest: Float = -120

    /// dB re full scale.
    var threshold: Float
    /// dB, above 0.
    var headRoom: Float
    /// dB re full scale.
    var expansionThreshold: Float
    /// 1 and above: dB out per dB in.
    var expansionRatio: Float

    @inline(__always)
    func compression(_ level: Lanes) -> Lanes {
        Self.compression(level, threshold: Lanes(repeating: threshold), headRoom: Lanes(repeating: headRoom))
    }

    @inline(__always)
    func expansion(_ level: Lanes) -> Lanes {
        Self.expansion(level, threshold: Lanes(repeating: expansionThreshold), ratio: Lanes(repeating: expansionRatio))
    }

    @inline(__always)
    static func compression(_ level: Lanes, threshold: Lanes, headRoom: Lanes) -> Lanes {
        let over = level - threshold
        let held = over.replacing(with: 0, where: over .< 0)
        return Lanes.zero - held * held / (held + headRoom)
    }

    @inline(__always)
    static func expansion(_ level: Lanes, threshold: Lanes, ratio: Lanes) -> Lanes {
        let under = level - threshold
        let change = (ratio - 1) * under.replacing(with: 0, where: under .> 0)
        return change.replacing(with: deepest, where: change .< deepest)
    }
}

extension DynamicsLaw: RampValue {
    /// Straight lines of the four numbers.
    static func between(_ start: Self, _ target: Self, frame: Int, of frames: Int) -> Self {
        let t = Float(frame) * (1 / Float(frames))
        func mix(_ a: Float, _ b: Float) -> Float { a + (b - a) * t }
        return DynamicsLaw(
            threshold: mix(start.threshold, target.threshold), headRoom: mix(start.headRoom, target.headRoom),
            expansionThreshold: mix(start.expansionThreshold, target.expansionThreshold),
            expansionRatio: mix(start.expansionRatio, target.expansionRatio))
    }
}

extension Ramp<DynamicsLaw> {
    typealias Lanes = DynamicsLaw.Lanes
    private static var lanes: Lanes { Lanes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) }

    /// Both changes in dB for sixteen levels, of the frame `offset` after the present one and those that follow.
    @inline(__always)
    func gains(_ level: Lanes, offset: Int) -> (compression: Lanes, expansion: Lanes) {
        guard index + offset < frames else { return (target.compression(level), target.expansion(level)) }
        let frame = Self.lanes + Float(index + offset)
        let t = frame * (1 / Float(frames))
        let arrived = frame .>= Float(frames)
        func mix(_ a: Float, _ b: Float) -> Lanes { (t * (b - a) + a).replacing(with: b, where: arrived) }
        return (
            DynamicsLaw.compression(
                level, threshold: mix(start.threshold, target.threshold), headRoom: mix(start.headRoom, target.headRoom)
            ),
            DynamicsLaw.expansion(
                level, threshold: mix(start.expansionThreshold, target.expansionThreshold),
                ratio: mix(start.expansionRatio, target.expansionRatio))
        )
    }
}
