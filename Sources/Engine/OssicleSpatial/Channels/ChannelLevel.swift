import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleRender

/// What the levels of a mixer channel are made of, as of the last update.
package struct ChannelLevel {
    /// Definition and gain meta-parameter.
    package var mixer = 1.0
    package var listener = 1.0
    /// The rest holds for spatial channels.
    package var source = 1.0
    /// Distance law, and fade-out towards the cull distance.
    package var distance = 1.0
    package var cull = 1.0
    /// Send levels of the pipeline; nil for a part it does not have.
    package var direct: Double?
    package var early: Double?
    package var late: Double?
    /// Absorption of the air on the direct path.
    package var air = OctaveBands.ones
    package var sourceDirectivity = OctaveBands.ones
    package var listenerDirectivity = OctaveBands.ones
    /// Share of the energy that is transmitted through obstacles or diffracted around them.
    package var passing = OctaveBands.ones
    /// nil while source or listener is out of the scene.
    package var path: DirectPath?

    package init() {}

    init(mixer: Double, listener: Double = 1, source: Double = 1) {
        self.mixer = mixer
        self.listener = listener
        self.source = source
    }
}

/// How a bed rotates from one update to the next.
///
/// A steady rotation of the head is to be heard as one, whatever its rate and that of the updates: each step is spread
/// over the time since the one before, as `PositionHistory` does with positions.
struct BedMotion {
    /// The bed's axes in the head's.
    struct Axes: Equatable {
        var right = SIMD3<Float>(1, 0, 0)
        var up = SIMD3<Float>(0, 1, 0)
        var back = SIMD3<Float>(0, 0, 1)

        init() {}

        init(of bed: Pose, in head: Pose) {
            func local(_ axis: Vector) -> SIMD3<Float> {
                SIMD3<Float>(Vector(axis.dot(head.right), axis.dot(head.up), axis.dot(head.back)))
            }
            right = local(bed.right)
            up = local(bed.up)
            back = local(bed.back)
        }
    }

    private(set) var axes = Axes()
    /// Engine time of the last step.
    private var since: Int64?

    /// Frames; steps further apart are not one motion.
    private static let longestPause: Int64 = 4096

    /// - Parameter rampFrames: frames since the last update, over which a step is spread that continues no other.
    /// - Returns: frames to spread this one over.
    mutating func step(_ next: Axes, at position: Int64, rampFrames: Int) -> Int {
        guard next != axes || since == nil else { return rampFrames }
        let pause = since.map { position - $0 } ?? .max
        (axes, since) = (next, position)
        return pause <= Self.longestPause ? max(Int(pause), Grid.quantum) : rampFrames
    }
}

/// Band gains as a filter, solved only when they have changed.
struct SolvedEqualizer {
    private var bands = OctaveBands.ones
    private(set) var design = BandEqualizerDesign.transparent
    /// Changes with the design.
    private(set) var version: UInt32 = 0

    /// Whether nothing is to be solved; asked first, a caller need not make the closure.
    func isSet(to wanted: OctaveBands, air: AirFilters.Taps = AirFilters.clear) -> Bool {
        wanted == bands && AirFilters.areEqual(air, design.air)
    }

    /// - Parameters:
    ///   - air: what the air takes besides. - tolerance: change of a band, as a share of it, below which the filter
    ///     stays.
    mutating func set(
        _ wanted: OctaveBands, air: AirFilters.Taps = AirFilters.clear, tolerance: Float = 0,
        _ solve: (OctaveBands) -> BandEqualizerDesign
    ) {
        set(wanted, tolerance, solve)
        if !AirFilters.areEqual(air, design.air) { (design.air, version) = (air, version &+ 1) }
    }

    private mutating func set(
        _ wanted: OctaveBands, _ tolerance: Float, _ solve: (OctaveBands) -> BandEqualizerDesign
    ) {
        if wanted == bands { return }
        let isNear = (0..<OctaveBands.count).allSatisfy { band in
            (bands[band] - wanted[band]).magnitude <= tolerance
                * max(bands[band], wanted[band], BandEqualizerDesign.floor)
        }
        guard !isNear else { return }
        let air = design.air
        (bands, design, version) = (wanted, solve(wanted), version &+ 1)
        design.air = air
    }
}

extension OctaveBands {
    /// The level at 1 kHz, which is a gain and glides, and the bands re that level, which are a filter.
    ///
    /// Where next to nothing is left at 1 kHz, the level of the loudest band.
    var levelAndColour: (level: Float, colour: OctaveBands) {
        let level = self[5] > BandEqualizerDesign.floor ? self[5] : max(lanes.max(), BandEqualizerDesign.floor)
        return level == 1 ? (1, self) : (level, self * (1 / level))
    }
}
