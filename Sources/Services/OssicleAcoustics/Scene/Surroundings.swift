import OssicleCore

/// What closes around a position: the shells it lies within, its depth in solid matter, and how much of the open it
/// sees.
///
/// A closed surface has two sides, and its normals look to the side of the air: out of a wall, into a room. Each shell
/// around the position whose normals look out adds 1 to the depth, each whose normals look in subtracts 1 (the winding
/// number). Of two positions the deeper one is inside something solid, or outside the room of the other. Six rays vote,
/// in opposite pairs, because one may run through an edge and count it twice.
package struct Surroundings: Sendable {
    package let position: Vector
    /// In the order of the scene.
    package let shells: [Shell]
    /// One value; where the position is on a surface, all that are found next to it.
    package let depth: ClosedRange<Int>
    /// Share of all directions in which nothing is in the way, 0 … 1.
    package let openness: Double
    /// Box around everything in sight; empty in the open.
    package let sight: Bounds

    /// Metres within which a position is on a surface: a microphone on the floor is neither above nor below it.
    package static let skin = 0.001
    private static let directions = 2048

    package init<Tracer: RayTracer>(of position: Vector, tracer: Tracer) {
        self.position = position
        let scene = tracer.scene
        let isOnSurface = scene.occluders.contains { $0.isWithin(Surroundings.skin, of: position) }
        // On a surface the rays start where opposite ones are on different sides of it.
        let lead = isOnSurface ? 8 * Surroundings.skin : 0
        let rays = Surroundings.waysOut.flatMap { [$0, -$0] }.map {
            Surroundings.windings(around: position + $0 * lead, towards: $0, tracer: tracer)
        }
        let depths = rays.map { $0.values.reduce(0, +) }.sorted()
        depth = isOnSurface ? depths[0]...depths[rays.count - 1] : depths[rays.count / 2]...depths[rays.count / 2]
        var votes: [Shell: Int] = [:]
        for ray in rays { for (shell, _) in ray { votes[shell, default: 0] += 1 } }
        shells = votes.filter { $0.value > rays.count / 2 }.keys.sorted {
            ($0.occluder, $0.piece) < ($1.occluder, $1.piece)
        }

        let fan = RayFan(count: Surroundings.directions, seed: 0), reach = scene.span(from: position)
        var (open, sight) = (0, Bounds.empty)
        for index in 0..<Surroundings.directions {
            if let hit = tracer.nearestHit(from: position, towards: fan.direction(index), within: reach) {
                sight.include(hit.position)
            } else {
                open += 1
            }
        }
        self.sight = sight
        openness = Double(open) / Double(Surroundings.directions)
    }

    /// The shells that a ray to the far outside passes an odd number of times, each with its part of the depth.
    private static func windings<Tracer: RayTracer>(
        around position: Vector, towards direction: Vector, tracer: Tracer
    ) -> [Shell: Int] {
        let scene = tracer.scene
        var crossings: [Crossing] = []
        tracer.findCrossings(from: position, to: position + direction * scene.span(from: position), into: &crossings)
        var found: [Shell: (passes: Int, depth: Int)] = [:]
        for crossing in crossings where crossing.isClosed {
            let shell = Shell(occluder: crossing.occluder, piece: crossing.piece)
            let outward = scene.occluders[Int(crossing.occluder)].geometry.pieces[Int(crossing.piece)].outward
            // `turn` equals `outward` where the ray goes against the normal: it comes from the side of the air.
            found[shell, default: (0, 0)].passes += 1
            found[shell, default: (0, 0)].depth -= Int(crossing.turn) * Int(outward)
        }
        return found.filter { $0.value.passes % 2 != 0 }.mapValues(\.depth)
    }

    /// Along no edge that is likely in a scene.
    private static let waysOut = [
        Vector(0.7416198, 0.3605551, 0.5656854), Vector(-0.4358899, 0.8062258, 0.4),
        Vector(0.2449490, -0.5196152, -0.8185353),
    ]
}

/// A closed piece of an occluder's mesh.
package struct Shell: Hashable, Sendable {
    /// Index in the scene's occluders.
    package let occluder: Int32
    /// Index in its geometry's pieces.
    package let piece: Int32
}

extension AcousticScene {
    /// The room that the whole scene is in: a shell whose normals look in, with nothing of the scene beyond it. Nil for
    /// the open.
    package var hull: Shell? {
        let all = bounds, rounding = Vector(repeating: 1e-6 * max(all.extent.magnitude, 1e-6))
        for (index, occluder) in occluders.enumerated() {
            for (number, piece) in occluder.geometry.pieces.enumerated() where piece.isClosed && piece.outward < 0 {
                let shell = Shell(occluder: Int32(clamping: index), piece: Int32(clamping: number)),
                    box = bounds(of: shell)
                let (low, high) = (box.lower - rounding, box.upper + rounding)
                if pointwiseMin(low, all.lower) == low, pointwiseMax(high, all.upper) == high { return shell }
            }
        }
        return nil
    }

    /// Box around a shell in the world.
    package func bounds(of shell: Shell) -> Bounds {
        let occluder = occluders[Int(shell.occluder)], geometry = occluder.geometry
        var box = Bounds.empty
        for triangle in geometry.mesh.triangles.indices where geometry.pieceOfTriangle[triangle] == shell.piece {
            let (a, b, c) = geometry.mesh.corners(triangle)
            for corner in [a, b, c] { box.include(occluder.pose.toWorld(corner)) }
        }
        return box
    }
}

extension Occluder {
    /// Whether the surface comes within `distance` metres of a position.
    fileprivate func isWithin(_ distance: Double, of position: Vector) -> Bool {
        let reach = distance / pose.scale.magnitude
        return geometry.distance(to: pose.toLocal(position), within: reach) < reach
    }
}

/// Directions spread evenly over the sphere: the Fibonacci spiral (Swinbank and Purser 2006), turned at random by the
/// seed.
struct RayFan: BitwiseCopyable, Sendable {
    let count: Int
    private let right: Vector
    private let up: Vector
    private let back: Vector

    /// Uniform over all turns (Shoemake, Graphics Gems III, 1992).
    init(count: Int, seed: UInt64) {
        self.count = max(count, 1)
        let random = CounterRandom(seed: seed, object: CounterRandom.number(of: "ray fan"))
        let share = random.unit(0)
        let (s1, c1) = DeterministicMath.sincos(2 * DeterministicMath.pi * random.unit(1))
        let (s2, c2) = DeterministicMath.sincos(2 * DeterministicMath.pi * random.unit(2))
        let (x, y) = ((1 - share).squareRoot() * s1, (1 - share).squareRoot() * c1)
        let (z, w) = (share.squareRoot() * s2, share.squareRoot() * c2)
        right = Vector(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w))
        up = Vector(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w))
        back = Vector(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))
    }

    /// Unit.
    func direction(_ index: Int) -> Vector {
        // The fraction of index/golden ratio, exact in 64 bits.
        let turn = Double((UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15) >> 11) * 0x1p-53
        let (s, c) = DeterministicMath.sincos(2 * DeterministicMath.pi * turn)
        let height = 1 - Double(2 * index + 1) / Double(count)
        let width = max(1 - height * height, 0).squareRoot()
        return right * (width * c) + up * (width * s) + back * height
    }
}
