@testable import OssicleModelIO
import Testing

@Suite("Buffers and formats")
struct BufferTests {
    @Test("Filling stays within the buffer")
    func filling() {
        let buffer = MDLMeshBufferData(type: .vertex, length: 4)
        buffer.fill(Data([1, 2, 3]), offset: 2)
        buffer.fill(Data([9]), offset: 4)
        buffer.fill(Data([9]), offset: -1)
        buffer.fill(Data([9]), offset: .max)
        #expect(buffer.data == Data([0, 0, 1, 2]))
        #expect((buffer.copy() as? MDLMeshBufferData)?.data == buffer.data)
    }

    @Test("A map keeps the bytes, and lets a client's go", arguments: [Int.min, -1, 0, 3])
    func maps(length: Int) {
        var map = MDLMeshBufferData(type: .index, length: length).map()
        if length > 0 { map.bytes.storeBytes(of: 7, as: UInt8.self) }
        var freed = false
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        map = MDLMeshBufferMap(bytes: memory) { freed = true }
        #expect(!freed)
        map = MDLMeshBufferMap(bytes: memory)
        #expect(freed)
        memory.deallocate()
    }

    @Test("A zone is a budget")
    func zones() {
        let allocator = MDLMeshBufferDataAllocator()
        let zone = allocator.newZoneForBuffers(withSize: [10, 20], andType: [1, 2])
        #expect(zone.capacity == 30)
        #expect(allocator.newBuffer(from: zone, length: 25, type: .vertex)?.length == 25)
        #expect(allocator.newBuffer(from: zone, length: 6, type: .index) == nil)
        #expect(allocator.newBuffer(from: zone, data: Data([1, 2, 3, 4, 5]), type: .index)?.length == 5)
        #expect(allocator.newBuffer(from: nil, length: 8, type: .custom)?.zone.capacity == 8)
        #expect(allocator.newZoneForBuffers(withSize: [NSNumber(value: Int.max), 9], andType: []).capacity == .max)
    }

    @Test(
        "Formats know their size and keep the values their kind can hold",
        arguments: [
            (MDLVertexFormat.uChar4, 4, 255.0), (.char, 1, -128), (.uShort2, 4, 65535), (.short4, 8, -32768),
            (.uInt, 4, 4294967295), (.int3, 12, -2147483648),
            (.half2, 4, 0.333251953125), (.float4, 16, 0.1015625), (.uCharNormalized, 1, 1), (.short2Normalized, 4, -1),
        ])
    func formats(format: MDLVertexFormat, size: Int, value: Double) throws {
        #expect(format.rawValue & 0xFF == UInt(format.componentCount))
        #expect(format.byteCount == size)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 1)
        defer { memory.deallocate() }
        format.write(SIMD4(repeating: value), to: memory)
        #expect((0..<format.componentCount).allSatisfy { format.read(memory)[$0] == value })
        format.write(SIMD4(repeating: .nan), to: memory)
        format.write(SIMD4(repeating: 1e300), to: memory)
        format.write(SIMD4(repeating: -1e300), to: memory)
    }

    #if !(os(macOS) && arch(x86_64))
    @Test("Half floats agree with the processor's, every one of them and between them")
    func halves() {
        for bits in UInt16.min...UInt16.max {
            let (ours, theirs) = (HalfFloat.value(of: bits), Double(Float16(bitPattern: bits)))
            #expect(ours == theirs || (ours.isNaN && theirs.isNaN))
            if !theirs.isNaN { #expect(HalfFloat.bits(of: theirs) == bits) }
        }
        for step in -2000...2000 {
            let value = pow(1.02, Double(step)) * (step % 2 == 0 ? 1 : -1)
            #expect(HalfFloat.bits(of: value) == Float16(value).bitPattern)
        }
    }
    #endif
}
