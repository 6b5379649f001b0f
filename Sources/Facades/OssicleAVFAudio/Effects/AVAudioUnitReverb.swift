import OssicleAudioToolbox
import OssicleDSP

/// A room.
open class AVAudioUnitReverb: AVAudioUnitEffect {
    /// A medium hall, all wet.
    public init() {
        super.init(effect: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Reverb2))
        loadFactoryPreset(.mediumHall)
    }

    /// Takes another room: sets the unit's delay and decay times to the room's. Mix and gain stay.
    open func loadFactoryPreset(_ preset: AVAudioUnitReverbPreset) {
        let numbers = ReverbEffect.Parameters(preset: preset.room)
        lock.withLock { (driver as? ReverbDriver)?.preset = preset.room }
        let values = [(kReverb2Param_MinDelayTime, numbers.minDelayTime), (kReverb2Param_MaxDelayTime, numbers.maxDelayTime),
                      (kReverb2Param_DecayTimeAt0Hz, numbers.decayTimeAt0Hz), (kReverb2Param_DecayTimeAtNyquist, numbers.decayTimeAtNyquist)]
        setTogether(values.map { (AUParameterAddress($0.0), $0.1) })
    }

    /// Percent of wet at equal power, 0 … 100; default 100.
    open var wetDryMix: Float {
        get { value(kReverb2Param_DryWetMix) }
        set { setValue(newValue, kReverb2Param_DryWetMix) }
    }
}
