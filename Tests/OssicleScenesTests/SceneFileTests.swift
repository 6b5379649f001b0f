import Foundation
import OssicleAcoustics
import OssicleCore
@testable import OssicleScenes
import OssicleTestSupport
import Testing

@Suite("Scene files") struct SceneFileTests {
    private static let two = """
        mtllib none.mtl
        v 0 0 0
        v 2 0 0
        v 2 3 0
        v 0 3 0
        v 0 0 1
        o wall
        usemtl Brick_01
        f 1 2 3 4
        usemtl drywall.001
        f 1 2 5
        g floor
        usemtl Carpet on concrete
        f 2 3 4
        """

    private static func read(_ text: String, _ options: SceneFileOptions = SceneFileOptions()) throws -> SceneFile {
        try SceneFile([UInt8](text.utf8), name: "a.obj", options: options)
    }

    private static func reaches(_ bounds: Bounds, _ lower: Vector, _ upper: Vector) -> Bool {
        (bounds.lower - lower).magnitude < 1e-6 && (bounds.upper - upper).magnitude < 1e-6
    }

    @Test("make each group an occluder, with the materials its faces are of and no .mtl beside it")
    func objects() throws {
        let scene = try Self.read(Self.two)
        #expect(scene.occluders.map(\.name) == ["wall", "floor"])
        #expect(scene.occluders.map(\.id) == [1, 2])
        #expect(scene.occluders.map { $0.materials.map(\.name) } == [["brick", "drywall"], ["carpet_on_concrete"]])
        #expect(scene.occluders[0].geometry.mesh.triangles.count == 3)
        #expect(scene.occluders[0].geometry.mesh.elements == [0, 0, 1])
        #expect(Self.reaches(scene.occluders[0].bounds, .zero, Vector(2, 3, 1)))
        #expect(scene.warnings == [])
    }

    @Test("may be in other units and with z up")
    func axes() throws {
        let scene = try Self.read(Self.two, SceneFileOptions(metresPerUnit: 0.5, upAxis: .z))
        #expect(Self.reaches(scene.occluders[0].bounds, Vector(0, 0, -1.5), Vector(1, 0.5, 0)))
    }

    @Test(
        "names of materials are told apart by letters and digits, and numbers behind them do not count",
        arguments: [
            ("brick", "brick"), ("Brick_01", "brick"), ("drywall.001", "drywall"),
            ("CARPET-on concrete", "carpet_on_concrete"),
            ("mineral wool 50", "mineral_wool_50"), ("Mineral_Wool_50.002", "mineral_wool_50"),
            ("GlassWindow", "glass_window"), ("concrete.roof", "concrete"),
        ])
    func names(given: String, known: String) { #expect(MaterialNames.material(for: given)?.name == known) }

    @Test("all materials are found by their own names") func ownNames() {
        #expect(MaterialLibrary.materials.allSatisfy { MaterialNames.material(for: $0.name) == $0 })
        #expect(
            MaterialNames.material(for: "marmalade") == nil && MaterialNames.material(for: "") == nil
                && MaterialNames.material(for: "42") == nil)
    }

