import OssicleCore
import OssicleDSP

extension SpatialRenderer {
    /// What the control side sends with every update, in the order of how often it is read.
    package struct Parameters: BitwiseCopyable {
        package var target: MotionTarget
        package var rampFrames: Int
        package var directGain: Float
        package var reverbSend: Float
        /// Changes whenever the target is not moved to but a new place: cross-fade.
        package var leaps: UInt32
        /// Changes whenever the design does.
        package var equalizerVersion: UInt32
        /// Changes whenever the send's does.
        package var sendEqualizerVersion: UInt32
        package var tier: VoiceTier
        // Large, and seldom read: behind all that changes with every update.
        package var equalizer: BandEqualizerDesign
        /// The colour that the source excites the late field with.
        package var sendEqualizer: BandEqualizerDesign

        package init(
            directGain: Float, equalizer: BandEqualizerDesign, equalizerVersion: UInt32, target: MotionTarget,
            leaps: UInt32 = 0, tier: VoiceTier = .full, reverbSend: Float,
            sendEqualizer: BandEqualizerDesign = .transparent, sendEqualizerVersion: UInt32 = 0, rampFrames: Int
        ) {
            (self.directGain, self.equalizer, self.equalizerVersion) = (directGain, equalizer, equalizerVersion)
            (self.target, self.leaps, self.tier) = (target, leaps, tier)
            (self.reverbSend, self.rampFrames) = (reverbSend, rampFrames)
            (self.sendEqualizer, self.sendEqualizerVersion) = (sendEqualizer, sendEqualizerVersion)
        }

        package static func silent(rampFrames: Int) -> Parameters {
            Parameters(
                directGain: 0, equalizer: .transparent, equalizerVersion: 0,
                target: MotionTarget(offset: .zero, drift: .zero, head: .identity, frames: 1),
                reverbSend: 0, rampFrames: rampFrames)
        }
    }
}
