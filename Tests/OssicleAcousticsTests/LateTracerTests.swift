@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

@Suite struct LateTracerTests {
    private let size = Vector(10, 8, 3)
    private let source = LateRooms.place(2, 3, 1.5)
    private let listener = LateRooms.place(7, 5, 1.2)

    private func energy(_ response: EnergyResponse, _ band: Int) -> Double {
        response.bins.reduce(0) { $0 + Double($1[band]) }
    }

    @Test("Rays through a ball reproduce the direct sound: 1/r² in the open", arguments: [2.0, 5, 9])
    func direct(distance: Double) throws {
        let settings = RaySettings(rays: 200_000, bounces: 1, specularFrom: 0, includesAir: false, hearsRoom: false)
        let scene = AcousticScene(Occluder(Meshes.screen(width: 1, height: 1), at: Vector(0, 0, 40)))
        let sky = LateTracer(tracer: PortableTracer(scene), settings: settings)
        let response = sky.trace(sources: [Vector(distance, 0, 0)], listener: .zero).sources[0]
        let level = Decibels.of(energy: energy(response, 5) * distance * distance)
        // A ball of 2 m around a source 2 m away is no point: ⟨1/r²⟩ over it is what the rays measure.
        let ratio = 2 / distance
        let square = ratio * ratio
        let mean = ratio < 1 ? 1 + square / 5 + 3 * square * square / 35 + square * square * square / 21 : 1.5
        #expect(abs(level - Decibels.of(energy: mean)) < 0.25)
        let first = try #require(response.bins.firstIndex { $0[5] > 0 })
        #expect(abs(Double(first) * 0.004 - (distance - min(2, distance)) / 343.2) < 0.008)
    }

    /// What a diffuse square wall 40 m wide around the origin sends back, of which it keeps 0.8: ∫ s cosθ/(π d₂²)
    /// cosθ₁/(d₁²) dA.
    private func sentBack(from a: Vector, to b: Vector, step: Double) -> Double {
        var exact = 0.0
        let count = Int(40 / step)
        for i in 0..<count {
            for j in 0..<count {
                let point = Vector((Double(i) + 0.5) * step - 20, (Double(j) + 0.5) * step - 20, 0)
                let (to, from) = (a - point, b - point)
                let (d1, d2) = (to.lengthSquared, from.lengthSquared)
                exact += (a.z / d1.squareRoot()) * (b.z / d2.squareRoot()) / (d1 * d2)
            }
        }
        return exact * 0.8 / DeterministicMath.pi * step * step
    }

    private func overWall(_ sources: [Vector], _ listener: Vector, rays: Int = 50_000) -> [Double] {
        let wall = Occluder(
            id: 1, name: "wall", geometry: MeshGeometry(Meshes.screen(width: 40, height: 40)),
            materials: [LateRooms.wall(0.2, scattering: 1)])
        let late = LateTracer(
            tracer: PortableTracer(AcousticScene(occluders: [wall])),
            settings: RaySettings(rays: rays, bounces: 4, includesAir: false, hearsRoom: false), seed: 3)
        return late.trace(sources: sources, listener: listener).sources.map { energy($0, 5) }
    }

    @Test("One diffuse wall sends back what its surface integral says: next-event estimates are unbiased")
    func oneWall() {
        let (a, b) = (Vector(-1, 0, 2), Vector(1.5, 0.5, 2.5))
        #expect(abs(Decibels.of(energy: overWall([b], a)[0] / sentBack(from: a, to: b, step: 0.05))) < 0.1)
    }

