import OssicleAcoustics
import OssicleCore
import OssicleDSP

/// The late field around one listener.
package struct RoomField {
    /// By number.
    package let listener: UInt64
    let head: Pose
    let field: LateField
    /// Of the energy, which is not a measured room's.
    var share: Float = 1

    /// What a network has to make of it; nil for nothing.
    var network: LateField? {
        guard share > 1e-4 else { return nil }
        var network = field
        network.energy = field.energy * share
        return network
    }

    /// Shares of the `DiffuseDirections` around the head, for the field's octants along the axes of the world.
    ///
    /// A direction d has of each octant's energy what lies near it: the product of ½ (1 ± √3 d) along the world's axes,
    /// held within 0 and 1.
    var directions: SIMD16<Float> {
        var shares = SIMD16<Float>.zero
        for (index, direction) in DiffuseDirections.all.enumerated() {
            let d = head.right * direction.x + head.up * direction.y + head.back * direction.z
            let high = pointwiseMin(
                pointwiseMax((d * 3.0.squareRoot() + 1) * 0.5, .zero), Vector(repeating: 1))
            let low = 1 - high
            for octant in 0..<8 {
                let share =
                    (octant & 1 != 0 ? high.x : low.x) * (octant & 2 != 0 ? high.y : low.y)
                    * (octant & 4 != 0 ? high.z : low.z)
                shares[index] += field.octants[octant] * Float(share)
            }
        }
        let sum = shares.sum()
        return sum > 0 ? shares / sum : SIMD16(repeating: 0.0625)
    }
}

extension LateField {
    /// The late field of a preset's room; `none` without one.
    ///
    /// A preset gives the energy of the middle bands. In the others it is that of a field that begins alike in all
    /// bands, as a diffuse one does, and decays with their own T60.
    package init(_ preset: ReverbPreset?) {
        guard let preset else {
            self = .none
            return
        }
        let room = preset.room
        let density = preset.parameters().energyDensity
        let energy = room.t60.map { t60 in
            let decay = 6 * DeterministicMath.ln10 / Double(t60)
            return Float(density / decay * DeterministicMath.exp(-decay * room.mixingTime))
        }
        self.init(t60: room.t60, energy: energy, mixingTime: room.mixingTime, meanFreeTime: room.meanFreeTime)
    }
}

/// The box around the listener that a reverb preset's early reflections come from.
package struct EarlyRoom {
    /// Metres along x, y (up) and z.
    package let size: Vector
    /// What one wall reflects, as octave gains and as a filter.
    package let wall: OctaveBands
    package let design: BandEqualizerDesign
    /// Differs from room to room.
    package let version: UInt32

    /// - Returns: nil for a preset without a room around it.
    init?(_ preset: ReverbPreset?, version: UInt32, _ equalizer: (OctaveBands) -> BandEqualizerDesign) {
        guard let room = preset?.room, room.volume > 0 else { return nil }
        size = Vector(room.width, room.height, room.length)
        wall = BoxRoom.wall(t60: room.t60, meanFreeTime: room.meanFreeTime)
        design = equalizer(wall)
        self.version = version
    }
}
