@testable import OssicleModelIO
import Testing

/// The area of a regular polygon with `n` corners on the unit circle.
private func polygonArea(_ n: Int) -> Double { Double(n) / 2 * sin(2 * .pi / Double(n)) }

/// The volume between rings of `n` corners on circles of given radius at given height: a row of pyramid stumps.
private func stumps(_ rings: [(radius: Double, height: Double)], _ n: Int) -> Double {
    zip(rings, rings.dropFirst()).reduce(0) { sum, pair in
        let (a, b) = pair
        return sum + polygonArea(n) * (a.height - b.height) / 3
            * (a.radius * a.radius + a.radius * b.radius + b.radius * b.radius)
    }
}

private func arc(
    _ m: Int, _ steps: ClosedRange<Int>, radius: Double = 1, at height: Double = 0
) -> [(radius: Double, height: Double)] {
    steps.map { (radius * sin(.pi * Double($0) / Double(m)), height + radius * cos(.pi * Double($0) / Double(m))) }
}

/// A closed surface with its exact volume.
struct Solid: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let volume: Double
    let size: SIMD3<Float>
    let make: @Sendable (Bool) -> MDLMesh

    static let all = [
        Solid(testDescription: "box", volume: 24, size: SIMD3(2, 3, 4)) {
            .newBox(
                withDimensions: SIMD3(2, 3, 4), segments: SIMD3(3, 1, 7), geometryType: .triangles, inwardNormals: $0,
                allocator: nil)
        },
        Solid(testDescription: "box of quads", volume: 6, size: SIMD3(1, 2, 3)) {
            MDLMesh(
                boxWithExtent: SIMD3(1, 2, 3), segments: SIMD3(1, 2, 3), inwardNormals: $0, geometryType: .quads,
                allocator: nil)
        },
        Solid(testDescription: "sphere", volume: stumps(arc(12, 0...12), 16), size: SIMD3(2, 2, 2)) {
            MDLMesh(
                sphereWithExtent: SIMD3(1, 1, 1), segments: SIMD2(16, 12), inwardNormals: $0, geometryType: .triangles,
                allocator: nil)
        },
        Solid(testDescription: "ellipsoid", volume: 24 * stumps(arc(10, 0...10), 20), size: SIMD3(4, 6, 8)) {
            .newEllipsoid(
                withRadii: SIMD3(2, 3, 4), radialSegments: 20, verticalSegments: 10, geometryType: .triangles,
                inwardNormals: $0,
                hemisphere: false, allocator: nil)
        },
        Solid(testDescription: "hemisphere with cap", volume: 6 * stumps(arc(12, 0...6), 8), size: SIMD3(2, 2, 6)) {
            MDLMesh(
                hemisphereWithExtent: SIMD3(1, 2, 3), segments: SIMD2(8, 6), inwardNormals: $0, cap: true,
                geometryType: .triangles, allocator: nil)
        },
        Solid(testDescription: "cylinder", volume: 3 * 2 * polygonArea(24) * 0.5, size: SIMD3(2, 3, 2)) {
            .newCylinder(
                withHeight: 3, radii: SIMD2(1, 1), radialSegments: 24, verticalSegments: 5, geometryType: .triangles,
                inwardNormals: $0,
                allocator: nil)
        },
        Solid(testDescription: "cone", volume: 4 * 2 * polygonArea(12) / 3, size: SIMD3(4, 4, 2)) {
            .newEllipticalCone(
                withHeight: 4, radii: SIMD2(2, 1), radialSegments: 12, verticalSegments: 3, geometryType: .triangles,
                inwardNormals: $0, allocator: nil)
        },
        Solid(
            testDescription: "capsule", volume: stumps(arc(12, 0...6, at: 1) + arc(12, 6...12, at: -1), 16),
            size: SIMD3(2, 4, 2)
        ) {
            .newCapsule(
                withHeight: 4, radii: SIMD2(1, 1), radialSegments: 16, verticalSegments: 4, hemisphereSegments: 6,
                geometryType: .triangles, inwardNormals: $0, allocator: nil)
        },
        Solid(
            testDescription: "capsule without a middle", volume: 0.5 * stumps(arc(8, 0...8), 12), size: SIMD3(2, 1, 2)
        ) {
            MDLMesh(
                capsuleWithExtent: SIMD3(1, 1, 1), cylinderSegments: SIMD2(12, 3), hemisphereSegments: 4,
                inwardNormals: $0,
                geometryType: .triangles, allocator: nil)
        },
        // Edge a = R / sin(2 pi / 5), volume 5/12 (3 + sqrt 5) a^3.
        Solid(
            testDescription: "icosahedron",
            volume: 5.0 / 12 * (3 + Double(5).squareRoot()) * pow(2 / sin(2 * .pi / 5), 3),
            size: SIMD3(repeating: 2 * 2 * Float(0.8506508083520399))
        ) {
            .newIcosahedron(withRadius: 2, inwardNormals: $0, allocator: nil)
        },
    ]
}

