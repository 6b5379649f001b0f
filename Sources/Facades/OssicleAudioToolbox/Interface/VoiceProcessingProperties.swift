// Properties of the voice processing unit (`kAudioUnitSubType_VoiceProcessingIO`), and of the audio mix unit, which no
// unit here has.

import OssicleCoreAudioTypes

/// Whether what is captured passes without voice processing, as late as with it. `UInt32`, global scope; default 0.
public let kAUVoiceIOProperty_BypassVoiceProcessing: AudioUnitPropertyID = 2100
/// Whether the level of the voice is controlled. `UInt32`, global scope; default 1.
public let kAUVoiceIOProperty_VoiceProcessingEnableAGC: AudioUnitPropertyID = 2101
/// Whether other sound is ducked. No unit here has it: `kAUVoiceIOProperty_OtherAudioDuckingConfiguration` came in its
/// stead.
public let kAUVoiceIOProperty_DuckNonVoiceAudio: AudioUnitPropertyID = 2102
/// How well the voice is processed. No unit here has it: there is one quality.
public let kAUVoiceIOProperty_VoiceProcessingQuality: AudioUnitPropertyID = 2103
/// Whether the processed voice is silent. `UInt32`, global scope; default 0.
public let kAUVoiceIOProperty_MuteOutput: AudioUnitPropertyID = 2104
/// Who is called when somebody speaks while muted: an `AUVoiceIOMutedSpeechActivityEventListener`, on a queue of its
/// own. Global scope, written only.
public let kAUVoiceIOProperty_MutedSpeechActivityEventListener: AudioUnitPropertyID = 2106
/// How far the sound of other programs is ducked while the unit runs: an `AUVoiceIOOtherAudioDuckingConfiguration`,
/// global scope.
public let kAUVoiceIOProperty_OtherAudioDuckingConfiguration: AudioUnitPropertyID = 2108

/// Speech while the voice is muted.
public enum AUVoiceIOSpeechActivityEvent: UInt32, Sendable {
    /// It has begun.
    case hasStarted = 0
    /// It has ended.
    case hasEnded = 1
}

/// Is called when somebody speaks while muted.
public typealias AUVoiceIOMutedSpeechActivityEventListener = (AUVoiceIOSpeechActivityEvent) -> Void

/// How far other sound is ducked.
public enum AUVoiceIOOtherAudioDuckingLevel: UInt32, Sendable {
    /// As far as is usual.
    case `default` = 0
    /// As little as possible.
    case min = 10
    /// Between.
    case mid = 20
    /// As far as possible.
    case max = 30
}

/// How other sound is ducked; data of `kAUVoiceIOProperty_OtherAudioDuckingConfiguration`.
public struct AUVoiceIOOtherAudioDuckingConfiguration: Sendable {
    /// Whether it follows the voices.
    public var mEnableAdvancedDucking: DarwinBoolean
    /// How far.
    public var mDuckingLevel: AUVoiceIOOtherAudioDuckingLevel

    /// As far as is usual, always.
    public init() { self.init(mEnableAdvancedDucking: false, mDuckingLevel: .default) }

    /// Both fields.
    public init(mEnableAdvancedDucking: DarwinBoolean, mDuckingLevel: AUVoiceIOOtherAudioDuckingLevel) {
        self.mEnableAdvancedDucking = mEnableAdvancedDucking
        self.mDuckingLevel = mDuckingLevel
    }
}

/// A microphone with a number of channels that voice processing cannot take.
public let kAUVoiceIOErr_UnexpectedNumberOfInputChannels: OSStatus = -66784

/// What an audio mix needs to know of the recording. No unit here has it.
public let kAUAudioMixProperty_SpatialAudioMixMetadata: AudioUnitPropertyID = 5000
/// Whether an audio mix places its sound around the listener. No unit here has it.
public let kAUAudioMixProperty_EnableSpatialization: AudioUnitPropertyID = 5001
/// How an output means its sound to be placed. No unit here has it.
public let kAudioOutputUnitProperty_IntendedSpatialExperience: AudioUnitPropertyID = 2016
