@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct LateHostileTests {
    private func found(_ scene: AcousticScene, source: Vector, listener: Vector, rays: Int = 512) -> LateResponses {
        LateTracer(
            tracer: PortableTracer(scene),
            settings: RaySettings(rays: rays, bounces: 16, specularFrom: 0, duration: 0.3)
        )
        .trace(sources: [source], listener: listener)
    }

    private func isSound(_ found: LateResponses) -> Bool {
        (found.sources + [found.room]).allSatisfy { response in
            let field = LateField(response, survey: found.survey, speedOfSound: 343.2)
            let metrics = RoomMetrics(SquaredResponse(arrivals: [], late: response))
            return response.bins.allSatisfy { $0.values.allSatisfy { $0.isFinite && $0 >= 0 } }
                && field.t60.values.allSatisfy { $0 >= 0.05 && $0 <= 60 } && field.energy.values.allSatisfy(\.isFinite)
                && (0..<8).allSatisfy { field.octants[$0].isFinite } && field.mixingTime.isFinite
                && field.meanFreeTime.isFinite
                && field.escapedShare >= 0 && field.escapedShare <= 1
                && (metrics.t20.values + metrics.c80.values + metrics.centreTime.values + metrics.strength.values)
                    .allSatisfy(\.isFinite)
                && metrics.speechTransmission.isFinite
        }
    }

    @Test("In the open nothing comes back and the rays say so")
    func open() {
        let found = found(AcousticScene(occluders: []), source: Vector(3, 0, 0), listener: .zero)
        #expect(found.survey.escapedShare == 1 && found.survey.meanFreePath == nil)
        let roomEnergy = found.room.bins.reduce(Float(0)) { $0 + $1.lanes.total }
        #expect(roomEnergy == 0)
        let isNone = LateField(found.room, survey: found.survey, speedOfSound: 343.2) == .none
        #expect(isNone)
    }

    @Test("On the ground outdoors the late field is short and forces no room")
    func ground() {
        let ground = Occluder(
            id: 1, name: "ground", geometry: MeshGeometry(Meshes.screen(width: 300, height: 300)),
            materials: [LateRooms.wall(0.3, scattering: 0.3)])
        let found = found(
            AcousticScene(occluders: [ground]), source: Vector(3, 0, 1), listener: Vector(0, 0, 1.6), rays: 4096)
        let field = LateField(found.room, survey: found.survey, speedOfSound: 343.2)
        #expect(found.survey.escapedShare > 0.8)
        #expect(field.t60[5] <= 1.5 && isSound(found))
    }

    @Test("Places on a surface, in a corner, inside a solid, at each other, far away and nowhere give finite answers")
    func places() {
        let room = Occluder(Meshes.box(Vector(5, 3, 4)), "wood")
        let block = Occluder(Meshes.box(Vector(1, 1, 1)), "glass", id: 2, at: Vector(1, 0, 0))
        let scene = AcousticScene(occluders: [room, block])
        let places = [
            Vector(0, -1.5, 0), Vector(2.5, 1.5, 2), Vector(1, 0, 0), Vector(-1, 0, 0), Vector(1e9, 0, 0),
            Vector(.nan, 0, 0), Vector(0, .infinity, 0), Vector(40, 0, 0),
        ]
        for source in places {
            for listener in places {
                let isSound = isSound(found(scene, source: source, listener: listener, rays: 64))
                #expect(isSound, "source \(source), listener \(listener)")
            }
        }
    }

    @Test(
        "Meshes without area, with a single triangle, with NaN in them and with a scale of nothing give finite answers")
    func meshes() {
        let single = TriangleMesh(
            vertices: [Vector(-2, -2, 1), Vector(2, -2, 1), Vector(0, 2, 1)], triangles: [SIMD3(0, 1, 2)])
        let flat = TriangleMesh(
            vertices: [.zero, Vector(1, 0, 0), Vector(2, 0, 0)], triangles: [SIMD3(0, 1, 2), SIMD3(0, 0, 0)])
        let broken = TriangleMesh(
            vertices: [Vector(.nan, 0, 0), Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)],
            triangles: [SIMD3(0, 1, 2), SIMD3(1, 2, 3)])
        let empty = TriangleMesh(vertices: [], triangles: [])
        let meshes = [single, flat, broken, empty]
        for mesh in meshes {
            let isSound = isSound(found(AcousticScene(Occluder(mesh)), source: Vector(0.5, 0, 0), listener: .zero))
            #expect(isSound)
        }
        let nowhere = Occluder(id: 1, name: "lost", geometry: MeshGeometry(single), pose: Pose(scale: 0))
        let isSound = isSound(found(AcousticScene(nowhere), source: Vector(0.5, 0, 0), listener: .zero))
        #expect(isSound)
    }

    @Test("Settings out of range are moved into it")
    func settings() {
        let settings = RaySettings(rays: -4, bounces: .max, specularFrom: -1, binWidth: .nan, duration: .infinity)
        #expect(settings.rays == 1 && settings.bounces == 65_536 && settings.specularFrom == 0)
        #expect(settings.binWidth == 0.004 && settings.duration == 60 && settings.binCount == 15_000)
    }
}
