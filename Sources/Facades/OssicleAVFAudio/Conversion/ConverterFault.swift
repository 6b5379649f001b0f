// What can go wrong with a converter.

import OssicleAudioToolbox
import OssicleConversion
import OssicleCoreAudioTypes

extension OssicleError {
    /// A failure of a conversion, with the code Core Audio has for it.
    convenience init(_ error: ConversionError, _ object: String) {
        self.init(
            domain: avfaudioErrorDomain, code: Int(Self.status(error)), object: object, value: error.found,
            rule: error.rule,
            cure: error.cure)
    }

    /// As the C interface tells it, but that what it calls an operation not supported is a wrong parameter here, where
    /// a method was given it.
    private static func status(_ error: ConversionError) -> OSStatus {
        error.status == kAudioConverterErr_OperationNotSupported ? kAudio_ParamError : error.status
    }
}

/// The refusals of one converter.
struct ConverterFault {
    let object: String

    init(_ input: AVAudioFormat, _ output: AVAudioFormat) { object = "AVAudioConverter from \(input) to \(output)" }

    func wrongFormat(_ side: String, _ found: AVAudioFormat, expected: AVAudioFormat) -> OssicleError {
        .avfaudio(
            kAudio_ParamError, object, value: "an \(side) buffer of \(found)",
            rule: "The \(side) buffer has the converter's \(side) format.",
            cure: "Make the buffer with converter.\(side)Format, or a converter for \(found).")
    }

    func notSimple() -> OssicleError {
        .avfaudio(
            kAudioConverterErr_OperationNotSupported, object, value: "convert(to:from:)",
            rule: "It changes neither the sample rate nor the codec.",
            cure: "Use convert(to:error:withInputFrom:).")
    }

    func tooSmall(_ capacity: AVAudioFrameCount, _ length: AVAudioFrameCount) -> OssicleError {
        .avfaudio(
            kAudioConverterErr_InvalidOutputSize, object, value: "room for \(capacity) of \(length) frames",
            rule: "The output holds as many frames as the input.",
            cure: "Make the output buffer with frameCapacity: input.frameLength.")
    }

    func notAlone(_ came: AVAudioFrameCount, _ length: AVAudioFrameCount) -> OssicleError {
        .avfaudio(
            kAudioConverterErr_UnspecifiedError, object, value: "\(came) frames came of \(length)",
            rule: "A whole buffer is converted on its own.",
            cure: "Call reset() after the other form of convert.")
    }

    func noRoom() -> OssicleError {
        .avfaudio(
            kAudioConverterErr_InvalidOutputSize, object, value: "an output buffer without room",
            rule: "The output takes at least one frame or packet.",
            cure: "Make the buffer larger; converter.maximumOutputPacketSize tells the size of a packet.")
    }

    func badPackets(_ value: String) -> OssicleError {
        .avfaudio(
            kAudioConverterErr_InvalidInputSize, object, value: value,
            rule: "Every packet lies within the buffer's byteLength.",
            cure: "Set packetCount, byteLength and packetDescriptions to what was copied into data.")
    }

    func inUse(_ call: String) -> OssicleError {
        .avfaudio(
            kAudioConverterErr_OperationNotSupported, object, value: "\(call) within its own input block",
            rule: "A converter does one thing at a time.",
            cure: "Call it when the conversion has returned.")
    }

    func badSetting(_ value: String, rule: String, cure: String) -> OssicleError {
        .avfaudio(kAudio_ParamError, object, value: value, rule: rule, cure: cure)
    }

    func badMap(_ map: [Int], _ inputs: AVAudioChannelCount, outputs: AVAudioChannelCount) -> OssicleError {
        badSetting(
            "channelMap \(map)", rule: "It names an input channel, or -1, for each of the \(outputs) output channels.",
            cure: "Input channels are 0...\(max(inputs, 1) - 1).")
    }

    func badAlgorithm(_ name: String) -> OssicleError {
        badSetting(
            "sampleRateConverterAlgorithm \"\(name)\"", rule: "There are three algorithms.",
            cure: "Use one of the AVSampleRateConverterAlgorithm constants.")
    }

    func noTrim() -> OssicleError {
        badSetting(
            "primeInfo set", rule: "Only what a decoder gives is trimmed.",
            cure: "Set it on a converter from a compressed format.")
    }
}

extension Converter {
    /// The machine that converts between the formats, or why there is none.
    static func make(from: AVAudioFormat, to: AVAudioFormat, fault: ConverterFault) throws(OssicleError) -> Converter {
        guard let input = from.stream, let output = to.stream else {
            throw .avfaudio(
                kAudioConverterErr_FormatNotSupported, fault.object, value: "\(from.stream == nil ? from : to)",
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
