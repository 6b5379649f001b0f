// Additions to Apple's converter.

import OssicleCoreAudioTypes

extension AVAudioConverter: OssicleAdditions {}

extension OssicleAdditions where Self: AVAudioConverter {
    /// A converter between the formats, or the error that tells why there is none, where `init(from:to:)` gives `nil`.
    public static func converter(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) throws -> AVAudioConverter
    {
        try AVAudioConverter(converting: fromFormat, to: toFormat)
    }

    /// What the last setting that was not taken had to say; `nil` if there was none, or after it was set to `nil`.
    public var lastError: (any Error)? {
        get { errors.last }
        set { errors.last = newValue }
    }
}
