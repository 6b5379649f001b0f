import OssicleCore

/// Directions and weights to take means over the sphere with. Control side.
package enum SphereGrid {
    package struct Point: Sendable {
        /// Unit vector.
        package let direction: Vector
        /// Share of the sphere; the weights of a grid sum to 1.
        package let weight: Double
    }

    /// The 26 points of Lebedev's rule of degree 7: 6 faces, 12 edges and 8 corners of a cube. Means of polynomials up to degree 7 are
    /// exact, and with them those of two harmonics of order 3 multiplied. Left and right are mirror images.
    package static func lebedev26() -> [Point] {
        let steps = [-1.0, 0, 1]
        let cube = steps.flatMap { x in steps.flatMap { y in steps.map { z in Vector(x, y, z) } } }.filter { $0.lengthSquared > 0 }
        return cube.map { Point(direction: $0 / $0.magnitude, weight: weight(axes: $0.lengthSquared)) }
    }

    private static func weight(axes: Double) -> Double { axes == 1 ? 1.0 / 21 : (axes == 2 ? 4.0 / 105 : 9.0 / 280) }

    /// Twice `count` points nearly evenly spread (a Fibonacci spiral and its mirror image), for functions that are no polynomials.
    package static func spiral(_ count: Int) -> [Point] {
        let turn = DeterministicMath.pi * (1 + 5.0.squareRoot())
        return (0..<count).flatMap { index -> [Point] in
            let height = 1 - (2 * Double(index) + 1) / Double(count)
            let (sine, cosine) = DeterministicMath.sincos(turn * (Double(index) + 0.5))
            let ring = (1 - height * height).squareRoot()
            let direction = Vector(ring * sine, height, ring * cosine)
            let mirrored = Vector(-direction.x, direction.y, direction.z)
            return [direction, mirrored].map { Point(direction: $0, weight: 0.5 / Double(count)) }
        }
    }
}