    @Test("an unknown material is an error that tells the known ones, or concrete with a warning")
    func unknown() throws {
        let text = Self.two.replacingOccurrences(of: "drywall.001", with: "marmalade")
        #expect { try Self.read(text) } throws: {
            let words = "\($0)"
            return $0 is SceneFileError && ["a.obj", "wall", "marmalade", "brick, concrete"].allSatisfy(words.contains)
        }
        let scene = try Self.read(text, SceneFileOptions(isLenient: true))
        #expect(scene.occluders[0].materials.map(\.name) == ["brick", "concrete"])
        #expect(scene.warnings.count == 1 && scene.warnings[0].contains("marmalade"))
    }

    @Test("faces without a material are of concrete, with a warning")
    func unnamed() throws {
        let scene = try Self.read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        #expect(scene.occluders[0].materials.map(\.name) == ["concrete"])
        #expect(scene.warnings.count == 1)
    }

    @Test(
        "bad files are errors with a cure",
        arguments: [
            ("", "nothing in it"), ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999\n", "cannot be read"),
            ("v 0 0 0\nv 1 1 1\np 1 2\nl 1 2\n", "no surface"),
            ("v nan 0 0\nv 0 inf 0\nv 1 1 1\nf 1 2 3\n", "no surface"),
            ("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "no surface"), ("hello", "a.obj"), ("f 1 2 3\n", "a.obj"),
        ])
    func bad(text: String, words: String) {
        #expect { try Self.read(text) } throws: {
            $0 is SceneFileError && "\($0)".contains(words) && "\($0)".contains("a.obj")
        }
    }

    @Test("a place that is none leaves its triangle out, with a warning")
    func someBad() throws {
        let scene = try Self.read("v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 0\nusemtl brick\nf 1 2 3\nf 1 2 4\n")
        #expect(scene.occluders[0].geometry.mesh.triangles.count == 1)
        #expect(scene.warnings.count == 1 && scene.warnings[0].contains("1 triangles"))
    }

    @Test("missing files, folders and units that are none are errors")
    func places() throws {
        let folder = try TemporaryFolder()
        #expect { try SceneFile(contentsOfFile: folder.path("none.obj")) } throws: {
            "\($0)".contains("cannot be opened")
        }
        #expect { try SceneFile(contentsOfFile: folder.url.path) } throws: { "\($0)".contains("is a folder") }
        for unit in [0, -1, Double.nan, .infinity] {
            #expect { try Self.read(Self.two, SceneFileOptions(metresPerUnit: unit)) } throws: {
                "\($0)".contains("a unit is more than 0 m")
            }
        }
    }

    @Test("spoilt files give a scene or an error, never a crash")
    func spoilt() {
        var mutator = Mutator(seed: 7)
        var (scenes, errors) = (0, 0)
        for _ in 0..<60 {
            do throws(SceneFileError) {
                let scene = try SceneFile(
                    mutator.mutate([UInt8](Self.two.utf8)), name: "a.obj", options: SceneFileOptions(isLenient: true))
                let areFinite = scene.occluders.allSatisfy { !$0.bounds.isEmpty && $0.bounds.extent.isFinite }
                #expect(areFinite)
                scenes += 1
            } catch {
                errors += 1
            }
        }
        #expect(scenes > 0 && errors > 0)
    }
}

@Suite("Shoeboxes") struct BoxSceneTests {
    @Test("look the same to rays and to mirrors")
    func walls() throws {
        let names = ["brick", "glass", "concrete", "wood", "drywall", "cardboard"]
        let box = try BoxScene(size: Vector(6, 3, 5), materials: names.compactMap { MaterialLibrary[$0] })
        let tracer = PortableTracer(AcousticScene(occluders: [box.occluder]))
        let room = try #require(BoxRoom(inside: box.occluder))
        let directions = [
            Vector(-1, 0, 0), Vector(1, 0, 0), Vector(0, -1, 0), Vector(0, 1, 0), Vector(0, 0, -1), Vector(0, 0, 1),
        ]
        for (wall, direction) in directions.enumerated() {
            let hit = try #require(tracer.nearestHit(from: Vector(2, 1, 1.5), towards: direction, within: 100))
            let material = box.occluder.materials[Int(hit.element)]
            #expect(material.name == names[wall])
            #expect(hit.normal.dot(direction) < -0.999)
            let left = material.reflectedEnergy[5] * (1 - material.scattering[5])
            #expect(abs(room.walls[wall][5] * room.walls[wall][5] - left) < 1e-6)
        }
        #expect(
            box.occluder.geometry.pieces.map(\.isClosed) == [true]
                && box.occluder.geometry.pieces.map(\.outward) == [-1])
    }

    @Test(
        "of no size, or of too few materials, are refused",
        arguments: [Vector(0, 1, 1), Vector(1, -2, 1), Vector(1, 1, .nan), Vector(1, 1, 1e9)])
    func refusals(size: Vector) {
        let concrete = MaterialLibrary.opaque
        #expect { try BoxScene(size: size, materials: [concrete]) } throws: {
            "\($0)".contains("each side is 0.1 to 10,000 m")
        }
        #expect { try BoxScene(size: Vector(1, 1, 1), materials: [concrete, concrete]) } throws: {
            "\($0)".contains("one for all walls or six")
        }
    }
}
