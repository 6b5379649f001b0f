import Foundation

/// Writes a small SOFA file as netCDF-4 would (HDF5 superblock 2, object headers 2, one fractal heap of links), with
/// anything in it that a test wants wrong.
public struct SofaWriter {
    public struct Variable {
        public var name: String
        public var values: [Double]
        public var attributes: [(String, String)]

        public init(_ name: String, _ values: [Double], _ attributes: [(String, String)] = []) {
            (self.name, self.values, self.attributes) = (name, values, attributes)
        }
    }

    public var attributes = [
        ("Conventions", "SOFA"), ("SOFAConventions", "SimpleFreeFieldHRIR"), ("DataType", "FIR"),
        ("RoomType", "free field"),
    ]
    public var dimensions: [(String, Int)]
    public var variables: [Variable]

    public init(dimensions: [(String, Int)], variables: [Variable]) {
        (self.dimensions, self.variables) = (dimensions, variables)
    }

    /// A head of two ears: directions as azimuth (to the left) and elevation in degrees, and for each the responses of
    /// the left and the right ear.
    public init(
        sampleRate: Double, directions: [(azimuth: Double, elevation: Double)],
        responses: [(left: [Float], right: [Float])]
    ) {
        self.init(
            dimensions: [
                ("I", 1), ("C", 3), ("R", 2), ("E", 1), ("N", responses.first?.left.count ?? 0),
                ("M", directions.count),
            ],
            variables: [
                Variable("ListenerPosition", [0, 0, 0], [("Type", "cartesian")]),
                Variable("ReceiverPosition", [0, 0.09, 0, 0, -0.09, 0], [("Type", "cartesian")]),
                Variable(
                    "SourcePosition", directions.flatMap { [$0.azimuth, $0.elevation, 1.2] },
                    [("Type", "spherical"), ("Units", "degree, degree, metre")]),
                Variable("EmitterPosition", [0, 0, 0]),
                Variable("Data.IR", responses.flatMap { ($0.left + $0.right).map(Double.init) }),
                Variable("Data.SamplingRate", [sampleRate], [("Units", "hertz")]),
                Variable("Data.Delay", [0, 0]),
            ])
    }

    public func bytes() -> [UInt8] {
        let attributes = attributes.flatMap(attribute)
        let heapAt = 48 + header(join(linkInfo(heap: 0), attributes)).count
        let blockAt = heapAt + heap(root: 0).count
        let names = dimensions.map(\.0) + variables.map(\.name)
        let objectsAt = blockAt + block(names.map { ($0, 0) }, heap: 0).count
        var (addresses, objects): ([Int], [UInt8]) = ([], [])
        for object in dimensions.map(dimension) + variables.map(dataset) {
            addresses.append(objectsAt + objects.count)
            objects += object(objectsAt + objects.count)
        }
        let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A, 2, 8, 8, 0]
        let superblock = join(
            signature, number(0, 8), number(-1, 8), number(objectsAt + objects.count, 8), number(48, 8), number(0, 4))
        let root = header(join(linkInfo(heap: heapAt), attributes))
        return join(superblock, root, heap(root: blockAt), block(Array(zip(names, addresses)), heap: heapAt), objects)
    }

    // MARK: Objects

    private func dimension(_ entry: (String, Int)) -> (Int) -> [UInt8] {
        let name = "This is a netCDF dimension but not a netCDF variable.     \(entry.1)"
        let made = header(join(attribute(("CLASS", "DIMENSION_SCALE")), attribute(("NAME", name))))
        return { _ in made }
    }

    private func dataset(_ variable: Variable) -> (Int) -> [UInt8] {
        let data: [UInt8] = variable.values.flatMap { value in
            withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
        }
        let space = message(1, join([2, 1, 0, 1], number(variable.values.count, 8)))
        let double = message(
            3,
            join([0x11, 0x20, 0x3F, 0], number(8, 4), number(0, 2), number(64, 2), [52, 11, 0, 52], number(1023, 4)))
        let attributes = variable.attributes.flatMap(attribute)
        func head(_ dataAt: Int) -> [UInt8] {
            header(join(space, double, message(8, join([3, 1], number(dataAt, 8), number(data.count, 8))), attributes))
        }
        return { address in join(head(address + head(0).count), data) }
    }

    private func header(_ messages: [UInt8]) -> [UInt8] {
        join(Array("OHDR".utf8), [2, 2], number(messages.count, 4), messages, number(0, 4))
    }

    private func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { join([type], number(body.count, 2), [0], body) }

    private func linkInfo(heap: Int) -> [UInt8] { message(2, join([0, 0], number(heap, 8), number(-1, 8))) }

    private func attribute(_ entry: (String, String)) -> [UInt8] {
        let (name, value) = (Array(entry.0.utf8) + [0], Array(entry.1.utf8))
        let type = join([0x13, 0, 0, 0], number(value.count, 4))
        let sizes = join(number(name.count, 2), number(type.count, 2), number(4, 2))
        return message(12, join([3, 0], sizes, [0], name, type, [2, 0, 0, 0], value))
    }

    // MARK: Links

    private func heap(root: Int) -> [UInt8] {
        let objects = join(number(0, 8), number(-1, 8), number(0, 8), number(-1, 8), [UInt8](repeating: 0, count: 64))
        let table = join(
            number(4, 2), number(4096, 8), number(4096, 8), number(32, 2), number(0, 2), number(root, 8), number(0, 2))
        return join(
            Array("FRHP".utf8), [0], number(8, 2), number(0, 2), [0], number(4096, 4), objects, table, number(0, 4))
    }

    private func block(_ links: [(String, Int)], heap: Int) -> [UInt8] {
        var bytes = join(Array("FHDB".utf8), [0], number(heap, 8), number(0, 4))
        for (name, address) in links {
            bytes += join(
                [1, 4], number(0, 8), [UInt8(truncatingIfNeeded: name.utf8.count)], Array(name.utf8), number(address, 8)
            )
        }
        return join(bytes, [UInt8](repeating: 0, count: 16))
    }

    // MARK: Bytes

    private func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * min($0, 7))) }
    }
}