    @Test("Of many sources, near and far, each gets what it would get alone, though a surface looks at one of them")
    func manySources() {
        let listener = Vector(-1, 0, 2)
        let sources = (0..<20).map { number in
            let (column, row, height) = (Double(number % 5), Double(number / 5), Double(number * 7 % 20))
            return Vector(2 * column - 4, 1.5 * row - 2, 0.5 + 0.4 * height)
        }
        for (source, found) in zip(sources, overWall(sources, listener, rays: 400_000)) {
            #expect(
                abs(Decibels.of(energy: found / sentBack(from: listener, to: source, step: 0.1))) < 0.25, "\(source)")
        }
    }

    @Test("A mirror's first reflection counts as the image source's 1/r², once, and not at all where others compute it")
    func oneMirror() {
        let wall = Occluder(
            id: 1, name: "wall", geometry: MeshGeometry(Meshes.screen(width: 400, height: 400)),
            materials: [LateRooms.wall(0.2, scattering: 0)])
        let tracer = PortableTracer(AcousticScene(occluders: [wall]))
        let (a, b) = (Vector(-1, 0, 6), Vector(3, 2, 6))
        func found(_ order: Int) -> Double {
            let settings = RaySettings(
                rays: 100_000, bounces: 4, specularFrom: order, includesAir: false, hearsRoom: false)
            return energy(
                LateTracer(tracer: tracer, settings: settings, seed: 5).trace(sources: [b], listener: a).sources[0], 5)
        }
        let exact = 0.8 / Vector(4, 2, 12).lengthSquared
        #expect(abs(Decibels.of(energy: found(1) / exact)) < 0.4)
        #expect(found(2) == 0)
    }

    @Test(
        "The late level follows the energy balance: 4πc/V per second, however surfaces scatter", arguments: [0.3, 1.0])
    func diffuseField(scattering: Double) {
        let tracer = LateRooms.box(size, walls: LateRooms.wall(0.1, scattering: scattering))
        let settings = RaySettings(rays: 4096, bounces: 200, duration: 1.2, includesAir: false, hearsRoom: true)
        let found = LateTracer(tracer: tracer, settings: settings, seed: 1).trace(sources: [source], listener: listener)
        let statistics = RoomStatistics(volume: 240, surface: 268, absorption: 26.8)
        for response in found.sources + [found.room] {
            // From the mixing time on: what walls beside the listener send back at once is no diffuse field's.
            let field = LateField(response, survey: found.survey, speedOfSound: 343.2, hasEarlyPart: true)
            let expected = statistics.energy(after: field.mixingTime, decayTime: Double(field.t60[5]))
            #expect(abs(Decibels.of(energy: Double(field.energy[5]) / expected)) < 0.7)
            #expect((0..<8).allSatisfy { field.octants[$0] > 0.06 && field.octants[$0] < 0.22 })
        }
        let path = found.survey.meanFreePath ?? 0
        #expect(abs(path / statistics.meanFreePath - 1) < 0.02)
        #expect(found.survey.escapedShare < 1e-3)
    }

    @Test("Early and late add up to the image sources' total where walls are mirrors")
    func mirrorRoom() throws {
        let row = try Table.load("room-decay-check.csv").rows[0]
        let tracer = LateRooms.box(size, walls: LateRooms.wall(0.1, scattering: 0))
        let settings = RaySettings(
            rays: 16_384, bounces: 300, specularFrom: 0, binWidth: 0.002, duration: 1.4, includesAir: false,
            hearsRoom: false)
        let response = LateTracer(tracer: tracer, settings: settings, seed: 1).trace(
            sources: [source], listener: listener
        ).sources[0]
        let curve = response.curve(5)
        let late = (source - listener).magnitude / 343.2 + 0.08
        #expect(abs(Decibels.of(energy: curve.energy) - row.number("ism_total_db_re_direct_1m")) < 0.5)
        #expect(abs(Decibels.of(energy: curve.energy(after: late)) - row.number("ism_late_after_80ms_db")) < 0.5)
        #expect(abs((curve.time(from: -5, to: -25) ?? 0) / row.number("ism_t20_s") - 1) < 0.05)
    }

    @Test("Air takes its share by length of way, bin by bin")
    func air() {
        let tracer = LateRooms.box(size, walls: LateRooms.wall(0.1, scattering: 0.5))
        func response(_ includesAir: Bool) -> EnergyResponse {
            let settings = RaySettings(rays: 512, bounces: 60, includesAir: includesAir, hearsRoom: false)
            return LateTracer(tracer: tracer, settings: settings).trace(sources: [source], listener: listener).sources[
                0]
        }
        let (dry, aired) = (response(false), response(true))
        let medium = tracer.scene.medium
        var worst = 0.0
        for bin in 0..<60 where dry.bins[bin][9] > 0 {
            let way = (Double(bin) + 0.5) * 0.004 * medium.speedOfSound
            let expected = Decibels.of(energy: Double(dry.bins[bin][9])) - Double(medium.attenuation[9]) * way
            worst = max(worst, abs(Decibels.of(energy: Double(aired.bins[bin][9])) - expected))
        }
        #expect(worst < 0.001)
    }

    @Test("1, 2 and 7 workers give the same bytes for more sources than each surface looks at, another seed others")
    func workers() {
        let tracer = LateRooms.box(size, walls: LateRooms.wall(0.1, scattering: OctaveBands([0.1, 0.2, 0.3, 0.9])))
        func found(_ workers: Int, seed: UInt64 = 9) -> LateResponses {
            LateTracer(tracer: tracer, settings: RaySettings(rays: 2048, bounces: 20), seed: seed)
                .trace(
                    sources: LateRooms.places(6, in: size), listener: listener, workers: WorkerPool(workers: workers))
        }
        let one = found(1)
        let areSame = [found(2) == one, found(7) == one, found(1) == one]
        #expect(areSame == [true, true, true])
        let isOther = found(1, seed: 10) != one
        #expect(isOther)
    }

    @Test("Into the next room sound comes through the wall between, at its loss", arguments: ["glass", "brick"])
    func nextRoom(material: String) {
        // Two rooms of 5 × 3 × 4 m, apart by a wall 10 cm thick that is all of one material.
        func level(_ material: String) -> Double {
            let shell = Meshes.box(Vector(10.1, 3, 4), at: Vector(5.05, 1.5, 2))
            let rooms = Occluder(
                id: 1, name: "shell", geometry: MeshGeometry(shell), materials: [LateRooms.wall(0.2, scattering: 0.5)])
            let wall = Occluder(
                id: 2, name: "wall", geometry: MeshGeometry(Meshes.box(Vector(0.1, 3, 4))),
                pose: Pose(position: Vector(5.05, 1.5, 2)),
                materials: [MaterialLibrary[material]])
            let settings = RaySettings(rays: 16_384, bounces: 80, duration: 0.6, includesAir: false, hearsRoom: false)
            let found = LateTracer(
                tracer: PortableTracer(AcousticScene(occluders: [rooms, wall])), settings: settings, seed: 1
            )
            .trace(sources: [Vector(1.6, 1.3, 1.4), Vector(8.2, 1.7, 2.3)], listener: Vector(7.2, 1.4, 2.9))
            return Decibels.of(energy: max(energy(found.sources[0], 2) / energy(found.sources[1], 2), 1e-12))
        }
        // Diffuse fields either side of a wall of area S that passes τ: E₂/E₁ = τS/A₂, A₂ = 0.2 · 82 m² + what the wall
        // itself takes.
        let wall = MaterialLibrary[material]
        let passed = Double(wall?.transmittedEnergy[2] ?? 0)
        let taken = 1 - Double(wall?.reflectedEnergy[2] ?? 0)
        let expected = Decibels.of(energy: passed * 12 / (0.2 * 82 + taken * 12))
        #expect(abs(level(material) - expected) < 1.5)
    }
}
