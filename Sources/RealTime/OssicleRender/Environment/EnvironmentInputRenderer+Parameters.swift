import OssicleChannels
import OssicleCore
import OssicleDSP

extension EnvironmentInputRenderer {
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
        /// Two measured ears, each sound through filters of its own.
        case head
        /// The same two ears through the ambisonic bus, which all such sounds share.
        case field
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
        /// Inside the head, its channels are copied instead of sent to both ears.
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
        package var head: HRTFTable

        package init(
            sampleRate: Double, channels: [SpeakerLayout.Speaker], copies: [Float], outputs: SpeakerLayout,
            panner: UnsafeMutablePointer<VBAPPanner>, sphere: SphereTable, head: HRTFTable
        ) {
            (self.sampleRate, self.channels, self.copies, self.outputs) = (sampleRate, channels, copies, outputs)
            (self.panner, self.sphere, self.head) = (panner, sphere, head)
        }
    }
}

/// The gains a strip chooses from: what is copied where, and how a direction is spread over the outputs.
struct Placement: ~Copyable {
    private let channelCount: Int
    private let outputCount: Int
    private let copies: SampleMemory
    /// Where each channel stands in a bed; an LFE stands nowhere.
    private let directions: OwnedMemory<SIMD3<Float>?>
    private let panner: UnsafeMutablePointer<VBAPPanner>
    /// A gain per output: the last direction's, a stereo image's middle, all loudspeakers alike.
    private let spread: SampleMemory
    private let pairMiddle: SampleMemory
    private let everywhere: SampleMemory

    init(_ settings: EnvironmentInputRenderer.Settings) {
        channelCount = settings.channels.count
        outputCount = settings.outputs.speakers.count
        panner = settings.panner
        copies = SampleMemory(count: channelCount * outputCount)
        for (index, gain) in settings.copies.prefix(channelCount * outputCount).enumerated() { copies[index] = gain }
        directions = OwnedMemory(count: channelCount, nil)
        for (index, speaker) in settings.channels.enumerated() {
            directions.pointer[index] = speaker.isLFE ? nil : SIMD3<Float>(speaker.direction)
        }
        spread = SampleMemory(count: outputCount)
        pairMiddle = SampleMemory(count: outputCount)
        everywhere = SampleMemory(count: outputCount)
        for output in 0..<min(outputCount, 2) { pairMiddle[output] = 1 / Float(min(outputCount, 2)).squareRoot() }
        let fed = settings.outputs.speakers.indices.filter { !settings.outputs.speakers[$0].isLFE }
        for output in fed { everywhere[output] = 1 / Float(fed.count).squareRoot() }
    }

    func copy(_ channel: Int, to output: Int) -> Float { copies[output * channelCount + channel] }

    func direction(_ channel: Int) -> SIMD3<Float>? { directions.pointer[channel] }

    /// A gain per output for a direction; valid until the next call.
    func gains(_ localiser: EnvironmentInputRenderer.Localiser, _ direction: SIMD3<Float>) -> UnsafePointer<Float> {
        if localiser == .equalPower && outputCount > 1 {
            spread.clear()
            (spread[0], spread[1]) = EqualPowerPan.gains(direction: direction)
        } else {
            panner.pointee.gains(direction, into: spread.pointer)
        }
        return UnsafePointer(spread.pointer)
    }

    /// A gain per output for a sound that comes from nowhere in particular.
    func middle(_ localiser: EnvironmentInputRenderer.Localiser) -> UnsafePointer<Float> {
        UnsafePointer(localiser == .equalPower ? pairMiddle.pointer : everywhere.pointer)
    }
}
