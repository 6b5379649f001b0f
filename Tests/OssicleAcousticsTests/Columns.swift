@testable import OssicleAcoustics
import Foundation
import OssicleCore
import Testing

/// Columns seen from above, their scenes, and the exact field between them.
enum Columns {
    typealias Point = BoundaryElements.Point

    static func circle(_ x: Double, _ z: Double, _ radius: Double, sides: Int) -> [Point] {
        (0..<sides).map {
            let angle = 2 * Double.pi * (Double($0) + 0.5) / Double(sides)
            return Point(x + radius * cos(angle), z + radius * sin(angle))
        }
    }

    static func block(_ x: Double, _ z: Double, _ width: Double, _ depth: Double) -> [Point] {
        [Point(-width, -depth), Point(width, -depth), Point(width, depth), Point(-width, depth)].map {
            Point(x, z) + $0 / 2
        }
    }

    /// The same, turned about a point.
    static func turned(_ outline: [Point], by degrees: Double, about centre: Point) -> [Point] {
        let (s, c) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        return outline.map {
            let offset = $0 - centre
            return centre + Point(c * offset.x - s * offset.y, s * offset.x + c * offset.y)
        }
    }

    enum Shape: String {
        case square, round, pair, slot
        /// Two columns as in `pair`, turned together by 20°, and two of 0.3 m with 1 m between them.
        case askew, apart
        /// Two columns of 0.6 m with 0.3 and with 0.6 m between them, and with 0.4 m, turned together by 20°.
        case wide, wideApart, wideAskew
        /// Two columns as in `pair`, each turned by 20° by itself; three of them in a row, 0.5 m apart.
        case twisted, three
        /// Two columns one behind the other: of 0.4 m with 0.6 m between them, of 0.8 m with 0.2 m, of 0.6 m with 2 m,
        /// with 0.5 m and the second 0.18 m aside, with 1 m and 0.36 m aside, and with 0.4 m, turned together by 20°,
        /// 35° and 45°; of 0.4 m with 0.3 m, turned by 35° the other way.
        case behind, behindWide, behindFar, behindAside, behindAslant
        case behindAskew, behindMoreAskew, behindDiagonal, behindTurnedBack
        /// Three of 0.4 m one behind the other, 0.5 m apart, and the middle one 0.12 m aside.
        case file, fileAside

        var outlines: [[Point]] {
            switch self {
            case .square: [block(0, -3, 0.6, 0.6)]
            case .round: [circle(0, -3, 0.3, sides: 32)]
            case .pair: [-0.6, 0.6].map { block($0, -3, 0.4, 0.4) }
            case .askew: Shape.pair.outlines.map { turned($0, by: 20, about: Point(0, -3)) }
            case .apart: [-0.65, 0.65].map { block($0, -3, 0.3, 0.3) }
            case .wide: [-0.45, 0.45].map { block($0, -3, 0.6, 0.6) }
            case .wideApart: [-0.6, 0.6].map { block($0, -3, 0.6, 0.6) }
            case .wideAskew: [-0.5, 0.5].map { turned(block($0, -3, 0.6, 0.6), by: 20, about: Point(0, -3)) }
            case .twisted: [-0.6, 0.6].map { turned(block($0, -3, 0.4, 0.4), by: 20, about: Point($0, -3)) }
            case .three: [-0.9, 0, 0.9].map { block($0, -3, 0.4, 0.4) }
            case .slot: [block(-1.8, -3, 3, 0.2), block(1.8, -3, 3, 0.2)]
            case .behind: Shape.file(0.4, gap: 0.6, aside: [0, 0])
            case .behindWide: Shape.file(0.8, gap: 0.2, aside: [0, 0])
            case .behindFar: Shape.file(0.6, gap: 2, aside: [0, 0])
            case .behindAside: Shape.file(0.6, gap: 0.5, aside: [-0.09, 0.09])
            case .behindAslant: Shape.file(0.6, gap: 1, aside: [-0.18, 0.18])
            case .behindAskew: Shape.file(0.6, gap: 0.4, turned: 20)
            case .behindMoreAskew: Shape.file(0.6, gap: 0.4, turned: 35)
            case .behindDiagonal: Shape.file(0.6, gap: 0.4, turned: 45)
            case .behindTurnedBack: Shape.file(0.4, gap: 0.3, turned: -35)
            case .file: Shape.file(0.4, gap: 0.5, aside: [0, 0, 0])
            case .fileAside: Shape.file(0.4, gap: 0.5, aside: [0, 0.12, 0])
            }
        }

        /// Square columns one behind the other, so far aside each.
        static func file(_ width: Double, gap: Double, aside: [Double]) -> [[Point]] {
            aside.enumerated().map { index, x in
                block(x, -3 + (Double(index) - Double(aside.count - 1) / 2) * (width + gap), width, width)
            }
        }

        /// Two of them, turned together.
        static func file(_ width: Double, gap: Double, turned degrees: Double) -> [[Point]] {
            file(width, gap: gap, aside: [0, 0]).map { turned($0, by: degrees, about: Point(0, -3)) }
        }

        /// Metres from its middle to either end of it as seen from the places.
        var halfDepth: Double { outlines.joined().reduce(0) { max($0, abs($1.y + 3)) } }
    }

