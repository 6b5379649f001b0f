import ArgumentParser
import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleResponses
import OssicleScenes

/// The scene: a file, or a box described in a few words.
struct SceneOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            A Wavefront OBJ file whose usemtl lines name materials: \(MaterialNames.known.joined(separator: ", ")).
            """, valueName: "scene"))
    var scene: String?

    @Option(
        help: ArgumentHelp(
            """
            In place of a scene, a room of this size with a corner at the origin, in metres along x, y (up) and z: 6x3x5.
            """, valueName: "size"))
    var box: BoxSize?

    @Option(
        help: ArgumentHelp(
            """
            The box's material; six, with commas between them, for low x, high x, floor, ceiling, low z, high z.
            """, valueName: "names"))
    var material = "concrete"

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
        if scene != nil, box != nil { throw ValidationError("A scene and --box exclude each other: give one of them.") }
        if scene == nil, box == nil {
            throw ValidationError("The scene is missing: name an OBJ file, or describe a room with --box 6x3x5.")
        }
    }

    func load() throws -> RirScene {
        guard let box else {
            let options = SceneFileOptions(metresPerUnit: units, upAxis: up, isLenient: lenient)
            let file = try SceneFile(contentsOfFile: scene ?? "", options: options)
            return RirScene(
                title: file.name, occluders: file.occluders, room: .described("the scene \(file.name)"),
                warnings: file.warnings)
        }
        let materials = try material.split(separator: ",").map { name in
            guard let known = MaterialNames.material(for: String(name)) else {
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
