import OssicleCore

/// Bytes of a mesh file from the front: words of text, and numbers in either byte order. Past the end there is nil.
struct MeshBytes {
    let bytes: [UInt8]
    private(set) var place: Int
    let isBigEndian: Bool

    init(_ bytes: [UInt8], from place: Int = 0, isBigEndian: Bool = false) {
        (self.bytes, self.place, self.isBigEndian) = (bytes, place, isBigEndian)
    }

    var isAtEnd: Bool { place >= bytes.count }

    /// The next whole number of up to eight bytes, without its sign.
    mutating func integer(size: Int) -> UInt64? {
        guard size <= bytes.count - place else { return nil }
        var value: UInt64 = 0
        for index in 0..<size {
            let byte = UInt64(bytes[place + index])
            value = isBigEndian ? value << 8 | byte : value | byte << UInt64(8 * index)
        }
        place += size
        return value
    }

    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, count <= bytes.count - place else { return false }
        place += count
        return true
    }

    /// The next word, with blanks and line ends around it.
    mutating func word() -> String? {
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
        let start = place
        while place < bytes.count, bytes[place] > 0x20 { place += 1 }
        return start < place ? String(decoding: bytes[start..<place], as: UTF8.self) : nil
    }

    mutating func number() -> Double? { word().flatMap { Double($0) } }

    /// The rest of the line without blanks around it; nil at the end.
    mutating func line() -> String? {
        guard place < bytes.count else { return nil }
        let start = place
        while place < bytes.count, bytes[place] != 0x0A { place += 1 }
        var line = bytes[start..<place]
        place = min(place + 1, bytes.count)
        while let last = line.last, last <= 0x20 { line.removeLast() }
        return String(decoding: line.drop { $0 <= 0x20 }, as: UTF8.self)
    }
}

/// Corners of triangles as numbers of vertices: corners at one position are one vertex, so that faces share edges.
struct WeldedCorners {
    private(set) var coordinates: [Float] = []
    private(set) var corners: [UInt32] = []
    private var numbers: [SIMD3<Float>: UInt32] = [:]

    mutating func add(_ position: SIMD3<Float>) {
        // −0 is 0.
        let key = position + 0
        if let known = numbers[key] { return corners.append(known) }
        let number = UInt32(truncatingIfNeeded: coordinates.count / 3)
        if key.x == key.x, key.y == key.y, key.z == key.z { numbers[key] = number }
        coordinates += [position.x, position.y, position.z]
        corners.append(number)
    }
}
