@testable import OssicleModelIO
import Testing

private func box(_ geometryType: MDLGeometryType = .triangles) -> MDLMesh {
    .newBox(
        withDimensions: SIMD3(2, 2, 2), segments: SIMD3(1, 1, 1), geometryType: geometryType, inwardNormals: false,
        allocator: nil)
}

/// A cube of 8 shared points without normals, as a file might give it.
private func bareCube() -> MDLMesh {
    let points: [Float] = [-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1]
    let corners: [UInt8] = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]
    let descriptor = MDLVertexDescriptor()
    descriptor.attributes[0] = MDLVertexAttribute(
        name: MDLVertexAttributePosition, format: .float3, offset: 0, bufferIndex: 0)
    descriptor.layouts[0] = MDLVertexBufferLayout(stride: 12)
    let submesh = MDLSubmesh(
        indexBuffer: MDLMeshBufferData(type: .index, data: Data(corners)), indexCount: 24, indexType: .uint8,
        geometryType: .quads, material: nil)
    return MDLMesh(
        vertexBuffer: MDLMeshBufferData(type: .vertex, data: points.withUnsafeBytes { Data($0) }), vertexCount: 8,
        descriptor: descriptor, submeshes: [submesh])
}

@Suite("Meshes from buffers")
struct MeshEditingTests {
    @Test("A mesh from buffers has the shape its numbers say")
    func fromBuffers() {
        let shape = Shape(bareCube())
        #expect(shape.isClosed)
        #expect(abs(shape.volume - 8) < 1e-6)
        #expect(bareCube().boundingBox.minBounds == SIMD3(-1, -1, -1))
    }

    @Test("Nothing is read beyond the buffers, whatever counts, offsets and indices promise")
    func lyingBuffers() {
        let mesh = bareCube()
        mesh.vertexCount = .max
        #expect(mesh.positions.count == 8)
        mesh.vertexCount = -5
        #expect(mesh.vertexCount == 0)
        #expect(mesh.boundingBox.maxBounds == .zero)
        mesh.vertexCount = 4
        #expect(Shape(mesh).faceCount == 2)
        let descriptor = mesh.vertexDescriptor
        descriptor.attributeNamed(MDLVertexAttributePosition)?.offset = .max
        let lost = MDLMesh(vertexBuffers: mesh.vertexBuffers, vertexCount: 8, descriptor: descriptor, submeshes: [])
        #expect(lost.vertexAttributeData(forAttributeNamed: MDLVertexAttributePosition) == nil)
        let short = MDLSubmesh(
            indexBuffer: MDLMeshBufferData(type: .index, length: 3), indexCount: .max, indexType: .uInt16,
            geometryType: .triangles, material: nil)
        #expect(mesh.triangles(of: short).isEmpty)
        #expect(short.indexBuffer(asIndexType: .uInt32).length == 4)
    }

    @Test("Attribute data is in place, and converted data is not")
    func attributeData() throws {
        let mesh = box()
        let inPlace = try #require(mesh.vertexAttributeData(forAttributeNamed: MDLVertexAttributePosition, as: .float3))
        #expect(inPlace.stride == 32)
        inPlace.dataStart.storeBytes(of: 5, as: Float.self)
        #expect(mesh.boundingBox.maxBounds.x == 5)
        let converted = try #require(mesh.vertexAttributeData(forAttributeNamed: MDLVertexAttributeNormal, as: .half4))
        #expect(converted.stride == 8)
        #expect(converted.bufferSize == 24 * 8)
        #expect(converted.dataStart.loadUnaligned(fromByteOffset: 6, as: UInt16.self) == 0x3C00)
        #expect(mesh.vertexAttributeData(forAttributeNamed: "nothing") == nil)
        #expect(mesh.vertexAttributeData(forAttributeNamed: MDLVertexAttributeNormal, as: .invalid) == nil)
    }

