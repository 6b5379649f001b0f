@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

/// Rays as they are drawn, against unfolded rooms and Lambert's law.
@Suite struct RayCourseTests {
    private let size = Vector(10, 8, 3)
    private let listener = LateRooms.place(7, 5, 1.2)

    private func courses(_ count: Int, most: Int, scattering: Double) -> [RayCourse] {
        let tracer = LateRooms.box(size, walls: LateRooms.wall(0.3, scattering: scattering))
        return LateTracer(tracer: tracer, settings: RaySettings(rays: 5000, bounces: 50), seed: 3)
            .courses(count: count, most: most, from: listener, sources: [])
    }

    /// Where a straight flight of `length` ends in a room that is unfolded into a lattice of its mirror images.
    private func folded(_ place: Double, _ extent: Double) -> Double {
        let along = place - (place / (2 * extent)).rounded(.down) * 2 * extent
        return along <= extent ? along : 2 * extent - along
    }

    @Test("Between mirrors a ray flies straight on in the unfolded room and leaves 0.7 of its energy at each")
    func mirrors() {
        let courses = courses(64, most: 4, scattering: 0)
        #expect(courses.count == 64)
        for course in courses {
            #expect(course.points.count == 5 && course.energies.count == 4 && course.points[0] == listener)
            guard course.points.count == 5, let direction = (course.points[1] - listener).direction else { continue }
            var length = 0.0
            for place in 1..<5 {
                length += (course.points[place] - course.points[place - 1]).magnitude
                let straight = listener + direction * length
                let expected = Vector(
                    folded(straight.x, size.x), folded(straight.y, size.z), folded(straight.z, size.y))
                #expect((course.points[place] - expected).magnitude < 1e-5)
                let left = (1..<place).reduce(1.0) { energy, _ in energy * 0.7 }
                #expect(abs(Double(course.energies[place - 1]) - left) < 1e-5)
            }
        }
    }

    @Test("Directions are spread over the sphere: no mean, and a third of the square along each axis")
    func spread() {
        let directions = courses(64, most: 1, scattering: 1).compactMap { ($0.points[1] - listener).direction }
        let mean = directions.reduce(Vector.zero, +) / 64
        let square = directions.reduce(Vector.zero) { $0 + $1 * $1 } / 64
        // Of 64 independent directions the mean would be off by 0.13 and the squares by 0.04.
        #expect(mean.magnitude < 0.1)
        for axis in [square.x, square.y, square.z] { #expect(abs(axis - 1.0 / 3) < 0.05) }
    }

    @Test("From a diffuse wall rays go by Lambert's law: cos θ is 2/3 in the mean")
    func lambert() {
        let courses = courses(4096, most: 2, scattering: 1)
        var sum = 0.0
        for course in courses {
            let (at, to) = (course.points[1], course.points[2])
            let extent = Vector(size.x, size.z, size.y)
            let flight = (to - at).direction ?? .zero
            // The wall is where one coordinate is at its end.
            let walls = [
                (at.x, extent.x, flight.x), (at.y, extent.y, flight.y), (at.z, extent.z, flight.z),
            ]
            let wall = walls.min { min($0.0, $0.1 - $0.0) < min($1.0, $1.1 - $1.0) } ?? (0, 0, 0)
            sum += abs(wall.2)
        }
        // Standard error √(1/2 − 4/9)/64 = 0.0037.
        #expect(abs(sum / 4096 - 2.0 / 3) < 0.015)
    }

    @Test("In the open a course ends after the first flight, and no rays give no courses")
    func open() {
        let scene = AcousticScene(Occluder(Meshes.screen(width: 1, height: 1), at: Vector(0, 0, 40)))
        let tracer = LateTracer(tracer: PortableTracer(scene), settings: RaySettings(rays: 100, bounces: 5))
        let courses = tracer.courses(count: 200, most: 4, from: .zero, sources: [])
        #expect(courses.count == 100)
        #expect(courses.count { $0.points.count == 2 && abs($0.points[1].magnitude - 3) < 1e-9 } >= 99)
        #expect(tracer.courses(count: 0, most: 4, from: .zero, sources: []).isEmpty)
    }
}
