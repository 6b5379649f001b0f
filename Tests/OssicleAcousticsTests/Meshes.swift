@testable import OssicleAcoustics
import OssicleCore

/// Shapes the tests build scenes from.
enum Meshes {
    /// Eight corners, twelve triangles wound outwards; `element` per face when `elements` is given (−x +x −y +y −z +z).
    static func box(
        _ size: Vector, at centre: Vector = .zero, elements: [Int32]? = nil, inverted: Bool = false
    ) -> TriangleMesh {
        let corners = (0..<8).map { corner in
            centre + Vector(corner & 1 == 0 ? -0.5 : 0.5, corner & 2 == 0 ? -0.5 : 0.5, corner & 4 == 0 ? -0.5 : 0.5)
                * size
        }
        let faces: [SIMD4<Int32>] = [
            SIMD4(0, 4, 6, 2), SIMD4(1, 3, 7, 5), SIMD4(0, 1, 5, 4), SIMD4(2, 6, 7, 3), SIMD4(0, 2, 3, 1),
            SIMD4(4, 5, 7, 6),
        ]
        let triangles = faces.flatMap { f in
            inverted ? [SIMD3(f.x, f.z, f.y), SIMD3(f.x, f.w, f.z)] : [SIMD3(f.x, f.y, f.z), SIMD3(f.x, f.z, f.w)]
        }
        return TriangleMesh(
            vertices: corners, triangles: triangles, elements: elements.map { list in list.flatMap { [$0, $0] } },
            elementCount: Int((elements?.max() ?? 0) + 1))
    }

    /// Upright in the xy plane, facing +z.
    static func screen(width: Double, height: Double, at centre: Vector = .zero) -> TriangleMesh {
        let (w, h) = (width / 2, height / 2)
        return TriangleMesh(
            vertices: [Vector(-w, -h, 0), Vector(w, -h, 0), Vector(w, h, 0), Vector(-w, h, 0)].map { $0 + centre },
            triangles: [SIMD3(0, 1, 2), SIMD3(0, 2, 3)])
    }

    /// Rings of latitude; poles and seam are made of separate vertices, as generators leave them.
    static func sphere(radius: Double, at centre: Vector = .zero, rings: Int = 16, sectors: Int = 32) -> TriangleMesh {
        var vertices: [Vector] = []
        for ring in 0...rings {
            let (s, c) = DeterministicMath.sincos(DeterministicMath.pi * Double(ring) / Double(rings))
            for sector in 0...sectors {
                let (u, v) = DeterministicMath.sincos(2 * DeterministicMath.pi * Double(sector) / Double(sectors))
                vertices.append(centre + Vector(s * v, c, s * u) * radius)
            }
        }
        var triangles: [SIMD3<Int32>] = []
        for ring in 0..<rings {
            for sector in 0..<sectors {
                let a = Int32(ring * (sectors + 1) + sector)
                let b = a + Int32(sectors + 1)
                triangles += [SIMD3(a, a + 1, b), SIMD3(a + 1, b + 1, b)]
            }
        }
        return TriangleMesh(vertices: vertices, triangles: triangles)
    }

    /// Facing +y.
    static func disc(radius: Double, sectors: Int = 64) -> TriangleMesh {
        let rim = (0..<sectors).map { sector in
            let (s, c) = DeterministicMath.sincos(2 * DeterministicMath.pi * Double(sector) / Double(sectors))
            return Vector(c, 0, -s) * radius
        }
        let triangles = (0..<sectors).map { SIMD3<Int32>(0, Int32($0 + 1), Int32(($0 + 1) % sectors + 1)) }
        return TriangleMesh(vertices: [.zero] + rim, triangles: triangles)
    }