    /// A column 120 m long, upright: its ends do not count.
    static func prism(_ outline: [Point]) -> TriangleMesh {
        let count = Int32(outline.count)
        let vertices = [-60.0, 60].flatMap { y in outline.map { Vector($0.x, y, $0.y) } }
        let sides = (0..<count).flatMap { index -> [SIMD3<Int32>] in
            let next = (index + 1) % count
            return [SIMD3(index, count + next, next), SIMD3(index, count + index, count + next)]
        }
        let ends = (1..<(count - 1)).flatMap { (k: Int32) -> [SIMD3<Int32>] in
            [SIMD3(0, k, k + 1), SIMD3(count, count + k + 1, count + k)]
        }
        return TriangleMesh(vertices: vertices, triangles: sides + ends)
    }

    static func solver(
        _ outlines: [[Point]], _ given: AcousticQuality = .high, reflections: Bool = true
    ) -> GeometrySolver<PortableTracer> {
        var quality = given
        if !reflections { quality.reflections = 0 }
        // As the exact field has them: brick would let through what at long waves is 0.6 dB of the sound beside it.
        let rigid = AcousticMaterial(
            name: "rigid", absorption: .zeros, scattering: .zeros, transmissionLoss: OctaveBands(repeating: 200))
        let occluders = outlines.enumerated().map { index, outline in
            Occluder(
                id: UInt64(index + 1), name: "body \(index)", geometry: MeshGeometry(prism(outline)), material: rigid)
        }
        return GeometrySolver(tracer: PortableTracer(AcousticScene(occluders: occluders)), quality: quality)
    }

    /// Levels of all paths re the free field, each after its delay.
    static func levels(
        _ solver: GeometrySolver<PortableTracer>, _ source: Point, _ place: Point, _ bands: Range<Int>
    ) -> [Double] {
        let (from, to) = (Vector(source.x, 0, source.y), Vector(place.x, 0, place.y))
        let acoustics = solver.paths(DirectPathQuery(source: .point(from, radius: 0), listener: to))
        let straight = SoundPath(
            kind: .diffraction(edges: 0), identity: 0, length: (from - to).magnitude,
            bandGains: acoustics.direct.bandGains, arrival: .zero, departure: .zero, corners: [])
        let levels = OctaveTones.levels([straight] + acoustics.diffractions + acoustics.reflections)
        return bands.map { levels[$0] + Decibels.of(amplitude: straight.length) }
    }

    /// The same, exactly: the mean energy of so many tones.
    static func exact(_ outlines: [[Point]], _ places: [(Point, Point)], band: Int, tones: Int = 5) -> [Double] {
        let elements = (0..<tones).map { tone in
            let frequency = OctaveBands.centre(band) * pow(2, (Double(2 * tone + 1) / Double(tones) - 1) / 2)
            return BoundaryElements(outlines, number: 2 * .pi * frequency / 343.2)
        }
        return places.map { source, place in
            let energy = elements.reduce(0) { $0 + pow($1.ratio(source, place).magnitude, 2) }
            return Decibels.of(energy: energy / Double(tones))
        }
    }

    /// - Parameter room: metres that they are farther away.
    static func places(_ count: Int, room: Double = 0) -> [(Point, Point)] {
        let random = CounterRandom(seed: 20, object: 1)
        return (0..<UInt64(count)).map { index in
            func draw(_ number: UInt64, _ low: Double, _ high: Double) -> Double {
                low + (high - low) * random.unit(4 * index + number)
            }
            return (
                Point(draw(0, -2.5, 2.5), draw(1, -8, -4.5) - room), Point(draw(2, -1, 1), draw(3, -1.5, 1) + room)
            )
        }
    }

    /// Enough for what arrives two metres later, to and fro between columns.
    static func tones(_ band: Int) -> Int { band < 5 ? 5 : 15 }

    /// Compares the octaves from 63 Hz to 2 kHz with the exact ones, with early reflections as paths and without.
    static func compare(_ outlines: [[Point]], _ places: [(Point, Point)], limit: Double) {
        let bands = 1..<7
        let fields = bands.map { exact(outlines, places, band: $0, tones: tones($0)) }
        for reflections in [true, false] {
            let solver = Self.solver(outlines, reflections: reflections)
            let ours = places.map { levels(solver, $0, $1, bands) }
            for (index, band) in bands.enumerated() {
                let errors = zip(ours, fields[index]).map { $0[index] - $1 }
                let rms = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
                #expect(rms < limit, "\(outlines), band \(band), reflections \(reflections): \(rms) dB")
            }
        }
    }

    /// Compares the levels from sources to places with those of the opposite paths.
    static func compareBothWays(_ outlines: [[Point]], _ places: [(Point, Point)]) {
        let solver = solver(outlines)
        for (source, place) in places {
            let (there, back) = (
                levels(solver, source, place, 0..<OctaveBands.count),
                levels(solver, place, source, 0..<OctaveBands.count)
            )
            #expect(zip(there, back).allSatisfy { abs($0 - $1) < 0.1 }, "\(source), \(place): \(there), \(back)")
        }
    }

    /// Compares the octaves to 2 kHz at a place while the source walks to the opposite side of x = 0, 5 mm a step.
    /// - Parameter limit: dB a step.
    static func compareSteps(_ outlines: [[Point]], from start: Point, to place: Point, limit: Double) {
        let solver = solver(outlines)
        let walk = (0...Int(400 * start.x)).map {
            levels(solver, start - Point(0.005 * Double($0), 0), place, 0..<7)
        }
        compareSteps(walk, limit: limit)
    }

    static func compareSteps(_ walk: [[Double]], limit: Double) {
        for (before, after) in zip(walk, walk.dropFirst()) {
            #expect(zip(before, after).allSatisfy { abs($0 - $1) < limit }, "\(before), \(after)")
        }
    }
}
