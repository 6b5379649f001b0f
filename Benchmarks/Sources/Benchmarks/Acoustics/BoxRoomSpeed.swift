@testable import OssicleAcoustics
@testable import OssicleCore

/// A room of 6 × 3 × 5 m that absorbs a fifth in every band and scatters a tenth: all image sources to order 10, and what a whole impulse
/// response takes.
enum BoxRoomSpeed {
    private static let size = Vector(6, 3, 5), source = Vector(1.9, 1.7, 1.6), listener = Vector(4.2, 1.4, 3.8)
    private static let order = 10
    private static let quality = AcousticQuality(rays: 4096, bounces: 512, reflectionOrder: 3, reflections: 4096, edges: 0, bendsReflections: false)

    static func print() {
        let (images, response) = (imageSources(), response())
        let rival = Pyroomacoustics.measure(imageOrder: order, responseOrder: quality.reflectionOrder, rays: quality.rays)
        let count = BoxRoom.count(upTo: order)
        Report.line("image sources to order \(order)", "\(Report.number(1000 * images)) ms for \(count) images of ten bands, one core")
        report(rival.map(\.images), images)
        Report.line("echogram of a box", "\(Report.number(1000 * response)) ms for paths to order \(quality.reflectionOrder) and "
            + "\(quality.rays) rays, one core")
        report(rival.map(\.response), response)
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

    /// From the mesh to the paths and the energies of the late part; making samples of them is not part of it.
    private static func response() -> Double {
        let material = AcousticMaterial(name: "", absorption: OctaveBands(repeating: 0.2), scattering: OctaveBands(repeating: 0.1),
                                        transmissionLoss: OctaveBands(repeating: 60))
        var walls = StoneMesh()
        walls.addRoom(size)
        let geometry = MeshGeometry(walls.mesh)
        let (from, to) = (source - size / 2, listener - size / 2)
        return Stopwatch.least {
            let scene = AcousticScene(occluders: [Occluder(id: 1, name: "", geometry: geometry, material: material)])
            let solver = SceneSolver(scene: scene, quality: quality)
            keep(solver.paths(DirectPathQuery(source: .point(from), listener: to)))
            keep(solver.lateResponses(of: [from], at: to, workers: WorkerPool(workers: 1)))
        }
    }

    private static func report(_ rival: Result<Double, Pyroomacoustics.Missing>, _ ours: Double) {
        switch rival {
        case .success(let theirs):
            Report.line("  pyroomacoustics", "\(Report.number(1000 * theirs)) ms: ours is \(Report.number(theirs / ours)) × as fast")
        case .failure(let missing): Report.line("  pyroomacoustics", "not measured (\(missing.words))")
        }
    }
}
