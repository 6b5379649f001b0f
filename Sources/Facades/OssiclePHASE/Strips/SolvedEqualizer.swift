import OssicleCore
import OssicleDSP

/// Band gains as a filter, solved only when they have changed.
struct SolvedEqualizer {
    private(set) var bands = OctaveBands.ones
    private(set) var design = BandEqualizerDesign.transparent
    /// Changes with the design.
    private(set) var version: UInt32 = 0

    /// - Parameter tolerance: change of a band, as a share of it, that is not worth solving for.
    mutating func set(_ wanted: OctaveBands, tolerance: Float = 0, _ solve: (OctaveBands) -> BandEqualizerDesign) {
        let isNear = (0..<OctaveBands.count).allSatisfy { band in
            (bands[band] - wanted[band]).magnitude <= tolerance * max(bands[band], wanted[band], BandEqualizerDesign.floor)
        }
        if !isNear { (bands, design, version) = (wanted, solve(wanted), version &+ 1) }
    }
}
