// The errors of AVFAudio.

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

    private static func status(_ kind: AudioFileError.Kind) -> OSStatus {
        switch kind {
        case .missing, .closed: kAudio_FileNotFoundError
        case .notPermitted: kAudioFilePermissionsError
        case .notAFile, .unrecognized: kAudioFileUnsupportedFileTypeError
        case .empty, .damaged: kAudioFileInvalidFileError
        case .unsupported: kAudioFileUnsupportedDataFormatError
        case .tooLarge: kAudio_MemFullError
        case .outOfRange: kAudio_ParamError
        case .writeFailed: kAudioFileUnspecifiedError
        }
    }
}
