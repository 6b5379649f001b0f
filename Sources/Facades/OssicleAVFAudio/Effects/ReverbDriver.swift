import OssicleAudioToolbox
import OssicleDSP
import OssicleRender

/// Drives the reverb: a room, and six numbers that bend it.
final class ReverbDriver: UnitDriver {
    /// The room the numbers bend.
    var preset: ReverbPreset {
        get { room.preset }
        set { room.preset = newValue }
    }

    private final class Room {
        /// What the numbers bend, ready for the render side.
        var parameters = ReverbEffect.Parameters(preset: .mediumHall)
        var preset = ReverbPreset.mediumHall { didSet { parameters = ReverbEffect.Parameters(preset: preset) } }
    }

    private let room: Room
    private let kernel: KernelDriver<ReverbEffect>

    init(_ value: ParameterReader) {
        let room = Room()
        self.room = room
        kernel = KernelDriver(RendererReference.reverbEffect) {
            var parameters = room.parameters
            parameters.wetDryMix = value[kReverb2Param_DryWetMix]
            parameters.gain = value[kReverb2Param_Gain]
            parameters.minDelayTime = value[kReverb2Param_MinDelayTime]
            parameters.maxDelayTime = value[kReverb2Param_MaxDelayTime]
            parameters.decayTimeAt0Hz = value[kReverb2Param_DecayTimeAt0Hz]
            parameters.decayTimeAtNyquist = value[kReverb2Param_DecayTimeAtNyquist]
            parameters.randomizeReflections = value[kReverb2Param_RandomizeReflections]
            return parameters
        }
    }

    func renderer(sampleRate: Double, channels: Int, bypass: Bool) -> (RendererReference, AnyObject) {
        kernel.renderer(sampleRate: sampleRate, channels: channels, bypass: bypass)
    }

    func update(bypass: Bool) { kernel.update(bypass: bypass) }
    var current: OwnedRenderer? { kernel.current }
    func forget() { kernel.forget() }
    func latency(sampleRate: Double) -> Int { kernel.latency(sampleRate: sampleRate) }
    func tailTime(sampleRate: Double) -> Double { kernel.tailTime(sampleRate: sampleRate) }
}
