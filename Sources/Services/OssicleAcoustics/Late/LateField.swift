import OssicleCore

/// The late part of a response in a few numbers: what a reverberator has to be set to.
package struct LateField: Sendable, Hashable {
    /// Seconds per band, 0.05…60.
    package var t60: OctaveBands
    /// Energy after `mixingTime`, re the energy of the direct sound at 1 m: ∫ e(t) dt.
    package var energy: OctaveBands
    /// Seconds from emission from which sound comes from everywhere and no single reflection stands out.
    package var mixingTime: Double
    /// Seconds between two surfaces: 4V/S over the speed of sound in a room.
    package var meanFreeTime: Double
    /// Share of the late energy from each octant around the listener, along the axes of the world, adding up to 1. Octant k lies at +x where
    /// k & 1, at +y (up) where k & 2, at +z where k & 4.
    package var octants: SIMD8<Float>
    /// Share of the energy of rays from the listener that left for good, 0…1: 1 in the open.
    package var escapedShare: Double

    package init(t60: OctaveBands, energy: OctaveBands, mixingTime: Double, meanFreeTime: Double, octants: SIMD8<Float> = SIMD8(repeating: 0.125),
                 escapedShare: Double = 0) {
        (self.t60, self.energy, self.mixingTime) = (t60, energy, mixingTime)
        (self.meanFreeTime, self.octants, self.escapedShare) = (meanFreeTime, octants, escapedShare)
    }

    /// In the open nothing comes back.
    package static let none = LateField(t60: OctaveBands(repeating: 0.05), energy: .zeros, mixingTime: 0.02, meanFreeTime: 0.015, escapedShare: 1)
}
