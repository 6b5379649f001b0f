// Errors on their way into status codes.

import OssicleConversion
import OssicleFiles
import OssicleProperties

extension StatusError {
    /// Runs what concerns a file and gives its errors their status.
    static func file<Result>(_ body: () throws(AudioFileError) -> Result) throws(StatusError) -> Result {
        do { return try body() } catch { throw StatusError(error.status) }
    }

    /// Runs what concerns a converter and gives its errors their status.
    static func conversion<Result>(_ body: () throws(ConversionError) -> Result) throws(StatusError) -> Result {
        do { return try body() } catch { throw StatusError(error.status) }
    }
}

extension UInt32 {
    /// The nearest number there is; 0 for NaN.
    init(rounding value: Double) {
        self = value.isNaN ? 0 : UInt32(Swift.min(Swift.max(0, value.rounded()), Double(UInt32.max)))
    }
}
