@testable import OssicleAcoustics
import OssicleCore
import Testing

/// Late sound through the wall between two rooms, against the balance of energies.
@Suite struct RoomToRoomTests {
    private static let absorption = 0.05

    /// Two rooms of 4 × 3 × 5 and 6 × 3 × 5 m with a wall between them in x = 0, through which alone sound passes.
    private static func rooms(reduction: Double, isOpen: Bool = false) -> PortableTracer {
        let walls = LateRooms.wall(absorption, scattering: 0.5)
        let party = AcousticMaterial(
            name: "party", absorption: OctaveBands(repeating: Float(absorption)),
            scattering: OctaveBands(repeating: 0.5), transmissionLoss: OctaveBands(repeating: Float(reduction)))
        let shell = Meshes.box(from: Vector(-4, 0, 0), to: Vector(6, 3, 5))
        let far = isOpen ? 4.0 : 5
        let wall = TriangleMesh(
            vertices: [Vector(0, 0, 0), Vector(0, 3, 0), Vector(0, 3, far), Vector(0, 0, far)],
            triangles: [SIMD3(0, 1, 2), SIMD3(0, 2, 3)])
        return PortableTracer(
            AcousticScene(
                occluders: [
                    Occluder(id: 1, name: "shell", geometry: MeshGeometry(shell), material: walls),
                    Occluder(id: 2, name: "party", geometry: MeshGeometry(wall), material: party),
                ], medium: Medium()))
    }

    private func levels(_ tracer: PortableTracer, at listener: Vector, rays: Int, seed: UInt64 = 1) -> [Double] {
        var settings = RaySettings(rays: rays, bounces: 512, specularFrom: 0, duration: 3, hearsRoom: false)
        settings.includesAir = false
        let found = LateTracer(tracer: tracer, settings: settings, seed: seed).trace(
            sources: [Vector(-3, 1, 1.2)], listener: listener)
        return (2..<8).map { band in
            Decibels.of(energy: found.sources[0].bins.reduce(0) { $0 + Double($1[band]) })
        }
    }

    @Test(
        "Between two rooms the late level falls by R − 10 lg(S/A), within 1 dB from 125 Hz to 4 kHz",
        arguments: [20.0, 40, 55])
    func levelDifference(reduction: Double) {
        let tracer = Self.rooms(reduction: reduction)
        let near = levels(tracer, at: Vector(-0.8, 1.9, 4), rays: 4096)
        let beyond = levels(tracer, at: Vector(3.6, 1.7, 3.1), rays: 4096)
        let area = 15.0
        // The receiving room: its walls, and the wall between, which takes what it passes where that is more.
        let walls = 2 * (6 * 3 + 6 * 5) + 15.0
        let passed = Decibels.energy(-reduction)
        let absorbed = walls * Self.absorption + area * max(Self.absorption, passed)
        let expected = reduction - Decibels.of(energy: area / absorbed)
        for (near, beyond) in zip(near, beyond) {
            #expect(abs(near - beyond - expected) < 1, "\(near - beyond) dB for \(expected)")
        }
    }

    @Test("At the rays of quality high three seeds are within 3 dB of each other through 45 dB")
    func scatter() {
        let tracer = Self.rooms(reduction: 45)
        let found = (1...3).map { levels(tracer, at: Vector(3.6, 1.7, 3.1), rays: 4096, seed: $0)[3] }
        #expect((found.max() ?? 0) - (found.min() ?? 0) < 3, "\(found)")
    }

    @Test("Where there is an opening, a wall of 40 dB changes nothing, to the bit")
    func opening() {
        let (with, without) = (Self.rooms(reduction: 40, isOpen: true), Self.rooms(reduction: 200, isOpen: true))
        let place = Vector(3.6, 1.7, 3.1)
        #expect(levels(with, at: place, rays: 1024) == levels(without, at: place, rays: 1024))
    }
}
