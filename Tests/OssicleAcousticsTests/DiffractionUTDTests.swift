@testable import OssicleAcoustics
import COssicle
import Foundation
import OssicleCore
import OssicleTestSupport
import Testing

@Suite struct DiffractionUTDTests {
    @Test("The Fresnel integrals' rest is within 1e-3 of the integral itself")
    func fresnelTail() {
        // ∫_u^∞ e^(−jπt²/2) dt along t = u + s e^(−jπ/4), where the integrand is a bell.
        for u in [0.0, 0.05, 0.3, 0.7, 1, 1.5, 2.3, 4, 9, 40] {
            var (re, im) = (0.0, 0.0)
            let steps = 40_000
            let reach = 6.0
            for step in 0..<steps {
                let s = (Double(step) + 0.5) * reach / Double(steps)
                // −jπ/2 ((u + s e^(−jπ/4))² − u²) = −πs²/2 − (j + 1) πus/√2
                let decay = exp(-.pi * s * s / 2 - .pi * u * s / 2.0.squareRoot())
                let angle = -.pi * u * s / 2.0.squareRoot() - .pi / 4
                re += decay * cos(angle) * reach / Double(steps)
                im += decay * sin(angle) * reach / Double(steps)
            }
            let (f, g) = (FresnelTail.f(SIMD4(repeating: u)).x, FresnelTail.g(SIMD4(repeating: u)).x)
            let size = (re * re + im * im).squareRoot()
            #expect(abs(g - re) < 1e-3 * size && abs(-f - im) < 1e-3 * size, "u = \(u)")
        }
    }

    @Test("c and u of an edge's four terms are those of their formula within 1e-9")
    func terms() {
        let random = CounterRandom(seed: 4, object: 20)
        for index in 0..<UInt64(2000) {
            let n = 1 + random.unit(3 * index)
            let (from, to) = (random.unit(3 * index + 1) * n * .pi, random.unit(3 * index + 2) * n * .pi)
            let utd = UTD(openness: n, from: from, to: to)
            for (term, psi) in [to - from, to - from, to + from, to + from].enumerated() {
                let sign = term % 2 == 0 ? 1.0 : -1
                let turns = ((sign * .pi + psi) / (2 * .pi * n)).rounded()
                let aside = abs(cos((2 * .pi * n * turns - psi) / 2))
                let weight = aside / tan((.pi + sign * psi) / (2 * n)) / (2.0.squareRoot() * n)
                #expect(abs(utd.weights[term] - weight) < 1e-9, "n \(n), \(from) to \(to)")
                let argument = 2 / Double.pi.squareRoot() * aside
                #expect(abs(utd.arguments[term] - argument) < 1e-9, "n \(n), \(from) to \(to)")
            }
        }
    }

    @Test("Along a face two terms, each twice, are the four of an edge within 1e-12, with sound to either face")
    func grazing() {
        let kL = [0.01, 0.7, 12, 900]
        for n in [1.2, 1.5, 5.0 / 3, 2] {
            for step in 0...24 {
                let open = n * Double.pi
                let angle = open * Double(step) / 24
                let grazing = GrazingUTD.alongFaces(openness: n, angle: angle).first
                let sent = sent(
                    [grazing.weights.x, grazing.weights.y], [grazing.arguments.x, grazing.arguments.y],
                    kL.map { $0.squareRoot() })
                for utd in [
                    UTD(openness: n, from: angle, to: 0), UTD(openness: n, from: open - angle, to: open),
                    UTD(openness: n, from: 0, to: angle), UTD(openness: n, from: open, to: open - angle),
                ] {
                    for (kL, sent) in zip(kL, sent) {
                        let whole = utd.amplitude(kL)
                        #expect(abs(whole.real - sent.re) < 1e-12, "n \(n), \(angle)")
                        #expect(abs(whole.imaginary - sent.im) < 1e-12, "n \(n), \(angle)")
                    }
                }
            }
        }
    }

    @Test("At twelve frequencies at once an edge sends what it does at each by itself, within 1e-12")
    func manyFrequencies() {
        for utd in [UTD(openness: 1.5, from: 0.3, to: 3.6), UTD(openness: 2, from: 1, to: 1 + .pi)] {
            let (c, u) = (utd.weights, utd.arguments)
            let roots = (0..<12).map { 0.05 * pow(2, Double($0) / 2) }
            for (root, sent) in zip(roots, sent([c.x, c.y, c.z, c.w], [u.x, u.y, u.z, u.w], roots)) {
                let whole = utd.amplitude(root * root)
                #expect(abs(whole.real - sent.re) < 1e-12 && abs(whole.imaginary - sent.im) < 1e-12, "√kL = \(root)")
            }
        }
    }

    /// −e^(−jπ/4) Σ c (f + jg) at √(kL).
    private func sent(_ weights: [Double], _ arguments: [Double], _ roots: [Double]) -> [Complex] {
        var (real, imaginary) = (roots.map { _ in 2.0 }, roots.map { _ in 0.0 })
        ossicle_bend(weights, arguments, weights.count, roots, 1, &real, &imaginary, roots.count)
        return zip(real, imaginary).map { Complex(re: $0, im: $1) }
    }

