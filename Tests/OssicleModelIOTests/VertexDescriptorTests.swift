import OssicleModelIO
import Testing

@Suite("Vertex descriptors")
struct VertexDescriptorTests {
    private func descriptor() -> MDLVertexDescriptor {
        let descriptor = MDLVertexDescriptor()
        descriptor.attributes[0] = MDLVertexAttribute(
            name: MDLVertexAttributePosition, format: .float3, offset: 99, bufferIndex: 0)
        descriptor.attributes[1] = MDLVertexAttribute(
            name: MDLVertexAttributeNormal, format: .half4, offset: 99, bufferIndex: 0)
        descriptor.attributes[2] = MDLVertexAttribute(
            name: MDLVertexAttributeColor, format: .uChar4, offset: 99, bufferIndex: 2)
        return descriptor
    }

    @Test("Packing moves attributes together and ends strides with the last of them")
    func packing() {
        let descriptor = descriptor()
        descriptor.setPackedOffsets()
        descriptor.setPackedStrides()
        #expect(descriptor.attributeNamed(MDLVertexAttributeNormal)?.offset == 12)
        #expect(descriptor.attributeNamed(MDLVertexAttributeColor)?.offset == 0)
        #expect(descriptor.layouts.prefix(4).map { ($0 as? MDLVertexBufferLayout)?.stride } == [20, 0, 4, 0])
    }

    @Test("An attribute replaces the one with its name, or takes a free slot")
    func replacing() {
        let descriptor = descriptor()
        descriptor.addOrReplaceAttribute(
            MDLVertexAttribute(name: MDLVertexAttributeNormal, format: .float3, offset: 4, bufferIndex: 1))
        #expect((descriptor.attributes[1] as? MDLVertexAttribute)?.format == .float3)
        descriptor.removeAttributeNamed(MDLVertexAttributePosition)
        descriptor.addOrReplaceAttribute(MDLVertexAttribute(name: "new", format: .float, offset: 0, bufferIndex: 0))
        #expect((descriptor.attributes[0] as? MDLVertexAttribute)?.name == "new")
        descriptor.reset()
        #expect(descriptor.attributeNamed("new") == nil)
        #expect(descriptor.attributes.count == 31)
    }

    @Test("A copy shares nothing with the original, and foreign objects are ignored")
    func copying() {
        let original = descriptor()
        original.attributes.add(NSObject())
        let copy = MDLVertexDescriptor(vertexDescriptor: original)
        copy.attributeNamed(MDLVertexAttributeColor)?.name = "tint"
        #expect(original.attributeNamed("tint") == nil)
        #expect(original.attributeNamed(MDLVertexAttributeColor)?.initializationValue == SIMD4(0, 0, 0, 1))
        #expect((original.copy() as? MDLVertexDescriptor)?.attributeNamed(MDLVertexAttributeColor) != nil)
    }
}
