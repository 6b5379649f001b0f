@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct ZoneDistanceTests {
    private let random = CounterRandom(seed: 5, object: 2)
    private func place(_ i: Int, within reach: Double) -> Vector {
        Vector(
            random.unit(UInt64(3 * i)) - 0.5, random.unit(UInt64(3 * i + 1)) - 0.5, random.unit(UInt64(3 * i + 2)) - 0.5
        ) * (2 * reach)
    }

    private func mesh(_ mesh: TriangleMesh, at pose: Pose = .identity) -> ZoneBody {
        ZoneBody(.mesh(MeshGeometry(mesh)), at: pose)
    }

    /// Distance to the surface of a box, negative within, written another way than the engine's.
    private func boxDistance(_ point: Vector, half: Vector) -> Double {
        let q = Vector(abs(point.x), abs(point.y), abs(point.z)) - half
        let outside = Vector(max(q.x, 0), max(q.y, 0), max(q.z, 0)).magnitude
        return outside > 0 ? outside : max(q.x, q.y, q.z)
    }

    @Test func aBoxOfTrianglesIsAsFarAsTheBox() {
        let half = Vector(2, 1.5, 4)
        let bodies = [
            mesh(Meshes.box(half * 2)), mesh(Meshes.unwelded(Meshes.box(half * 2, inverted: true))),
            ZoneBody(.box(half)),
        ]
        for i in 0..<500 {
            let point = place(i, within: 7)
            let expected = boxDistance(point, half: half)
            for body in bodies {
                #expect(abs(body.signedDistance(to: point) - expected) < 1e-9)
                let near = min(max(body.signedDistance(to: point, within: 0.5), -0.5), 0.5)
                #expect(abs(near - min(max(expected, -0.5), 0.5)) < 1e-9)
            }
        }
    }

    @Test func aBallOfTrianglesIsAsFarAsTheBallWithinItsFacets() {
        let ball = ZoneBody(.ball(radius: 3))
        let facets = mesh(Meshes.sphere(radius: 3, rings: 48, sectors: 96))
        for i in 0..<300 {
            let point = place(i, within: 6)
            #expect(abs(ball.signedDistance(to: point) - (point.magnitude - 3)) < 1e-12)
            // The facets lie up to R(1 − cos(π/48)) within the ball.
            #expect(abs(facets.signedDistance(to: point) - (point.magnitude - 3)) < 0.0075)
        }
    }

    @Test func placeTurnAndScaleAreThoseOfTheBody() {
        let (s, c) = DeterministicMath.sincos(0.7)
        let pose = Pose(
            position: Vector(40, -3, 11), right: Vector(c, 0, -s), up: Vector(0, 1, 0), back: Vector(s, 0, c),
            scale: 2.5)
        let bodies = [mesh(Meshes.box(Vector(2, 2, 2)), at: pose), ZoneBody(.box(Vector(1, 1, 1)), at: pose)]
        for i in 0..<200 {
            let local = place(i, within: 3)
            for body in bodies {
                #expect(
                    abs(body.signedDistance(to: pose.toWorld(local)) - 2.5 * boxDistance(local, half: Vector(1, 1, 1)))
                        < 1e-9)
            }
        }
    }

    @Test func aRoomBetweenShellsAndWhatStandsInItAreInside() {
        let room = Meshes.joined([
            Meshes.box(Vector(10, 4, 8)), Meshes.box(Vector(9.6, 3.6, 7.6), inverted: true),
            Meshes.box(Vector(1, 1, 1)),
        ])
        let body = mesh(room)
        #expect(!body.isStandIn)
        #expect(abs(body.signedDistance(to: Vector(0, 0, 0)) + 2) < 1e-9)
        #expect(abs(body.signedDistance(to: Vector(3, 0.5, 0)) + 1.5) < 1e-9)
        #expect(abs(body.signedDistance(to: Vector(7, 0, 0)) - 2) < 1e-9)
    }

    @Test func anOpenMeshCountsAsItsBox() {
        let box = Meshes.box(Vector(2, 2, 2))
        let body = mesh(TriangleMesh(vertices: box.vertices, triangles: Array(box.triangles.dropLast())))
        #expect(body.isStandIn)
        for i in 0..<200 {
            let point = place(i, within: 3)
            #expect(abs(body.signedDistance(to: point) - boxDistance(point, half: Vector(1, 1, 1))) < 1e-6)
        }
    }

    @Test func aSoupOfTrianglesIsSearchedLikeOneByOne() {
        let corners = (0..<900).map { (i: Int) -> Vector in place(5000 + i, within: 5) + place(9000 + i / 3, within: 20)
        }
        let triangles = (0..<300).map { (i: Int32) -> SIMD3<Int32> in SIMD3(3 * i, 3 * i + 1, 3 * i + 2) }
        let soup = MeshGeometry(TriangleMesh(vertices: corners, triangles: triangles))
        let facets = soup.tree.order.indices.map { soup.facets[$0] }
        for i in 0..<200 {
            let point = place(20_000 + i, within: 40)
            let expected = facets.map { $0.squaredDistance(to: point) }.min()?.squareRoot()
            #expect(soup.signedDistance(to: point) == expected)
        }
    }

    @Test func theNearestPlaceOfATriangleIsNearerThanAnySampleOfIt() throws {
        for i in 0..<40 {
            let corners = (0..<3).map { place(100 * i + $0, within: 2) }
            let geometry = MeshGeometry(TriangleMesh(vertices: corners, triangles: [SIMD3(0, 1, 2)]))
            let point = place(100 * i + 50, within: 4)
            let found = geometry.facets[0].squaredDistance(to: point).squareRoot()
            var nearest = Double.infinity
            for u in 0...100 {
                for v in 0...(100 - u) {
                    let sample =
                        corners[0] + (corners[1] - corners[0]) * (Double(u) / 100) + (corners[2] - corners[0])
                        * (Double(v) / 100)
                    nearest = min(nearest, (point - sample).magnitude)
                }
            }
            #expect(found <= nearest + 1e-12 && found > nearest - 0.06)
        }
    }

    @Test func hostileBodiesAreNowhereOrFinite() {
        let nowhere = [
            mesh(TriangleMesh(vertices: [], triangles: [])), mesh(Meshes.box(.zero)),
            ZoneBody(.box(Vector(.nan, 1, 1))),
            ZoneBody(.ball(radius: -1)), ZoneBody(.ball(radius: 1), at: Pose(scale: 0)),
            ZoneBody(.ball(radius: 1), at: Pose(position: Vector(.nan, 0, 0))),
        ]
        for body in nowhere { #expect(body.signedDistance(to: .zero) == .infinity) }
        let sheet = mesh(Meshes.screen(width: 1, height: 1))
        let one = mesh(
            TriangleMesh(vertices: [.zero, Vector(1, 0, 0), Vector(0, 1e-5, 0)], triangles: [SIMD3(0, 1, 2)]))
        let doubled = mesh(
            TriangleMesh(
                vertices: [.zero, Vector(1, 0, 0), Vector(0, 1, 0)], triangles: [SIMD3(0, 1, 2), SIMD3(0, 2, 1)]))
        for body in [sheet, one, doubled] {
            #expect(body.signedDistance(to: Vector(0.1, 0.1, 2)).isFinite)
            for point in [Vector(.nan, 0, 0), Vector(.infinity, 0, 0)] {
                #expect(body.signedDistance(to: point) == .infinity)
            }
        }
        #expect(abs(doubled.signedDistance(to: Vector(0.1, 0.1, 2)) - 2) < 1e-9)
    }

    @Test func aMeshOfManyTrianglesIsAsFarAsItsBall() {
        let body = mesh(Meshes.sphere(radius: 5, rings: 316, sectors: 316))
        for i in 0..<100 {
            let point = place(i, within: 10)
            #expect(abs(body.signedDistance(to: point) - (point.magnitude - 5)) < 0.0005)
        }
    }
}
