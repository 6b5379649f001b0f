import OssicleAudioToolbox

/// Echoes. The delay is the nearest whole number of frames.
open class AVAudioUnitDelay: AVAudioUnitEffect {
    /// One second, 50 % feedback, 15 kHz, all wet.
    public init() {
        super.init(effect: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Delay))
        wetDryMix = 100
    }

    /// Seconds, 0 … 2; default 1.
    open var delayTime: TimeInterval {
        get { TimeInterval(value(kDelayParam_DelayTime)) }
        set { setValue(Float(newValue), kDelayParam_DelayTime) }
    }

    /// Percent, −100 … 100; default 50.
    open var feedback: Float {
        get { value(kDelayParam_Feedback) }
        set { setValue(newValue, kDelayParam_Feedback) }
    }

    /// Hz, 10 … half the sample rate; default 15 000.
    open var lowPassCutoff: Float {
        get { value(kDelayParam_LopassCutoff) }
        set { setValue(newValue, kDelayParam_LopassCutoff) }
    }

    /// Percent of wet at equal power, 0 … 100; default 100, where the bare unit has 50.
    open var wetDryMix: Float {
        get { value(kDelayParam_WetDryMix) }
        set { setValue(newValue, kDelayParam_WetDryMix) }
    }
}
