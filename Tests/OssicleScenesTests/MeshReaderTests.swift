import Foundation
import OssicleAcoustics
import OssicleCore
@testable import OssicleScenes
import Testing

/// A tetrahedron with corners at the origin and at 1, 2 and 3 m along x, y and z: its faces' areas and its volume of
/// 1 m³ are known.
private enum Tetrahedron {
    static let corners: [SIMD3<Float>] = [SIMD3(0, 0, 0), SIMD3(1, 0, 0), SIMD3(0, 2, 0), SIMD3(0, 0, 3)]
    static let faces: [[Int]] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]

    static func little(_ bits: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) } }

    static var binarySTL: [UInt8] {
        var bytes = Array("solid but binary".utf8) + [UInt8](repeating: 0, count: 64) + little(4)
        for face in faces {
            bytes += [UInt8](repeating: 0, count: 12)
            for corner in face { for axis in 0..<3 { bytes += little(corners[corner][axis].bitPattern) } }
            bytes += [0, 0]
        }
        return bytes
    }

    static var textSTL: [UInt8] {
        let facets = faces.map { face in
            "facet normal 0 0 1\nouter loop\n"
                + face.map { "vertex \(corners[$0].x) \(corners[$0].y) \(corners[$0].z)\n" }.joined()
                + "endloop\nendfacet\n"
        }
        return Array(("solid Glass_2\n" + facets.joined() + "endsolid Glass_2\n").utf8)
    }

    static func header(_ format: String) -> String {
        """
        ply
        format \(format) 1.0
        comment made by hand
        element vertex 4
        property double x
        property float y
        property float z
        property uchar red
        element face 4
        property list uchar int vertex_indices
        end_header

        """
    }

    static var textPLY: [UInt8] {
        let rows =
            corners.map { "\($0.x) \($0.y) \($0.z) 255" }
            + faces.map { "3 " + $0.map(String.init).joined(separator: " ") }
        return Array((header("ascii") + rows.joined(separator: "\n") + "\n").utf8)
    }

    static func binaryPLY(isBigEndian: Bool) -> [UInt8] {
        func ordered(_ bytes: [UInt8]) -> [UInt8] { isBigEndian ? bytes.reversed() : bytes }
        var bytes = Array(header(isBigEndian ? "binary_big_endian" : "binary_little_endian").utf8)
        for corner in corners {
            let bits = Double(corner.x).bitPattern
            bytes += ordered((0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) })
            bytes += ordered(little(corner.y.bitPattern)) + ordered(little(corner.z.bitPattern)) + [255]
        }
        for face in faces { bytes += [3] + face.flatMap { ordered(little(UInt32($0))) } }
        return bytes
    }

    static var all: [(name: String, bytes: [UInt8])] {
        [
            ("a.stl", binarySTL), ("b.STL", textSTL), ("c.ply", textPLY), ("d.ply", binaryPLY(isBigEndian: false)),
            ("e.ply", binaryPLY(isBigEndian: true)),
        ]
    }
}

@Suite("Mesh files") struct MeshReaderTests {
    @Test("STL and PLY in all their encodings hold the same closed solid", arguments: 0..<5)
    func solid(number: Int) throws {
        let (name, bytes) = Tetrahedron.all[number]
        let file = try SceneFile(bytes, name: name)
        try #require(file.occluders.count == 1)
        let mesh = file.occluders[0].geometry.mesh
        #expect(mesh.vertices.count == 4 && mesh.triangles.count == 4)
        let volume = mesh.triangles.indices.reduce(0.0) { sum, index in
            let (a, b, c) = mesh.corners(index)
            return sum + a.dot(b.cross(c)) / 6
        }
        #expect(abs(volume - 1) < 1e-6)
    }

    @Test("a mesh without materials is of what its solid or file is called after, else of concrete with a warning")
    func materials() throws {
        var options = SceneFileOptions()
        try options.materials.add("hall=0.25")
        #expect(try SceneFile(Tetrahedron.textSTL, name: "x.stl").occluders[0].materials.map(\.name) == ["glass"])
        let hall = try SceneFile(Tetrahedron.textPLY, name: "hall.ply", options: options)
        #expect(hall.occluders[0].materials[0].absorption == OctaveBands(repeating: 0.25) && hall.warnings.isEmpty)
        let plain = try SceneFile(Tetrahedron.binarySTL, name: "x.stl")
        #expect(plain.occluders[0].materials[0] == MaterialLibrary.opaque && plain.warnings.count == 1)
    }

    @Test("a quadrangle becomes two triangles, and units and axes are those of the options")
    func polygons() throws {
        let text = """
            ply
            format ascii 1.0
            element vertex 4
            property float x
            property float y
            property float z
            element face 1
            property list uint8 uint32 vertex_index
            end_header
            0 0 0
            2 0 0
            2 3 0
            0 3 0
            4 0 1 2 3
            """
        let file = try SceneFile(
            Array(text.utf8), name: "brick.ply", options: SceneFileOptions(metresPerUnit: 0.5, upAxis: .z))
        #expect(file.occluders[0].geometry.mesh.triangles.count == 2)
        #expect((file.occluders[0].bounds.upper - Vector(1, 0, 0)).magnitude < 1e-6)
        #expect((file.occluders[0].bounds.lower - Vector(0, 0, -1.5)).magnitude < 1e-6)
    }

    @Test(
        "damaged files are refused in words",
        arguments: [
            ("a.stl", "", "84 bytes and 50"),
            ("a.stl", "solid a\nfacet normal 0 0 1 outer lop", "where “loop” belongs"),
            ("a.stl", "solid a\n", "has no end"), ("a.stl", "solid a\nendsolid", "holds no surface"),
            ("a.ply", "PLY", "does not begin with “ply”"), ("a.ply", "ply\nformat ascii 1.0\n", "no end of its header"),
            ("a.ply", "ply\nend_header\n", "has no format"), ("a.ply", "ply\nformat ascii 2.0\n", "has the format"),
            ("a.ply", "ply\nproperty float x\n", "follows its element"),
            ("a.ply", "ply\nformat ascii 1.0\nelement vertex -1\n", "a name and a number"),
            ("a.ply", "ply\nformat ascii 1.0\nelement vertex 9\nproperty float x\nend_header\n1", "without x, y and z"),
            (
                "a.ply",
                "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\nend_header\n3 0 1 2",
                "there are 0 vertices"
            ),
            ("a.ply", "ply\nformat ascii 1.0\nend_header\n", "has no faces"),
        ])
    func refusals(name: String, text: String, words: String) {
        #expect { try SceneFile(Array(text.utf8), name: name) } throws: { "\($0)".contains(words) }
    }

    @Test("no mutation of a file does more than an error", arguments: 0..<5)
    func mutations(number: Int) {
        let (name, bytes) = Tetrahedron.all[number]
        for round in 0..<300 {
            let random = CounterRandom(seed: UInt64(number), object: UInt64(round))
            var mutated = bytes
            for change in 0..<(1 + round % 4) {
                let bits = random.bits(UInt64(change))
                let place = Int(bits % UInt64(mutated.count))
                switch bits >> 60 & 3 {
                case 0: mutated[place] = UInt8(truncatingIfNeeded: bits >> 32)
                case 1: mutated[place] ^= 1 << UInt8(bits >> 32 & 7)
                case 2: mutated.remove(at: place)
                default: mutated.removeLast(min(place, mutated.count - 1))
                }
            }
            do { _ = try SceneFile(mutated, name: name) } catch { #expect(error.file == name) }
        }
    }
}
