import OssicleCore

/// All image sources of a box whose walls are alike, after Allen and Berkley (JASA 65, 1979): an oracle of its own.
package enum BoxImages {
    /// Energies re the source's own at 1 m of all images that are nearer than `reach`, without air.
    ///
    /// - Parameters:
    ///   - source: metres from the box's lowest corner, as the listener.
    ///   - size: metres along the same axes.
    ///   - remaining: the share of its energy that a reflection leaves.
    ///   - reach: metres.
    ///   - early: called for images of at most two reflections with the vector from the listener and the energy.
    /// - Returns: sums by tenths of a metre: element n holds images from 0.1·n m on.
    package static func energies(
        from source: Vector, to listener: Vector, size: Vector, remaining: Double, reach: Double,
        early: (Vector, Double) -> Void = { _, _ in }
    ) -> [Double] {
        /// Along an axis an image lies at n·L + s after an even number n of reflections, at (n + 1)·L − s after an odd
        /// one, whatever it does along the others: n without its sign, and where it lies for the listener.
        func line(_ axis: Int) -> [(order: Int, offset: Double)] {
            let count = Int(reach / size[axis]) + 1
            return (-count...count).map { n in
                let place =
                    n & 1 == 0
                    ? Double(n) * size[axis] + source[axis] : Double(n + 1) * size[axis] - source[axis]
                return (abs(n), place - listener[axis])
            }
        }
        let (xs, ys, zs) = (line(0), line(1), line(2))
        let orders = (xs.last?.order ?? 0) + (ys.last?.order ?? 0) + (zs.last?.order ?? 0)
        var powers = [1.0]
        for _ in 0..<orders { powers.append((powers.last ?? 0) * remaining) }
        var sums = [Double](repeating: 0, count: Int(reach * 10) + 1)
        for x in xs {
            for y in ys {
                let (plane, order) = (x.offset * x.offset + y.offset * y.offset, x.order + y.order)
                guard plane < reach * reach else { continue }
                for z in zs {
                    let square = plane + z.offset * z.offset
                    guard square < reach * reach else { continue }
                    let energy = powers[order + z.order] / square
                    sums[Int(square.squareRoot() * 10)] += energy
                    if order + z.order <= 2 { early(Vector(x.offset, y.offset, z.offset), energy) }
                }
            }
        }
        return sums
    }
}
