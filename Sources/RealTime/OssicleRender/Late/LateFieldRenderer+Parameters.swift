import OssicleCore
import OssicleDSP

extension LateFieldRenderer {
    /// The late field at one listener.
    package struct Parameters: BitwiseCopyable, Sendable {
        /// Reverberation time per octave in seconds, held within 0.05…60.
        package var t60: OctaveBands
        /// Energy after `start` per octave re the direct sound's at 1 m, for a send of 1, all directions together: ∫ e(t) dt from `start` on.
        /// What is not finite or below 0 counts as 0.
        package var energy: OctaveBands
        /// Seconds from emission to where the field begins, at most the renderer's longest.
        package var start: Double
        /// Share of the energy from each corner of the cube around the head, adding up to 1. Corner k lies to the right where k & 1, above where
        /// k & 2, behind where k & 4.
        package var corners: SIMD8<Float>
        /// Frames in which the field changes over, 100 to 250 ms, a second at most. What comes meanwhile waits for its end, the newest wins.
        package var rampFrames: Int

        package init(t60: OctaveBands, energy: OctaveBands, start: Double, corners: SIMD8<Float> = SIMD8(repeating: 0.125), rampFrames: Int) {
            (self.t60, self.energy, self.start, self.corners, self.rampFrames) = (t60, energy, start, corners, rampFrames)
        }

        package static func silent(rampFrames: Int) -> Parameters {
            Parameters(t60: OctaveBands(repeating: 0.05), energy: .zeros, start: 0, rampFrames: rampFrames)
        }

        /// What the network needs to know.
        var network: FeedbackDelayNetwork.Parameters { FeedbackDelayNetwork.Parameters(t60: t60, energy: energy, start: start) }

        /// Of one corner, re that of a field that is alike from everywhere.
        func amplitude(_ corner: Int) -> Float { max(corners[corner] * 8, 0).squareRoot() }
    }
    package struct Control: BitwiseCopyable {
        package let cell: LatestValueCell<Parameters>
        /// nil where loudspeakers play.
        package let ears: EarsCell<DiffuseEars>?
        let ringing: PositionCell

        /// Frames it goes on sounding, down to −60 dB, after its input fell silent.
        package var tail: Int { Int(ringing.load()) }
    }
}
