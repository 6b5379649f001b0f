import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleHeader
import OssicleScenes
import Synchronization

/// Surfaces behind a handle.
final class Room: Sendable {
    let occluders: [Occluder]
    let facts: CText
    /// What rays are traced in, for the medium that was asked for last.
    private let tracer = Mutex<SceneTracer?>(nil)

    init(_ occluders: [Occluder], title: String, warnings: [String]) {
        self.occluders = occluders
        facts = CText(json: RoomFacts(occluders, title: title, warnings: warnings))
    }

    func tracer(in medium: Medium) -> SceneTracer {
        tracer.withLock { known in
            if let known, known.scene.medium == medium { return known }
            let made = SceneTracer(AcousticScene(occluders: occluders, medium: medium))
            known = made
            return made
        }
    }
}

extension Room {
    convenience init(box size: [Double], materials: [String]) throws {
        let box = try BoxScene(
            size: Vector(size[0], size[1], size[2]), materials: materials.map { try Self.material($0) })
        self.init([box.occluder], title: "box of \(size[0]) × \(size[1]) × \(size[2]) m", warnings: [])
    }

    convenience init(contentsOfFile path: String, options: SceneFileOptions) throws {
        let file = try SceneFile(contentsOfFile: path, options: options)
        self.init(file.occluders, title: file.name, warnings: file.warnings)
    }

    convenience init(_ mesh: TriangleMesh, materials: [String]) throws {
        let geometry = MeshGeometry(mesh)
        guard !geometry.bounds.isEmpty else {
            throw Fault(
                "The mesh", "holds no surface", rule: "sound needs triangles with an area and corners that are numbers",
                cure: "give some", code: OSSICLE_BAD_SCENE)
        }
        let left = mesh.rejectedTriangles + mesh.triangles.count - geometry.mesh.triangles.count
        self.init(
            [Occluder(id: 1, name: "mesh", geometry: geometry, materials: try materials.map { try Self.material($0) })],
            title: "mesh",
            warnings: left == 0 ? [] : ["\(left) triangles have corners that are no place and were left out."])
    }

    /// A name, or a material of one's own, “NAME=absorption/loss/scattering”.
    private static func material(_ name: String) throws -> AcousticMaterial {
        if let sign = name.firstIndex(of: "=") {
            var book = MaterialBook()
            do throws(MaterialError) {
                try book.add(name)
            } catch {
                throw Fault(
                    "Material “\(name)”", error.found, rule: error.rule, cure: error.cure, code: OSSICLE_BAD_SCENE)
            }
            if let own = book.material(for: String(name[..<sign])) { return own }
        }
        guard let material = MaterialNames.material(for: name) else {
            throw Fault(
                "Material “\(name)”", "is not known", rule: "known are \(MaterialNames.known.joined(separator: ", "))",
                cure: "give one of these", code: OSSICLE_BAD_SCENE)
        }
        return material
    }
}

/// What `ossicle_room_facts` says.
private struct RoomFacts: Encodable {
    let title: String
    let triangles: Int
    let lower, upper: [Double]
    let warnings: [String]

    init(_ occluders: [Occluder], title: String, warnings: [String]) {
        (self.title, self.warnings) = (title, warnings)
        triangles = occluders.reduce(0) { $0 + $1.geometry.mesh.triangles.count }
        let corners = occluders.flatMap { [$0.bounds.lower, $0.bounds.upper] }.filter(\.isFinite)
        var (low, high) = (corners.first ?? .zero, corners.first ?? .zero)
        for corner in corners { (low, high) = (pointwiseMin(low, corner), pointwiseMax(high, corner)) }
        (lower, upper) = ([low.x, low.y, low.z], [high.x, high.y, high.z])
    }
}

extension ossicle_room_options {
    fileprivate static var standard: ossicle_room_options {
        var options = ossicle_room_options()
        options.size = MemoryLayout<ossicle_room_options>.size
        options.units = 1
        return options
    }
}

/// The names in an array of C's.
/// - Parameter counts: how many there may be.
private func names(
    _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, in counts: ClosedRange<Int>
) throws -> [String] {
    guard counts.contains(count), let names else {
        throw Fault(
            "materials", names == nil ? "is NULL" : "are \(count)",
            rule: "there are \(counts.lowerBound) to \(counts.upperBound)", cure: "give their names")
    }
    return try (0..<count).map { try String(names[$0], named: "materials[\($0)]") }
}

