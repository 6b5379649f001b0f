// Errors on their way into status codes.

import OssicleCodecs
import OssicleConversion
import OssicleFiles

/// A status that is not success.
package struct StatusError: Error, Equatable {
    package let status: OSStatus

    package init(_ status: OSStatus) { self.status = status }
}

/// Runs `body`; its error becomes the result.
package func status(of body: () throws(StatusError) -> Void) -> OSStatus {
    do {
        try body()
        return noErr
    } catch {
        return error.status
    }
}

extension StatusError {
    /// Runs what concerns a file and gives its errors their status.
    static func file<Result>(_ body: () throws(AudioFileError) -> Result) throws(StatusError) -> Result {
        do { return try body() } catch { throw StatusError(error.kind.status) }
    }

    /// Runs what concerns a converter and gives its errors their status.
    static func conversion<Result>(_ body: () throws(ConversionError) -> Result) throws(StatusError) -> Result {
        do { return try body() } catch { throw StatusError(error.kind.status) }
    }
}

extension AudioFileError.Kind {
    /// Core Audio's status for it.
    package var status: OSStatus {
        switch self {
        case .missing: kAudioFileFileNotFoundError
        case .closed: kAudioFileNotOpenError
        case .notOptimized: kAudioFileNotOptimizedError
        case .notPermitted: kAudioFilePermissionsError
        case .notAFile, .unrecognized: kAudioFileUnsupportedFileTypeError
        case .empty, .damaged: kAudioFileInvalidFileError
        case .unsupported, .traitOff: kAudioFileUnsupportedDataFormatError
        case .tooLarge: kAudio_MemFullError
        case .outOfRange: kAudio_ParamError
        case .writeFailed: kAudioFileUnspecifiedError
        }
    }
}

extension ConversionError.Kind {
    /// Core Audio's status for it.
    package var status: OSStatus {
        switch self {
        case .unsupported, .codec(.unsupported), .codec(.traitOff): kAudioConverterErr_FormatNotSupported
        case .invalidSetting, .codec(.outOfRange): kAudioConverterErr_OperationNotSupported
        case .invalidBuffer: kAudio_ParamError
        case .codec(.damaged), .codec(.failed), .failed: kAudioConverterErr_UnspecifiedError
        }
    }
}
