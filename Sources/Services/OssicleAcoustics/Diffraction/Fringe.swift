import OssicleCore

/// What an edge beside a free way adds to it: −½ where the way touches the edge, less and less, in rings, further away.
///
/// Rings fade as octave bands blur them. Two ways that differ by a detour δ go in and out of step within a band of width f/√2, so that of their
/// interference sinc(πN/2√2) is left, N = 2δ/λ; here the bell curve of the same top, e^(−(πN/2√2)²/6): 0.8 at N = 1, 0.04 at N = 4. Towards
/// `widest` metres of detour the edge fades altogether.
struct Fringe {
    let bend: Bend
    let detour: Double
    private let strength: Double
    /// Whether the way begins on a face of the edge, so that sound and reflection arrive as one.
    private let isGrazing: Bool

    static let widest = 1.0

    /// Nil where the edge is too far away, or hides one end from the other.
    /// - Parameters: carriedBefore, carriedAfter: metres the sound travels before `start` and after `end`.
    init?(_ wedge: Wedge, from start: Vector, to end: Vector, carriedBefore: Double = 0, carriedAfter: Double = 0) {
        let (a, b) = (wedge.planar(start), wedge.planar(end))
        guard wedge.isOpen(a), wedge.isOpen(b), wedge.clearance(a, b) >= 0 else { return nil }
        bend = Bend(wedge, from: start, to: end, isLit: true, carriedBefore: carriedBefore, carriedAfter: carriedAfter)
        let straight = (end - start).magnitude
        let length = bend.before + bend.after
        detour = max(length - straight, 0)
        guard detour < Fringe.widest else { return nil }
        let nearness = 1 - (detour / Fringe.widest) * (detour / Fringe.widest)
        strength = nearness * nearness * straight / length
        isGrazing = wedge.isFace(wedge.angle(a)) || wedge.isFace(wedge.angle(b))
    }

    /// Re the free way.
    private func amplitude(_ wavelength: Double, _ number: Double) -> Phasor {
        let blur = DeterministicMath.pi * detour / (wavelength * 2.0.squareRoot())
        guard blur < 6 else { return .zero }
        let kL = number * bend.reach
        // What grazes a face counts half, because half of it is reflection.
        let whole = isGrazing ? bend.utd.amplitude(kL) * 0.5 : bend.utd.amplitude(kL, reflecting: bend.faceShares(wavelength))
        let share = DeterministicMath.exp(-blur * blur / 6) * bend.endShare(wavelength).squareRoot() * strength
        return (whole * share).delayed(by: number * detour)
    }

    /// |1 + w D|.
    func factor(_ waves: WaveNumbers, weight: Double = 1) -> OctaveBands {
        waves.bands { (Phasor(real: 1, imaginary: 0) + amplitude($0, $1) * weight).magnitude }
    }
}
