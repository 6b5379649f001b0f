import OssicleCore

/// What a surface does with a ray, ready to be multiplied: how much goes on, and how it is shared out between three ways on.
///
/// Lanes 0…9 are the octave bands. Lane 10 holds the odds of the *scouts*, see `RayOdds`.
struct RaySurface: BitwiseCopyable, Sendable {
    /// Share of the energy that goes on, reflected or passed.
    let kept: SIMD16<Float>
    /// Share of the energy that is reflected diffusely.
    let scattered: SIMD16<Float>
    /// Shares of `kept`; they add up to 1 in lanes 0…10.
    let diffuse: SIMD16<Float>
    let mirrored: SIMD16<Float>
    let passed: SIMD16<Float>
    /// How often next-event estimates are made, 0.25…1: where little is scattered they would cost more than they tell. 0 where nothing is.
    let estimating: Float

    /// What passes counts from −30 dB in the loudest band: below it drowns in what comes by other ways.
    static let leastPassed: Float = 1e-3
    /// How often a scout passes where it can.
    static let scoutPassing: Float = 0.25
    static let scout = 10

    init(reflected: OctaveBands, scattering: OctaveBands, transmitted: OctaveBands) {
        let passes = transmitted.lanes.max() >= RaySurface.leastPassed
        let through = passes ? transmitted.lanes : .zero
        kept = reflected.lanes + through
        scattered = reflected.lanes * scattering.lanes
        var (diffuse, mirrored, passed) = (OctaveBands.ones.lanes, SIMD16<Float>.zero, SIMD16<Float>.zero)
        for band in 0..<OctaveBands.count where kept[band] > 0 {
            diffuse[band] = scattered[band] / kept[band]
            passed[band] = through[band] / kept[band]
            mirrored[band] = max(1 - diffuse[band] - passed[band], 0)
        }
        estimating = scattered.max() > 0 ? min(max(4 * diffuse.max(), 0.25), 1) : 0
        let stay = passes ? 1 - RaySurface.scoutPassing : 1
        let reflectedOdds = diffuse[RayOdds.middle] + mirrored[RayOdds.middle]
        diffuse[RaySurface.scout] = reflectedOdds > 0 ? stay * diffuse[RayOdds.middle] / reflectedOdds : stay
        mirrored[RaySurface.scout] = reflectedOdds > 0 ? stay * mirrored[RayOdds.middle] / reflectedOdds : 0
        passed[RaySurface.scout] = 1 - stay
        (self.diffuse, self.mirrored, self.passed) = (diffuse, mirrored, passed)
    }
}

/// The surfaces of a scene, by occluder and element, laid out for rays.
final class RaySurfaces: @unchecked Sendable {
    /// Written in `init` only, which is what makes sharing them safe.
    private let surfaces: UnsafeMutablePointer<RaySurface>
    private let first: UnsafeMutablePointer<Int>
    /// Whether any of them lets sound through.
    let passes: Bool

    init(_ scene: AcousticScene) {
        let count = scene.occluders.reduce(0) { $0 + $1.materials.count }
        surfaces = .allocate(capacity: max(count, 1))
        first = .allocate(capacity: max(scene.occluders.count, 1))
        var filled = 0
        var passes = false
        for (index, occluder) in scene.occluders.enumerated() {
            (first + index).initialize(to: filled)
            let solid = scene.placed.solids[index]
            for element in occluder.materials.indices {
                let surface = RaySurface(reflected: solid.reflected[element], scattering: solid.scattered[element],
                                         transmitted: solid.transmitted[element])
                passes = passes || surface.passed[RaySurface.scout] > 0
                (surfaces + filled).initialize(to: surface)
                filled += 1
            }
        }
        self.passes = passes
    }

    deinit {
        surfaces.deallocate()
        first.deallocate()
    }

    /// For inner loops: no reference to count. Valid as long as the surfaces live.
    var view: View { View(surfaces: UnsafePointer(surfaces), first: UnsafePointer(first)) }

    struct View: BitwiseCopyable, @unchecked Sendable {
        fileprivate let surfaces: UnsafePointer<RaySurface>
        fileprivate let first: UnsafePointer<Int>

        @inline(__always)
        func surface(of hit: Hit) -> UnsafePointer<RaySurface> { surfaces + (first[Int(hit.occluder)] + Int(hit.element)) }
    }
}
