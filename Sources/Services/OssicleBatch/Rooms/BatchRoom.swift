import OssicleAcoustics
import OssicleCore
import OssicleScenes

/// A room in numbers: a box, or a box with a notch in its corner of high x and high z, which makes an L of it.
///
/// One corner is at the origin; x to the right, y up, z to the back.
struct BatchRoom {
    /// Metres, of the box around it.
    let size: Vector
    /// Metres of the notch along x and z; nil for a box.
    let notch: (x: Double, z: Double)?
    /// Of low x, high x, floor, ceiling, low z, high z, and of an L the notch's walls that look to low x and low z.
    let materials: [AcousticMaterial]

    /// Square metres of the surfaces, in the order of the materials.
    var areas: [Double] { BatchRoom.areas(size, notch) }

    static func areas(_ size: Vector, _ notch: (x: Double, z: Double)?) -> [Double] {
        let (cut, floor) = (notch ?? (0, 0), size.x * size.z - (notch?.x ?? 0) * (notch?.z ?? 0))
        let box = [
            size.z * size.y, (size.z - cut.z) * size.y, floor, floor, size.x * size.y, (size.x - cut.x) * size.y,
        ]
        return notch == nil ? box : box + [cut.z * size.y, cut.x * size.y]
    }

    /// Cubic metres.
    static func volume(_ size: Vector, _ notch: (x: Double, z: Double)?) -> Double {
        (size.x * size.z - (notch?.x ?? 0) * (notch?.z ?? 0)) * size.y
    }

    var volume: Double { BatchRoom.volume(size, notch) }

    /// Whether a position is at least `margin` metres away from all surfaces, and inside.
    func contains(_ place: Vector, margin: Double) -> Bool {
        let (low, high) = (Vector(repeating: margin), size - Vector(repeating: margin))
        guard pointwiseMin(place, low) == low, pointwiseMax(place, high) == high else { return false }
        guard let notch else { return true }
        let (x, z) = (max(size.x - notch.x - place.x, 0), max(size.z - notch.z - place.z, 0))
        return x > 0 || z > 0 ? (x * x + z * z).squareRoot() >= margin : false
    }

    /// The walls as one occluder whose normals look into the room.
    func occluder() throws -> Occluder {
        guard let notch else { return try BoxScene(size: size, materials: materials).occluder }
        // Of the floor, in the order of the walls −z, +x, notch z, notch x, +z, −x that begin at them.
        let corners: [(x: Double, z: Double)] = [
            (0, 0), (size.x, 0), (size.x, size.z - notch.z), (size.x - notch.x, size.z - notch.z),
            (size.x - notch.x, size.z), (0, size.z),
        ]
        let vertices = corners.map { Vector($0.x, 0, $0.z) } + corners.map { Vector($0.x, size.y, $0.z) }
        var (triangles, elements) = ([SIMD3<Int32>](), [Int32]())
        func add(_ a: Int, _ b: Int, _ c: Int, of element: Int32) {
            triangles.append(SIMD3(Int32(a), Int32(b), Int32(c)))
            elements.append(element)
        }
        for (start, element) in [Int32(4), 1, 7, 6, 5, 0].enumerated() {
            let end = (start + 1) % 6
            add(end, end + 6, start + 6, of: element)
            add(end, start + 6, start, of: element)
        }
        // From the notch's corner every other one is in sight.
        for (second, third) in [(4, 5), (5, 0), (0, 1), (1, 2)] {
            add(third, second, 3, of: 2)
            add(9, second + 6, third + 6, of: 3)
        }
        let mesh = TriangleMesh(vertices: vertices, triangles: triangles, elements: elements, elementCount: 8)
        return Occluder(id: 1, name: "L", geometry: MeshGeometry(mesh), materials: materials)
    }

    /// "x 0 to 6, y 0 to 3, z 0 to 5 m"
    var words: String {
        let box = [("x", size.x), ("y", size.y), ("z", size.z)].map {
            "\($0.0) from 0 to \(JSONValue.number($0.1).words)"
        }.joined(separator: ", ")
        return notch.map {
            box + ", less a notch of \(JSONValue.number($0.x).words) by \(JSONValue.number($0.z).words) at high x and z"
        } ?? box
    }
}

extension BatchRoom {
    /// Metres that a side may have.
    private static let sides = 0.1...10_000.0

    /// Reads `box`, or `size` and `notch` of `lshape`, and what the walls are made of.
    init(_ row: JSONObject, _ book: MaterialBook) throws {
        if let shape = try row["lshape"]?.object() {
            guard row["box"] == nil else {
                throw row["lshape", default: shape.cursor].fault(
                    "and box are both there", rule: "a row has one room", cure: "leave one out")
            }
            try shape.refuseMembers(besides: ["size", "notch"])
            size = try BatchRoom.size(try shape.required("size"))
            let cut = try shape.required("notch")
            let sides = try cut.numbers([2], in: BatchRoom.sides)
            guard sides[0] < size.x, sides[1] < size.z else {
                throw cut.fault(
                    "is \(sides[0]) by \(sides[1]) m", rule: "a notch is smaller than the room along x and z",
                    cure: "give less")
            }
            notch = (sides[0], sides[1])
        } else {
            size = try BatchRoom.size(try row.required("box"))
            notch = nil
        }
        materials = try WallMaterials(size: size, notch: notch, book: book).read(row)
    }

    private static func size(_ cursor: JSONCursor) throws -> Vector {
        let sides = try cursor.numbers([3], in: BatchRoom.sides)
        return Vector(sides[0], sides[1], sides[2])
    }
}

extension JSONObject {
    fileprivate subscript(name: String, default other: JSONCursor) -> JSONCursor { self[name] ?? other }
}
