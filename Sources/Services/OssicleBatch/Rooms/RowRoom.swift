import OssicleAcoustics
import OssicleCore
import OssicleScenes

/// The room of a row: in numbers, or from a file.
enum RowRoom {
    case shape(BatchRoom)
    case mesh(MeshRoom, name: String)

    /// Reads `box` or `lshape`, or `mesh` with its `units` and `up`, and `materials` of the row's own.
    init(_ row: JSONObject, files: RowFiles) throws {
        var book = MaterialBook.library
        if let materials = row["materials"] { try book.add(materials) }
        guard let mesh = row["mesh"] else {
            self = .shape(try BatchRoom(row, book))
            return
        }
        for name in ["box", "lshape", "material", "t60"] {
            guard let other = row[name] else { continue }
            throw other.fault(
                "and mesh are both there", rule: "a file has its own shape and names of materials",
                cure: "leave one out, or name materials in materials")
        }
        let name = try mesh.name()
        let options = SceneFileOptions(
            metresPerUnit: try row["units"]?.number(in: 1e-6...1e6) ?? 1,
            upAxis: try row["up"]?.choice(of: SceneFileOptions.UpAxis.self) ?? .y,
            materials: book)
        do { self = .mesh(try files.mesh(files.texts.path(name), options), name: name) } catch let error
            as SceneFileError
        {
            throw mesh.fault("is \(name), which \(error.found)", rule: error.rule, cure: error.cure)
        }
    }

    /// The box around it.
    var bounds: (low: Vector, high: Vector) {
        switch self {
        case .shape(let room): (.zero, room.size)
        case .mesh(let room, _): (room.bounds.lower, room.bounds.upper)
        }
    }

    /// Whether positions can be drawn in it: it is known where its air is.
    var isClosed: Bool {
        switch self {
        case .shape: true
        case .mesh(let room, _): room.isClosed
        }
    }

    func contains(_ place: Vector, margin: Double) -> Bool {
        switch self {
        case .shape(let room): room.contains(place, margin: margin)
        case .mesh(let room, _): room.contains(place, margin: margin)
        }
    }

    /// Whether sound could get from one to the other without a wall; known only where a file has no closed room.
    func connects(_ source: Vector, _ listener: Vector) -> Bool {
        guard case .mesh(let room, _) = self else { return true }
        return room.connects(source, listener)
    }

    /// What rays are traced in.
    func tracer(in medium: Medium) throws -> SceneTracer {
        switch self {
        case .shape(let room): SceneTracer(AcousticScene(occluders: [try room.occluder()], medium: medium))
        case .mesh(let room, _): room.tracer(in: medium)
        }
    }

    /// "x 0 to 6, y 0 to 3, z 0 to 5"
    var words: String {
        guard case .shape(let room) = self else {
            let (low, high) = bounds
            return [("x", low.x, high.x), ("y", low.y, high.y), ("z", low.z, high.z)].map {
                "\($0.0) from \(JSONValue.number($0.1).words) to \(JSONValue.number($0.2).words)"
            }.joined(separator: ", ")
        }
        return room.words
    }
}
