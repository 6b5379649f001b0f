import OssicleAcoustics
import OssicleCore

/// How loud speech is and what noise it is heard in, for the speech transmission index of `PHASERoomMetrics` (an
/// addition of Ossicle). IEC 60268-16:2020 (Ed. 5): the spectrum of male speech, masking by the octave below, the
/// threshold of reception.
public struct PHASESpeechConditions: Sendable, Hashable {
    /// A-weighted level of the speech at 1 m from the mouth in the open, dB re 20 µPa; 60 is normal effort. Values
    /// outside −20…140 are moved to its nearest end.
    public let level: Double
    /// dB re 20 µPa of the noise at the listener in the octaves 125 Hz … 8 kHz. Empty for none; too few are continued
    /// with the last one.
    public let noise: [Double]

    /// Values that are not numbers count as 60 dB and as no noise.
    public init(level: Double = 60, noise: [Double] = []) {
        self.level = level.isNaN ? SpeechConditions.normalLevel : min(max(level, -20), 140)
        self.noise = noise.map { $0.isNaN ? -200 : min(max($0, -200), 200) }
    }

    var conditions: SpeechConditions {
        SpeechConditions(
            level: level,
            noise: noise.isEmpty ? SpeechConditions.silence : OctaveBands(from125HzTo8kHz: noise.map(Float.init)))
    }
}
