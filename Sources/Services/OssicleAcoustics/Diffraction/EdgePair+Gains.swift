import OssicleCore

extension EdgePair {
    /// Whether both edges turn the way, the same way round as a shadow needs.
    func isBent(_ start: Vector, _ first: Wedge, _ second: Wedge, _ end: Vector) -> Bool {
        guard length.isFinite, (points.0 - points.1).lengthSquared > 1e-6 else { return false }
        let (a, b) = (first.planar(start), first.planar(points.1))
        let (c, d) = (second.planar(points.0), second.planar(end))
        return first.isOpen(a) && first.isOpen(b) && first.clearance(a, b) < 0 && second.isOpen(c) && second.isOpen(d) && second.clearance(c, d) < 0
    }

    /// Amplitude factors re the open field at the same length.
    ///
    /// The factors of both edges multiply, each with the distances carried on past the other: L₁ = s₀(s₁+s₂)/ℓ, L₂ = (s₀+s₁)s₂/ℓ. So either
    /// edge alone remains where the way just touches the other. Along a face between them sound and reflection are one and count half. And edges
    /// close to each other hide less than both would alone: as in Pierce's wide barrier (JASA 55, 941 (1974)) the shallower one counts
    /// with its depth Y times B = √(s₁ℓ/((s₀+s₁)(s₁+s₂))), which for a wall of no thickness leaves one edge.
    func gains(_ start: Vector, _ first: Wedge, _ second: Wedge, _ end: Vector, _ waves: WaveNumbers) -> OctaveBands {
        let (s0, s1, s2) = ((points.0 - start).magnitude, (points.1 - points.0).magnitude, (end - points.1).magnitude)
        let one = Bend(first, from: start, to: points.1, carriedAfter: s2)
        let two = Bend(second, from: points.0, to: end, carriedBefore: s0)
        let runsAlongFace = first.isFace(first.angle(first.planar(points.1))) && second.isFace(second.angle(second.planar(points.0)))
        let coupling = (s1 * length / max((s0 + s1) * (s1 + s2), 1e-12)).squareRoot()
        let depth = min(one.depth, two.depth)
        return waves.bands { wavelength, number in
            let root = wavelength.squareRoot()
            let tails = FresnelTail.energy(SIMD4(coupling * depth / root, depth / root, 0, 0))
            let energy = one.amplitude(wavelength, number).energy * two.amplitude(wavelength, number).energy * tails.x / tails.y
            return energy.squareRoot() * (runsAlongFace ? 0.5 : 1)
        }
    }
}
