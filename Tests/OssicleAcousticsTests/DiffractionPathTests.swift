@testable import OssicleAcoustics
import Foundation
import OssicleCore
import OssicleTestSupport
import Testing

@Suite struct DiffractionPathTests {
    @Test("A path around a screen leaves and arrives by the edge, is as long as the detour, and says so")
    func screen() throws {
        let solver = DiffractionSolver(Occluder(Meshes.screen(width: 40, height: 4), id: 7))
        let paths = solver.paths(from: Vector(0, 1, -3), to: Vector(2, 0.5, 4))
        let path = try #require(paths.first)
        #expect(path.kind == .diffraction(edges: 1) && path.corners.count == 1)
        let corner = try #require(path.corners.first)
        #expect(abs(corner.y - 2) < 1e-12 && abs(corner.z) < 1e-12)
        let (toSource, toListener) = (Vector(0, 1, -3) - corner, Vector(2, 0.5, 4) - corner)
        // Keller: the same angle to the edge on both sides.
        #expect(abs(toSource.x / toSource.magnitude + toListener.x / toListener.magnitude) < 1e-9)
        #expect(abs(path.length - toSource.magnitude - toListener.magnitude) < 1e-12)
        #expect((path.arrival + toListener / toListener.magnitude).magnitude < 1e-12)
        #expect((path.departure + toSource / toSource.magnitude).magnitude < 1e-12)
        #expect(solver.paths(from: Vector(0, 1, -3), to: Vector(2, 0.5, 4)) == paths)
        // The other way round it is as loud.
        let back = try #require(solver.paths(from: Vector(2, 0.5, 4), to: Vector(0, 1, -3)).first)
        #expect(zip(back.bandGains.values, path.bandGains.values).allSatisfy { abs($0 - $1) < 1e-5 })
        #expect(solver.paths(from: Vector(0, 3, -3), to: Vector(2, 3, 4)).isEmpty)
        #expect(solver.paths(from: Vector(0, 1, -3), to: Vector(2, 0.5, 4), edges: 0).isEmpty)
    }

    @Test("Through a doorway sound arrives from the jamb", arguments: [true, false])
    func doorway(sheet: Bool) throws {
        let occluders =
            sheet ? [Occluder(Meshes.doorSheet)] : Meshes.doorBoxes.enumerated().map { Occluder($1, id: UInt64($0)) }
        let solver = DiffractionSolver(
            tracer: PortableTracer(AcousticScene(occluders: occluders + Meshes.floorAndCeiling)))
        let paths = solver.paths(from: Vector(-2, 1.5, -2), to: Vector(-2, 1.5, 2))
        let path = try #require(paths.first)
        let corner = try #require(path.corners.last)
        #expect(abs(corner.x + 0.45) < 1e-9 && abs(corner.y - 1.5) < 1e-9 && abs(corner.z) <= 0.1 + 1e-9)
        // Behind the right half the other jamb is nearer.
        let other = try #require(solver.paths(from: Vector(2, 1.5, -2), to: Vector(2, 1.5, 2)).first?.corners.last)
        #expect(abs(other.x - 0.45) < 1e-9)
    }

    @Test(
        "Behind a thick wall the level is that of second-order Biot and Tolstoy within 1.5 dB", arguments: [0.4, 1, 2])
    func thickWall(thickness e: Double) throws {
        let solver = DiffractionSolver(Occluder(Meshes.box(from: Vector(-e / 2, -60, -300), to: Vector(e / 2, 2, 300))))
        for (source, listener) in [(Vector(-4, 0.5, 0), Vector(4, 0.5, 0)), (Vector(-5, 1.2, 0), Vector(2.5, -1, 0))] {
            let path = try #require(solver.paths(from: source, to: listener).first)
            #expect(path.kind == .diffraction(edges: 2) && path.corners.count == 2)
            let (a, b) = (source - Vector(-e / 2, 2, 0), listener - Vector(e / 2, 2, 0))
            for band in [4, 5, 6] where 343.2 / OctaveBands.centre(band) < 1.5 * e {
                let exact = EdgeOracle.pair(
                    a.magnitude, .pi + atan2(-a.y, -a.x), .pi + atan2(-b.y, b.x), b.magnitude, apart: e,
                    number: 2 * .pi * OctaveBands.centre(band) / 343.2)
                let difference = Decibels.of(amplitude: Double(path.bandGains[band]) / exact)
                #expect(abs(difference) < 1.5, "e \(e), band \(band)")
            }
        }
    }

