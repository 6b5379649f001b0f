@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct BoxWavesTests {
    private typealias Complex = OssicleAcoustics.Complex

    private let size = Vector(5, 3, 4)
    private let speed = 343.2

    /// All walls with one small real admittance β: the modes of the rigid box, the walls to first order (Kuttruff,
    /// *Room Acoustics*, ch. 3).
    ///
    ///     p = 4π Σ ψ(r)ψ(r₀)/(V Λ (K² − k² + jkβ Σ S ψ²/(V Λ)))
    private func modalSum(_ source: Vector, _ point: Vector, number k: Double, admittance: Double) -> Complex {
        var sum = Complex.zero
        let volume = size.x * size.y * size.z
        let limits = (0..<3).map { Int(70 * size[$0] / .pi) }
        func shape(_ n: Int, _ axis: Int, _ x: Double) -> Double {
            DeterministicMath.cos(Double(n) * .pi * x / size[axis])
        }
        for l in 0...limits[0] {
            for m in 0...limits[1] {
                for n in 0...limits[2] {
                    let orders = [l, m, n]
                    var (square, norm, shapes, loss) = (0.0, 1.0, 1.0, 0.0)
                    for axis in 0..<3 {
                        let q = Double(orders[axis]) * .pi / size[axis]
                        square += q * q
                        norm *= orders[axis] == 0 ? 1 : 0.5
                        shapes *= shape(orders[axis], axis, source[axis]) * shape(orders[axis], axis, point[axis])
                        // Two walls of an axis: ψ² = 1 at both, over the mean of cos².
                        loss += 2 / size[axis] * (orders[axis] == 0 ? 1 : 2)
                    }
                    guard square < 4900 else { break }
                    let below = Complex(square - k * k, k * admittance * loss)
                    sum += Complex(4 * .pi * shapes / (volume * norm)) / below
                }
            }
        }
        return sum
    }

    @Test("Lightly damped modes lie within 0.5 % and 1 dB of the closed form up to 200 Hz")
    func modes() {
        let (source, point, admittance) = (Vector(0.7, 0.5, 0.9), Vector(3.9, 2.2, 3.1), 0.004)
        let wall = WallAdmittance([.init(resistance: 1 / admittance)])
        let box = BoxWaves(size: size, walls: [WallAdmittance](repeating: wall, count: 6), speedOfSound: speed)
        let band = WaveBand(step: 0.25, count: 800, damping: 0)
        let found = box.fields(from: source, at: [point], band)[0].map(\.magnitude)
        // The lowest axial and oblique modes that stand alone.
        for orders in [SIMD3(1, 0, 0), SIMD3(0, 0, 1), SIMD3(0, 1, 0), SIMD3(1, 0, 1), SIMD3(1, 1, 1)] {
            let n = Vector(Double(orders.x), Double(orders.y), Double(orders.z)) / size
            let wanted = speed / 2 * n.magnitude
            let near = Int(wanted / band.step) - 6...Int(wanted / band.step) + 6
            let peak = near.max { found[$0] < found[$1] } ?? 0
            let (a, b, c) = (found[peak - 1], found[peak], found[peak + 1])
            let frequency = (Double(peak) + (a - c) / (2 * (a - 2 * b + c))) * band.step
            #expect(abs(frequency / wanted - 1) < 0.005, "\(orders): \(frequency) for \(wanted) Hz")
        }
        for index in stride(from: 80, to: 800, by: 23) {
            let k = 2 * .pi * Double(index) * band.step / speed
            let wanted = modalSum(source, point, number: k, admittance: admittance).magnitude
            // Where modes cancel the first order in β is not enough.
            guard wanted > 0.2 else { continue }
            let error = 20 * DeterministicMath.log10(found[index] / wanted)
            #expect(abs(error) < 1, "\(Double(index) * band.step) Hz: \(error) dB")
        }
    }

    @Test("Whichever axis is summed in closed form, the field is the same: no mode is missing or there twice")
    func axes() {
        let walls = [0.4, 0.1, 0.7, 0.05, 0.9, 0.3].map {
            WallAdmittance(absorption: OctaveBands([0.1, Float($0), Float($0) / 2, 0.2, Float($0)] + [0, 0, 0, 0, 0]))
        }
        let box = BoxWaves(size: size, walls: walls, speedOfSound: speed)
        let band = WaveBand(step: 17, count: 24, damping: 3)
        let (source, point) = (Vector(1.1, 0.6, 0.9), Vector(3.2, 2.3, 2.9))
        let fields = (0..<3).map { box.fields(from: source, at: [point], along: $0, band)[0] }
        for index in 0..<band.count {
            for axis in 1...2 {
                let difference = (fields[axis][index] - fields[0][index]).magnitude
                #expect(difference < 3e-3 * fields[0][index].magnitude, "\(index), axis \(axis)")
            }
        }
        let back = box.fields(from: point, at: [source], along: 1, band)[0]
        for index in 0..<band.count {
            #expect((back[index] - fields[1][index]).magnitude < 1e-9 * fields[1][index].magnitude)
        }
    }

    @Test("Walls of ρc send a plane wave straight at them on; without walls' sound the direct sound is left")
    func direct() {
        // Long waves across a wide box would need walls that match at every angle: a short time does as well.
        let rigid = BoxWaves(size: Vector(40, 40, 40), walls: [], speedOfSound: speed)
        let (source, point) = (Vector(20, 20, 19), Vector(20, 20, 21))
        // e^(−σ 2·19/c) is what is left of the first reflection: −96 dB.
        let band = WaveBand(step: 25, count: 8, damping: 100)
        let found = rigid.fields(from: source, at: [point], band)[0]
        for index in 0..<band.count {
            let wanted = (band.s(index) * (-2 / speed)).exponential * 0.5
            #expect((found[index] - wanted).magnitude < 2e-3 * wanted.magnitude)
        }
    }

    @Test("A material's admittance absorbs in each octave what it says, and a flat one is a resistance")
    func admittance() {
        let flat = WallAdmittance(absorption: OctaveBands(repeating: 0.2))
        #expect(flat.branches.count == 1 && flat.branches[0].mass == 0)
        #expect(abs(WallAdmittance.diffuseAbsorption(impedance: flat.branches[0].resistance) - 0.2) < 1e-6)
        #expect(WallAdmittance(absorption: .zeros).branches.isEmpty)
        let wood = MaterialLibrary.material(.wood)
        let wall = WallAdmittance(absorption: wood.absorption)
        for octave in 0..<5 {
            let s = Complex(0, 2 * .pi * OctaveBands.centre(octave))
            let wanted = WallAdmittance.conductance(absorption: Double(wood.absorption[octave]))
            #expect(abs(wall.value(s).re / wanted - 1) < 0.15, "\(octave): \(wall.value(s).re) for \(wanted)")
        }
    }

    @Test("A solver knows an empty box however it stands, with each wall's material")
    func turned() throws {
        let (wall, ceiling) = (MaterialLibrary.material(.wood), MaterialLibrary.material(.concrete))
        let occluder = LateRooms.box(Vector(size.x, size.z, size.y), walls: wall, ceiling: ceiling).scene.occluders[0]
        let (sin, cos) = DeterministicMath.sincos(0.4)
        let pose = Pose(
            position: Vector(7, -2, 3), right: Vector(cos, 0, -sin), up: Vector(0, 1, 0), back: Vector(sin, 0, cos))
        let scene = AcousticScene(occluders: [
            Occluder(id: 1, name: "", geometry: occluder.geometry, pose: pose, materials: [wall, ceiling])
        ])
        let solver = WaveSolver(tracer: PortableTracer(scene), limit: 200)
        let walls = [wall, wall, wall, ceiling, wall, wall].map { WallAdmittance(absorption: $0.absorption) }
        let box = BoxWaves(size: size, walls: walls, speedOfSound: speed)
        let (source, point) = (Vector(0.7, 0.5, 0.9), Vector(3.9, 2.2, 3.1))
        let band = WaveBand(step: 30, count: 6, damping: 5)
        let found = try solver.fields(
            from: pose.toWorld(source), at: [pose.toWorld(point)], band, seconds: 1)[0]
        let wanted = box.fields(from: source, at: [point], band)[0]
        for index in found.indices {
            #expect((found[index] - wanted[index]).magnitude < 1e-6 * wanted[index].magnitude)
        }
    }
}
