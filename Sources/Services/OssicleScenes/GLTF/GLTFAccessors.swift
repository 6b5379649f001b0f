/// The numbers of a glTF document: accessors of all component types, normalised or not, sparse or not.
///
/// Everything is held against the bytes that are there before memory is taken for it.
struct GLTFAccessors {
    private let accessors: [JSONCursor]
    private let buffers: GLTFBuffers
    /// Numbers that may still be read: a document of few bytes may state any count.
    private var budget = GLTFAccessors.most
    /// Numbers in a scene at the most.
    static let most = 1 << 24

    init(_ document: JSONObject, _ buffers: GLTFBuffers) throws {
        accessors = try document.list("accessors")
        self.buffers = buffers
    }

    /// How the numbers of an accessor are stored.
    private enum Component: Int, CaseIterable {
        case byte = 5120, unsignedByte, short, unsignedShort, unsignedInt = 5125, float

        var size: Int {
            switch self {
            case .byte, .unsignedByte: 1
            case .short, .unsignedShort: 2
            case .unsignedInt, .float: 4
            }
        }
    }

    private static let widths = ["SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16]

    /// Vectors of `width` numbers, one behind the other.
    /// - Parameter cursor: holds the accessor's number.
    mutating func floats(_ cursor: JSONCursor, width: Int) throws -> [Float] {
        let accessor = try object(cursor, width: width)
        let (component, count) = (
            try Self.component(of: accessor.required("componentType")), try count(accessor, width)
        )
        let isNormalised = try accessor["normalized"]?.flag() ?? false
        var values = try read(accessor, component, count: count, width: width) {
            Self.decode($0, component, isNormalised, $1)
        }
        if let sparse = try accessor["sparse"]?.object() {
            try substitute(sparse, in: &values, width: width, count: count) { bytes, place in
                Self.decode(bytes, component, isNormalised, place)
            } size: {
                component.size
            }
        }
        return values
    }

    /// Whole numbers without a sign.
    /// - Parameter cursor: holds the accessor's number.
    mutating func indices(_ cursor: JSONCursor) throws -> [UInt32] {
        let accessor = try object(cursor, width: 1), type = try accessor.required("componentType")
        let component = try Self.component(of: type)
        guard [.unsignedByte, .unsignedShort, .unsignedInt].contains(component) else {
            throw type.fault(
                rule: "indices are unsigned: 5121, 5123 or 5125", cure: "export the scene again")
        }
        let count = try count(accessor, 1)
        var values: [UInt32] = try read(accessor, component, count: count, width: 1) { Self.index($0, component, $1) }
        if let sparse = try accessor["sparse"]?.object() {
            try substitute(sparse, in: &values, width: 1, count: count) { bytes, place in
                Self.index(bytes, component, place)
            } size: {
                component.size
            }
        }
        return values
    }

    /// Whether an accessor has bytes of its own, not those that a compressed mesh would unpack to.
    func hasBytes(_ cursor: JSONCursor) throws -> Bool {
        let accessor = try accessors[try cursor.index(of: "accessors", count: accessors.count)].object()
        return accessor.members["bufferView"] != nil || accessor.members["sparse"] != nil
    }

    private func object(_ cursor: JSONCursor, width: Int) throws -> JSONObject {
        let accessor = try accessors[try cursor.index(of: "accessors", count: accessors.count)].object()
        let type = try accessor.required("type")
        guard case .string(let name) = type.value, Self.widths[name] == width else {
            let wanted = Self.widths.filter { $0.value == width }.keys.sorted().joined(separator: " or ")
            throw type.fault(rule: "\(cursor.path) needs \(wanted)", cure: "export the scene again")
        }
        return accessor
    }

    private static func component(of cursor: JSONCursor) throws -> Component {
        guard case .number(let number) = cursor.value, let component = Int(exactly: number).flatMap(Component.init)
        else {
            throw cursor.fault(
                rule: "it is one of \(Component.allCases.map { "\($0.rawValue)" }.joined(separator: ", "))",
                cure: "export the scene again")
        }
        return component
    }

    private mutating func count(_ accessor: JSONObject, _ width: Int) throws -> Int {
        let cursor = try accessor.required("count"), count = try cursor.integer(in: 1...Self.most)
        guard count * width <= budget else {
            throw cursor.fault(
                rule: "a scene has at most \(Self.most) numbers, repeated ones counted again",
                cure: "export fewer triangles")
        }
        budget -= count * width
        return count
    }

    private func read<Value: ExpressibleByIntegerLiteral>(
        _ accessor: JSONObject, _ component: Component, count: Int, width: Int,
        _ value: (UnsafeRawBufferPointer, Int) -> Value
    ) throws -> [Value] {
        guard let name = accessor["bufferView"] else { return Array(repeating: 0, count: count * width) }
        return try elements(
            name, offset: accessor["byteOffset"], component.size, count: count, width: width, value)
    }

    /// `count` elements from a place in a view on.
    private func elements<Value>(
        _ name: JSONCursor, offset: JSONCursor?, _ size: Int, count: Int, width: Int,
        _ value: (UnsafeRawBufferPointer, Int) -> Value
    ) throws -> [Value] {
        let view = try buffers.view(name), start = try offset?.integer(in: 0...GLTFBuffers.most) ?? 0
        let stride = max(view.stride ?? size * width, size * width)
        guard start + (count - 1) * stride + size * width <= view.bytes.count else {
            throw name.fault(
                rule:
                    "\(count) elements of \(size * width) bytes, \(stride) apart, from \(start) on, do not fit into its "
                    + "\(view.bytes.count) bytes", cure: "export the scene again")
        }
        return buffers.withBytes(view) { bytes in
            var values: [Value] = []
            values.reserveCapacity(count * width)
            for element in 0..<count {
                for number in 0..<width { values.append(value(bytes, start + element * stride + number * size)) }
            }
            return values
        }
    }

    /// Puts the elements of a sparse accessor in their places.
    private mutating func substitute<Value>(
        _ sparse: JSONObject, in values: inout [Value], width: Int, count: Int,
        _ value: (UnsafeRawBufferPointer, Int) -> Value, size: () -> Int
    ) throws {
        let many = try sparse.required("count").integer(in: 1...count)
        let places = try sparse.required("indices").object(), new = try sparse.required("values").object()
        let type = try places.required("componentType"), component = try Self.component(of: type)
        guard [.unsignedByte, .unsignedShort, .unsignedInt].contains(component) else {
            throw type.fault(rule: "indices are unsigned: 5121, 5123 or 5125", cure: "export the scene again")
        }
        let indices = try elements(
            places.required("bufferView"), offset: places["byteOffset"], component.size, count: many, width: 1
        ) { Self.index($0, component, $1) }
        let replacements = try elements(
            new.required("bufferView"), offset: new["byteOffset"], size(), count: many, width: width, value)
        for (index, place) in indices.enumerated() {
            guard place < count else {
                throw places.cursor.fault(
                    "holds \(place)", rule: "the accessor has \(count) elements", cure: "export the scene again")
            }
            for number in 0..<width { values[Int(place) * width + number] = replacements[index * width + number] }
        }
    }

    /// glTF is little-endian; normalised numbers are those of its section 3.6.2.2.
    @inline(__always)
    private static func decode(
        _ bytes: UnsafeRawBufferPointer, _ component: Component, _ isNormalised: Bool, _ place: Int
    ) -> Float {
        func whole<Raw: FixedWidthInteger & BitwiseCopyable>(_ type: Raw.Type) -> Float {
            let value = Float(Raw(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: type)))
            return isNormalised ? max(value / Float(Raw.max), -1) : value
        }
        switch component {
        case .byte: return whole(Int8.self)
        case .unsignedByte: return whole(UInt8.self)
        case .short: return whole(Int16.self)
        case .unsignedShort: return whole(UInt16.self)
        case .unsignedInt: return whole(UInt32.self)
        case .float:
            return Float(
                bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        }
    }

    @inline(__always)
    private static func index(_ bytes: UnsafeRawBufferPointer, _ component: Component, _ place: Int) -> UInt32 {
        switch component.size {
        case 1: UInt32(bytes[place])
        case 2: UInt32(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
        default: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        }
    }
}
