@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct GeometrySolverTests {
    private func solver(_ scene: AcousticScene, _ quality: AcousticQuality = .medium) -> GeometrySolver<PortableTracer>
    {
        GeometrySolver(tracer: PortableTracer(scene), quality: quality)
    }

    @Test(
        "Direct sound, reflections and late energy of a diffuse room add up to 1/r² and diffuse theory",
        arguments: [0.1, 0.25])
    func energyBalance(absorption: Double) {
        let walls = Occluder(
            id: 1, name: "room",
            geometry: MeshGeometry(Meshes.box(Vector(10, 4, 8), at: Vector(5, 2, 4), inverted: true)),
            material: LateRooms.wall(absorption, scattering: 0.6))
        let solver = GeometrySolver(tracer: PortableTracer(AcousticScene(walls)), quality: .high, seed: 3)
        let medium = Medium()
        let band = 5
        let air = -2 * DeterministicMath.log(Double(medium.gains(distance: 1)[band]))
        let area = 304.0
        let room = RoomStatistics(
            volume: 320, surface: area, absorption: absorption * area, speedOfSound: medium.speedOfSound, air: air)
        let places = [
            (LateRooms.place(2, 3, 1.5), LateRooms.place(7, 5, 1.2)),
            (LateRooms.place(8.5, 6.5, 2.5), LateRooms.place(3, 2, 1.7)),
        ]
        for (source, listener) in places {
            let paths = solver.paths(DirectPathQuery(source: .point(source), listener: listener))
            let late = solver.lateResponses(of: [source], at: listener).sources[0]
            func energy(_ gain: Float, _ length: Double) -> Double {
                let amplitude = Double(gain * medium.gains(distance: length)[band]) / length
                return amplitude * amplitude
            }
            let direct = energy(paths.direct.bandGains[band], paths.direct.centreDistance)
            let early = paths.reflections.reduce(direct) { $0 + energy($1.bandGains[band], $1.length) }
            let total = late.bins.reduce(early) { $0 + Double($1[band]) }
            // What is reflected arrives after the direct sound (Barron and Lee 1988).
            let distance = (source - listener).magnitude
            let expected =
                1 / (distance * distance) + room.energy(after: distance / medium.speedOfSound, decayTime: room.eyring)
            let error = Decibels.of(energy: total / expected)
            #expect(abs(error) < 1 && early > 1.1 / (distance * distance), "\(error) dB, early \(early)")
        }
    }

    // MARK: Behind a screen

    private let screen = AcousticScene(Occluder(Meshes.screen(width: 60, height: 60, at: Vector(-30, 0, 0))))

    /// Levels of all that comes straight or around edges, 125 Hz to 8 kHz.
    ///
    /// A point's sound is one wave, whose two parts add with the phases of their lengths. The points of a body sound
    /// each for itself: energies.
    private func levels(_ acoustics: SourceAcoustics, isBody: Bool) -> [Double] {
        let straight = (acoustics.direct.bandGains, acoustics.direct.effectiveDistance)
        let parts = [straight] + acoustics.diffractions.map { ($0.bandGains, $0.length) }
        return (2...8).map { band in
            var sum = Phasor.zero
            var energy = 1e-12
            for (gains, length) in parts {
                let amplitude = Double(gains[band]) / length
                energy += amplitude * amplitude
                sum =
                    sum
                    + Phasor(real: amplitude, imaginary: 0).delayed(
                        by: 2 * DeterministicMath.pi * OctaveBands.centre(band) / 343.2 * length)
            }
            return isBody ? Decibels.of(energy: energy) : Decibels.of(amplitude: sum.magnitude)
        }
    }

    private func largestChange(_ source: SourceGeometry, isBody: Bool) -> (change: Double, drop: Double) {
        let solver = solver(screen)
        let walk = (0...400).map { step in
            let listener = Vector(2 - Double(step) * 0.015, 0.3, 8)
            return levels(solver.paths(DirectPathQuery(source: source, listener: listener)), isBody: isBody)
        }
        let changes = zip(walk, walk.dropFirst(5)).map { before, after in
            zip(before, after).map { abs($0 - $1) }.max() ?? 0
        }
        return (changes.max() ?? 100, (walk.first?[6] ?? 0) - (walk.last?[6] ?? 0))
    }

    @Test(
        "Crossing behind a screen no band of a small source changes by more than 1.5 dB per 7.5 cm",
        arguments: [0, 0.1])
    func pointBehindScreen(radius: Double) {
        let (change, drop) = largestChange(.point(Vector(0, 0, -8), radius: radius), isBody: false)
        #expect(change < 1.5 && drop > 15, "\(change) dB, \(drop) dB")
    }

    @Test("Crossing behind a screen no band of a body changes by more than 1.5 dB per 7.5 cm", arguments: [0.4, 1.5])
    func bodyBehindScreen(width: Double) {
        let shape = SourceShape(meshes: [Meshes.box(Vector(width, 0.8, 0.5))])
        let (change, drop) = largestChange(.shape(shape, Pose(position: Vector(0, 0, -8))), isBody: true)
        #expect(change < 1.5 && drop > 15, "\(change) dB, \(drop) dB")
    }

    @Test("Of a wide body half hidden, the half in sight is heard: −3 dB at high frequencies")
    func halfABody() {
        let shape = SourceShape(meshes: [Meshes.box(Vector(4, 0.5, 0.02))])
        let acoustics = solver(screen).paths(
            DirectPathQuery(source: .shape(shape, Pose(position: Vector(0, 0, -8))), listener: Vector(0, 0, 8)))
        let level = Decibels.of(amplitude: Double(acoustics.direct.bandGains[8]))
        #expect(abs(acoustics.direct.visibleShare - 0.5) < 0.03 && abs(level + 3) < 0.5, "\(level)")
    }

    @Test("Ways of one identity join to their energy, at the mean of their places; others stay")
    func joining() {
        func path(_ identity: UInt64, _ length: Double, _ gain: Float, x: Double) -> SoundPath {
            SoundPath(
                kind: .diffraction(edges: 1), identity: identity, length: length,
                bandGains: OctaveBands(repeating: gain),
                arrival: Vector(0, 1, 0), departure: Vector(0, 0, 1), corners: [Vector(x, 0, 0)])
        }
        let joined = [path(1, 4, 0.4, x: 1), path(2, 5, 0.1, x: 0), path(1, 5, 0.5, x: 3)].joinedByIdentity()
        #expect(joined.map(\.identity) == [1, 2] && joined[1] == path(2, 5, 0.1, x: 0))
        // Both are 0.1 at the listener: 0.1 √2 from half way between.
        #expect(abs(joined[0].length - 4.5) < 1e-6 && abs(joined[0].corners[0].x - 2) < 1e-6)
        #expect(abs(Double(joined[0].bandGains[5]) - 0.1 * 2.0.squareRoot() * 4.5) < 1e-6)
    }

    @Test("What comes through a wall adds to what comes past it as energy")
    func throughWall() {
        func gains(_ loss: Double, _ listener: Vector) -> [Double] {
            let material = AcousticMaterial(
                name: "wall", absorption: .zeros, scattering: .zeros,
                transmissionLoss: OctaveBands(repeating: Float(loss)))
            let geometry = MeshGeometry(Meshes.screen(width: 60, height: 60, at: Vector(-30, 0, 0)))
            let solver = solver(AcousticScene(Occluder(id: 1, name: "wall", geometry: geometry, material: material)))
            let query = DirectPathQuery(source: .point(Vector(0, 0, -8)), listener: listener)
            return solver.paths(query).direct.bandGains.values.map { Double($0) }
        }
        for listener in [Vector(-4, 0, 8), Vector(-0.05, 0, 8)] {
            let (tight, leaky) = (gains(200, listener), gains(10, listener))
            let direct = DirectPathSolver(tracer: PortableTracer(screen)).solve(
                source: .point(Vector(0, 0, -8)), listener: listener)
            let expected = (1 - direct.visibleShare) * 0.1
            let isSum = zip(tight, leaky).allSatisfy { abs($1 * $1 - $0 * $0 - expected) < 1e-5 }
            #expect(isSum && direct.visibleShare < 0.5)
        }
    }

    // MARK: Qualities

    @Test("Each quality keeps to what it states")
    func qualities() {
        let scene = ReflectionSearchTests.furnished(3)
        let query = DirectPathQuery(source: .point(Vector(1.1, 0.9, 1.2)), listener: Vector(4.9, 4.2, 1.6))
        var counts: [Int] = []
        for quality in [AcousticQuality.low, .medium, .high, .reference] {
            let solver = solver(scene, .low).with(quality)
            let candidates =
                solver.wantsCandidates ? solver.candidates(of: query.source.centre, at: query.listener) : nil
            let acoustics = solver.paths(query, trying: candidates)
            #expect(acoustics.reflections.count <= quality.reflections && acoustics.diffractions.count <= 4)
            let isWithin = (acoustics.reflections + acoustics.diffractions).allSatisfy { path in
                switch path.kind {
                case .reflection(let order): order <= quality.reflectionOrder
                case .diffraction(let edges): edges <= quality.edges
                case .diffractedReflection(let order): quality.bendsReflections && order <= quality.reflectionOrder
                }
            }
            #expect(isWithin)
            counts.append(acoustics.reflections.count)
        }
        #expect(counts == counts.sorted() && counts[0] < counts[3], "\(counts)")
        let least = AcousticQuality(
            rays: 1, bounces: 1, reflectionOrder: 0, reflections: 0, edges: 0, bendsReflections: false)
        #expect(solver(scene, least).paths(query).reflections.isEmpty)
    }

    @Test(
        "Where mirrors are many, candidates give what an exhaustive search gives, and without them single mirrors reflect"
    )
    func candidates() {
        let scene = ReflectionSearchTests.furnished(40)
        var quality = AcousticQuality.medium
        quality.reflections = 1000
        let solver = solver(scene, quality)
        let (source, listener) = (Vector(1.1, 0.9, 1.2), Vector(4.9, 4.2, 1.6))
        let query = DirectPathQuery(source: .point(source), listener: listener)
        #expect(solver.wantsCandidates && !solver.with(.low).wantsCandidates)
        #expect(!self.solver(ReflectionSearchTests.furnished(1), quality).wantsCandidates)
        let single = solver.paths(query).reflections
        #expect(!single.isEmpty && single.allSatisfy { $0.kind == .reflection(order: 1) })
        let found = solver.candidates(of: source, at: listener)
        let all = ImageSourceSolver(tracer: solver.tracer).reflections(of: source, at: listener, order: 2, limit: 1000)
        #expect(solver.paths(query, trying: found).reflections == all && all.count > single.count)
        #expect(solver.candidates(of: source, at: listener, keeping: found) == found)
    }

    // MARK: The same bytes

    private let place = (source: LateRooms.place(2, 3, 1.5), listener: LateRooms.place(5, 4, 1.2))

    @Test("The same bytes for 1, 2 and 7 workers")
    func workers() {
        let solver = solver(ReflectionSearchTests.furnished(3), .low)
        let all = [1, 2, 7].map {
            solver.late(of: [place.source, Vector(1, 1, 1)], at: place.listener, workers: WorkerPool(workers: $0))
        }
        let areSame = all[0] == all[1] && all[0] == all[2]
        #expect(areSame)
    }

    @Test("Whatever traces the rays, paths are the same within 1e-9")
    func tracers() {
        let scene = ReflectionSearchTests.furnished(4)
        for listener in [place.listener, Vector(4.9, 4.2, 1.6), Vector(3, 1, 0.4)] {
            let query = DirectPathQuery(source: .point(Vector(1.1, 0.9, 1.2)), listener: listener)
            let one = solver(scene, .high).paths(query)
            let two = SceneSolver(scene: scene, quality: .high).paths(query)
            let (a, b) = (one.diffractions + one.reflections, two.diffractions + two.reflections)
            let areSame =
                a.count == b.count
                && zip(a, b).allSatisfy { p, q in
                    p.identity == q.identity && p.kind == q.kind && abs(p.length - q.length) < 1e-9
                        && (p.arrival - q.arrival).magnitude < 1e-9
                        && zip(p.bandGains.values, q.bandGains.values).allSatisfy { abs(Double($0 - $1)) < 1e-9 }
                }
            #expect(areSame && one.direct == two.direct)
        }
    }

    @Test("Two seeds differ by less than half the tolerances: 0.75 dB of late energy, 2.5 % of T60")
    func seeds() {
        let tracer = LateRooms.box(Vector(10, 8, 3), walls: LateRooms.wall(0.15, scattering: 0.3))
        let fields = [UInt64(1), 2].map { seed in
            GeometrySolver(tracer: tracer, quality: .high, seed: seed).late(of: [place.source], at: place.listener)
                .sources[0]
        }
        let bands = 2...8
        let level =
            bands.map { abs(Decibels.of(energy: Double(fields[0].energy[$0] / fields[1].energy[$0]))) }.max() ?? 100
        let time = bands.map { abs(Double(fields[0].t60[$0] / fields[1].t60[$0]) - 1) }.max() ?? 100
        #expect(level < 0.75 && time < 0.025, "\(level) dB, \(time)")
        #expect(fields[0] != fields[1])
    }

    // MARK: Hostile

    private func isSound(_ acoustics: SourceAcoustics) -> Bool {
        acoustics.direct.bandGains.values.allSatisfy { $0.isFinite && $0 >= 0 && $0 < 4 }
            && acoustics.direct.direction.isFinite
            && (acoustics.diffractions + acoustics.reflections).allSatisfy { path in
                path.length.isFinite && path.arrival.isFinite && path.departure.isFinite
                    && path.corners.allSatisfy(\.isFinite)
                    && path.bandGains.values.allSatisfy { $0.isFinite && $0 >= 0 && $0 < 4 }
            }
    }

    @Test("Sources in walls, listeners on surfaces, places that are none and empty scenes give finite answers")
    func hostile() {
        let body = SourceShape(meshes: [Meshes.box(Vector(0.5, 0.5, 0.5))])
        let empty = SourceShape(meshes: [])
        let sheet = Occluder(Meshes.screen(width: 9, height: 9, at: Vector(0, 0, -4)), id: 2)
        let wall = AcousticScene(Occluder(Meshes.box(Vector(4, 3, 0.4))), sheet)
        let places = [
            Vector(0, 0, 0), Vector(0, 0, 0.2), Vector(2, 1.5, 0.2), Vector(0, 0, -4), Vector(0.5, 0.2, 2),
            Vector(3, 0, -2),
            Vector(.nan, 0, 0), Vector(.infinity, 0, 0), Vector(1e12, 0, 0),
        ]
        for scene in [wall, AcousticScene(occluders: [])] {
            for quality in [AcousticQuality.low, .high] {
                let solver = solver(scene, quality)
                for source in places {
                    let geometries: [SourceGeometry] = [
                        .point(source), .point(source, radius: .nan), .shape(body, Pose(position: source)),
                        .shape(empty, Pose(position: source)),
                    ]
                    let areSound = places.allSatisfy { listener in
                        geometries.allSatisfy { isSound(solver.paths(DirectPathQuery(source: $0, listener: listener))) }
                    }
                    #expect(areSound, "\(source)")
                }
            }
            let late = solver(
                scene,
                AcousticQuality(
                    rays: 64, bounces: 4, reflectionOrder: 1, reflections: 8, edges: 1, bendsReflections: false))
            let areSound = places.allSatisfy { listener in
                let fields = late.late(of: places, at: listener)
                return (fields.sources + [fields.room]).allSatisfy {
                    ($0.energy.values + $0.t60.values).allSatisfy(\.isFinite)
                }
            }
            #expect(areSound)
        }
    }

    @Test("Nothing in the way and nothing around: the sound as it is")
    func open() {
        let acoustics = solver(AcousticScene(occluders: []), .high).paths(
            DirectPathQuery(source: .point(Vector(3, 0, 0)), listener: .zero))
        #expect(acoustics.direct.bandGains == .ones && acoustics.diffractions.isEmpty && acoustics.reflections.isEmpty)
    }
}

/// The fields behind the echograms of one simulation.
private struct LateFieldsFound: Equatable {
    let sources: [LateField]
    let room: LateField
}

extension GeometrySolver {
    fileprivate func late(of sources: [Vector], at listener: Vector, workers: WorkerPool = .shared) -> LateFieldsFound {
        let responses = lateResponses(of: sources, at: listener, workers: workers)
        let speed = tracer.scene.medium.speedOfSound
        func field(_ response: EnergyResponse) -> LateField {
            LateField(response, survey: responses.survey, speedOfSound: speed)
        }
        return LateFieldsFound(sources: responses.sources.map(field), room: field(responses.room))
    }
}
