// Containers as libsndfile numbers them.

import CSndfile

extension AudioContainer {
    /// Whether sizes stand in a header that can be written again while the file grows. In the others the stream would get a
    /// second header in its middle.
    var hasRewritableHeader: Bool { [.wav, .rf64, .wave64, .aiff, .caf, .au].contains(self) }

    /// libsndfile's number for writing. Layouts need the extensible form of the WAVE header.
    func sndfileFormat(extensible: Bool) -> Int32? {
        switch self {
        case .wav: Int32(extensible ? SF_FORMAT_WAVEX : SF_FORMAT_WAV)
        case .rf64: Int32(SF_FORMAT_RF64)
        case .wave64: Int32(SF_FORMAT_W64)
        case .aiff: Int32(SF_FORMAT_AIFF)
        case .caf: Int32(SF_FORMAT_CAF)
        case .flac: Int32(SF_FORMAT_FLAC)
        case .ogg: Int32(SF_FORMAT_OGG)
        case .mpeg: Int32(SF_FORMAT_MPEG)
        case .au: Int32(SF_FORMAT_AU)
        case .mpeg4, .adts, .other: nil
        }
    }

    init(sndfileFormat: Int32) {
        self = switch Int(sndfileFormat) & SF_FORMAT_TYPEMASK {
        case SF_FORMAT_WAV, SF_FORMAT_WAVEX: .wav
        case SF_FORMAT_RF64: .rf64
        case SF_FORMAT_W64: .wave64
        case SF_FORMAT_AIFF: .aiff
        case SF_FORMAT_CAF: .caf
        case SF_FORMAT_FLAC: .flac
        case SF_FORMAT_OGG: .ogg
        case SF_FORMAT_MPEG: .mpeg
        case SF_FORMAT_AU: .au
        default: .other
        }
    }
}