    @Test("Phases doubled from band to band are those of each tone within 1e-10 over ten octaves")
    func toneTurn() {
        for angle in [0, 1e-9, 0.37, 2.9, 41] {
            var turn = ToneTurn(angle)
            for band in 0..<10 {
                let tones = OctaveTone.factors * OctaveTone.factors * (angle * Double(1 << band))
                for tone in 0..<4 {
                    #expect(abs(turn.sine[tone] - sin(tones[tone])) < 1e-10)
                    #expect(abs(turn.cosine[tone] - cos(tones[tone])) < 1e-10)
                }
                turn.rise()
            }
        }
    }

    /// The wedge of a row: an end far away in both directions, faces a hundred metres deep.
    private func wedge(_ row: Table.Row) -> TriangleMesh {
        let (x, y) = (row.number("edge_x"), row.number("edge_y"))
        if row.number("open_angle_deg") == 270 {
            return Meshes.box(from: Vector(x, y - 100, -300), to: Vector(x + 100, y, 300))
        }
        return TriangleMesh(
            vertices: [Vector(x, y, -300), Vector(x, y, 300), Vector(x, y - 100, 300), Vector(x, y - 100, -300)],
            triangles: [SIMD3(0, 1, 2), SIMD3(0, 2, 3)])
    }

    @Test("Levels behind and beside seven edges are the exact ones within 0.5 dB from 125 Hz up")
    func table() throws {
        let rows = try Table.load("diffraction-check.csv").rows
        #expect(rows.count == 56)
        for row in rows where row.number("freq_hz") >= 125 {
            let solver = DiffractionSolver(Occluder(wedge(row)))
            let source = Vector(row.number("sx"), row.number("sy"), row.number("sz"))
            let listener = Vector(row.number("rx"), row.number("ry"), row.number("rz"))
            let band = try #require(
                (0..<OctaveBands.count).first { abs(OctaveBands.centre($0) / row.number("freq_hz") - 1) < 0.01 })
            let paths = solver.paths(from: source, to: listener, edges: 1)
            let level: Double
            if let path = paths.first {
                level = path.levels(over: (listener - source).magnitude)[band]
                #expect(path.kind == .diffraction(edges: 1))
            } else {
                level = Decibels.of(amplitude: Double(solver.lit(from: source, to: listener)[band]))
            }
            let exact = row.number("bt_exact_db_re_free_field")
            #expect(abs(level - exact) < 0.5, "\(row["case"]) \(row["freq_hz"]) Hz: \(level), exact \(exact)")
        }
    }

    @Test("Behind edges of any openness the field is that of Biot and Tolstoy within 0.5 dB from 125 Hz up")
    func random() {
        let random = CounterRandom(seed: 11, object: 5)
        var compared = 0
        for geometry in 0..<24 as Range<UInt64> {
            func draw(_ index: UInt64, _ low: Double, _ high: Double) -> Double {
                low + (high - low) * random.unit(geometry * 8 + index)
            }
            let n = geometry % 3 == 0 ? 2 : draw(0, 1.3, 2)
            let thetaS = draw(1, 0.15, n * .pi - .pi - 0.1)
            let thetaR = draw(2, thetaS + .pi + 0.05, n * .pi)
            guard thetaR < n * .pi - 0.01 else { continue }
            let (rS, rR, z) = (draw(3, 1, 8), draw(4, 1, 8), draw(5, 0, 6))
            let length = ((rS + rR) * (rS + rR) + z * z).squareRoot()
            let sine = (rS + rR) / length
            let utd = UTD(openness: n, from: thetaS, to: thetaR)
            for band in 2..<9 {
                let k = 2 * .pi * OctaveBands.centre(band) / 343.2
                let exact =
                    EdgeOracle.field(openness: n, from: thetaS, to: thetaR, rS, rR, along: z, number: k).magnitude
                    * length
                let ours = utd.amplitude(k * rS * rR / (rS + rR) * sine).magnitude
                let difference = abs(20 * log10(ours / exact))
                compared += 1
                #expect(difference < 0.5, "n \(n), \(thetaS) to \(thetaR), \(rS) m, \(rR) m, \(z) m, band \(band)")
            }
        }
        #expect(compared > 100)
    }

    @Test("On a boundary of shadow or reflection the coefficient is finite, and the half that is lost there")
    func boundaries() {
        for n in [1.2, 1.5, 1.75, 2] {
            for from in [0, 0.01, 0.3, 0.5, 1] where from + .pi < n * .pi {
                let behind = UTD(openness: n, from: from, to: from + .pi + 1e-8).amplitude(40)
                let before = UTD(openness: n, from: from, to: from + .pi - 1e-8).amplitude(40)
                let at = UTD(openness: n, from: from, to: from + .pi).amplitude(40)
                #expect(abs(behind.real - at.real) < 1e-5 && abs(behind.imaginary - at.imaginary) < 1e-5)
                // Both sides of the boundary differ by the direct sound, and by the reflection where it ends in the
                // same place.
                let step: Double = from == 0 ? 2 : 1
                #expect(abs(behind.real - before.real - step) < 1e-5 && abs(behind.imaginary - before.imaginary) < 1e-5)
            }
        }
    }
}
