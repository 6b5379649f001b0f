@testable import OssicleAcoustics
import OssicleCore
import Testing

/// Reflections of any order where few planes reflect, against images in closed form.
@Suite struct FlutterTests {
    private static let gap = 4.0

    /// A hard-edged wall in z = const, and how it is crossed.
    private static func wall(_ z: Double, _ id: UInt64, width: Double, height: Double) -> Occluder {
        Occluder(
            id: id, name: "wall", geometry: MeshGeometry(Meshes.screen(width: width, height: height)),
            pose: Pose(position: Vector(0, 0, z)), material: ReflectionScenes.surface(0.1))
    }

    private static func solver(_ occluders: [Occluder], order: Int) -> GeometrySolver<PortableTracer> {
        let quality = AcousticQuality(
            rays: 0, bounces: 1, reflectionOrder: order, reflections: 4096, edges: 0, bendsReflections: false)
        return GeometrySolver(tracer: PortableTracer(AcousticScene(occluders: occluders)), quality: quality)
    }

    /// The images between walls in z = 0 and z = −gap, two of each order, and where the path to a place meets the
    /// walls.
    private static func images(_ source: Vector, _ place: Vector, order: Int) -> [(image: Vector, meets: [Vector])] {
        [true, false].map { startsInFront in
            var (image, walls): (Vector, [Double]) = (source, [])
            for number in 0..<order {
                let plane = (number % 2 == 0) == startsInFront ? 0.0 : -gap
                image.z = 2 * plane - image.z
                walls.append(plane)
            }
            // Unfolded: each wall stands where its own image does.
            var (meets, point, seen): ([Vector], Vector, Vector) = ([], place, image)
            for plane in walls.reversed() {
                let share = (plane - point.z) / (seen.z - point.z)
                point = point + (seen - point) * share
                meets.append(point)
                seen.z = 2 * plane - seen.z
            }
            return (image, meets)
        }
    }

    @Test(
        "The flutter echo of two parallel walls has two reflections of each order to the twentieth, on time and at 0.9ⁿ of the energy"
    )
    func flutter() {
        let walls = [Self.wall(0, 1, width: 60, height: 50), Self.wall(-Self.gap, 2, width: 60, height: 50)]
        let (source, place) = (Vector(0.3, 0.2, -1), Vector(-0.4, 0, -2.5))
        let solver = Self.solver(walls, order: 20)
        #expect(solver.reachableOrder(from: source, to: place) == 20)
        #expect(!solver.wantsCandidates)
        let found = solver.paths(DirectPathQuery(source: .point(source), listener: place)).reflections
        #expect(found.count == 40)
        for order in 1...20 {
            for (image, _) in Self.images(source, place, order: order) {
                let path = found.first { ($0.arrival * $0.length + place - image).magnitude < 1e-6 }
                #expect(path?.kind == .reflection(order: order) && path?.corners.count == order)
                let expected = DeterministicMath.pow(0.9, Double(order) / 2)
                #expect(
                    path?.bandGains.values.allSatisfy { abs(Double($0) / expected - 1) < 1e-4 } ?? false, "\(order)")
            }
        }
    }

    @Test("Between narrow walls and beside them those images are seen whose every corner is on a wall")
    func narrow() {
        let walls = [Self.wall(0, 1, width: 4, height: 30), Self.wall(-Self.gap, 2, width: 3, height: 30)]
        let solver = Self.solver(walls, order: 12)
        for (source, place) in [
            (Vector(0, 0, -1), Vector(3, 0.5, -2.5)), (Vector(-1.9, 1, -0.5), Vector(2.4, 0, -1.5)),
            (Vector(-2.5, 0, -2.1), Vector(2.4, 0, -1.8)),
        ] {
            let found = solver.paths(DirectPathQuery(source: .point(source), listener: place)).reflections
            var count = 0
            for order in 1...12 {
                for (image, meets) in Self.images(source, place, order: order) {
                    let isSeen = meets.allSatisfy { abs($0.x) < ($0.z > -1 ? 2 : 1.5) }
                    let isFound = found.contains { ($0.arrival * $0.length + place - image).magnitude < 1e-6 }
                    #expect(isFound == isSeen, "\(place), order \(order)")
                    count += isSeen ? 1 : 0
                }
            }
            #expect(found.count == count && count > 0 && count < 24)
        }
    }

    @Test("A street has three images of the first order and four of every other, once by the ground or not")
    func street() {
        let ground = Occluder(
            Meshes.box(from: Vector(-300, -10.2, -300), to: Vector(300, -10, 300)), id: 3)
        let walls = [Self.wall(0, 1, width: 300, height: 20), Self.wall(-Self.gap, 2, width: 300, height: 20)]
        let solver = Self.solver(walls + [ground], order: 10)
        let (source, place) = (Vector(0.3, -8, -1), Vector(-0.4, -8.5, -2.5))
        let found = solver.paths(DirectPathQuery(source: .point(source), listener: place)).reflections
        for order in 1...10 {
            let count = found.filter { $0.kind == .reflection(order: order) }.count
            #expect(count == (order == 1 ? 3 : 4), "\(order): \(count)")
        }
    }

    @Test("Beyond twelve planes, three reflections in a row are all that is found")
    func manyPlanes() {
        let walls = (0..<13).map { Self.wall(-Double($0), UInt64($0 + 1), width: 4, height: 4) }
        let solver = Self.solver(walls, order: 6)
        #expect(solver.reachableOrder(from: Vector(0, 0, -0.3), to: Vector(0, 0, -0.6)) == 3)
    }
}