    @Test(
        "Behind a wall thin against the wavelength the level is within 3 dB of ISO 9613-2 for two edges",
        arguments: [0.1, 0.2, 0.3])
    func thinWall(thickness e: Double) throws {
        let solver = DiffractionSolver(Occluder(Meshes.box(from: Vector(-e / 2, -60, -300), to: Vector(e / 2, 2, 300))))
        for (source, listener) in [
            (Vector(-4, 0.5, 0), Vector(4, 0.5, 0)), (Vector(-6, 1.2, 0), Vector(3, -1, 3)),
            (Vector(-3, 0, 0), Vector(9, 1, -4)),
        ] {
            let path = try #require(solver.paths(from: source, to: listener).first)
            #expect(path.kind == .diffraction(edges: 2))
            let levels = path.levels(over: (listener - source).magnitude)
            let z = path.length - (listener - source).magnitude
            // Up to 20 dB, where the standard caps a single edge.
            for band in 2..<9 {
                let wavelength = 343.2 / OctaveBands.centre(band)
                let c3 = (1 + pow(5 * wavelength / e, 2)) / (1.0 / 3 + pow(5 * wavelength / e, 2))
                // Ground images apart, C₂ = 40; K_met = 1.
                let iso = -10 * log10(3 + 40 / wavelength * c3 * z)
                guard iso > -20 else { continue }
                #expect(abs(levels[band] - iso) < 3, "e \(e), band \(band): \(levels[band]) against \(iso)")
            }
        }
    }

    @Test("A closed box around the source lets nothing out")
    func enclosed() {
        for mesh in [
            Meshes.box(Vector(3, 3, 3)), Meshes.box(Vector(3, 3, 3), inverted: true),
            Meshes.unwelded(Meshes.box(Vector(3, 3, 3))),
        ] {
            let solver = DiffractionSolver(
                Occluder(mesh), Occluder(Meshes.box(Vector(1, 1, 1)), id: 2, at: Vector(4, 0, 0)))
            #expect(solver.paths(from: Vector(0.3, 0.2, 0.1), to: Vector(6, 0.1, 0)).isEmpty)
            #expect(solver.paths(from: Vector(6, 0.1, 0), to: Vector(0.3, 0.2, 0.1)).isEmpty)
        }
    }

    @Test("Where occluders touch there is no edge to pass by")
    func touching() {
        let floor = Occluder(Meshes.box(Vector(20, 0.2, 20), at: Vector(0, -0.1, 0)), id: 1)
        let ceiling = Occluder(Meshes.box(Vector(20, 0.2, 20), at: Vector(0, 3.1, 0)), id: 2)
        // A wall of two boxes and a sheet that only touch, from floor to ceiling and far to both sides.
        let left = Occluder(Meshes.box(from: Vector(-10, 0, -0.1), to: Vector(-1, 3, 0.1)), id: 3)
        let right = Occluder(Meshes.box(from: Vector(-1, 0, -0.1), to: Vector(1, 3, 0.1)), id: 4)
        let rest = Occluder(Meshes.sheet([(1...10, 0...1), (1...10, 1...3)]), id: 5)
        let solver = DiffractionSolver(floor, ceiling, left, right, rest)
        let paths = solver.paths(from: Vector(0.4, 1.5, -2), to: Vector(-0.5, 1.2, 2))
        // What remains goes around the far ends of the wall.
        #expect(paths.allSatisfy { path in path.corners.allSatisfy { abs($0.x) > 9 } }, "\(paths.map(\.corners))")
        let lit = solver.lit(from: Vector(-6, 0.3, -1), to: Vector(-0.5, 0.3, -1))
        #expect(lit.values.allSatisfy { abs($0 - 1) < 1e-6 })
    }
}
