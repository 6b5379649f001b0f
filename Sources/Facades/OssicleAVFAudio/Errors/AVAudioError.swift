// The errors of AVFAudio.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleFiles

/// The domain of AVFAudio's errors.
let avfaudioErrorDomain = "com.apple.coreaudio.avfaudio"

extension OssicleError {
    /// An error of AVFAudio with the code `status`.
    static func avfaudio(
        _ status: OSStatus, _ object: String, value: String, rule: String, cure: String
    ) -> OssicleError {
        OssicleError(
            domain: avfaudioErrorDomain, code: Int(status), object: object, value: value, rule: rule, cure: cure)
    }

    /// A failure of a sound file, with the code Core Audio has for it.
    convenience init(_ error: AudioFileError) {
        self.init(
            domain: avfaudioErrorDomain, code: Int(Self.status(error)), object: "AVAudioFile \"\(error.path)\"",
            value: error.found,
            rule: error.rule, cure: error.cure)
    }

    /// As the C interface tells it, but that AVFAudio has a closed file be not there.
    private static func status(_ error: AudioFileError) -> OSStatus {
        error.kind == .closed ? kAudio_FileNotFoundError : error.status
    }
}

/// The error of what is declared and not there yet; `Documentation/Status.md` lists its callers.
func notImplemented(_ feature: String, _ consequence: String) -> OssicleError {
    .avfaudio(
        kAudio_UnimplementedError, feature, value: "asked for", rule: "This is not implemented in Ossicle yet.",
        cure: consequence)
}
