import OssicleCore

/// What goes to and fro between two prisms once, re the open field: a side of the far one reflects it back, a side of
/// the near one reflects it again, and it goes on by edges of the far one; and the same from the other end.
///
/// As with M of `PrismRow`, what is reflected well within the rims is a reflection path of the scene and left out.
/// Where a beam to an edge leaves a side, or a prism comes before it, it fades out before, because what goes by the
/// edges there is left out as well. So is what is reflected twice to the receiver itself, or once to edges of the near
/// prism: with either the sum is no nearer to boundary elements on the whole.
struct PrismEcho {
    /// Of the bands from the first on.
    private(set) var fields: [Tones]
    private let first: Int
    private let waves: WaveNumbers

    init(_ first: Int, _ waves: WaveNumbers, _ fields: [Tones]) {
        (self.first, self.waves, self.fields) = (first, waves, fields)
    }

    /// What sides of the far prism reflect.
    /// - Parameters: nearCorners, farCorners: of either prism as seen by the other one.
    mutating func add(
        _ near: PrismPlan, _ far: PrismPlan, _ nearCorners: [Prism.Planar], _ farCorners: [Prism.Planar]
    ) {
        for side in far.prism.corners.indices {
            guard
                let reflection = PrismReflection(far.prism, side, from: far.source.place, rise: far.rise),
                nearCorners.contains(where: { far.prism.height($0, over: side) > 1e-5 })
            else { continue }
            let image = far.prism.image(of: far.start, in: side)
            let (place, rise) = (near.prism.planar(image), (near.end - image).dot(near.prism.axis))
            for other in near.prism.corners.indices {
                guard let second = PrismReflection(near.prism, other, from: place, rise: rise),
                    farCorners.contains(where: { near.prism.height($0, over: other) > 1e-5 })
                else { continue }
                let sides = Reflections(one: (side, reflection), two: (other, second))
                addEdges(near, far, farCorners, from: image, sides)
            }
        }
    }

    /// A side of the far prism and then one of the near.
    private struct Reflections {
        let one: (side: Int, reflection: PrismReflection)
        let two: (side: Int, reflection: PrismReflection)

        /// Where the first reflects what gets to a place by both, as seen by the near prism; nil where they do not.
        func meets(_ place: Prism.Planar, _ near: Prism, _ far: Prism) -> Prism.Planar? {
            guard let second = two.reflection.meets(place),
                let first = one.reflection.meets(far.planar(near.point(second)))
            else { return nil }
            let met = near.planar(far.point(first))
            return near.height(met, over: two.side) > 0 ? met : nil
        }
    }

    /// By edges of the far prism, as a source at the image of the image sends it there.
    private mutating func addEdges(
        _ near: PrismPlan, _ far: PrismPlan, _ farCorners: [Prism.Planar], from image: Vector, _ sides: Reflections
    ) {
        var plan: PrismPlan?
        for (corner, place) in farCorners.enumerated() {
            guard let met = sides.meets(place, near.prism, far.prism), !near.prism.hides(near.source.place, met)
            else { continue }
            let reflected = near.prism.image(of: far.prism.point(far.prism.corners[corner]), in: sides.two.side)
            let straightened = near.prism.planar(far.prism.image(of: reflected, in: sides.one.side))
            let shares = shares(
                sides.one.reflection.path(to: far.prism.planar(reflected)).depth,
                sides.two.reflection.path(to: place).depth,
                clearance: clearance(near.prism, near.source, straightened))
            guard shares.contains(where: { $0 > 0 }) else { continue }
            let further = plan ?? PrismPlan(far, fromImage: near.prism.image(of: image, in: sides.two.side))
            var sum = PrismSum(first, waves, isHidden: false, width: 2 * far.prism.halfWidth)
            further.addChains(to: &sum, beginning: CornerSet(corner))
            for band in fields.indices { fields[band] += sum.fields[band] * shares[band] }
            plan = further
        }
    }

    /// How much of a beam to an edge counts, by band.
    /// - Parameters:
    ///   - one, two: metres by rims re the reflected path, of each side.
    ///   - clearance: ν√λ of the nearest corner beside it.
    private func shares(_ one: Double, _ two: Double, clearance: Double) -> [Double] {
        fields.indices.map { band in
            let wavelength = waves.wavelengths[first + band]
            func fade(_ clearance: Double) -> Double { Silhouette.fade(2 * clearance / wavelength.squareRoot()) }
            func reflected(_ depth: Double) -> Double { Silhouette.fade(4 * depth / wavelength) }
            return (1 - reflected(one) * reflected(two)) * fade(clearance) * fade(2 * one.squareRoot())
                * fade(2 * two.squareRoot())
        }
    }

    /// ν√λ of the nearest corner, from an end to a place that the prism does not hide.
    private func clearance(_ prism: Prism, _ end: PrismPlan.End, _ place: Prism.Planar) -> Double {
        func distance(_ to: Prism.Planar) -> Double { ((place - to) * (place - to)).sum().squareRoot() }
        let straight = distance(end.place)
        let detour = prism.corners.indices.reduce(Double.infinity) {
            min($0, end.distances[$1] + distance(prism.corners[$1]) - straight)
        }
        return 2 * max(detour, 0).squareRoot()
    }
}
