/// Takes a child's reply apart, item by item. It may stop anywhere, or be nonsense: what is not there is nil.
package struct Reply {
    private let bytes: [UInt8]
    private var place = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { place >= bytes.count }

    package mutating func word() -> UInt32? {
        guard place + 4 <= bytes.count else { return nil }
        defer { place += 4 }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
    }

    /// As many words as the first one says.
    package mutating func words() -> [UInt32]? { list() }

    /// As many numbers as the word before them says.
    package mutating func floats() -> [Float]? { list() }

    package mutating func text() -> String? {
        guard let count = word().map(Int.init), count <= bytes.count - place else { return nil }
        defer { place += count }
        return String(decoding: bytes[place..<place + count], as: UTF8.self)
    }

    private mutating func list<Element: BitwiseCopyable>() -> [Element]? {
        guard let count = word().map(Int.init), count <= (bytes.count - place) / 4 else { return nil }
        defer { place += 4 * count }
        return bytes.withUnsafeBytes { raw in (0..<count).map { raw.loadUnaligned(fromByteOffset: place + 4 * $0, as: Element.self) } }
    }
}
