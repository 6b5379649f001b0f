@testable import OssicleAcoustics
@testable import OssicleCore

/// Forty paths in a yard with twelve boxes, most of them around edges: for callgrind, because what it takes is a matter
/// of instructions. Prints the number of paths and a hash of their bits, which a faster search leaves alone.
enum YardPaths {
    static func print(_ name: String, isNarrow: Bool) {
        let qualities: [String: AcousticQuality] = ["low": .low, "high": .high]
        let solver = SceneSolver(scene: scene(isNarrow: isNarrow), quality: qualities[name] ?? .medium)
        var tally = PathBits()
        for pair in 0..<40 {
            let number = 1000 + UInt64(pair) * 8
            let source = Vector(40 * draw(number) - 20, 0.5 + 2 * draw(number + 1), 34 * draw(number + 2) - 17)
            let listener = Vector(40 * draw(number + 3) - 20, 1.7, 34 * draw(number + 4) - 17)
            let found = solver.paths(DirectPathQuery(source: .point(source), listener: listener))
            for path in found.diffractions + found.reflections { tally.add(path.bandGains, length: path.length) }
        }
        Report.lines("\(tally.count) paths in a yard with twelve boxes, quality \(name), bits \(tally.hash)")
    }

    private static func draw(_ number: UInt64) -> Double { CounterRandom(seed: 5, object: 1).unit(number) }

    /// - Parameter isNarrow: boxes of 0.4 to 1.8 m in place of 1 to 6 m.
    private static func scene(isNarrow: Bool) -> AcousticScene {
        let widths = isNarrow ? (0.4, 1.4) : (1, 5)
        let boxes = (0..<12).map { (index: Int) -> Occluder in
            let number = UInt64(index) * 8
            let size = Vector(
                widths.0 + widths.1 * draw(number), 1.5 + 3.5 * draw(number + 1), widths.0 + widths.1 * draw(number + 2)
            )
            let x = Double(index % 4) * 10 - 15 + 2 * draw(number + 3)
            let z = Double(index / 4) * 10 - 10 + 2 * draw(number + 4)
            return box(size, at: Vector(x, size.y / 2, z), UInt64(index + 2))
        }
        return AcousticScene(occluders: [box(Vector(60, 0.2, 60), at: Vector(0, -0.1, 0), 1)] + boxes)
    }

    static func box(_ size: Vector, at centre: Vector, _ id: UInt64) -> Occluder {
        let corners = (0..<8).map { corner in
            centre + Vector(corner & 1 == 0 ? -0.5 : 0.5, corner & 2 == 0 ? -0.5 : 0.5, corner & 4 == 0 ? -0.5 : 0.5)
                * size
        }
        let faces: [SIMD4<Int32>] = [
            SIMD4(0, 4, 6, 2), SIMD4(1, 3, 7, 5), SIMD4(0, 1, 5, 4), SIMD4(2, 6, 7, 3), SIMD4(0, 2, 3, 1),
            SIMD4(4, 5, 7, 6),
        ]
        let mesh = TriangleMesh(
            vertices: corners, triangles: faces.flatMap { [SIMD3($0.x, $0.y, $0.z), SIMD3($0.x, $0.z, $0.w)] })
        return Occluder(
            id: id, name: "box", geometry: MeshGeometry(mesh), material: MaterialLibrary.material(.brick))
    }
}

/// How many paths there were, and a hash of their bits.
struct PathBits {
    private(set) var count = 0
    private(set) var hash = UInt64(0)

    mutating func add(_ gains: OctaveBands, length: Double) {
        count += 1
        hash = gains.values.reduce(CounterRandom.mix(hash ^ length.bitPattern)) {
            CounterRandom.mix($0 ^ UInt64($1.bitPattern))
        }
    }
}
