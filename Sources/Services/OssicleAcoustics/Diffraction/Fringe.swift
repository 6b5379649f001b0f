import OssicleCore

/// What an edge beside a free way adds to it: −½ where the way touches the edge, less and less, in rings, further away. Also what one adds whose
/// endless line would part the two, but which ends before the way: at a screen's corner a quarter is hidden, −⅜ by one edge and +⅛ by the other.
///
/// Rings fade as octave bands blur them, and towards `widest` metres of detour the edge fades altogether.
struct Fringe {
    let bend: Bend
    let detour: Double
    private let strength: Double
    /// Whether the way begins on a face of the edge, so that sound and reflection arrive as one.
    private let isGrazing: Bool

    static let widest = 1.0

    /// Nil where the edge is too far away.
    /// - Parameters:
    ///   - isLit: whether the ends see each other past the endless edge.
    ///   - carriedBefore, carriedAfter: metres the sound travels before `start` and after `end`.
    init?(_ wedge: Wedge, from start: Vector, to end: Vector, isLit: Bool = true, carriedBefore: Double = 0, carriedAfter: Double = 0) {
        bend = Bend(wedge, from: start, to: end, isLit: isLit, carriedBefore: carriedBefore, carriedAfter: carriedAfter)
        let straight = (end - start).magnitude
        let length = bend.before + bend.after
        detour = max(length - straight, 0)
        guard detour < Fringe.widest else { return nil }
        let nearness = 1 - (detour / Fringe.widest) * (detour / Fringe.widest)
        strength = nearness * nearness * straight / length
        isGrazing = wedge.isFace(wedge.angle(wedge.planar(start))) || wedge.isFace(wedge.angle(wedge.planar(end)))
    }

    /// D, re the free way.
    func amplitude(_ wavelength: Double, _ number: Double) -> Phasor {
        let blur = OctaveBlur.left(ofRings: 2 * detour / wavelength)
        guard blur > 0 else { return .zero }
        // What grazes a face counts half, because half of it is reflection.
        let whole = isGrazing ? bend.amplitude(wavelength, number) * 0.5 : bend.amplitudeBesideFaces(wavelength, number)
        return (whole * (blur * strength)).delayed(by: number * detour)
    }

    /// |1 + D|.
    func factor(_ waves: WaveNumbers) -> OctaveBands { waves.bands { (Phasor.one + amplitude($0, $1)).magnitude } }
}
