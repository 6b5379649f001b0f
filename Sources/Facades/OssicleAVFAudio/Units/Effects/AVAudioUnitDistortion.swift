import OssicleAudioToolbox
import OssicleNodes

/// Spoils sound in many ways.
open class AVAudioUnitDistortion: AVAudioUnitEffect {
    // Numbers of the parameters that only the class has.
    private static let preGain: AudioUnitParameterID = 100
    private static let wetDryMix: AudioUnitParameterID = 101

    /// With the preset `.drumsBitBrush`, −6 dB ahead, half wet.
    public init() {
        super.init(
            effect: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Distortion),
            as: DelayUnits.distortionWithMix)
        loadFactoryPreset(.drumsBitBrush)
    }

    /// Sets all sixteen parameters of the unit. The class's own gain and mix stay.
    open func loadFactoryPreset(_ preset: AVAudioUnitDistortionPreset) {
        load(preset: preset.rawValue)
    }

    /// dB ahead of everything, −80 … 20; default −6.
    open var preGain: Float {
        get { value(Self.preGain) }
        set { setValue(newValue, Self.preGain) }
    }

    /// Percent of wet, 0 … 100; default 50.
    open var wetDryMix: Float {
        get { value(Self.wetDryMix) }
        set { setValue(newValue, Self.wetDryMix) }
    }
}

/// Ways to spoil sound. Apple publishes no numbers; the values behind the names are Ossicle's.
public enum AVAudioUnitDistortionPreset: Int, CaseIterable, Sendable {
    case drumsBitBrush = 0
    case drumsBufferBeats = 1
    case drumsLoFi = 2
    case multiBrokenSpeaker = 3
    case multiCellphoneConcert = 4
    case multiDecimated1 = 5
    case multiDecimated2 = 6
    case multiDecimated3 = 7
    case multiDecimated4 = 8
    case multiDistortedFunk = 9
    case multiDistortedCubed = 10
    case multiDistortedSquared = 11
    case multiEcho1 = 12
    case multiEcho2 = 13
    case multiEchoTight1 = 14
    case multiEchoTight2 = 15
    case multiEverythingIsBroken = 16
    case speechAlienChatter = 17
    case speechCosmicInterference = 18
    case speechGoldenPi = 19
    case speechRadioTower = 20
    case speechWaves = 21
}
