@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

/// Rays that stand for several, and the balance between early and late.
@Suite struct RayPopulationTests {
    private func ray(_ number: Int, energy: OctaveBands) -> Ray {
        var ray = Ray(
            position: .zero, direction: Vector(0, 0, -1), importance: BandImportance(ray: number),
            random: CounterRandom(seed: 1, object: UInt64(number)))
        ray.energy = energy.lanes
        return ray
    }

    /// Energies from 1 down to −50 dB, the highest band the other way round.
    private func crowd() -> [Ray] {
        (0..<256).map { number in
            var energy = OctaveBands(repeating: Float(Decibels.energy(-Double(number) * 50 / 255)))
            energy[9] = Float(Decibels.energy(-Double(255 - number) * 50 / 255))
            return ray(number, energy: energy)
        }
    }

    private func energy(_ rays: [Ray]) -> SIMD16<Float> { rays.reduce(.zero) { $0 + $1.energy * $1.weight } }

    @Test(
        "A balanced crowd has on average the energy it had in every band, as many rays as before, and none far from the mean"
    )
    func balance() {
        var mean = SIMD16<Double>.zero
        let rounds = 2000
        var sizes: [Int] = []
        for round in 0..<rounds {
            var (rays, ended) = (crowd(), 0)
            var crowd = RayPopulation(count: rays.count, random: CounterRandom(seed: 3, object: UInt64(round)))
            crowd.balance(&rays) { ended += $1 }
            mean += SIMD16<Double>(energy(rays)) / Double(rounds)
            sizes.append(rays.reduce(0) { $0 + $1.copies })
            if round == 0 {
                // All bands start with as much; so a ray carries what it has in each.
                let carried = rays.map { 9 * $0.energy[0] + $0.energy[9] }.sorted()
                #expect((carried.last ?? 0) < 4.001 * (carried.first ?? 0) && ended > 50, "\(carried), \(ended)")
                let share = rays.reduce(0) { $0 + $1.rays } + Double(ended)
                #expect(abs(share - 256) < 1e-9)
            }
        }
        let before = SIMD16<Double>(energy(crowd()))
        for band in 0..<OctaveBands.count {
            #expect(abs(mean[band] / before[band] - 1) < 0.003, "band \(band): \(mean[band]) of \(before[band])")
        }
        #expect((sizes.min() ?? 0) > 128 && (sizes.max() ?? 0) < 512)
    }

    @Test("Rays that have passed a wall are left as they are, however faint")
    func passed() {
        let surfaces = UnsafeMutablePointer<RaySurface>.allocate(capacity: 1)
        defer { surfaces.deallocate() }
        surfaces.initialize(
            to: RaySurface(
                reflected: OctaveBands(repeating: 0.8), scattering: .zeros, transmitted: OctaveBands(repeating: 0.1)))
        var rays = (0..<8).map { ray($0, energy: OctaveBands(repeating: $0 == 3 ? 1e-4 : 1)) }
        let isOn = rays[3].importance.take(.transmitted, surfaces) != nil
        #expect(isOn)
        var crowd = RayPopulation(count: 8, random: CounterRandom(seed: 1, object: 1))
        for _ in 0..<50 { crowd.balance(&rays) { _, _ in } }
        #expect(rays.count == 8 && rays[3].copies == 1 && rays[3].energy[5] == 1e-4)
    }

    @Test("Copies share themselves out between the ways as their odds say, none lost")
    func copies() {
        let surfaces = UnsafeMutablePointer<RaySurface>.allocate(capacity: 1)
        defer { surfaces.deallocate() }
        surfaces.initialize(
            to: RaySurface(
                reflected: OctaveBands(repeating: 0.6), scattering: OctaveBands(repeating: 0.25),
                transmitted: OctaveBands(repeating: 0.3)))
        let odds = BandImportance(ray: 2)
        for copies in [1, 2, 7, 100] {
            var mean = SIMD3<Double>.zero
            for index in 0..<10_000 {
                let counts = odds.choose(surfaces, copies: copies, draw: (Float(index) + 0.5) / 10_000)
                #expect(
                    counts.diffuse + counts.specular + counts.transmitted == copies
                        && min(counts.diffuse, counts.specular, counts.transmitted) >= 0)
                mean +=
                    SIMD3(Double(counts.diffuse), Double(counts.specular), Double(counts.transmitted))
                    / (10_000 * Double(copies))
            }
            #expect((mean - SIMD3(1, 3, 2) / 6).magnitude < 2e-4)
        }
    }

    /// Surfaces an image has behind it at the lower and the upper end of its axis.
    private func meetings(_ index: Int) -> (lower: Int, upper: Int) {
        let (less, more) = (abs(index) / 2, (abs(index) + 1) / 2)
        return index > 0 ? (less, more) : (more, less)
    }

    @Test(
        "Where the ceiling takes far more than the rest, mirrors send back what image sources say, early and late",
        arguments: [0.05, 0.2, 0.4])
    func mirrors(from time: Double) {
        let size = Vector(5, 4, 3)
        let tracer = LateRooms.box(
            size, walls: LateRooms.wall(0.05, scattering: 0), ceiling: LateRooms.wall(0.7, scattering: 0))
        let (source, listener) = (LateRooms.place(1.2, 2.7, 1.4), LateRooms.place(3.9, 1.1, 1.7))
        let settings = RaySettings(
            rays: 65_536, bounces: 300, specularFrom: 0, duration: time + 0.2, includesAir: false, hearsRoom: false)
        let found = LateTracer(tracer: tracer, settings: settings, seed: 4).trace(sources: [source], listener: listener)
            .sources[0]
        let first = Int(time / 0.004)
        let energy = found.bins[first..<first + 50].reduce(0) { $0 + Double($1[5]) }
        let room = BoxRoom(corner: .zero, size: Vector(size.x, size.z, size.y), walls: [])
        let span = (Double(first) * 0.004 * 343.2)..<(Double(first + 50) * 0.004 * 343.2)
        let count = Vector(repeating: span.upperBound) / Vector(size.x, size.z, size.y)
        var exact = 0.0
        for x in -Int(count.x) - 1...Int(count.x) + 1 {
            for y in -Int(count.y) - 1...Int(count.y) + 1 {
                for z in -Int(count.z) - 1...Int(count.z) + 1 {
                    let square = (room.image(of: source, SIMD3(x, y, z)).position - listener).lengthSquared
                    guard span.contains(square.squareRoot()) else { continue }
                    let bare = abs(x) + abs(z) + meetings(y).lower
                    exact +=
                        DeterministicMath.exp(
                            Double(bare) * DeterministicMath.log(0.95) + Double(meetings(y).upper)
                                * DeterministicMath.log(0.3)) / square
                }
            }
        }
        #expect(abs(Decibels.of(energy: energy / exact)) < 0.3, "\(Decibels.of(energy: energy / exact)) dB")
    }
}
