import OssicleCore

/// Reads STL, binary and ASCII: one object for each solid, in the file's own units. Normals are those of the corners'
/// order; what a facet says of its own is left out.
enum STLReader {
    private static let header = 84, facetSize = 50

    /// - Parameter object: what a solid without a name is called.
    static func parts(of bytes: [UInt8], name: String, object: String) throws(SceneFileError) -> [ScenePart] {
        // A binary file may begin with “solid” too: its length decides.
        if let count = facetCount(bytes), bytes.count >= header + facetSize * count,
            bytes.count == header + facetSize * count || !bytes.starts(with: "solid".utf8)
        {
            return [binary(bytes, count, object: object)]
        }
        let isText = bytes.prefix(512).drop { $0 <= 0x20 }.starts(with: "solid".utf8)
        guard isText else {
            throw SceneFileError(
                name, "has \(bytes.count) bytes for \(facetCount(bytes) ?? 0) facets",
                rule: "STL begins with “solid”, or has 84 bytes and 50 for each facet", cure: "export it again")
        }
        return try ascii(bytes, name: name, object: object)
    }

    private static func facetCount(_ bytes: [UInt8]) -> Int? {
        var count = MeshBytes(bytes, from: 80)
        return count.integer(size: 4).map { Int($0) }
    }

    private static func binary(_ bytes: [UInt8], _ count: Int, object: String) -> ScenePart {
        var reader = MeshBytes(bytes, from: header)
        var mesh = WeldedCorners()
        for _ in 0..<count {
            guard reader.skip(12) else { break }
            for _ in 0..<3 {
                func coordinate() -> Float {
                    Float(bitPattern: UInt32(truncatingIfNeeded: reader.integer(size: 4) ?? 0))
                }
                let (x, y) = (coordinate(), coordinate())
                mesh.add(SIMD3(x, y, coordinate()))
            }
            guard reader.skip(2) else { break }
        }
        return ScenePart(object: object, material: "", coordinates: mesh.coordinates, corners: mesh.corners)
    }

    private static func ascii(_ bytes: [UInt8], name: String, object: String) throws(SceneFileError) -> [ScenePart] {
        var reader = MeshBytes(bytes)
        var parts: [ScenePart] = []
        while let word = reader.word() {
            guard word.lowercased() == "solid" else {
                throw fault(name, parts.count, "has “\(word.prefix(40))” where a solid begins")
            }
            let title = reader.line() ?? ""
            parts.append(try solid(&reader, name: name, title: title.isEmpty ? object : title, number: parts.count))
        }
        return parts
    }

    private static func solid(
        _ reader: inout MeshBytes, name: String, title: String, number: Int
    ) throws(SceneFileError) -> ScenePart {
        var mesh = WeldedCorners()
        while let word = reader.word()?.lowercased() {
            switch word {
            case "endsolid":
                _ = reader.line()
                return ScenePart(object: title, material: "", coordinates: mesh.coordinates, corners: mesh.corners)
            case "facet": try facet(&reader, &mesh, name: name, number: number)
            default: throw fault(name, number, "has “\(word.prefix(40))” where a facet begins")
            }
        }
        throw fault(name, number, "has no end")
    }

    /// Behind “facet”: a normal, and a loop of three corners or more.
    private static func facet(
        _ reader: inout MeshBytes, _ mesh: inout WeldedCorners, name: String, number: Int
    ) throws(SceneFileError) {
        func expect(_ words: String...) throws(SceneFileError) {
            for wanted in words {
                let word = reader.word() ?? ""
                guard word.lowercased() == wanted else {
                    throw fault(name, number, "has “\(word.prefix(40))” where “\(wanted)” belongs")
                }
            }
        }
        try expect("normal")
        for _ in 0..<3 { _ = reader.word() }
        try expect("outer", "loop")
        var corners: [SIMD3<Float>] = []
        while let word = reader.word()?.lowercased(), word != "endloop" {
            guard word == "vertex", let x = reader.number(), let y = reader.number(), let z = reader.number() else {
                throw fault(name, number, "has a corner that is not “vertex x y z”")
            }
            corners.append(SIMD3(Float(x), Float(y), Float(z)))
        }
        try expect("endfacet")
        guard corners.count >= 3 else { throw fault(name, number, "has a facet of \(corners.count) corners") }
        for index in 1..<corners.count - 1 {
            for corner in [corners[0], corners[index], corners[index + 1]] { mesh.add(corner) }
        }
    }

    private static func fault(_ name: String, _ solid: Int, _ found: String) -> SceneFileError {
        SceneFileError(
            name, "solid \(solid + 1) \(found)",
            rule: "a solid is made of “facet normal … outer loop”, three times “vertex x y z”, “endloop endfacet”",
            cure: "export it again, or as binary STL")
    }
}
