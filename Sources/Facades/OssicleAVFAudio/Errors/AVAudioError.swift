// The errors of AVFAudio.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleFiles

/// The domain of AVFAudio's errors.
package let avfaudioErrorDomain = "com.apple.coreaudio.avfaudio"

extension OssicleError {
    /// An error of AVFAudio with the code `status`.
    package static func avfaudio(_ status: OSStatus, _ object: String, value: String, rule: String, cure: String) -> OssicleError {
        OssicleError(domain: avfaudioErrorDomain, code: Int(status), object: object, value: value, rule: rule, cure: cure)
    }

    /// A failure of a sound file, with the code Core Audio has for it.
    package convenience init(_ error: AudioFileError) {
        self.init(domain: avfaudioErrorDomain, code: Int(Self.status(error.kind)), object: "AVAudioFile \"\(error.path)\"", value: error.found,
                  rule: error.rule, cure: error.cure)
    }

    /// As the C interface tells it, but that AVFAudio has a closed file be not there.
    private static func status(_ kind: AudioFileError.Kind) -> OSStatus { kind == .closed ? kAudio_FileNotFoundError : kind.status }
}
