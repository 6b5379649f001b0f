import OssicleAudioToolbox

/// Changes speed and pitch, each on its own. At speed 1 and pitch 0 sound passes bit for bit.
open class AVAudioUnitTimePitch: AVAudioUnitTimeEffect {
    /// At speed 1 and pitch 0.
    public init() { super.init(audioComponentDescription: AudioComponentDescription(builtIn: kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch)) }

    /// Input frames per output frame, 1/32 … 32; default 1.
    open var rate: Float {
        get { value(kNewTimePitchParam_Rate) }
        set { setValue(newValue, kNewTimePitchParam_Rate) }
    }

    /// Cents, −2400 … 2400; default 0.
    open var pitch: Float {
        get { value(kNewTimePitchParam_Pitch) }
        set { setValue(newValue, kNewTimePitchParam_Pitch) }
    }

    /// Windows that overlap, 3 … 32; default 8. More is smoother and slower.
    open var overlap: Float {
        get { value(kNewTimePitchParam_Smoothness) }
        set { setValue(newValue, kNewTimePitchParam_Smoothness) }
    }
}
