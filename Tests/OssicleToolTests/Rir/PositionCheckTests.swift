import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleResponses
import OssicleScenes
import Testing
@testable import ossicle

@Suite("Where ossicle rir takes a source or listener")
struct PositionCheckTests {
    private let folder: SoundFolder

    init() throws { folder = try SoundFolder() }

    /// An OBJ object: a box between two corners, wound outwards.
    private static func box(_ name: String, _ low: Vector, _ high: Vector, inwards: Bool = false, first: Int) -> String
    {
        let corners = (0..<8).map {
            "v \($0 & 1 == 0 ? low.x : high.x) \($0 & 2 == 0 ? low.y : high.y) \($0 & 4 == 0 ? low.z : high.z)"
        }
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]].map {
            inwards ? $0.reversed() : $0
        }
        return
            (["o \(name)"] + corners
            + faces.map { face in "f " + face.map { String(first + $0) }.joined(separator: " ") }).joined(
                separator: "\n")
    }

    /// Boxes as one scene file.
    private func scene(_ boxes: [(String, Vector, Vector, Bool)], _ extra: String = "") throws -> RirScene {
        let text = boxes.enumerated().map { Self.box($1.0, $1.1, $1.2, inwards: $1.3, first: 8 * $0 + 1) }.joined(
            separator: "\n")
        return try SceneOptions.parse([try folder.write(Array((text + "\n" + extra).utf8), to: "scene.obj")]).load()
    }

    private func sentences(_ scene: RirScene, _ source: Vector, _ listener: Vector) -> [String] {
        let tracer = SceneTracer(AcousticScene(occluders: scene.occluders))
        return PositionCheck(occluders: scene.occluders, tracer: tracer).misplacements([
            RirPair(source: source, listener: Pose(position: listener))
        ])
    }

    @Test(
        "outside a box the position, the room with its extents and the cure are named, and nothing is written",
        arguments: [
            (["--source", "1,1.5,1", "--listener", "8,1.5,3"], "The listener at 8, 1.5, 3"),
            (["--source", "1,-0.2,1", "--listener", "4,1.5,3"], "The source at 1, −0.2, 1"),
            (["--source", "7,1.5,1", "--listener", "8,1.5,3"], "The source at 7, 1.5, 1"),
        ])
    func outside(arguments: [String], words: String) throws {
        let command = ["--box", "6x3x5", "-o", folder.path("a.wav"), "--rays", "0", "--quality", "low"] + arguments
        #expect { try RirCommand.parse(command).run() } throws: { error in
            [words, "outside the room “box” (x 0 to 6, y 0 to 3, z 0 to 5 m)", "--lenient"].allSatisfy(
                "\(error)".contains)
        }
        #expect(folder.files == [])
        try RirCommand.parse(command + ["--lenient"]).run()
        #expect(folder.files == ["a.wav"])
    }

    @Test("on walls, on the floor and in the corner of a box is inside")
    func surfaces() throws {
        let box = try SceneOptions.parse(["--box", "6x3x5"]).load()
        #expect(sentences(box, Vector(0, 0, 0), Vector(3, 0, 2)) == [])
        #expect(sentences(box, Vector(6, 1.5, 2.5), Vector(6, 3, 5)) == [])
    }

    @Test("the README's scene: two rooms in one shell are both inside, its walls are solid, and beyond it is outside")
    func example() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../../Examples/Scenes/two-rooms.obj"
        ).standardized.path
        let rooms = try SceneOptions.parse([path]).load()
        #expect(sentences(rooms, Vector(2, 1.5, 3), Vector(8, 1.6, 1.5)) == [])
        let wall = sentences(rooms, Vector(2, 1.5, 3), Vector(5, 1.5, 1))
        #expect(
            wall.count == 1
                && wall[0].contains(
                    "The listener at 5, 1.5, 1 is inside the solid “wall” (x 4.9 to 5.1, y 0 to 3, z 0 to 2.5 m)")
        )
        #expect(sentences(rooms, Vector(5, 1.5, 1.2), Vector(5, 1.5, 1)).count == 2)
        #expect(
            sentences(rooms, Vector(2, 1.5, 3), Vector(12, 1.5, 1)).first?.contains(
                "outside the room “rooms” (x 0 to 10, y 0 to 3, z 0 to 6 m)") == true)
    }

    @Test("a room drawn with its normals outwards is a room to those within it, and two of them are two rooms")
    func outwards() throws {
        let rooms = try scene([
            ("a", .zero, Vector(6, 3, 5), false), ("b", Vector(8, 0, 0), Vector(12, 3, 5), false),
            ("pillar", Vector(2, 0, 2), Vector(2.5, 3, 2.5), false),
        ])
        #expect(sentences(rooms, Vector(1, 1, 1), Vector(5, 1, 4)) == [])
        #expect(sentences(rooms, Vector(1, 1, 1), Vector(10, 1, 4)) == [])
        #expect(
            sentences(rooms, Vector(1, 1, 1), Vector(2.2, 1, 2.2)).first?.contains("inside the solid “pillar”") == true)
        #expect(
            sentences(rooms, Vector(1, 1, 1), Vector(7, 1, 1)).first?.contains(
                "The source at 1, 1, 1 is inside the solid “a”") == true)
    }

    @Test("a room of separate walls is closed in although nothing of it is closed around the room")
    func walls() throws {
        let (x, y, z) = (Vector(0.2, 3, 5), Vector(6.4, 0.2, 5.4), Vector(6.4, 3.4, 0.2))
        let walls = try scene([
            ("west", Vector(-0.2, 0, 0), Vector(-0.2, 0, 0) + x, false),
            ("east", Vector(6, 0, 0), Vector(6, 0, 0) + x, false),
            ("floor", Vector(-0.2, -0.2, -0.2), Vector(-0.2, -0.2, -0.2) + y, false),
            ("roof", Vector(-0.2, 3, -0.2), Vector(-0.2, 3, -0.2) + y, false),
            ("north", Vector(-0.2, -0.2, -0.2), Vector(-0.2, -0.2, -0.2) + z, false),
            ("south", Vector(-0.2, -0.2, 5), Vector(-0.2, -0.2, 5) + z, false),
        ])
        #expect(sentences(walls, Vector(1, 1, 1), Vector(5, 1, 4)) == [])
        let outside = sentences(walls, Vector(1, 1, 1), Vector(9, 1, 4))
        #expect(
            outside.count == 1
                && outside[0].contains(
                    "The listener at 9, 1, 4 is outside the room around the source (x 0 to 6, y 0 to 3, z 0 to 5 m)")
        )
        #expect(sentences(walls, Vector(1, 1, 1), Vector(6.1, 1, 1)).first?.contains("inside the solid “east”") == true)
        // Both in the street beside the house.
        #expect(sentences(walls, Vector(9, 1, 1), Vector(-4, 1, 4)) == [])
    }

    @Test(
        "outdoors nothing is refused: on a plain, behind a screen, around a house, under a roof, beside a room with a window, in an empty scene"
    )
    func outdoors() throws {
        let ground = "v -50 0 -50\nv 50 0 -50\nv 50 0 50\nv -50 0 50\no ground\nf -4 -1 -2 -3"
        let plain = try scene([("house", Vector(0, 0, 0), Vector(6, 3, 5), false)], ground)
        #expect(sentences(plain, Vector(-3, 1, 2), Vector(9, 1, 2)) == [])
        #expect(sentences(plain, Vector(-3, 0, 2), Vector(9, 20, 2)) == [])
        let screen = "v 0 0 -5\nv 0 3 -5\nv 0 3 5\nv 0 0 5\no screen\nf -4 -3 -2 -1"
        #expect(sentences(try scene([], screen), Vector(-3, 1, 2), Vector(9, 1, 2)) == [])
        let roof = try scene([("roof", Vector(-5, 3, -5), Vector(5, 3.2, 5), false)], ground)
        #expect(sentences(roof, Vector(0, 1, 0), Vector(20, 1, 2)) == [])
        // Five of a room's walls: nothing is closed, the sixth is a window.
        let window = [
            "v 0 0 0", "v 6 0 0", "v 0 3 0", "v 6 3 0", "v 0 0 5", "v 6 0 5", "v 0 3 5", "v 6 3 5", "o shed",
            "f 1 5 7 3", "f 1 2 6 5", "f 3 7 8 4",
            "f 1 3 4 2", "f 5 6 8 7",
        ].joined(separator: "\n")
        #expect(sentences(try scene([], window), Vector(1, 1, 1), Vector(9, 1, 4)) == [])
        #expect(
            sentences(RirScene(title: "", occluders: [], room: .described(""), warnings: []), .zero, Vector(1, 0, 0))
                == [])
    }
}
