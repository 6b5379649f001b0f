@testable import OssicleAcoustics
import OssicleCore

/// Scenes the reflection tests have in common.
enum ReflectionScenes {
    static let alpha: [Float] = [0.1, 0.2, 0.15, 0.3, 0.05, 0.4]

    static func surface(_ absorption: Float, scattering: Float = 0) -> AcousticMaterial {
        AcousticMaterial(
            name: "test", absorption: OctaveBands(repeating: absorption),
            scattering: OctaveBands(repeating: scattering),
            transmissionLoss: OctaveBands(repeating: 200))
    }

    static let mirror = surface(0)

    /// The table's room as a mesh with inward normals. A sheet far outside keeps it from being taken for a box, when
    /// asked for.
    static func tableRoom(isPlain: Bool = true, splits: Int = 1, pose: Pose = .identity) -> Occluder {
        var mesh = split(
            Meshes.box(Vector(6, 5, 3), at: Vector(3, 2.5, 1.5), elements: [0, 1, 2, 3, 4, 5], inverted: true), splits)
        if !isPlain {
            let sheet = Meshes.screen(width: 1, height: 1, at: Vector(0, 0, -40))
            let offset = Int32(mesh.vertices.count)
            mesh = TriangleMesh(
                vertices: mesh.vertices + sheet.vertices,
                triangles: mesh.triangles + sheet.triangles.map { $0 &+ SIMD3(repeating: offset) },
                elements: mesh.elements + [0, 0], elementCount: 6)
        }
        return Occluder(
            id: 7, name: "room", geometry: MeshGeometry(mesh), pose: pose, materials: alpha.map { surface($0) })
    }

    /// Every triangle cut into n² of its shape.
    static func split(_ mesh: TriangleMesh, _ n: Int) -> TriangleMesh {
        var vertices: [Vector] = []
        var elements: [Int32] = []
        for triangle in mesh.triangles.indices {
            let (a, b, c) = mesh.corners(triangle)
            func place(_ i: Int, _ j: Int) -> Vector {
                a + (b - a) * (Double(i) / Double(n)) + (c - a) * (Double(j) / Double(n))
            }
            for i in 0..<n {
                for j in 0..<(n - i) {
                    vertices += [place(i, j), place(i + 1, j), place(i, j + 1)]
                    if i + j < n - 1 { vertices += [place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)] }
                }
            }
            elements += Array(repeating: mesh.elements[triangle], count: n * n)
        }
        let triangles: [SIMD3<Int32>] = stride(from: 0, to: Int32(vertices.count), by: 3).map {
            SIMD3<Int32>($0, $0 + 1, $0 + 2)
        }
        return TriangleMesh(
            vertices: vertices, triangles: triangles, elements: elements, elementCount: mesh.elementCount)
    }

    /// Turned about all axes and moved.
    static func turned(scale: Double = 1) -> Pose {
        let (s, c) = DeterministicMath.sincos(0.7)
        let (t, d) = DeterministicMath.sincos(-0.4)
        return Pose(
            position: Vector(11, -3, 5), right: Vector(c, 0, -s), up: Vector(s * t, d, c * t),
            back: Vector(s * d, -t, c * d), scale: scale)
    }

    static func solver(_ occluders: Occluder...) -> ImageSourceSolver<PortableTracer> {
        ImageSourceSolver(tracer: PortableTracer(AcousticScene(occluders: occluders)))
    }

    /// A floor plan in x and z extruded upwards, counter-clockwise seen from above, all faces looking in.
    static func prism(_ plan: [(x: Double, z: Double)], floor: [SIMD3<Int32>], height: Double) -> TriangleMesh {
        let n = Int32(plan.count)
        let vertices = plan.map { Vector($0.x, 0, $0.z) } + plan.map { Vector($0.x, height, $0.z) }
        var triangles = floor + floor.map { SIMD3($0.x, $0.z, $0.y) &+ SIMD3(repeating: n) }
        for i in 0..<n {
            let j = (i + 1) % n
            triangles += [SIMD3(i, j + n, j), SIMD3(i, i + n, j + n)]
        }
        return TriangleMesh(vertices: vertices, triangles: triangles)
    }
}

extension SoundPath {
    var level: Double { Decibels.of(amplitude: Double(bandGains[5]) / length) }
    func delay(_ speed: Double = 343.2) -> Double { length / speed }
}
