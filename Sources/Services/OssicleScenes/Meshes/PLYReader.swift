import OssicleCore

/// Reads PLY (the Stanford polygon format), ASCII and binary of both byte orders: vertices by `x`, `y`, `z`, and
/// polygons by `vertex_indices` or `vertex_index`, cut into triangles from their first corner. Everything else is
/// passed over.
struct PLYReader {
    private enum Encoding: String { case ascii, binary_little_endian, binary_big_endian }

    /// The numbers PLY knows, by both of their names.
    private enum Number {
        case integer(size: Int, isSigned: Bool)
        case real(size: Int)

        init?(_ name: String) {
            switch name {
            case "char", "int8": self = .integer(size: 1, isSigned: true)
            case "uchar", "uint8": self = .integer(size: 1, isSigned: false)
            case "short", "int16": self = .integer(size: 2, isSigned: true)
            case "ushort", "uint16": self = .integer(size: 2, isSigned: false)
            case "int", "int32": self = .integer(size: 4, isSigned: true)
            case "uint", "uint32": self = .integer(size: 4, isSigned: false)
            case "float", "float32": self = .real(size: 4)
            case "double", "float64": self = .real(size: 8)
            default: return nil
            }
        }
    }

    private struct Property {
        var name: String
        var number: Number
        /// Of the list's length; nil for a single number.
        var count: Number?
    }

    private struct Element {
        var name: String
        var count: Int
        var properties: [Property] = []
    }

    private let name: String
    private var encoding = Encoding.ascii
    private var elements: [Element] = []
    private var reader: MeshBytes

    static func parts(of bytes: [UInt8], name: String, object: String) throws(SceneFileError) -> [ScenePart] {
        var reader = try PLYReader(bytes, name: name)
        return [try reader.part(object)]
    }

    private func fault(_ found: String, _ rule: String) -> SceneFileError {
        SceneFileError(name, found, rule: rule, cure: "export it again as PLY 1.0")
    }

    // MARK: Header

    private init(_ bytes: [UInt8], name: String) throws(SceneFileError) {
        (self.name, reader) = (name, MeshBytes(bytes))
        guard reader.line() == "ply" else { throw fault("does not begin with “ply”", "a PLY file does") }
        var hasFormat = false
        while let line = reader.line() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "format":
                guard words.count == 3, let known = Encoding(rawValue: words[1]), words[2] == "1.0" else {
                    throw fault(
                        "has the format “\(line.prefix(60))”",
                        "known are ascii, binary_little_endian and binary_big_endian, 1.0")
                }
                (encoding, hasFormat) = (known, true)
            case "element":
                guard words.count == 3, let count = Int(words[2]), count >= 0 else {
                    throw fault("has the line “\(line.prefix(60))”", "an element has a name and a number")
                }
                elements.append(Element(name: words[1], count: count))
            case "property": try addProperty(words, line)
            case "end_header":
                guard hasFormat else { throw fault("has no format", "the header says how numbers are written") }
                reader = MeshBytes(bytes, from: reader.place, isBigEndian: encoding == .binary_big_endian)
                return
            default: break
            }
        }
        throw fault("has no end of its header", "it ends with “end_header”")
    }

    private mutating func addProperty(_ words: [String], _ line: String) throws(SceneFileError) {
        let isList = words.count == 5 && words[1] == "list"
        guard !elements.isEmpty, isList || words.count == 3, let number = Number(words[words.count - 2]),
            let name = words.last, !isList || Number(words[2]) != nil
        else {
            throw fault(
                "has the line “\(line.prefix(60))”",
                "a property follows its element, and has a known type and a name")
        }
        elements[elements.count - 1].properties.append(
            Property(name: name, number: number, count: isList ? Number(words[2]) : nil))
    }

    // MARK: Body

    private mutating func part(_ object: String) throws(SceneFileError) -> ScenePart {
        var part = ScenePart(object: object, material: "", coordinates: [], corners: [])
        var hasFaces = false
        for element in elements where !element.properties.isEmpty {
            for row in 0..<element.count {
                let values = try self.values(of: element, row)
                switch element.name {
                case "vertex":
                    guard let place = Self.place(values) else {
                        throw fault("has vertices without x, y and z", "a vertex is a place")
                    }
                    part.coordinates += place
                case "face":
                    hasFaces = true
                    try addFace(values, row, to: &part)
                default: break
                }
            }
        }
        guard hasFaces else {
            throw SceneFileError(
                name, "has no faces", rule: "sound needs polygons, not points or strips",
                cure: "export the element “face” with vertex_indices")
        }
        let count = part.coordinates.count / 3
        if let odd = part.corners.first(where: { $0 >= count }) {
            throw fault("has a face with vertex \(odd)", "there are \(count) vertices, numbered from 0")
        }
        return part
    }

    private static func place(_ values: [(name: String, numbers: [Double])]) -> [Float]? {
        let place = ["x", "y", "z"].compactMap { axis in values.first { $0.name == axis }?.numbers.first }
        return place.count == 3 ? place.map { Float($0) } : nil
    }

    private func addFace(
        _ values: [(name: String, numbers: [Double])], _ row: Int, to part: inout ScenePart
    ) throws(SceneFileError) {
        guard let list = values.first(where: { $0.name == "vertex_indices" || $0.name == "vertex_index" })?.numbers
        else {
            throw fault("has faces without vertex_indices", "a face names its vertices")
        }
        var corners: [UInt32] = []
        for number in list {
            guard let corner = UInt32(exactly: number) else {
                throw fault("has a face \(row) with vertex \(number)", "vertices are numbered from 0")
            }
            corners.append(corner)
        }
        guard corners.count >= 3 else { return }
        for index in 1..<corners.count - 1 {
            part.corners += [corners[0], corners[index], corners[index + 1]]
        }
    }

    private mutating func values(
        of element: Element, _ row: Int
    ) throws(SceneFileError) -> [(name: String, numbers: [Double])] {
        var values: [(name: String, numbers: [Double])] = []
        for property in element.properties {
            var numbers: [Double] = []
            var count = 1
            if let type = property.count {
                guard let length = number(type), let whole = Int(exactly: length), (0...65_536).contains(whole) else {
                    throw ends(element, row)
                }
                count = whole
            }
            for _ in 0..<count {
                guard let value = number(property.number) else { throw ends(element, row) }
                numbers.append(value)
            }
            values.append((property.name, numbers))
        }
        return values
    }

    private func ends(_ element: Element, _ row: Int) -> SceneFileError {
        fault(
            "has no number for “\(element.name.prefix(40))” \(row) of \(element.count)",
            "what the header announces follows it, in lists of at most 65536")
    }

    private mutating func number(_ type: Number) -> Double? {
        if encoding == .ascii { return reader.number() }
        switch type {
        case .real(4): return reader.integer(size: 4).map { Double(Float(bitPattern: UInt32($0))) }
        case .real: return reader.integer(size: 8).map { Double(bitPattern: $0) }
        case .integer(let size, let isSigned):
            guard let bits = reader.integer(size: size) else { return nil }
            let unused = UInt64(64 - 8 * size)
            return isSigned ? Double(Int64(bitPattern: bits << unused) >> Int64(unused)) : Double(bits)
        }
    }
}
