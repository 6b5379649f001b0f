@testable import OssicleAcoustics
import OssicleCore
import OssicleTestKit
import Testing

@Suite struct BoxRoomTests {
    private static let alpha: [Double] = [0.1, 0.2, 0.15, 0.3, 0.05, 0.4]

    @Test("Images, delays and levels of a box with six walls are the table's")
    func table() throws {
        let walls = Self.alpha.map { OctaveBands(repeating: Float((1 - $0).squareRoot())) }
        let room = BoxRoom(corner: .zero, size: Vector(6, 5, 3), walls: walls)
        let (source, listener) = (Vector(2, 3.5, 1.5), Vector(4.2, 1.3, 1.7))
        let rows = try Table.load("image-source-check.csv").rows
        #expect(rows.count == 63)
        for row in rows {
            let index = SIMD3(Int(row.number("ix")), Int(row.number("iy")), Int(row.number("iz")))
            let image = room.image(of: source, index)
            let distance = (image.position - listener).magnitude
            let (expectedDistance, delay, gain) = (row.number("distance_m"), row.number("delay_ms"), row.number("gain_db"))
            #expect(abs(distance - expectedDistance) < 1e-5)
            #expect(abs(distance / 343.2 * 1000 - delay) < 1e-3)
            #expect(abs(Decibels.of(amplitude: Double(room.gains(of: index)[5]) / distance) - gain) < 0.01)
            #expect(image.order == Int(row.number("order")))
        }
    }

    @Test("Of order n there are 4n² + 2 images, all different, lowest order first")
    func counts() {
        let indices = BoxRoom.indices(upTo: 3)
        #expect(indices.count == 6 + 18 + 38 && Set(indices).count == indices.count)
        let orders = indices.map { abs($0.x) + abs($0.y) + abs($0.z) }
        #expect(orders == orders.sorted())
    }

    @Test("A direction mirrored in a wall leaves the source towards that wall", arguments: [SIMD3(1, 0, 0), SIMD3(0, -1, 0), SIMD3(2, 1, 0)])
    func departure(index: SIMD3<Int>) {
        let room = BoxRoom(corner: .zero, size: Vector(6, 5, 3), walls: [])
        let (source, listener) = (Vector(2, 3.5, 1.5), Vector(4.2, 1.3, 1.7))
        let image = room.image(of: source, index)
        // Followed for its length through the unfolded rooms, the way that leaves the source ends at the listener's mirror image.
        let end = source + image.mirrored(listener - image.position)
        func folded(_ x: Double, _ size: Double) -> Double {
            let turns = (x / (2 * size)).rounded(.down)
            let rest = x - turns * 2 * size
            return rest > size ? 2 * size - rest : rest
        }
        #expect(abs(folded(end.x, 6) - listener.x) < 1e-9 && abs(folded(end.y, 5) - listener.y) < 1e-9 && abs(folded(end.z, 3) - listener.z) < 1e-9)
    }

    @Test("The box around a listener holds both, also a source beyond its walls, and no echo comes before the sound")
    func around() {
        let size = Vector(5.5, 3.1, 6.5)
        for source in [Vector(1, 1, 1), Vector(30, 0, 2), Vector(0, -9, 0), Vector(0, 0, 0), Vector(-4, 7, -20)] {
            let room = BoxRoom(around: .zero, source: source, size: size, wall: .ones)
            let high = room.corner + room.size
            #expect(all(room.corner .< source) && all(source .< high) && all(room.corner .< Vector.zero) && all(Vector.zero .< high))
            for index in BoxRoom.indices(upTo: 2) { #expect(room.image(of: source, index).position.magnitude > source.magnitude) }
        }
        let inside = BoxRoom(around: Vector(3, 1, 2), source: Vector(3, 1, 1), size: size, wall: .ones)
        #expect((inside.size - size).magnitude < 1e-12)
    }

    @Test("A sound that meets a wall every mean free time has fallen by 60 dB after the decay time")
    func walls() {
        let wall = BoxRoom.wall(t60: OctaveBands(repeating: 0.5), meanFreeTime: 0.01)
        #expect(abs(Decibels.of(amplitude: Double(wall[3])) * 50 + 60) < 1e-3)
    }
}
