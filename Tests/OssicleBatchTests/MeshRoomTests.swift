import Foundation
import OssicleCore
import OssicleScenes
import Testing
@testable import OssicleBatch

@Suite("Rows with a mesh") struct MeshRoomTests {
    private static let members = Tiny.members
    /// The box of `BatchRoom`'s own corners as Wavefront OBJ, in centimetres; without its ceiling if it is open.
    private static func box(isOpen: Bool = false) -> String {
        let corners = (0..<8).map { "v \($0 & 1 == 0 ? 0 : 400) \($0 & 2 == 0 ? 0 : 300) \($0 & 4 == 0 ? 0 : 500)" }
        let walls = ["1 3 7 5", "2 6 8 4", "1 5 6 2", "1 2 4 3", "5 7 8 6"] + (isOpen ? [] : ["3 4 8 7"])
        return (corners + ["g room", "usemtl brick"] + walls.map { "f \($0)" }).joined(separator: "\n") + "\n"
    }

    private func folder(isOpen: Bool = false) throws -> BatchFolder {
        let folder = try BatchFolder()
        try Data(Self.box(isOpen: isOpen).utf8).write(to: URL(fileURLWithPath: folder.path("room.obj")))
        return folder
    }

    @Test("give the response of the same box in numbers")
    func box() throws {
        let folder = try folder()
        let places =
            #""source": [1, 1.5, 1], "listener": [3, 1.5, 4], "rate": 8000, "rays": 256, "order": 2, "length": 0.1"#
        try folder.run(
            try folder.manifest(
                #"{"id": "mesh", "mesh": "room.obj", "units": 0.01, \#(places), "seed": 5}"#,
                #"{"id": "box", "box": [4, 3, 5], "material": "brick", \#(places), "seed": 5}"#), to: "out")
        func samples(_ name: String) -> [Float] {
            Array(folder.bytes("out/\(name).wav").suffix(800 * 4)).withUnsafeBytes {
                Array($0.bindMemory(to: Float.self))
            }
        }
        let (mesh, box) = (samples("mesh"), samples("box"))
        #expect(mesh.count == 800 && box.contains { $0 > 0.1 })
        // The same image sources, and as much energy of rays, which meet other triangles.
        let energies = [mesh, box].map { $0.reduce(0.0) { $0 + Double($1) * Double($1) } }
        #expect(abs(10 * log10(energies[0] / energies[1])) < 0.5)
        let record = String(decoding: folder.bytes("out/results.jsonl"), as: UTF8.self).split(separator: "\n")[0]
        #expect(record.contains(#""mesh":"room.obj""#) && record.contains(#""triangles":12"#))
    }

    @Test("draw positions in the air of a closed room, away from its walls")
    func drawn() throws {
        let folder = try folder()
        let room = try MeshRoom(
            contentsOfFile: folder.path("room.obj"), options: SceneFileOptions(metresPerUnit: 0.01))
        #expect(room.isClosed && room.contains(Vector(2, 1.5, 2.5), margin: 1.4))
        #expect(!room.contains(Vector(2, 1.5, 2.5), margin: 1.6) && !room.contains(Vector(2, 1.5, 6), margin: 0.1))
        let done = try folder.run(
            try folder.manifest(
                #"{"id": "m", "count": 4, "mesh": "room.obj", "units": 0.01, "source": {"wall": 0.3, "distance": [0.5, 3]}, "listener": {"wall": 0.5}, \#(Self.members)}"#
            ), to: "out")
        #expect((done.made, done.failed) == (4, 0))
    }

    @Test(
        "say what is wrong with file and positions",
        arguments: [
            (#""mesh": "none.obj", "source": [1, 1, 1], "listener": [2, 1, 1]"#, "mesh is none.obj"),
            (#""mesh": "room.obj", "box": [1, 2, 3], "source": [1, 1, 1], "listener": [2, 1, 1]"#, "both there"),
            (#""mesh": "room.obj", "units": 0.01, "source": [1, 1, 9], "listener": [2, 1, 1]"#, "source is 1, 1, 9"),
            (#""mesh": "room.obj", "units": 0, "source": [1, 1, 1], "listener": [2, 1, 1]"#, "units is 0"),
        ])
    func faults(row: String, message: String) throws {
        let folder = try folder()
        nonisolated(unsafe) var reports = ""
        let lock = NSLock()
        _ = try folder.run(
            try folder.manifest(#"{"id": "m", \#(row), \#(Self.members)}"#), to: "out",
            report: { sentence in lock.withLock { reports += sentence } })
        #expect(reports.contains(message), "\(reports)")
    }

    @Test("draw nothing where it is not known where the air is")
    func open() throws {
        let folder = try folder(isOpen: true)
        nonisolated(unsafe) var reports = ""
        let lock = NSLock()
        let drawn =
            #"{"id": "a", "mesh": "room.obj", "units": 0.01, "source": [1, 1, 1], "listener": {"wall": 0.5}, \#(Self.members)}"#
        let given =
            #"{"id": "b", "mesh": "room.obj", "units": 0.01, "source": [1, 1, 1], "listener": [2, 1, 1], \#(Self.members)}"#
        let done = try folder.run(
            try folder.manifest(drawn, given), to: "out", report: { sentence in lock.withLock { reports += sentence } })
        #expect((done.made, done.failed) == (1, 1) && reports.contains("not known where its air is"))
    }
}
