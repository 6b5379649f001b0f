@testable import OssicleAcoustics
import Foundation
import OssicleCore
import Testing

/// Bodies no wider than a few wavelengths, against boundary elements in two dimensions.
@Suite struct DiffractionBodyTests {
    typealias Point = BoundaryElements.Point
    typealias Shape = Columns.Shape

    // MARK: The oracle

    @Test("Bessel functions are those of the C library within 1e-9, and J₁Y₀ − J₀Y₁ = 2/πx")
    func bessel() {
        for step in 1...400 {
            let x = Double(step) * 0.25
            let (a0, b0, a1, b1) = Hankel.bessel(x)
            #expect(abs(a0 - j0(x)) < 1e-9 && abs(a1 - j1(x)) < 1e-9, "\(x)")
            #expect(abs(b0 - y0(x)) < 1e-9 && abs(b1 - y1(x)) < 1e-9, "\(x)")
            #expect(abs(a1 * b0 - a0 * b1 - 2 / (.pi * x)) < 1e-9)
        }
        let (j, y) = Hankel.orders(7.3, upTo: 20)
        #expect(
            (0...20).allSatisfy {
                abs(j[$0] / jn(Int32($0), 7.3) - 1) < 1e-9 && abs(y[$0] / yn(Int32($0), 7.3) - 1) < 1e-9
            })
    }

    @Test("Boundary elements around a circle are the series of the rigid cylinder within half a per cent")
    func cylinder() {
        for frequency in [63.0, 250, 700, 1500] {
            let number = 2 * Double.pi * frequency / 343.2
            let elements = BoundaryElements([Columns.circle(0, 0, 0.3, sides: 128)], number: number)
            for (source, place) in [
                (Point(0.7, -3), Point(0, 3)), (Point(0, -2), Point(0, 0.5)), (Point(-3, 1), Point(-2, 1.5)),
            ] {
                let exact = CylinderSeries.ratio(radius: 0.3, source, place, number: number)
                #expect(
                    (elements.ratio(source, place) - exact).magnitude < 0.005 * max(exact.magnitude, 1),
                    "\(frequency) Hz")
            }
        }
    }

    // MARK: Bodies

    @Test(
        "Around columns, between two and three and through a slot each octave from 63 Hz to 2 kHz is the exact field's within 1.5 dB rms over 40 places",
        arguments: [
            Shape.square, .round, .pair, .slot, .askew, .apart, .wide, .wideApart, .wideAskew, .twisted, .three,
        ])
    func octaves(shape: Shape) {
        Columns.compare(shape.outlines, Columns.places(40), limit: 1.5)
    }

    // MARK: Rows

    @Test(
        "Past columns one behind the other each octave from 63 Hz to 2 kHz is the exact field's within 1.5 dB rms over 40 places",
        arguments: [
            Shape.behind, .behindWide, .behindFar, .behindAside, .behindAslant, .behindAskew, .behindMoreAskew,
            .behindDiagonal, .behindTurnedBack, .file, .fileAside,
        ])
    func rows(shape: Shape) {
        Columns.compare(shape.outlines, Columns.places(40, room: shape.halfDepth - 0.2), limit: 1.5)
    }

    @Test(
        "Past columns one behind the other the way back has the same level within 0.1 dB",
        arguments: [Shape.behind, .behindWide, .behindAslant, .behindMoreAskew, .fileAside])
    func rowReciprocity(shape: Shape) {
        Columns.compareBothWays(shape.outlines, Columns.places(100, room: shape.halfDepth - 0.2))
    }

    @Test(
        "Walking past columns one behind the other, 5 mm change no octave to 2 kHz by more than 1 dB",
        arguments: [
            Shape.behind, .behindWide, .behindAside, .behindAslant, .behindAskew, .behindMoreAskew, .behindDiagonal,
            .behindTurnedBack, .file,
        ])
    func rowSteps(shape: Shape) {
        let (begin, end) = (-5.8 - shape.halfDepth, shape.halfDepth - 3)
        for (place, x) in [(Point(0.2, end + 2.8), 2.6), (Point(0, end + 0.8), 2.4)] {
            Columns.compareSteps(shape.outlines, from: Point(x, begin), to: place, limit: 1)
        }
    }

    // MARK: One prism

    /// What sides of an outline mirror, as far as they reach.
    private static func isMirrored(_ outline: [Point], _ source: Point, _ place: Point) -> Bool {
        zip(outline, outline.dropFirst() + outline.prefix(1)).contains { a, b in
            let line = b - a
            func side(_ p: Point) -> (above: Double, along: Double) {
                let offset = p - a
                return (offset.x * line.y - offset.y * line.x, (offset * line).sum() / (line * line).sum())
            }
            let (s, r) = (side(source), side(place))
            guard s.above > 0, r.above > 0 else { return false }
            return (0...1).contains(s.along + (r.along - s.along) * s.above / (s.above + r.above))
        }
    }

    @Test(
        "What a prism scatters, ahead and aside, is the exact field's within 0.1 rms where nothing mirrors, from k × width 1.3 on",
        arguments: ["narrow", "square", "oblong", "three sides", "six sides"])
    func prism(name: String) throws {
        let shapes: [String: [Point]] = [
            "narrow": Columns.turned(Columns.block(0.3, -3, 0.3, 0.3), by: 10, about: Point(0.3, -3)),
            "square": Columns.block(-0.2, -3, 0.6, 0.6),
            "oblong": Columns.turned(Columns.block(0.5, -3, 0.3, 0.8), by: 33, about: Point(0.5, -3)),
            "three sides": Columns.circle(-0.4, -3, 0.4, sides: 3), "six sides": Columns.circle(0.6, -3, 0.4, sides: 6),
        ]
        let outline = try #require(shapes[name])
        let scene = AcousticScene(occluders: [Occluder(Columns.prism(outline), id: 1)])
        let edges = SceneEdges(scene)
        let prism = try #require(edges.bodies.first?.prism)
        let waves = WaveNumbers(scene.medium)
        let places = Columns.places(40).filter { !Self.isMirrored(outline, $0.0, $0.1) }
        for band in 3..<7 where waves.numbers[band] * 2 * prism.halfWidth > 1.3 {
            let elements = (0..<4).map { tone in
                let number = waves.numbers[band] * OctaveTone.factors[tone] * OctaveTone.factors[tone]
                return BoundaryElements([outline], number: number)
            }
            var (sum, count) = (0.0, 0.0)
            for (source, place) in places {
                var found = try #require(
                    PrismDiffraction(
                        prism, from: Vector(source.x, 0, source.y), to: Vector(place.x, 0, place.y),
                        isClosed: (false, false), waves))
                found.scatter(waves)
                let field = found.field(band)
                for tone in 0..<4 {
                    let exact = elements[tone].ratio(source, place)
                    let apart = Complex(re: field.real[tone] + 1 - exact.re, im: field.imaginary[tone] - exact.im)
                    (sum, count) = (sum + apart.magnitude * apart.magnitude, count + 1)
                }
            }
            #expect((sum / count).squareRoot() < 0.1, "\(name), band \(band): \((sum / count).squareRoot())")
        }
    }

    @Test("At the height of its end a column scatters half of what an endless one does")
    func prismEnds() throws {
        let mesh = Meshes.box(from: Vector(-0.2, -3, -3.2), to: Vector(0.2, 0, -2.8))
        let scene = AcousticScene(occluders: [Occluder(mesh, id: 1)])
        let edges = SceneEdges(scene)
        let prism = try #require(edges.bodies.first?.prism)
        #expect(prism.weight == 1 && abs(prism.halfLength - 1.5) < 1e-9 && abs(prism.halfWidth - 0.2) < 1e-9)
        let waves = WaveNumbers(scene.medium)
        let isUpward = prism.axis.y > 0
        func field(_ open: (from: Bool, to: Bool)) throws -> Tones {
            var found = try #require(
                PrismDiffraction(prism, from: Vector(0.3, 0, -6), to: Vector(0.1, 0, 0), isClosed: open, waves))
            found.scatter(waves)
            return found.field(5)
        }
        let half = try field(isUpward ? (true, false) : (false, true))
        let whole = try field((true, true))
        for tone in 0..<4 {
            #expect(abs(half.real[tone] - whole.real[tone] / 2) < 1e-3)
            #expect(abs(half.imaginary[tone] - whole.imaginary[tone] / 2) < 1e-3)
        }
    }

    @Test("Columns up to 2 m from each other look at each other with one face each, and see it where nothing hides it")
    func facing() throws {
        func edges(_ outlines: [[Point]]) -> SceneEdges {
            SceneEdges(
                AcousticScene(
                    occluders: outlines.enumerated().map { Occluder(Columns.prism($1), id: UInt64($0 + 1)) }))
        }
        let pair = edges(Shape.pair.outlines)
        #expect(pair.facing.count == 2)
        for (body, side) in [(0, 1.0), (1, -1)] {
            let faces = try #require(pair.facing[body])
            #expect(faces.count == 1 && faces[0].weight == 1 && faces[0].others == [1 - body])
            #expect((faces[0].side.normal - Vector(side, 0, 0)).magnitude < 1e-9)
            #expect(abs(faces[0].side.halfWidth - 0.2) < 1e-9 && abs(faces[0].side.halfLength - 60) < 1e-9)
            func strips(_ from: Vector, _ to: Vector) -> Int {
                faces[0].strips(from: from, to: to, pair.bodies) { _, _ in false }.count
            }
            #expect(strips(Vector(0, 0, -6), Vector(0, 0, 1)) == 1)
            // In its mirror, behind it, past the other column, and where the other column hides it.
            #expect(strips(Vector(0, 0, -6), Vector(0, 0, 0)) == 0)
            #expect(strips(Vector(-side, 0, -6), Vector(0, 0, 1)) == 0)
            #expect(strips(Vector(2 * side, 0, -6), Vector(0, 0, 1)) == 1)
            #expect(strips(Vector(2 * side, 0, -3), Vector(0, 0, 1)) == 0)
        }
        #expect(edges(Shape.square.outlines).facing.isEmpty)
        #expect(edges([-1.3, 1.3].map { Columns.block($0, -3, 0.4, 0.4) }).facing.isEmpty)
        let boxes = [-0.6, 0.6].map {
            Occluder(Meshes.box(from: Vector($0 - 0.2, 0, -3.2), to: Vector($0 + 0.2, 0.4, -2.8)), id: $0 < 0 ? 1 : 2)
        }
        #expect(SceneEdges(AcousticScene(occluders: boxes)).facing.isEmpty)
    }

    @Test(
        "The side of a column reflects grazing sound as a narrow face: 63 to 500 Hz are within 1.5 dB rms of the exact field"
    )
    func grazing() {
        let solver = Columns.solver(Shape.square.outlines)
        let places = (0..<16).map { index in
            // Where the side of x = 0.3 is met, within it.
            let (met, start) = (-3 + 0.15 * Double(index % 3 - 1), -6.5 + 0.1 * Double(index))
            let height = 0.1 + 0.03 * Double(index)
            return (Point(0.3 + height * (met - start) / (0.5 - met), start), Point(0.3 + height, 0.5))
        }
        for (source, place) in places {
            let paths = solver.paths(
                DirectPathQuery(
                    source: .point(Vector(source.x, 0, source.y)), listener: Vector(place.x, 0, place.y)))
            #expect(!paths.reflections.isEmpty)
        }
        let ours = places.map { Columns.levels(solver, $0, $1, 1..<5) }
        for band in 1..<5 {
            let errors = zip(ours, Columns.exact(Shape.square.outlines, places, band: band)).map { $0[band - 1] - $1 }
            let rms = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
            #expect(rms < 1.5, "band \(band): \(rms) dB")
        }
    }

    @Test(
        "Through a slot and between columns the way back has the same level within 0.1 dB",
        arguments: [Shape.slot, .pair, .askew, .wide, .wideAskew, .three])
    func reciprocity(shape: Shape) {
        Columns.compareBothWays(shape.outlines, Columns.places(100))
    }

    @Test(
        "Nothing jumps where a slot comes into sight, or what columns reflect to each other's side: 5 mm change no octave to 2 kHz by more than 0.5 dB",
        arguments: [Shape.slot, .pair, .askew, .wide, .wideApart, .three])
    func steps(shape: Shape) {
        for (place, x) in [(Point(0.2, 0), 2.6), (Point(0, -2), 2.4)] {
            Columns.compareSteps(shape.outlines, from: Point(x, -6), to: place, limit: 0.5)
        }
    }

    @Test(
        "Just in sight beside a column of 0.6 m there is 0, −0.2, −2, −6.4 dB at 63 to 500 Hz, and no step where it comes between"
    )
    func besideColumn() {
        let solver = Columns.solver(Shape.square.outlines)
        let expected = [0.1, -0.2, -2, -6.4]
        var before: [Double]?
        for x in [0.70, 0.67, 0.665] {
            let found = Columns.levels(solver, Point(x, -6), Point(0, 0), 1..<5)
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1.5 }, "\(x): \(found)")
            if let before { #expect(zip(before, found).allSatisfy { abs($0 - $1) < 0.5 }, "\(x): \(found)") }
            before = found
        }
    }

    @Test(
        "Where a side of a column begins to reflect 5 mm change no octave to 2 kHz by more than 0.5 dB, and each is the exact field's within 1.5 dB rms",
        arguments: [AcousticQuality.medium, .high])
    func rims(quality: AcousticQuality) {
        // The side at z = −3.3 reflects while the source is from x = −1.08 to −0.09.
        let (solver, place) = (Columns.solver(Shape.square.outlines, quality), Point(0.9, -5))
        let sources = (0...480).map { Point(1 - 0.005 * Double($0), -4.4) }
        let ours = sources.map { Columns.levels(solver, $0, place, 0..<7) }
        Columns.compareSteps(ours, limit: 0.5)
        for band in 1..<7 {
            let some = stride(from: 0, to: sources.count, by: 8)
            let exact = Columns.exact(Shape.square.outlines, some.map { (sources[$0], place) }, band: band)
            let squares = zip(some, exact).map { (ours[$0][band] - $1) * (ours[$0][band] - $1) }
            let rms = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
            #expect(rms < 1.5, "band \(band): \(rms) dB")
        }
    }

    /// The largest change per 50 ms at 1.5 m/s past the bodies, by band from 31.5 Hz.
    private func largestSteps(_ walk: [[Double]]) -> [Double] {
        walk[0].indices.map { band in
            zip(walk, walk.dropFirst(5)).reduce(0.0) { max($0, abs($1.0[band] - $1.1[band])) }
        }
    }

    @Test(
        "Walking past a column changes no octave to 500 Hz by more than 1.5 dB in 50 ms, and above by no more than the exact field does, within 0.5 dB",
        arguments: [Shape.square, .round])
    func walk(shape: Shape) {
        let solver = Columns.solver(shape.outlines)
        let places = (0...160).map { (Point(1.6 - Double($0) * 0.015, -6), Point(0, 0)) }
        let steps = largestSteps(places.map { Columns.levels(solver, $0, $1, 0..<7) })
        #expect(steps.prefix(5).allSatisfy { $0 < 1.5 }, "\(steps)")
        for band in 5..<7 {
            let exact = largestSteps(Columns.exact(shape.outlines, places, band: band).map { [$0] })[0]
            #expect(steps[band] < max(exact, 1) + 0.5, "band \(band): \(steps[band]) dB, exactly \(exact)")
        }
    }

    @Test(
        "Walking past a column at 1.5 m/s changes pink and white sound up to 4 kHz by no more than 1.5 dB in 50 ms, nor past two",
        arguments: [Shape.square, .round, .pair])
    func walkBroadband(shape: Shape) {
        let solver = Columns.solver(shape.outlines)
        let walk = (0...160).map { Columns.levels(solver, Point(1.6 - Double($0) * 0.015, -6), Point(0, 0), 0..<8) }
        // The energy of each octave re the one below it.
        for ratio in [1.0, 2] {
            let levels = walk.map { octaves in
                [Decibels.of(energy: octaves.reversed().reduce(0) { $0 * ratio + pow(10, $1 / 10) })]
            }
            #expect(largestSteps(levels)[0] < 1.5, "\(ratio): \(largestSteps(levels)) dB")
        }
    }

    @Test(
        "Walking past a column at 1.5 m/s changes no octave to 4 kHz by more in any 50 ms than the exact field does there, within 1.5 dB, nor past two",
        arguments: [Shape.square, .round, .pair])
    func walkStepByStep(shape: Shape) {
        let (solver, bands) = (Columns.solver(shape.outlines), 1..<8)
        let places = (0...160).map { (Point(1.6 - Double($0) * 0.015, -6), Point(0, 0)) }
        let ours = places.map { Columns.levels(solver, $0, $1, bands) }
        for band in bands {
            let exact = Columns.exact(shape.outlines, places, band: band)
            for index in places.indices.dropLast(5) {
                let change = abs(ours[index + 5][band - 1] - ours[index][band - 1])
                let own = abs(exact[index + 5] - exact[index])
                #expect(change < own + 1.5, "band \(band), \(places[index].0): \(change) dB, exactly \(own)")
            }
        }
    }

    @Test("A column that stands on a floor and reaches a ceiling takes what an endless one takes, within 1 dB")
    func floorToCeiling() {
        func gains(_ occluders: [Occluder], _ x: Double) -> [Float] {
            let solver = DiffractionSolver(tracer: PortableTracer(AcousticScene(occluders: occluders)))
            return solver.lit(from: Vector(x, 1.4, -6), to: Vector(0, 1.5, 0)).values
        }
        let column = Occluder(Meshes.box(from: Vector(-0.3, 0, -3.3), to: Vector(0.3, 3, -2.7)), id: 3)
        let slabs = [(-0.2, 0.0), (3.0, 3.2)].enumerated().map {
            Occluder(Meshes.box(from: Vector(-9, $1.0, -12), to: Vector(9, $1.1, 6)), id: UInt64($0 + 1))
        }
        let endless = Occluder(Meshes.box(from: Vector(-0.3, -60, -3.3), to: Vector(0.3, 60, -2.7)), id: 3)
        for x in [0.75, 1.1] {
            let (found, expected) = (gains(slabs + [column], x), gains([endless], x))
            let free = gains(slabs, x)
            for band in 1..<7 {
                #expect(
                    abs(Decibels.of(amplitude: Double(found[band] / free[band] / expected[band]))) < 1,
                    "\(x), band \(band)")
            }
        }
    }
}