    @Test("A new descriptor moves and converts what is there and fills what is not")
    func relayout() throws {
        let mesh = box()
        let descriptor = MDLVertexDescriptor()
        descriptor.addOrReplaceAttribute(
            MDLVertexAttribute(name: MDLVertexAttributeNormal, format: .char4Normalized, offset: 0, bufferIndex: 0))
        descriptor.addOrReplaceAttribute(
            MDLVertexAttribute(name: MDLVertexAttributePosition, format: .half3, offset: 0, bufferIndex: 1))
        let color = MDLVertexAttribute(
            name: MDLVertexAttributeColor, format: .uChar4Normalized, offset: 6, bufferIndex: 1)
        color.initializationValue = SIMD4(1, 0, 0.5, 1)
        descriptor.addOrReplaceAttribute(color)
        descriptor.setPackedStrides()
        mesh.vertexDescriptor = descriptor
        #expect(mesh.vertexBuffers.map(\.length) == [24 * 4, 24 * 10])
        #expect(abs(Shape(mesh).volume - 8) < 1e-6)
        #expect(Shape(mesh).worstNormal > 0.999)
        let data = try #require(mesh.vertexAttributeData(forAttributeNamed: MDLVertexAttributeColor))
        #expect(
            (0..<4).map { (data.dataStart + 23 * data.stride).load(fromByteOffset: $0, as: UInt8.self) } == [
                255, 0, 128, 255,
            ])
        #expect(mesh.vertexDescriptor.attributeNamed(MDLVertexAttributeTextureCoordinate) == nil)
    }

    @Test("An attribute is added with values or with zeros, replaced and removed")
    func addAttribute() throws {
        let mesh = bareCube()
        mesh.addAttribute(withName: "loss", format: .float)
        #expect(mesh.vertexAttributeData(forAttributeNamed: "loss")?.dataStart.load(as: Float.self) == 0)
        let values = (0..<8).map { Float($0) }.withUnsafeBytes { Data($0) }
        mesh.addAttribute(withName: "loss", format: .float, type: "loss", data: values, stride: 4)
        let data = try #require(mesh.vertexAttributeData(forAttributeNamed: "loss"))
        #expect((data.dataStart + 7 * data.stride).load(as: Float.self) == 7)
        mesh.removeAttributeNamed("loss")
        #expect(mesh.vertexAttributeData(forAttributeNamed: "loss") == nil)
        #expect(mesh.positions.count == 8)
    }

    @Test("Faceted normals double shared points; smooth ones point to the corners, however faces are cut")
    func normals() {
        let faceted = bareCube()
        faceted.addNormals(withAttributeNamed: nil, creaseThreshold: 1)
        #expect(faceted.vertexCount == 24)
        #expect(Shape(faceted).worstNormal > 1 - 1e-6)
        #expect(Shape(faceted).isClosed)
        let smooth = box()
        smooth.addNormals(withAttributeNamed: MDLVertexAttributeNormal, creaseThreshold: 0)
        #expect(smooth.vertexCount == 24)
        let shape = Shape(smooth)
        #expect(zip(shape.positions, shape.normals).allSatisfy { simd_distance(simd_normalize($0), $1) < 1e-6 })
    }

    @Test("Between smooth and faceted, edges sharper than the threshold stay edges")
    func creases() {
        let mesh = MDLMesh.newCylinder(
            withHeight: 2, radii: SIMD2(1, 1), radialSegments: 24, verticalSegments: 1, geometryType: .triangles,
            inwardNormals: false, allocator: nil)
        let expected = Shape(mesh).normals
        mesh.addNormals(withAttributeNamed: nil, creaseThreshold: 0.5)
        #expect(Shape(mesh).positions.count == expected.count)
        #expect(zip(Shape(mesh).normals, expected).allSatisfy { simd_distance($0, $1) < 1e-3 || simd_length($0) == 0 })
    }

    @Test("Subdividing keeps shape and closure and quarters the triangles")
    func subdivision() throws {
        let fine = try #require(MDLMesh.newSubdividedMesh(box(.quads), submeshIndex: 0, subdivisionLevels: 3))
        let shape = Shape(fine)
        #expect(shape.faceCount == 12 * 64)
        #expect(shape.isClosed)
        #expect(shape.eulerCharacteristic == 2)
        #expect(abs(shape.volume - 8) < 1e-5)
        #expect(shape.worstNormal > 0.999)
        #expect(
            MDLMesh(meshBySubdividingMesh: bareCube(), submeshIndex: 0, subdivisionLevels: 1, allocator: nil)
                .vertexCount == 8 + 18)
    }

    @Test("Subdividing what is not there gives nothing, and endless levels end")
    func subdivisionLimits() {
        #expect(MDLMesh.newSubdividedMesh(box(), submeshIndex: 1, subdivisionLevels: 1) == nil)
        #expect(MDLMesh.newSubdividedMesh(box(), submeshIndex: -1, subdivisionLevels: 1) == nil)
        #expect(
            MDLMesh(meshBySubdividingMesh: box(.lines), submeshIndex: 0, subdivisionLevels: 2, allocator: nil)
                .vertexCount == 0)
        #expect(
            MDLMesh.newSubdividedMesh(box(), submeshIndex: 0, subdivisionLevels: -4).map { Shape($0).faceCount } == 12)
    }

    @Test("An empty mesh answers everything")
    func empty() {
        let mesh = MDLMesh()
        mesh.addNormals(withAttributeNamed: nil, creaseThreshold: 0)
        mesh.vertexDescriptor = bareCube().vertexDescriptor
        #expect(mesh.boundingBox.maxBounds == .zero)
        #expect(mesh.vertexDescriptor.attributeNamed(MDLVertexAttributePosition) != nil)
        mesh.submeshes = nil
        #expect(mesh.submeshes?.count == 0)
        mesh.submeshes?.add(NSObject())
        #expect(Shape(mesh).faceCount == 0)
    }
}
