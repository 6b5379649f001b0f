import OssicleModelIO
import Testing

private func submesh(_ indices: [UInt8], _ geometryType: MDLGeometryType) -> MDLSubmesh {
    MDLSubmesh(
        name: "part", indexBuffer: MDLMeshBufferData(type: .index, data: Data(indices)), indexCount: indices.count,
        indexType: .uint8,
        geometryType: geometryType,
        material: MDLMaterial(name: "brick", scatteringFunction: MDLPhysicallyPlausibleScatteringFunction()))
}

private func indices(_ submesh: MDLSubmesh?) -> [UInt32]? {
    submesh.map { submesh in
        let map = submesh.indexBuffer(asIndexType: .uInt32).map()
        return (0..<submesh.indexCount).map { map.bytes.load(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
}

@Suite("Submeshes")
struct SubmeshTests {
    @Test("Quads and strips become triangles that turn the same way")
    func triangles() {
        let quads = MDLSubmesh(mdlSubmesh: submesh([0, 1, 2, 3], .quads), indexType: .uInt16, geometryType: .triangles)
        #expect(indices(quads) == [0, 1, 2, 0, 2, 3])
        #expect(quads?.material?.name == "brick")
        #expect(quads?.name == "part")
        let strip = MDLSubmesh(
            mdlSubmesh: submesh([0, 1, 2, 3, 3, 4, 4, 5, 6], .triangleStrips), indexType: .uInt32,
            geometryType: .triangles)
        #expect(indices(strip) == [0, 1, 2, 2, 1, 3, 4, 5, 6])
    }

    @Test("Edges and corners are listed once")
    func lines() {
        let two = submesh([0, 1, 2, 2, 1, 3], .triangles)
        #expect(
            indices(MDLSubmesh(mdlSubmesh: two, indexType: .uInt8, geometryType: .lines)) == [
                0, 1, 1, 2, 2, 0, 1, 3, 3, 2,
            ])
        #expect(indices(MDLSubmesh(mdlSubmesh: two, indexType: .uInt8, geometryType: .points)) == [0, 1, 2, 3])
    }

    @Test("Faces of any size carry their sizes with them")
    func anySize() {
        let mixed = submesh([0, 1, 2, 3, 4, 5, 6], .variableTopology)
        #expect(MDLSubmesh(mdlSubmesh: mixed, indexType: .uInt8, geometryType: .triangles) == nil)
        mixed.topology = MDLSubmeshTopology(submesh: mixed)
        mixed.topology?.faceTopology = MDLMeshBufferData(type: .custom, data: Data([3, 4]))
        mixed.topology?.faceCount = 2
        #expect(
            indices(MDLSubmesh(mdlSubmesh: mixed, indexType: .uInt8, geometryType: .triangles)) == [
                0, 1, 2, 3, 4, 5, 3, 5, 6,
            ])
        let faces = MDLSubmesh(
            mdlSubmesh: submesh([0, 1, 2, 3], .quads), indexType: .uInt8, geometryType: .variableTopology)
        #expect(faces?.topology?.faceCount == 1)
        #expect(MDLSubmeshTopology(submesh: submesh([0, 1, 2], .triangles)).faceCount == 1)
    }

    @Test(
        "What cannot be is nil",
        arguments: [
            (MDLGeometryType.lines, MDLGeometryType.triangles), (.points, .lines), (.triangles, .quads),
            (.triangles, .triangleStrips),
        ])
    func impossible(from: MDLGeometryType, to: MDLGeometryType) {
        #expect(MDLSubmesh(mdlSubmesh: submesh([0, 1, 2], from), indexType: .uInt16, geometryType: to) == nil)
    }

    @Test("Indices that do not fit a width are refused, or limited where they must be given")
    func widths() {
        let wide = [UInt32](arrayLiteral: 1, 300, 70000).withUnsafeBytes { Data($0) }
        let submesh = MDLSubmesh(
            indexBuffer: MDLMeshBufferData(type: .index, data: wide), indexCount: 3, indexType: .uInt32,
            geometryType: .triangles,
            material: nil)
        #expect(MDLSubmesh(mdlSubmesh: submesh, indexType: .uInt16, geometryType: .triangles) == nil)
        #expect(MDLSubmesh(mdlSubmesh: submesh, indexType: .invalid, geometryType: .triangles) == nil)
        let narrow = submesh.indexBuffer(asIndexType: .uInt16).map()
        #expect((0..<3).map { narrow.bytes.load(fromByteOffset: $0 * 2, as: UInt16.self) } == [1, 300, 65535])
    }
}
