import OssicleCore
import OssicleDSP

/// Makes a sphere of the directions somebody measured.
enum SphereFilling {
    /// Degrees from the nearest measurement at which a place is missed.
    private static let missed = 15.0
    private static let ring = 1.0

    /// Beyond the rim of a set that does not surround the head, its nearest directions, held; and straight up and down, where nobody measured, the mean of the
    /// nearest ring, as the built-in head has it below. What lies between measurements is left to interpolation.
    static func places(missedBy directions: [Vector]) -> [HeadSet.Filling] {
        let faces = SphericalTriangulation(directions).triangles
        return candidates.compactMap { place in
            let angles = directions.map { DeterministicMath.acos(min(max($0.dot(place), -1), 1)) * 180 / DeterministicMath.pi }
            guard let nearest = angles.min(), nearest > missed else { return nil }
            guard place.y.magnitude == 1 || !faces.contains(where: { covers(place, $0, directions) }) else { return nil }
            return HeadSet.Filling(vector: place, members: angles.indices.filter { angles[$0] <= nearest + ring })
        }
    }

    /// All around, every 30°.
    private static var candidates: [Vector] {
        var places = [Vector(0, 1, 0), Vector(0, -1, 0)]
        for elevation in [-60.0, -30, 0, 30, 60] {
            for step in 0..<12 { places.append(HeadDirection.vector(azimuth: 30 * Double(step), elevation: elevation)) }
        }
        return places
    }

    private static func covers(_ p: Vector, _ face: SIMD3<Int32>, _ directions: [Vector]) -> Bool {
        let (a, b, c) = (directions[Int(face.x)], directions[Int(face.y)], directions[Int(face.z)])
        return volume(a, b, c) > 1e-6 && volume(p, b, c) > -1e-9 && volume(a, p, c) > -1e-9 && volume(a, b, p) > -1e-9
    }

    private static func volume(_ a: Vector, _ b: Vector, _ c: Vector) -> Double { a.dot(b.cross(c)) }

    /// The share of the sphere that each direction stands for; a filling's goes to its members. Sum 1.
    static func weights(of directions: [Vector], with fillings: [HeadSet.Filling], name: String) throws(HeadSetError) -> [Double] {
        let all = directions + fillings.map(\.vector)
        var weights = [Double](repeating: 0, count: all.count)
        for face in SphericalTriangulation(all).triangles {
            let (a, b, c) = (all[Int(face.x)], all[Int(face.y)], all[Int(face.z)])
            let volume = volume(a, b, c)
            // What shows the centre its outside only closes a set that does not surround it.
            guard volume > 1e-6 else { continue }
            // Solid angle of a triangle: Van Oosterom and Strackee (1983).
            let angle = 2 * DeterministicMath.atan2(volume, 1 + a.dot(b) + b.dot(c) + c.dot(a))
            for corner in [face.x, face.y, face.z] { weights[Int(corner)] += angle / 3 }
        }
        for (index, filling) in fillings.enumerated() {
            let share = weights[directions.count + index] / Double(max(filling.members.count, 1))
            for member in filling.members { weights[member] += share }
        }
        let measured = weights.prefix(directions.count)
        let sum = measured.reduce(0, +)
        guard sum > 1e-6 else {
            throw HeadSetError(name, "SourcePosition", "in one plane through the head, and not all around it", rule: "directions that enclose some part of the sphere",
                               cure: "export a set of directions all around the head")
        }
        return measured.map { $0 / sum }
    }
}