    /// A room 20 × 8 × 15 m with lumpy bodies that stand about in it and through one another.
    static func room(bodies: Int, rings: Int, sectors: Int) -> TriangleMesh {
        let random = CounterRandom(seed: 5, object: 77)
        return joined(
            [box(Vector(20, 8, 15), inverted: true)]
                + (0..<UInt64(bodies)).map { body in
                    let place = Vector(
                        random.unit(3 * body) * 17 - 8.5, random.unit(3 * body + 1) * 5 - 2.5,
                        random.unit(3 * body + 2) * 12 - 6)
                    return lumps(radius: 0.8, at: place, rings: rings, sectors: sectors, seed: body)
                })
    }

    /// A closed body of 2 · (rings − 1) · sectors triangles with a surface like a crumpled ball.
    static func lumps(radius: Double, at centre: Vector = .zero, rings: Int, sectors: Int, seed: UInt64) -> TriangleMesh
    {
        let random = CounterRandom(seed: 11, object: seed)
        var vertices = [centre + Vector(0, radius, 0), centre - Vector(0, radius, 0)]
        for ring in 1..<rings {
            let (s, c) = DeterministicMath.sincos(DeterministicMath.pi * Double(ring) / Double(rings))
            for sector in 0..<sectors {
                let (u, v) = DeterministicMath.sincos(2 * DeterministicMath.pi * Double(sector) / Double(sectors))
                vertices.append(
                    centre + Vector(s * v, c, s * u)
                        * (radius * (0.8 + 0.4 * random.unit(UInt64(ring * sectors + sector)))))
            }
        }
        func number(_ ring: Int, _ sector: Int) -> Int32 { Int32(2 + (ring - 1) * sectors + sector % sectors) }
        var triangles: [SIMD3<Int32>] = []
        for sector in 0..<sectors {
            triangles.append(SIMD3(0, number(1, sector), number(1, sector + 1)))
            triangles.append(SIMD3(1, number(rings - 1, sector + 1), number(rings - 1, sector)))
            for ring in 1..<(rings - 1) {
                let (a, b, c, d) = (
                    number(ring, sector), number(ring, sector + 1), number(ring + 1, sector),
                    number(ring + 1, sector + 1)
                )
                triangles += [SIMD3(a, c, b), SIMD3(b, c, d)]
            }
        }
        return TriangleMesh(vertices: vertices, triangles: triangles)
    }

    static func joined(_ meshes: [TriangleMesh]) -> TriangleMesh {
        var vertices: [Vector] = []
        var triangles: [SIMD3<Int32>] = []
        for mesh in meshes {
            let offset = Int32(vertices.count)
            triangles += mesh.triangles.map { $0 &+ SIMD3(repeating: offset) }
            vertices += mesh.vertices
        }
        return TriangleMesh(vertices: vertices, triangles: triangles)
    }

    /// Every corner of every triangle its own vertex, as a mesh with flat normals comes.
    static func unwelded(_ mesh: TriangleMesh) -> TriangleMesh {
        let vertices = mesh.triangles.flatMap {
            [mesh.vertices[Int($0.x)], mesh.vertices[Int($0.y)], mesh.vertices[Int($0.z)]]
        }
        return TriangleMesh(
            vertices: vertices,
            triangles: mesh.triangles.indices.map { SIMD3(Int32(3 * $0), Int32(3 * $0 + 1), Int32(3 * $0 + 2)) },
            elements: mesh.elements, elementCount: mesh.elementCount)
    }
}

extension Occluder {
    /// One mesh in one material, for a test's scene.
    init(_ mesh: TriangleMesh, _ material: String? = "brick", id: UInt64 = 1, at position: Vector = .zero) {
        self.init(
            id: id, name: "occluder \(id)", geometry: MeshGeometry(mesh), pose: Pose(position: position),
            material: material.flatMap { MaterialLibrary[$0] })
    }
}

extension AcousticScene {
    init(_ occluders: Occluder...) { self.init(occluders: occluders) }
}

extension DirectPath {
    /// dB the obstacles take from each band.
    var losses: [Double] { bandGains.values.map { -Decibels.of(amplitude: Double($0)) } }
}
