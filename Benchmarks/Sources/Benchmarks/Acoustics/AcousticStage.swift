@testable import OssicleAcoustics
@testable import OssicleCore

/// Rooms of 20 × 8 × 15 m with stones in the air: a single mesh of brick, of as many triangles as a case needs.
struct AcousticStage {
    let triangles: Int
    let scene: AcousticScene
    let mesh: TriangleMesh

    static let size = Vector(20, 8, 15)
    static let all = [
        AcousticStage(stones: 0, rings: 0, sectors: 0), AcousticStage(stones: 4, rings: 5, sectors: 6),
        AcousticStage(stones: 40, rings: 6, sectors: 6), AcousticStage(stones: 40, rings: 26, sectors: 50),
    ]

    /// A stone has 2 · sectors · (rings − 1) triangles.
    private init(stones: Int, rings: Int, sectors: Int) {
        let random = CounterRandom(seed: 5, object: 77)
        var mesh = StoneMesh()
        mesh.addRoom(AcousticStage.size)
        for stone in 0..<stones {
            let draw = UInt64(3 * stone)
            let place =
                (Vector(random.unit(draw), random.unit(draw + 1), random.unit(draw + 2)) - 0.5) * Vector(17, 5, 12)
            mesh.addStone(
                at: place, radius: 0.8, rings: rings, sectors: sectors, CounterRandom(seed: 11, object: UInt64(stone)))
        }
        self.mesh = mesh.mesh
        triangles = mesh.triangles.count
        scene = AcousticScene(occluders: [
            Occluder(id: 1, name: "", geometry: MeshGeometry(self.mesh), material: MaterialLibrary.material(.brick))
        ])
    }

    /// Sources and listeners all over the room; some may be in a stone.
    static func pairs(_ count: Int) -> [DirectPathQuery] {
        let random = CounterRandom(seed: 1, object: 2)
        func place(_ number: Int) -> Vector {
            let draw = UInt64(3 * number)
            return (Vector(random.unit(draw), random.unit(draw + 1), random.unit(draw + 2)) - 0.5) * (size - 1)
        }
        return (0..<count).map { DirectPathQuery(source: .point(place(2 * $0)), listener: place(2 * $0 + 1)) }
    }
}

/// A mesh as it grows.
struct StoneMesh {
    var vertices: [Vector] = []
    var triangles: [SIMD3<Int32>] = []
    var mesh: TriangleMesh { TriangleMesh(vertices: vertices, triangles: triangles) }

    /// A box around the origin that looks inwards.
    mutating func addRoom(_ size: Vector) {
        for corner in 0..<8 {
            vertices.append((Vector(Double(corner & 1), Double(corner >> 1 & 1), Double(corner >> 2)) - 0.5) * size)
        }
        let walls: [SIMD4<Int32>] = [
            SIMD4(0, 2, 6, 4), SIMD4(1, 5, 7, 3), SIMD4(0, 4, 5, 1), SIMD4(2, 3, 7, 6), SIMD4(0, 1, 3, 2),
            SIMD4(4, 6, 7, 5),
        ]
        for wall in walls { triangles += [SIMD3(wall.x, wall.y, wall.z), SIMD3(wall.x, wall.z, wall.w)] }
    }

    /// A ball by latitude and longitude whose vertices stand up to a fifth of the radius in or out.
    mutating func addStone(at centre: Vector, radius: Double, rings: Int, sectors: Int, _ random: CounterRandom) {
        let first = Int32(vertices.count)
        func vertex(_ ring: Int, _ sector: Int) -> Int32 { first + 2 + Int32((ring - 1) * sectors + sector % sectors) }
        vertices += [centre + Vector(0, radius, 0), centre - Vector(0, radius, 0)]
        for ring in 1..<rings {
            let (height, width) = turn(Double(ring) / Double(2 * rings))
            for sector in 0..<sectors {
                let (c, s) = turn(Double(sector) / Double(sectors))
                vertices.append(
                    centre + Vector(width * c, height, width * s)
                        * (radius * (0.8 + 0.4 * random.unit(UInt64(ring * sectors + sector)))))
            }
        }
        for sector in 0..<sectors {
            triangles.append(SIMD3(first, vertex(1, sector + 1), vertex(1, sector)))
            triangles.append(SIMD3(first + 1, vertex(rings - 1, sector), vertex(rings - 1, sector + 1)))
            for ring in 1..<(rings - 1) {
                let (a, b, c, d) = (
                    vertex(ring, sector), vertex(ring, sector + 1), vertex(ring + 1, sector),
                    vertex(ring + 1, sector + 1)
                )
                triangles += [SIMD3(a, b, c), SIMD3(b, d, c)]
            }
        }
    }

    /// Cosine and sine of a share of a whole turn.
    private func turn(_ share: Double) -> (Double, Double) {
        let (s, c) = DeterministicMath.sincos(2 * DeterministicMath.pi * share)
        return (c, s)
    }
}
