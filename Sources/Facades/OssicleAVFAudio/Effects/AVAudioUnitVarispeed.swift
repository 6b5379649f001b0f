import OssicleAudioToolbox
import OssicleCore

/// Plays faster and higher, or slower and lower.
open class AVAudioUnitVarispeed: AVAudioUnitTimeEffect {
    /// At speed 1.
    public init() { super.init(audioComponentDescription: AudioComponentDescription(builtIn: kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed)) }

    /// Input frames per output frame, 0.25 … 4; default 1. The pitch follows: 2^(cents/1200).
    open var rate: Float {
        get { value(kVarispeedParam_PlaybackRate) }
        set { setValue(newValue, kVarispeedParam_PlaybackRate) }
    }
}

/// The two parameters of the varispeed unit that are one quantity.
enum VarispeedCoupling {
    /// The other parameter, and the value it has to have.
    static func partner(of parameter: AUParameter, in tree: AUParameterTree) -> (AUParameter, Float)? {
        let value = Double(parameter.storedValue)
        let (id, other) = parameter.address == AUParameterAddress(kVarispeedParam_PlaybackRate)
            ? (kVarispeedParam_PlaybackCents, 1200 / DeterministicMath.ln2 * DeterministicMath.log(max(value, 0.25)))
            : (kVarispeedParam_PlaybackRate, DeterministicMath.exp2(value / 1200))
        return tree.parameter(withAddress: AUParameterAddress(id)).map { ($0, Float(other)) }
    }
}
