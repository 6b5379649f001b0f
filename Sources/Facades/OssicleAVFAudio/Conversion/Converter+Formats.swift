import OssicleConversion
import OssicleCoreAudioTypes

extension Converter {
    /// The machine that converts between the formats, or why there is none.
    static func make(from: AVAudioFormat, to: AVAudioFormat, _ fault: ConverterFault) throws(OssicleError) -> Converter {
        guard let input = from.stream, let output = to.stream else {
            throw .avfaudio(kAudioConverterErr_FormatNotSupported, fault.object, value: "\(from.stream == nil ? from : to)",
                            rule: "A format has a rate, channels, and a codec that is known here.",
                            cure: "Use linear PCM, AAC, Apple Lossless, FLAC, Opus or MP3.")
        }
        do throws(ConversionError) {
            return try Converter(from: input, to: output)
        } catch {
            throw OssicleError(error, fault.object)
        }
    }
}
