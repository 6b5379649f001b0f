// The vocabulary of voice processing.

import OssicleCoreAudioTypes

/// Somebody has begun or ceased to speak into a muted microphone.
public enum AVAudioVoiceProcessingSpeechActivityEvent: Int, Sendable {
    case started = 0
    case ended = 1
}

/// How other sound is lowered while voice processing is on.
public struct AVAudioVoiceProcessingOtherAudioDuckingConfiguration: Sendable {
    /// How much.
    public enum Level: Int, Sendable {
        case `default` = 0
        case min = 10
        case mid = 20
        case max = 30
    }

    /// Whether the amount follows speech; default false.
    public var enableAdvancedDucking: ObjCBool
    /// Default `.default`.
    public var duckingLevel: Level

    /// The defaults.
    public init() { self.init(enableAdvancedDucking: false, duckingLevel: .default) }

    /// Both values.
    public init(enableAdvancedDucking: ObjCBool, duckingLevel: Level) {
        self.enableAdvancedDucking = enableAdvancedDucking
        self.duckingLevel = duckingLevel
    }
}
