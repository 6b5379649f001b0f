import ArgumentParser
import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleReaders
import OssicleResponses
import OssicleScenes

/// The scene: a file, or a box described in a few words.
struct SceneOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            A Wavefront OBJ, glTF (.gltf, .glb), STL or PLY file. Its materials have these names: \(MaterialNames.known.joined(separator: ", ")); \
            STL and PLY are of the material that their solid or file is called after.
            """, valueName: "scene"))
    var scene: String?

    @Option(
        help: ArgumentHelp(
            """
            In place of a scene, a room of this size with a corner at the origin, in metres along x, y (up) and z: 6x3x5.
            """, valueName: "size"))
    var box: BoxSize?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            The box's material (concrete otherwise); six, with commas between them, for low x, high x, floor, ceiling, low z, \
            high z. With “=” a material of one's own, for box and file: NAME=absorption/loss in dB/scattering, of which the \
            last two may be left out, each one value or octave bands with commas between them; or NAME=known material. May \
            be repeated. \(BandList.rule).
            """, valueName: "names or NAME=values"))
    var material: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Materials from a JSON file: by name that of another material, or absorption, transmissionLoss and scattering, \
            each a number, a list of octave bands, or values by frequency.
            """, valueName: "json"))
    var materials: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Metres of one unit of the scene.", valueName: "metres"))
    var units = 1.0

    @Option(
        help: "Which axis of the scene looks up; places are always given with y up (z up turns x, y, z into x, z, −y).")
    var up = SceneFileOptions.UpAxis.y

    @Flag(
        help:
            "Take unknown materials for concrete, and go on with a source or listener outside the room or inside a solid; both with a warning."
    )
    var lenient = false

    func validate() throws {
        if let scene, box != nil {
            // What follows an unknown option is taken for the scene, and comes here first.
            throw ValidationError("The scene “\(scene)” and --box exclude each other: give one of them.")
        }
        if scene == nil, box == nil {
            throw ValidationError("The scene is missing: name a file, or describe a room with --box 6x3x5.")
        }
        if wallNames.count > 1 {
            throw ValidationError("--material names the box's walls \(wallNames.count) times: give them once.")
        }
    }

    private var wallNames: [String] { material.filter { !$0.contains("=") } }

    /// The library's and those of the options; the command line comes before the file.
    func book() throws -> MaterialBook {
        var book = MaterialBook()
        if let materials {
            switch ReaderProcess.bytes(ofFile: materials) {
            case .success(let bytes):
                try book.add(json: bytes, file: URL(fileURLWithPath: materials).lastPathComponent)
            case .failure:
                throw ToolError("\(materials) cannot be read: give --materials a JSON file.")
            }
        }
        for text in material where text.contains("=") { try book.add(text) }
        return book
    }

    func load() throws -> RirScene {
        guard let box else {
            let options = SceneFileOptions(metresPerUnit: units, upAxis: up, isLenient: lenient, materials: try book())
            let file = try SceneFile(contentsOfFile: scene ?? "", options: options)
            return RirScene(
                title: file.name, occluders: file.occluders, room: .described("the scene \(file.name)"),
                warnings: file.warnings)
        }
        let book = try book()
        let materials = try (wallNames.first ?? "concrete").split(separator: ",").map { name in
            guard let known = book.material(for: String(name)) else {
                throw ToolError(
                    "Material “\(name)” is not known: known are \(MaterialNames.known.joined(separator: ", ")).")
            }
            return known
        }
        let shoebox = try BoxScene(size: box.vector, materials: materials)
        let size = [box.vector.x, box.vector.y, box.vector.z].map { String(format: "%g", $0) }.joined(separator: " × ")
        return RirScene(
            title: "box of \(size) m", occluders: [shoebox.occluder], room: .shoebox(.zero, box.vector), warnings: [])
    }
}

extension SceneFileOptions.UpAxis: ExpressibleByArgument {}

/// What the responses are computed in.
struct RirScene {
    let title: String
    let occluders: [Occluder]
    let room: SofaDocument.Room
    let warnings: [String]
}
