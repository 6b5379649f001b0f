import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties

/// Properties of the unit with voice processing. They may be set at any time.
enum VoiceProperties {
    static var table: [AudioUnitPropertyID: UnitProperty] {
        [
            kAUVoiceIOProperty_BypassVoiceProcessing: .flag(
                read: { try voice($0).controls.isBypassed }, write: { try voice($0).controls.isBypassed = $1 }),
            kAUVoiceIOProperty_VoiceProcessingEnableAGC: .flag(
                read: { try voice($0).controls.controlsLevel }, write: { try voice($0).controls.controlsLevel = $1 }),
            kAUVoiceIOProperty_MuteOutput: .flag(
                read: { try voice($0).controls.isMuted }, write: { try voice($0).controls.isMuted = $1 }),
            kAUVoiceIOProperty_MutedSpeechActivityEventListener: .order(UnitProperty.global, write: setListener),
            kAUVoiceIOProperty_OtherAudioDuckingConfiguration: .value(
                read: { DuckingData(try voice($0).ducking) },
                write: { try voice($0).ducking = try $1.configuration }),
        ]
    }

    private static func voice(_ place: UnitPlace) throws -> UnitVoice {
        guard let voice = place.unit.hardware?.voice else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return voice
    }

    /// A function as it lies in the client's variable: generic code would expect it in another form.
    private struct ListenerData {
        let block: AUVoiceIOMutedSpeechActivityEventListener?
    }

    private static func setListener(_ place: UnitPlace, _ data: ListenerData) throws {
        try voice(place).setListener(data.block.map { block in { block($0 ? .hasStarted : .hasEnded) } })
    }

    /// An `AUVoiceIOOtherAudioDuckingConfiguration` as the client stores it, before its level is known to be one.
    private struct DuckingData {
        let follows: UInt8
        let level: UInt8

        private typealias Configuration = AUVoiceIOOtherAudioDuckingConfiguration

        init(_ configuration: AVAudioVoiceProcessingOtherAudioDuckingConfiguration) {
            let level = AUVoiceIOOtherAudioDuckingLevel(rawValue: UInt32(configuration.duckingLevel.rawValue))
            self = unsafeBitCast(
                Configuration(
                    mEnableAdvancedDucking: DarwinBoolean(configuration.enableAdvancedDucking.boolValue),
                    mDuckingLevel: level ?? .default), to: DuckingData.self)
        }

        var configuration: AVAudioVoiceProcessingOtherAudioDuckingConfiguration {
            get throws {
                // Of the enumeration's four cases.
                guard follows < 2, level < 4 else { throw StatusError(kAudioUnitErr_InvalidPropertyValue) }
                let stored = unsafeBitCast(self, to: Configuration.self)
                return AVAudioVoiceProcessingOtherAudioDuckingConfiguration(
                    enableAdvancedDucking: ObjCBool(stored.mEnableAdvancedDucking.boolValue),
                    duckingLevel: .init(rawValue: Int(stored.mDuckingLevel.rawValue)) ?? .default)
            }
        }
    }
}
