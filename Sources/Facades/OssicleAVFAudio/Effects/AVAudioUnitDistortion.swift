import OssicleAudioToolbox
import OssicleDSP

/// Spoils sound in many ways.
open class AVAudioUnitDistortion: AVAudioUnitEffect {
    /// With the preset `.drumsBitBrush`, −6 dB ahead, half wet.
    public init() {
        super.init(effect: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Distortion), extra: DistortionClassParameter.specifications)
        loadFactoryPreset(.drumsBitBrush)
    }

    /// Sets all sixteen parameters of the unit. The class's own gain and mix stay.
    open func loadFactoryPreset(_ preset: AVAudioUnitDistortionPreset) {
        let settings = (DistortionPreset(rawValue: UInt8(preset.rawValue)) ?? .drumsBitBrush).settings
        setTogether(UnitDrivers.distortionFields.map { (AUParameterAddress($0.0), settings[keyPath: $0.1]) })
    }

    /// dB ahead of everything, −80 … 20; default −6.
    open var preGain: Float {
        get { value(DistortionClassParameter.preGain) }
        set { setValue(newValue, DistortionClassParameter.preGain) }
    }

    /// Percent of wet, 0 … 100; default 50.
    open var wetDryMix: Float {
        get { value(DistortionClassParameter.wetDryMix) }
        set { setValue(newValue, DistortionClassParameter.wetDryMix) }
    }
}
