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

    /// Shares of the corners of the cube around the head, for the field's octants along the axes of the world.
    ///
    /// An octant's energy goes to the corners near its middle: ½ (1 ± √3 d) along each axis of the head, d the middle's
    /// direction. In the axes of the world each octant goes to one corner.
    var corners: SIMD8<Float> {
        var corners = SIMD8<Float>.zero
        for octant in 0..<8 {
            let middle = Vector(octant & 1 != 0 ? 1 : -1, octant & 2 != 0 ? 1 : -1, octant & 4 != 0 ? 1 : -1)
            let local = Vector(middle.dot(head.right), middle.dot(head.up), middle.dot(head.back))
            let high = pointwiseMin(pointwiseMax((local + 1) * 0.5, .zero), Vector(repeating: 1))
            let low = 1 - high
            for corner in 0..<8 {
                let share =
                    (corner & 1 != 0 ? high.x : low.x) * (corner & 2 != 0 ? high.y : low.y)
                    * (corner & 4 != 0 ? high.z : low.z)
                corners[corner] += field.octants[octant] * Float(share)
            }
        }
        let sum = corners.sum()
        return sum > 0 ? corners / sum : SIMD8(repeating: 0.125)
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