@Suite("Generated surfaces")
struct GeneratorTests {
    @Test(
        "Closed once equal positions are welded: every edge between two triangles, Euler characteristic 2",
        arguments: Solid.all)
    func watertight(solid: Solid) {
        let shape = Shape(solid.make(false))
        #expect(shape.isClosed)
        #expect(shape.eulerCharacteristic == 2)
    }

    @Test("The signed volume is that of the polyhedron, to 1e-5 of it, and negative inside out", arguments: Solid.all)
    func volumes(solid: Solid) {
        #expect(abs(Shape(solid.make(false)).volume / solid.volume - 1) < 1e-5)
        #expect(abs(Shape(solid.make(true)).volume / solid.volume + 1) < 1e-5)
    }

    @Test("Normals have unit length and point the way faces turn", arguments: Solid.all, [false, true])
    func normals(solid: Solid, inward: Bool) {
        let shape = Shape(solid.make(inward))
        #expect(shape.worstNormal > 0.5)
        #expect(shape.normals.allSatisfy { abs(simd_length($0) - 1) < 1e-6 })
    }

    @Test("The bounding box has the size asked for", arguments: Solid.all)
    func bounds(solid: Solid) {
        let box = solid.make(false).boundingBox
        #expect(simd_distance(box.maxBounds - box.minBounds, solid.size) < 1e-5)
    }

    @Test("A plane lies in XZ with normals along +Y and has the area of its sides")
    func plane() {
        let shape = Shape(
            .newPlane(withDimensions: SIMD2(2, 3), segments: SIMD2(4, 5), geometryType: .triangles, allocator: nil))
        #expect(abs(shape.area - 6) < 1e-5)
        #expect(shape.faceCount == 40)
        #expect(shape.normals.allSatisfy { $0 == SIMD3(0, 1, 0) })
        #expect(shape.worstNormal > 0.9999)
    }

    @Test(
        "A plane stands at right angles to the axis of its smallest extent",
        arguments: [
            (SIMD3<Float>(1, 0, 2), SIMD3<Float>(0, 1, 0)), (SIMD3(1, 2, 0), SIMD3(0, 0, 1)),
            (SIMD3(0, 2, 1), SIMD3(1, 0, 0)), (.zero, SIMD3(0, 1, 0)),
        ])
    func standingPlane(extent: SIMD3<Float>, normal: SIMD3<Float>) {
        let mesh = MDLMesh(planeWithExtent: extent, segments: SIMD2(1, 1), geometryType: .triangles, allocator: nil)
        #expect(Shape(mesh).normals.allSatisfy { $0 == normal })
        #expect(mesh.boundingBox.maxBounds == extent / 2)
    }

    @Test("An uncapped cylinder is open at both ends only")
    func openCylinder() {
        let mesh = MDLMesh(
            cylinderWithExtent: SIMD3(1, 2, 1), segments: SIMD2(10, 1), inwardNormals: false, topCap: false,
            bottomCap: false,
            geometryType: .quads, allocator: nil)
        #expect(Shape(mesh).eulerCharacteristic == 0)
        #expect((mesh.submeshes?[0] as? MDLSubmesh)?.geometryType == .quads)
    }

