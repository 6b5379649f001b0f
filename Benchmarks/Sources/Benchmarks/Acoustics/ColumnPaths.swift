@testable import OssicleAcoustics
@testable import OssicleCore

/// Paths past two columns 0.4 m wide, in sight and behind them, at quality high without reflections, in the open or in
/// a room of one mesh: for callgrind, because what they take is a matter of instructions. A run of none is what
/// starting and the scene take.
enum ColumnPaths {
    enum Layout {
        /// With 0.8 m and 0.3 m between them, and one 0.6 m behind the other.
        case beside, close, behind

        fileprivate var places: [Vector] {
            switch self {
            case .beside: [Vector(-0.6, 0, -3), Vector(0.6, 0, -3)]
            case .close: [Vector(-0.35, 0, -3), Vector(0.35, 0, -3)]
            case .behind: [Vector(0, 0, -3.5), Vector(0, 0, -2.5)]
            }
        }
    }

    static func print(count: Int, _ layout: Layout, isRoom: Bool) {
        let columns = layout.places.enumerated().map { index, place in
            YardPaths.box(Vector(0.4, 120, 0.4), at: place, UInt64(index + 1))
        }
        let room = isRoom ? [YardPaths.box(Vector(10, 124, 14), at: Vector(0, 0, -3), 3)] : []
        var quality = AcousticQuality.high
        quality.reflections = 0
        let solver = SceneSolver(scene: AcousticScene(occluders: columns + room), quality: quality)
        let random = CounterRandom(seed: 20, object: 1)
        var tally = PathBits()
        for index in 0..<UInt64(count) {
            func draw(_ number: UInt64, _ low: Double, _ high: Double) -> Double {
                low + (high - low) * random.unit(4 * index + number)
            }
            let source = Vector(draw(0, -2.5, 2.5), 0, draw(1, -8, -4.5))
            let listener = Vector(draw(2, -1, 1), 0, draw(3, -1.5, 1))
            let found = solver.paths(DirectPathQuery(source: .point(source), listener: listener))
            tally.add(found.direct.bandGains, length: found.direct.centreDistance)
            for path in found.diffractions { tally.add(path.bandGains, length: path.length) }
        }
        Report.lines("\(tally.count) paths past two columns from \(count) places, bits \(tally.hash)")
    }
}
