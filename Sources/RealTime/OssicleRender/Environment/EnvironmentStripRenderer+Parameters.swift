import OssicleCore
import OssicleDSP

extension EnvironmentStripRenderer {
    /// How a channel becomes the output's.
    package enum Localiser: UInt8, BitwiseCopyable, Sendable {
        /// Channels into those of the same name, or as they fold.
        case channels
        /// Channels 1 and 2 into 1 and 2.
        case passThrough
        /// Outputs 1 and 2, by the lateral angle.
        case equalPower
        /// All loudspeakers, weighted for the direction.
        case speakers
        /// Two ears on a sphere.
        case sphere
        /// Two measured ears.
        case head
    }

    /// Where the channels are.
    package enum Shape: UInt8, BitwiseCopyable, Sendable {
        /// All at one point.
        case point
        /// Each where its loudspeaker would be, far away.
        case bed
    }

    /// Plain values; gains are amplitudes.
    package struct Parameters: BitwiseCopyable, Equatable, Sendable {
        package var localiser = Localiser.channels
        package var shape = Shape.point
        /// Volume and distance.
        package var gain: Float = 1
        package var dry: Float = 1
        package var wet: Float = 0
        /// dB at 5 kHz, −100 … 0.
        package var occlusion: Float = 0
        package var obstruction: Float = 0
        /// Towards the source, in the head's axes (x right, y up, z back), any length.
        package var direction = SIMD3<Float>(0, 0, -1)
        /// Metres.
        package var distance: Float = 1
        /// How far a point source has come into the head, 0 … 1.
        package var inside: Float = 0
        /// Inside the head, its channels are copied instead of heard alike by both ears.
        package var splitsInside = false
        /// A bed's axes as the head sees them.
        package var right = SIMD3<Float>(1, 0, 0)
        package var up = SIMD3<Float>(0, 1, 0)
        package var back = SIMD3<Float>(0, 0, 1)

        package init() {}
    }

    /// What is fixed when a strip is made.
    package struct Settings {
        package var sampleRate: Double
        /// Where each input channel stands in a bed.
        package var channels: [SpeakerLayout.Speaker]
        /// Gain of each input in each output, output by output, for what is copied.
        package var copies: [Float]
        package var outputs: SpeakerLayout
        /// Of `outputs`. Its memory, and that of the heads, is the maker's to keep.
        package var panner: UnsafeMutablePointer<VBAPPanner>
        package var sphere: SphereTable
        package var head: HeadTable

        package init(sampleRate: Double, channels: [SpeakerLayout.Speaker], copies: [Float], outputs: SpeakerLayout,
                     panner: UnsafeMutablePointer<VBAPPanner>, sphere: SphereTable, head: HeadTable) {
            (self.sampleRate, self.channels, self.copies, self.outputs) = (sampleRate, channels, copies, outputs)
            (self.panner, self.sphere, self.head) = (panner, sphere, head)
        }
    }
}
