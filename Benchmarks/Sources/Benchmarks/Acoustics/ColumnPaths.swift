@testable import OssicleAcoustics
@testable import OssicleCore

/// Paths past two columns 0.4 m wide, 0.8 m apart, or one behind the other with 0.6 m between them, in sight and behind
/// them, at quality high without reflections, in the open or in a room of one mesh: for callgrind, because what they
/// take is a matter of instructions. A run of none is what starting and the scene take.
enum ColumnPaths {
    static func print(count: Int, areBehind: Bool, isRoom: Bool) {
        let places = areBehind ? [Vector(0, 0, -3.5), Vector(0, 0, -2.5)] : [Vector(-0.6, 0, -3), Vector(0.6, 0, -3)]
        let columns = places.enumerated().map { index, place in
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