@c @implementation
public func ossicle_room_options_init(_ options: UnsafeMutablePointer<ossicle_room_options>?) {
    options?.pointee = .standard
}

@c @implementation
public func ossicle_room_box(
    _ size: UnsafePointer<Double>?, _ materials: UnsafePointer<UnsafePointer<CChar>?>?, _ materialCount: Int,
    _ room: HandlePlace?, _ error: ErrorPlace?
) -> Int32 {
    make(room, error, "room") {
        guard let size else {
            throw Fault("size", "is NULL", rule: "a box has three lengths", cure: "give x, y and z in metres")
        }
        return try Room(
            box: (0..<3).map { size[$0] }, materials: names(materials, materialCount, in: 1...6))
    }
}

@c @implementation
public func ossicle_room_open(
    _ path: UnsafePointer<CChar>?, _ given: UnsafePointer<ossicle_room_options>?, _ room: HandlePlace?,
    _ error: ErrorPlace?
) -> Int32 {
    make(room, error, "room") {
        let options = try options(
            given, defaults: .standard, oldest: MemoryLayout<ossicle_room_options>.offset(of: \.materials),
            cure: "set them by ossicle_room_options_init of the same header")
        var book = MaterialBook.library
        if let materials = options.materials {
            try book.add(json: Array(String(cString: materials).utf8), file: "options.materials")
        }
        return try Room(
            contentsOfFile: String(path, named: "path"),
            options: SceneFileOptions(
                metresPerUnit: options.units, upAxis: options.z_up == 0 ? .y : .z, isLenient: options.lenient != 0,
                materials: book))
    }
}

@c @implementation
public func ossicle_room_mesh(
    _ vertices: UnsafePointer<Float>?, _ vertexCount: Int, _ triangles: UnsafePointer<UInt32>?, _ triangleCount: Int,
    _ materials: UnsafePointer<UnsafePointer<CChar>?>?, _ materialCount: Int,
    _ materialOfTriangle: UnsafePointer<UInt32>?,
    _ room: HandlePlace?, _ error: ErrorPlace?
) -> Int32 {
    make(room, error, "room") {
        guard let vertices, let triangles else {
            throw Fault("The mesh", "is NULL", rule: "it has vertices and triangles", cure: "give both")
        }
        // As many numbers as a scene file may hold.
        guard (3...5_600_000).contains(vertexCount), (1...5_600_000).contains(triangleCount) else {
            throw Fault(
                "The mesh", "has \(vertexCount) vertices and \(triangleCount) triangles",
                rule: "it has 3 to 5,600,000 and 1 to 5,600,000", cure: "give such a number")
        }
        let names = try names(materials, materialCount, in: 1...65_536)
        let elements = try (0..<triangleCount).map { triangle in
            let material = materialOfTriangle?[triangle] ?? 0
            guard material < names.count else {
                throw Fault(
                    "material_of_triangle[\(triangle)]", "is \(material)", rule: "there are \(names.count) materials",
                    cure: "give the number of one, from 0 on")
            }
            return Int32(material)
        }
        let corners = try (0..<triangleCount).map { triangle in
            let corners = (0..<3).map { triangles[3 * triangle + $0] }
            guard corners.allSatisfy({ $0 < vertexCount }) else {
                throw Fault(
                    "triangles[\(triangle)]", "has the corners \(corners)", rule: "there are \(vertexCount) vertices",
                    cure: "give numbers of vertices, from 0 on")
            }
            return SIMD3(Int32(corners[0]), Int32(corners[1]), Int32(corners[2]))
        }
        let places = (0..<vertexCount).map {
            Vector(Double(vertices[3 * $0]), Double(vertices[3 * $0 + 1]), Double(vertices[3 * $0 + 2]))
        }
        return try Room(
            TriangleMesh(vertices: places, triangles: corners, elements: elements, elementCount: names.count),
            materials: names)
    }
}

@c @implementation
public func ossicle_room_facts(_ room: OpaquePointer?) -> UnsafePointer<CChar>? {
    (try? Handles.object(room, Room.self, "room"))?.facts.pointer
}

@c @implementation
public func ossicle_room_free(_ room: OpaquePointer?) { Handles.free(room, Room.self) }
