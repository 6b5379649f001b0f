@testable import OssicleAcoustics
@testable import OssicleCore
@testable import OssicleResponses

/// A room of 6 × 3 × 5 m that absorbs a fifth in every band and scatters a tenth: all image sources to order 10, and a
/// whole impulse response.
///
/// The response is mono at 48 kHz on both sides: image sources to order 3, 4,096 rays for the rest in bins of 4 ms, and
/// samples of both. On neither side does making the room count, nor tables that depend on the sample rate alone. What
/// differs:
///
///     ours              ten bands from 31.5 Hz, air; rays leave the listener, look for the source from surfaces and end at −60 dB; always 1 s
///     pyroomacoustics   one band and no air, which is its default, or eight bands from 125 Hz with air; rays leave the source, count where
///                       they cross a ball of 0.5 m and end at −70 dB; until the last of them, 0.8 to 1 s
enum BoxRoomSpeed {
    private static let size = Vector(6, 3, 5), source = Vector(1.9, 1.7, 1.6), listener = Vector(4.2, 1.4, 3.8)
    private static let order = 10
    private static let quality = AcousticQuality(
        rays: 4096, bounces: 512, reflectionOrder: 3, reflections: 4096, edges: 0, bendsReflections: false)
    private static let sampleRate = 48_000.0, frameCount = 48_000
    private static let alone = WorkerPool(workers: 1)

    static func print() {
        let rival = Pyroomacoustics.measure(
            imageOrder: order, responseOrder: quality.reflectionOrder, rays: quality.rays)
        let images = imageSources()
        Report.line(
            "image sources to order \(order)",
            "\(Report.number(1000 * images)) ms for \(BoxRoom.count(upTo: order)) images of ten bands, one core")
        Report.line("  pyroomacoustics", words(rival.map(\.images), beside: images))
        guard let (whole, sound) = response() else { return Report.line("impulse response of a box", "failed") }
        Report.line(
            "impulse response of a box",
            "\(Report.number(1000 * whole)) ms for paths to order \(quality.reflectionOrder), \(quality.rays) rays and "
                + "1 s of samples, which take \(Report.number(1000 * sound)) ms of it, one core")
        Report.line("  pyroomacoustics, bands", words(rival.map(\.bands), beside: whole))
        Report.line("  pyroomacoustics, one band", words(rival.map(\.band), beside: whole))
    }

    private static func imageSources() -> Double {
        let wall = OctaveBands(repeating: Float(0.8).squareRoot())
        let room = BoxRoom(corner: .zero, size: size, walls: Array(repeating: wall, count: 6))
        var arrivals: [BoxRoom.Arrival] = []
        return Stopwatch.least(of: 50) {
            room.findArrivals(of: source, at: listener, order: order, speedOfSound: 343.2, into: &arrivals)
            keep(arrivals.count)
        }
    }

    /// Seconds from the mesh to samples, and for the samples alone.
    private static func response() -> (whole: Double, sound: Double)? {
        let material = AcousticMaterial(
            name: "", absorption: OctaveBands(repeating: 0.2), scattering: OctaveBands(repeating: 0.1),
            transmissionLoss: OctaveBands(repeating: 60))
        var walls = StoneMesh()
        walls.addRoom(size)
        let geometry = MeshGeometry(walls.mesh)
        guard let synthesiser = try? ResponseSynthesiser(sampleRate: sampleRate) else { return nil }
        func samples(_ found: (paths: SourceAcoustics, late: LatePart)) {
            keep(
                try? synthesiser.response(
                    [found.paths], late: found.late, listener: Pose(), frameCount: frameCount, workers: alone))
        }
        let found = acoustics(geometry, material)
        return (Stopwatch.least { samples(acoustics(geometry, material)) }, Stopwatch.least { samples(found) })
    }

    private static func acoustics(
        _ geometry: MeshGeometry, _ material: AcousticMaterial
    ) -> (paths: SourceAcoustics, late: LatePart) {
        let (from, to) = (source - size / 2, listener - size / 2)
        let scene = AcousticScene(occluders: [Occluder(id: 1, name: "", geometry: geometry, material: material)])
        let solver = SceneSolver(scene: scene, quality: quality)
        let paths = solver.paths(DirectPathQuery(source: .point(from), listener: to))
        let late = solver.lateResponses(of: [from], at: to, workers: alone).sources[0]
        return (paths, LatePart(energy: late, start: paths.direct.centreDistance / scene.medium.speedOfSound))
    }

    private static func words(_ rival: Result<Double, Pyroomacoustics.Missing>, beside ours: Double) -> String {
        switch rival {
        case .success(let theirs):
            "\(Report.number(1000 * theirs)) ms: ours is \(Report.number(theirs / ours)) × as fast"
        case .failure(let missing): "not measured (\(missing.words))"
        }
    }
}
