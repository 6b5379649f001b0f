import OssicleAcoustics
import OssicleCore
import Testing
@testable import OssicleBatch

@Suite("Rooms of a data set") struct RoomTests {
    @Test(
        "are closed, look in, and have the volume and surfaces of their sides", arguments: [false, true])
    func meshes(isL: Bool) throws {
        let room = BatchRoom(
            size: Vector(6, 3, 5), notch: isL ? (3.5, 2) : nil,
            materials: Array(MaterialLibrary.materials.prefix(isL ? 8 : 6)))
        let occluder = try room.occluder()
        #expect(AcousticScene(occluders: [occluder]).hull != nil)
        #expect(occluder.geometry.pieces.count == 1)
        var (volume, areas) = (0.0, [Double](repeating: 0, count: room.materials.count))
        let mesh = occluder.geometry.mesh
        for triangle in mesh.triangles.indices {
            let (a, b, c) = mesh.corners(triangle)
            volume += a.dot(b.cross(c)) / 6
            areas[Int(mesh.elements[triangle])] += (b - a).cross(c - a).magnitude / 2
        }
        // Gauss's theorem; the normals look in.
        #expect(abs(-volume - (isL ? 69 : 90)) < 1e-9)
        #expect(abs(room.volume + volume) < 1e-9)
        for (found, wanted) in zip(areas, isL ? [15, 9, 23, 23, 18, 7.5, 6, 10.5] : [15, 15, 30, 30, 18, 18]) {
            #expect(abs(found - wanted) < 1e-9)
        }
        #expect(zip(room.areas, areas).allSatisfy { abs($0 - $1) < 1e-9 })
        #expect(room.contains(Vector(1, 1, 4), margin: 0.9))
        #expect(room.contains(Vector(4, 1, 4), margin: 0.5) != isL)
    }
}
