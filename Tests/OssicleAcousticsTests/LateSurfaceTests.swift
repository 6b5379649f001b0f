@testable import OssicleAcoustics
import OssicleCore
import Testing

@Suite struct LateSurfaceTests {
    @Test("Directions are unit, even over the sphere, and turned by the seed")
    func fan() {
        let fan = RayFan(count: 4096, seed: 7)
        var (sum, squares) = (Vector.zero, Vector.zero)
        for index in 0..<4096 {
            let direction = fan.direction(index)
            sum += direction
            squares += direction * direction
        }
        #expect((sum / 4096).magnitude < 1e-3)
        let even = Vector(repeating: 1.0 / 3)
        #expect((squares / 4096 - even).magnitude < 1e-3)
        #expect(abs(fan.direction(17).magnitude - 1) < 1e-12)
        #expect((RayFan(count: 4096, seed: 8).direction(17) - fan.direction(17)).magnitude > 0.01)
    }

    @Test(
        "The three ways on share all that is not absorbed, in every band and for the scouts",
        arguments: ["brick", "glass", "cardboard", "wood", "drywall", "concrete"])
    func shares(name: String) throws {
        let material = try #require(MaterialLibrary[name])
        let surface = RaySurface(
            reflected: material.reflectedEnergy, scattering: material.scattering,
            transmitted: material.transmittedEnergy)
        let sum = surface.diffuse + surface.specular + surface.transmitted
        for lane in 0...RaySurface.scout { #expect(abs(sum[lane] - 1) < 1e-6) }
        for band in 0..<OctaveBands.count {
            #expect(surface.kept[band] <= 1 && surface.kept[band] >= material.reflectedEnergy[band])
        }
    }

    @Test(
        "However unlike the bands scatter, none is weighted above the number of pilots, and each band's mean weight is 1"
    )
    func odds() {
        let scattering = OctaveBands([0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1, 1])
        let surfaces = UnsafeMutablePointer<RaySurface>.allocate(capacity: 1)
        defer { surfaces.deallocate() }
        surfaces.initialize(
            to: RaySurface(
                reflected: OctaveBands(repeating: 0.8), scattering: scattering, transmitted: OctaveBands(repeating: 0.1)
            ))
        var mean = SIMD16<Double>.zero
        var largest: Float = 0
        let rays = 110_000
        for ray in 0..<rays {
            let random = CounterRandom(seed: 1, object: UInt64(ray))
            var odds = BandImportance(ray: ray)
            for surface in 0..<12 as Range<UInt64> {
                let counts = odds.choose(surfaces, copies: 1, draw: Float(random.bits(surface) >> 40) * 0x1p-24)
                if odds.take(counts.diffuse > 0 ? .diffuse : counts.specular > 0 ? .specular : .transmitted, surfaces)
                    == nil
                {
                    break
                }
            }
            mean += SIMD16<Double>(odds.weights)
            largest = max(largest, odds.weights.max())
        }
        #expect(largest <= 11.001)
        for band in 0..<OctaveBands.count { #expect(abs(mean[band] / Double(rays) - 1) < 0.03) }
    }
}
