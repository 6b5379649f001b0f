import Foundation
import OssicleModelIO
import OssiclePHASE

/// Model I/O, and what PHASE makes of its meshes.
let meshCases: [MisuseCase] = [
    MisuseCase("meshes: generators with any extent and any number of segments") {
        for x in Hostile.floats {
            for count in [0, 1, 3, UInt32.max] {
                note("extent \(x), \(count) segments")
                let (extent, two, three) = (SIMD3<Float>(x, 1, -x), SIMD2<UInt32>(count, 2), SIMD3<UInt32>(count, 1, 1))
                let meshes = [
                    MDLMesh(
                        boxWithExtent: extent, segments: three, inwardNormals: true, geometryType: .triangles,
                        allocator: nil),
                    MDLMesh(
                        sphereWithExtent: extent, segments: two, inwardNormals: false, geometryType: .triangles,
                        allocator: nil),
                    MDLMesh(planeWithExtent: extent, segments: two, geometryType: .quads, allocator: nil),
                    MDLMesh(
                        capsuleWithExtent: extent, cylinderSegments: two, hemisphereSegments: count == .max ? .min : 2,
                        inwardNormals: false,
                        geometryType: .triangles, allocator: nil),
                    MDLMesh(icosahedronWithExtent: extent, inwardNormals: false, geometryType: .points, allocator: nil),
                ]
                for mesh in meshes {
                    _ = (
                        mesh.boundingBox, mesh.vertexCount,
                        mesh.vertexAttributeData(forAttributeNamed: MDLVertexAttributePosition)
                    )
                }
            }
        }
    },
    MisuseCase("meshes: indices beyond the vertices, strides and offsets beyond the buffer") {
        let engine = PHASEEngine(updateMode: .manual)
        let positions = (0..<9).map { Float($0) }.withUnsafeBytes { Data($0) }
        for stride in Hostile.integers + [12, 1] {
            for (offset, vertices) in [(0, 3), (Int.max, 3), (-1, 3), (0, .max), (0, -1), (4, 3)] {
                note("stride \(stride), offset \(offset), \(vertices) vertices")
                let descriptor = MDLVertexDescriptor()
                descriptor.attributes[0] = MDLVertexAttribute(
                    name: MDLVertexAttributePosition, format: .float3, offset: offset, bufferIndex: 0)
                descriptor.layouts[0] = MDLVertexBufferLayout(stride: stride)
                for (indices, count) in [([0, 1, 2], 3), ([0, 1, .max], 3), ([0, 1, 2], .max), ([0, 1], -1)]
                    as [([UInt32], Int)]
                {
                    let buffer = MDLMeshBufferData(type: .index, data: indices.withUnsafeBytes { Data($0) })
                    let submesh = MDLSubmesh(
                        indexBuffer: buffer, indexCount: count, indexType: .uInt32, geometryType: .triangles,
                        material: nil)
                    let mesh = MDLMesh(
                        vertexBuffer: MDLMeshBufferData(type: .vertex, data: positions), vertexCount: vertices,
                        descriptor: descriptor, submeshes: [submesh])
                    mesh.addNormals(withAttributeNamed: nil, creaseThreshold: .nan)
                    _ = (mesh.boundingBox, PHASEShape(engine: engine, mesh: mesh).elements.count)
                }
            }
        }
    },
    MisuseCase("meshes: subdivided without end") {
        let mesh = MDLMesh(
            boxWithExtent: SIMD3(1, 1, 1), segments: SIMD3(1, 1, 1), inwardNormals: false, geometryType: .triangles,
            allocator: nil)
        for index in [Int.min, -1, 0, 1, .max] {
            for level in [Int.min, -1, 0, 3] {
                note("level \(level) of submesh \(index)")
                _ = MDLMesh.newSubdividedMesh(mesh, submeshIndex: index, subdivisionLevels: level)?.vertexCount
            }
        }
        note("level .max of submesh 0")
        let vertices = MDLMesh.newSubdividedMesh(mesh, submeshIndex: 0, subdivisionLevels: .max)?.vertexCount ?? 0
        try expect((1...(1 << 21)).contains(vertices), "\(vertices) vertices")
    },
    MisuseCase("meshes: descriptors and buffers of nothing") {
        let mesh = MDLMesh()
        mesh.vertexCount = .min
        mesh.vertexCount = 4
        mesh.submeshes = nil
        mesh.addAttribute(withName: "", format: .invalid)
        mesh.addAttribute(withName: "x", format: .float3, type: "", data: Data([1]), stride: .max)
        mesh.addNormals(withAttributeNamed: "", creaseThreshold: 2)
        mesh.removeAttributeNamed("not there")
        for length in Hostile.integers {
            note("buffer of \(length)")
            let buffer = MDLMeshBufferData(type: .vertex, length: min(length, 1 << 40))
            buffer.fill(Data([1, 2, 3]), offset: length)
        }
        let group = MDLObject(), child = MDLObject()
        group.addChild(child)
        note("a child of its own child")
        child.addChild(group)
        _ = (group.path, group.boundingBox(atTime: .nan))
    },
    MisuseCase("meshes: occluders of degenerate triangles while geometry is simulated") {
        let scene = try OfflineScene()
        scene.engine.acousticsMode = .geometry
        for x in Hostile.floats {
            note("occluder of extent \(x)")
            let mesh = MDLMesh(
                boxWithExtent: SIMD3(x, 1, x), segments: SIMD3(1, 1, 1), inwardNormals: x < 0, geometryType: .triangles,
                allocator: nil)
            let occluder = PHASEOccluder(engine: scene.engine, shapes: [PHASEShape(engine: scene.engine, mesh: mesh)])
            try scene.engine.rootObject.addChild(occluder)
            try scene.render(512)
            scene.engine.rootObject.removeChild(occluder)
        }
    },
]
