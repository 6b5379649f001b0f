// What libsndfile can write.

import CSndfile
import OssicleCodecs

extension SndfileEncoder {
    private static let opusRates: [Double] = [8000, 12_000, 16_000, 24_000, 48_000]

    /// Throws unless libsndfile can write what `request` asks for; nothing is created.
    static func check(_ request: FileEncoderRequest) throws(AudioFileError) {
        _ = try header(request, FileChannelOrder(request))
    }

    static func header(_ request: FileEncoderRequest, _ order: FileChannelOrder) throws(AudioFileError) -> SF_INFO {
        var info = SF_INFO()
        if let type = request.container.sndfileFormat(extensible: needsExtensible(order.labels)), let subtype = request.codec.sndfileFormat(in: request.container),
           let rate = Int32(exactly: request.sampleRate), let channels = Int32(exactly: request.channelCount) {
            info.samplerate = rate
            info.channels = channels
            info.format = type | subtype | (request.isBigEndian.map { Int32($0 ? SF_ENDIAN_BIG : SF_ENDIAN_LITTLE) } ?? 0)
        }
        guard info.channels > 0, info.samplerate > 0, sf_format_check(&info) == SF_TRUE, request.codec != .opus || opusRates.contains(request.sampleRate) else {
            throw AudioFileError(.unsupported, path: request.path,
                                 found: "\(request.codec) in \(request.container), \(request.channelCount) channels at \(request.sampleRate) Hz"
                                     + (request.isBigEndian.map { $0 ? ", big-endian" : ", little-endian" } ?? ""),
                                 rule: "Container, codec, channels, byte order and a whole sample rate must go together.",
                                 cure: "WAV and CAF take every PCM codec; FLAC takes 8, 16 and 24 bits and up to 8 channels; Opus takes 8, 12, 16, 24 and 48 kHz.")
        }
        return info
    }

    /// One or two channels in the usual order need no mask.
    private static func needsExtensible(_ labels: [UInt32]?) -> Bool {
        guard let labels else { return false }
        return ![[42], [3], [1], [1, 2]].contains(labels)
    }
}
