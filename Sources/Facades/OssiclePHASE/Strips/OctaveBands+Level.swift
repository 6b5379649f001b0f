import OssicleCore
import OssicleDSP

extension OctaveBands {
    /// The level at 1 kHz, and what is left as colour: the level is a gain and glides exactly where it is heard, the colour is a filter.
    ///
    /// Where next to nothing is left at 1 kHz, the level of the loudest band.
    var levelAndColour: (level: Float, colour: OctaveBands) {
        let level = self[5] > BandEqualizerDesign.floor ? self[5] : max(lanes.max(), BandEqualizerDesign.floor)
        return level == 1 ? (1, self) : (level, self * (1 / level))
    }
}
