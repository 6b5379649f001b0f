import OssicleCore

/// How sound from one end gets to an edge of a prism on its way to an edge of another one.
struct EdgeArrival {
    /// Metres to the edge.
    let before: Double
    /// The corner before, along whose side it comes: metres to that, and what it sends there.
    let last: (before: Double, utd: GrazingUTD)?
    let terms: Terms

    /// The terms of `UTD` at the edge.
    struct Terms {
        /// c, and u/√(kL): of the direct sound and of what faces reflect, the one whose boundary is nearest, and the
        /// others of either kind.
        let weights: SIMD4<Double>
        let arguments: SIMD4<Double>
        /// Of the first two: 1 where the place beyond is lit and the edge's prism on the right, seen along the path
        /// from this end on, or shaded by one on the left; else −1.
        let sides: SIMD2<Double>

        /// Sound that comes through the open.
        init(_ utd: UTD) {
            let (w, a) = (utd.weights, utd.arguments)
            let isTurned = (a.x > a.y, a.z > a.w)
            weights = SIMD4(
                isTurned.0 ? w.y : w.x, isTurned.1 ? w.w : w.z, isTurned.0 ? w.x : w.y, isTurned.1 ? w.z : w.w)
            arguments = SIMD4(
                isTurned.0 ? a.y : a.x, isTurned.1 ? a.w : a.z, isTurned.0 ? a.x : a.y, isTurned.1 ? a.z : a.w)
            sides = SIMD2(
                isTurned.0 == (weights.x < 0) ? -1 : 1, isTurned.1 == (weights.y < 0) ? -1 : 1)
        }

        /// Sound that comes along the side to the next corner, or to the last one.
        init(_ utd: GrazingUTD, isToNext: Bool) {
            let (w, a) = (utd.weights, utd.arguments)
            let isTurned = a.x > a.y
            weights = isTurned ? SIMD4(w.y, 0, w.x, 0) : SIMD4(w.x, 0, w.y, 0)
            arguments = isTurned ? SIMD4(a.y, 0, a.x, 0) : SIMD4(a.x, 0, a.y, 0)
            sides = SIMD2((isTurned == isToNext) == (weights.x < 0) ? -1 : 1, 1)
        }

        /// About |Σ c (f + jg)| where no terms cancel, from |f + jg| ≈ 1/(√2 + πu).
        /// - Parameter root: √(kL).
        @inline(__always) func most(_ root: Double) -> Double {
            let below = arguments * (root * DeterministicMath.pi) + 2.0.squareRoot()
            let each = weights / below
            return each.x.magnitude + each.y.magnitude + each.z.magnitude + each.w.magnitude
        }
    }
}

extension GrazingUTD {
    /// About |Σ c (f + jg)| where no terms cancel.
    @inline(__always) func most(_ root: Double) -> Double {
        let each = weights / (arguments * (root * DeterministicMath.pi) + 2.0.squareRoot())
        return each.x.magnitude + each.y.magnitude
    }
}
