import OssicleAcoustics
import OssicleCore
import OssicleDSP

/// The box that a reverb preset's first reflections come from.
struct EarlyRoom {
    /// Metres along x, y (up) and z.
    let size: Vector
    /// What one wall leaves, as octave gains and as a filter.
    let wall: OctaveBands
    let design: BandEqualizerDesign
    /// Differs from room to room.
    let version: UInt32

    /// - Returns: nil for a preset without a room around it.
    init?(_ preset: PHASEReverbPreset, version: UInt32, _ equalizer: (OctaveBands) -> BandEqualizerDesign) {
        guard let room = preset.room?.room, room.volume > 0 else { return nil }
        size = Vector(room.width, room.height, room.length)
        wall = BoxRoom.wall(t60: room.t60, meanFreeTime: room.meanFreeTime)
        design = equalizer(wall)
        self.version = version
    }
}
