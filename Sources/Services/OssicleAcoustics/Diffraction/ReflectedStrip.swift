import OssicleCore

/// What a flat face between two parallel rims reflects to places beside its mirror's direction.
///
/// Kirchhoff's integral over the strip as the mirrored source sees it, a Fresnel integral at either rim, re the open
/// field
///
///     R = (F(ν₁) e^(−jkδ₁) − F(ν₂) e^(−jkδ₂)) (kT)²/(1 + (kT)²)
///
/// with F(ν) e^(jπν²/2) = (1 + j)/2 (g − jf) of `FresnelTail`, ν = 2√(d/λ), d the detour by a rim re the mirrored path, δ
/// re the straight one, the near rim first, and T the face's width: one narrower than the wave is part of its body. What
/// the face mirrors itself is a reflection path of the scene, so in the mirror's direction R is 0. It is the same from
/// either end.
struct ReflectedStrip {
    /// A place across the rims, metres.
    struct Place {
        /// Above the face's plane.
        let above: Double
        /// In it, from the place that the rims are measured from.
        let along: Double

        func distance(to rim: Double) -> Double { (above * above + (rim - along) * (rim - along)).squareRoot() }
    }

    private struct Rim {
        /// Metres re the straight path, and re the mirrored one.
        let detour: Double
        let depth: Double
        /// Length of the straight path re that by the rim.
        let spread: Double
        /// Of planar parts, source to rim and on to the receiver.
        let before: Double
        let after: Double
        var ends: EdgeEnds?
    }

    private var near: Rim
    private var far: Rim
    /// T, metres.
    private let width: Double
    /// Nothing for sound that grazes the face.
    private let weight: Double

    /// Sine of the angle to the face from which on it counts whole.
    private static let grazing = 0.2

    /// - Parameters:
    ///   - rims: of what is lit of the face.
    ///   - face: the rims of all of it.
    ///   - straight: metres from source to receiver.
    ///   - length: of a path, by its length across the rims.
    /// - Returns: nil where the face shows itself to source or receiver only, or mirrors one in the other.
    init?(
        from source: Place, to receiver: Place, rims: (from: Double, to: Double), face: (from: Double, to: Double),
        straight: Double, length: (_ planar: Double) -> Double
    ) {
        guard source.above > 0, receiver.above > 0 else { return nil }
        let aside = source.above + receiver.above
        let mirrored = (receiver.along * source.above + source.along * receiver.above) / aside
        guard mirrored < rims.from || mirrored > rims.to else { return nil }
        let middle = (face.from + face.to) / 2
        width = face.to - face.from
        weight =
            Silhouette.fade(source.above / source.distance(to: middle) / Self.grazing)
            * Silhouette.fade(receiver.above / receiver.distance(to: middle) / Self.grazing)
        guard weight > 0 else { return nil }
        let across = receiver.along - source.along
        let image = length((aside * aside + across * across).squareRoot())
        func rim(_ place: Double) -> Rim {
            let (before, after) = (source.distance(to: place), receiver.distance(to: place))
            let length = length(before + after)
            return Rim(
                detour: max(length - straight, 0), depth: max(length - image, 0), spread: straight / length,
                before: before, after: after)
        }
        let isBefore = mirrored < rims.from
        (near, far) = (rim(isBefore ? rims.from : rims.to), rim(isBefore ? rims.to : rims.from))
    }

    /// Cuts the rims off where the face ends.
    /// - Parameters: from, to: metres along the rims, from the source on. - rise: of the receiver.
    mutating func cut(from: Double, to: Double, rise: Double) {
        for rim in [\ReflectedStrip.near, \.far] {
            let (before, after) = (self[keyPath: rim].before, self[keyPath: rim].after)
            let planar = before + after
            let length = (planar * planar + rise * rise).squareRoot()
            let place = rise * before / planar
            // √(2l/bc) per metre across a path of l = b + c metres.
            let scale = (2 / (before * after * length)).squareRoot() * planar * (planar / length)
            self[keyPath: rim].ends = EdgeEnds(
                from: (from - place) * scale, to: (to - place) * scale,
                aside: 2 * self[keyPath: rim].depth.squareRoot())
        }
    }

    /// Of R at a band's centre, what does not turn.
    /// - Parameter v: ν of the near rim. x = πν²/2 from 0 to ½ fades in.
    private func share(_ number: Double, v: Double) -> Double {
        let size = number * width * number * width
        return size / (1 + size) * weight * Silhouette.fade(DeterministicMath.pi * v * v)
    }

    /// R at a band's centre, one part for each rim; endless.
    func add(to parts: inout [DelayedPhasor], _ wavelength: Double, _ number: Double) {
        let u = 2 * SIMD4(near.depth, far.depth, 0, 0) / wavelength
        let v = SIMD4(u.x.squareRoot(), u.y.squareRoot(), 0, 0) * 2.0.squareRoot()
        let (f, g) = (FresnelTail.f(v), FresnelTail.g(v))
        let whole = share(number, v: v.x)
        // (1 + j)/2 (g − jf)
        parts.append(
            DelayedPhasor(
                Phasor(real: g.x + f.x, imaginary: g.x - f.x) * (0.5 * whole * near.spread), detour: near.detour))
        parts.append(
            DelayedPhasor(
                Phasor(real: g.y + f.y, imaginary: g.y - f.y) * (-0.5 * whole * far.spread), detour: far.detour))
    }

    /// R at four tones of each of the lowest bands that it is not 0 in.
    func forBands(upTo count: Int, _ waves: WaveNumbers, _ body: (_ band: Int, _ field: Tones) -> Void) {
        var turns = (ToneTurn(waves.numbers[0] * near.detour), ToneTurn(waves.numbers[0] * far.detour))
        for band in 0..<count {
            let wavelength = waves.wavelengths[band]
            let root = 2 / wavelength.squareRoot()
            let whole = share(waves.numbers[band], v: near.depth.squareRoot() * root)
            func part(_ rim: Rim, _ turn: ToneTurn, _ sign: Double) -> Tones {
                FresnelTail.beyond(OctaveTone.factors * (rim.depth.squareRoot() * root), turn)
                    * ((rim.ends?.share(wavelength) ?? .one) * (sign * rim.spread))
            }
            if whole > 0 { body(band, part(near, turns.0, whole) + part(far, turns.1, -whole)) }
            turns.0.rise()
            turns.1.rise()
        }
    }
}