    @Test(
        "Quads are given where all faces can be quads, triangles elsewhere; faces of any size always",
        arguments: [
            (MDLGeometryType.quads, MDLGeometryType.triangles), (.triangleStrips, .triangles),
            (.variableTopology, .variableTopology), (.lines, .lines),
            (.points, .points),
        ])
    func kinds(wanted: MDLGeometryType, given: MDLGeometryType) {
        let mesh = MDLMesh(
            sphereWithExtent: SIMD3(1, 1, 1), segments: SIMD2(8, 4), inwardNormals: false, geometryType: wanted,
            allocator: nil)
        let submesh = mesh.submeshes?.firstObject as? MDLSubmesh
        #expect(submesh?.geometryType == given)
        #expect(submesh?.indexType == .uInt16)
        if given == .triangles || given == .variableTopology { #expect(Shape(mesh).isClosed) }
    }

    @Test(
        "Sizes that are no sizes give finite meshes",
        arguments: [Float.nan, .infinity, -.infinity, 0, -2, 1e38, .leastNonzeroMagnitude])
    func badSizes(size: Float) {
        for mesh in Self.everything(SIMD3(repeating: size), segments: 4) {
            #expect(mesh.positions.allSatisfy { simd_length($0).isFinite })
            #expect(Shape(mesh).normals.allSatisfy { abs(simd_length($0) - 1) < 1e-5 })
        }
    }

    @Test("No segments are one segment, or three around an axis; endless segments are 512")
    func badSegments() {
        for mesh in Self.everything(SIMD3(1, 1, 1), segments: 0) { #expect(mesh.vertexCount > 0) }
        let box = MDLMesh.newBox(
            withDimensions: SIMD3(1, 1, 1), segments: SIMD3(0, 0, 0), geometryType: .triangles, inwardNormals: false,
            allocator: nil)
        #expect(box.vertexCount == 24)
        #expect(Shape(box).faceCount == 12)
        let wide = MDLMesh.newPlane(
            withDimensions: SIMD2(1, 1), segments: SIMD2(.max, 1), geometryType: .quads, allocator: nil)
        #expect(wide.vertexCount == 513 * 2)
        let round = MDLMesh.newEllipsoid(
            withRadii: SIMD3(1, 1, 1), radialSegments: .min, verticalSegments: -1, geometryType: .triangles,
            inwardNormals: false, hemisphere: false, allocator: nil)
        #expect(Shape(round).isClosed)
    }

    @Test("Indices get 32 bits where 16 do not reach")
    func wideIndices() {
        let mesh = MDLMesh.newPlane(
            withDimensions: SIMD2(1, 1), segments: SIMD2(300, 300), geometryType: .triangles, allocator: nil)
        #expect((mesh.submeshes?[0] as? MDLSubmesh)?.indexType == .uint32)
        #expect(abs(Shape(mesh).area - 1) < 1e-5)
    }

    @Test("A subclass makes meshes of its own kind")
    func subclass() {
        final class Room: MDLMesh {}
        let room = Room.newBox(
            withDimensions: SIMD3(1, 1, 1), segments: SIMD3(1, 1, 1), geometryType: .triangles, inwardNormals: true,
            allocator: nil)
        #expect(type(of: room) == Room.self)
    }

    private static func everything(_ size: SIMD3<Float>, segments n: UInt32) -> [MDLMesh] {
        [
            MDLMesh(
                boxWithExtent: size, segments: SIMD3(n, n, n), inwardNormals: false, geometryType: .triangles,
                allocator: nil),
            MDLMesh(
                sphereWithExtent: size, segments: SIMD2(n, n), inwardNormals: false, geometryType: .triangles,
                allocator: nil),
            MDLMesh(
                hemisphereWithExtent: size, segments: SIMD2(n, n), inwardNormals: false, cap: true,
                geometryType: .triangles, allocator: nil),
            MDLMesh(
                cylinderWithExtent: size, segments: SIMD2(n, n), inwardNormals: false, topCap: true, bottomCap: true,
                geometryType: .triangles,
                allocator: nil),
            MDLMesh(
                capsuleWithExtent: size, cylinderSegments: SIMD2(n, n), hemisphereSegments: -1, inwardNormals: false,
                geometryType: .triangles,
                allocator: nil),
            MDLMesh(
                coneWithExtent: size, segments: SIMD2(n, n), inwardNormals: false, cap: true, geometryType: .triangles,
                allocator: nil),
            MDLMesh(planeWithExtent: size, segments: SIMD2(n, n), geometryType: .triangles, allocator: nil),
            MDLMesh(icosahedronWithExtent: size, inwardNormals: false, geometryType: .triangles, allocator: nil),
        ]
    }
}
