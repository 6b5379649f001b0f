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
    /// Samples rounded to steps of a ninth of full scale, and held for two frames.
    case drumsBitBrush = 0
    /// Echoes every 125 ms, with samples held for seven frames.
    case drumsBufferBeats = 1
    /// Samples held for fourteen frames and rounded, and a curve with odd harmonics.
    case drumsLoFi = 2
    /// Much drive through a steep curve, with samples held and rounded: a torn cone.
    case multiBrokenSpeaker = 3
    /// A short comb and a narrow, coarse channel, as of a telephone held into a crowd.
    case multiCellphoneConcert = 4
    /// Samples held for seven frames, nothing else.
    case multiDecimated1 = 5
    /// Samples held for eighteen frames, nothing else.
    case multiDecimated2 = 6
    /// Samples held for forty frames.
    case multiDecimated3 = 7
    /// Samples held for ninety frames, and rounded to steps of an eightieth of full scale.
    case multiDecimated4 = 8
    /// A curve with even and odd harmonics, a comb of 8 ms and some ring modulation.
    case multiDistortedFunk = 9
    /// A curve of third order with much drive: odd harmonics.
    case multiDistortedCubed = 10
    /// A curve of second order: even harmonics.
    case multiDistortedSquared = 11
    /// Echoes every 250 ms, each half as loud as the one before.
    case multiEcho1 = 12
    /// Echoes every 400 ms, with samples held for five frames.
    case multiEcho2 = 13
    /// Echoes every 60 ms.
    case multiEchoTight1 = 14
    /// Echoes every 25 ms through a cubic curve.
    case multiEchoTight2 = 15
    /// All stages at once, at full drive.
    case multiEverythingIsBroken = 16
    /// Ring modulation at 210 and 640 Hz with a comb of 18 ms.
    case speechAlienChatter = 17
    /// Ring modulation at 2.3 and 3.2 kHz with echoes every 140 ms.
    case speechCosmicInterference = 18
    /// Ring modulation at 314 Hz and its golden section, 508 Hz.
    case speechGoldenPi = 19
    /// A narrow, coarse channel with much drive and some ring modulation at 1.2 kHz.
    case speechRadioTower = 20
    /// Slow ring modulation, 0.7 and 3.3 times a second, with a comb of 12 ms.
    case speechWaves = 21
}
