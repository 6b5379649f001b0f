// The order in which a file keeps its channels.

import OssicleCodecs

/// How channels that come in some order lie in a file: WAVE sorts them by the bits of its mask, FLAC, Vorbis and Opus have one order for each number
/// of channels, AIFF and CAF keep any, and the others say nothing.
struct FileChannelOrder {
    /// For each channel of the file the plane it comes from.
    let planes: [Int]
    /// One label per channel of the file; `nil` when it will not tell.
    let labels: [UInt32]?

    /// Labels the container cannot express are left out, and the channels keep their order.
    init(_ request: FileEncoderRequest) {
        let channelCount = max(request.channelCount, 0), asTheyCome = Array(0..<channelCount)
        let given = request.channelLabels?.count == channelCount ? request.channelLabels : nil
        switch request.container {
        // libsndfile writes no extensible header with the most significant byte first.
        case .wav where request.codec.fitsExtensibleWave && request.isBigEndian != true, .rf64:
            let bits = given.flatMap { ChannelMask.bits($0) }
            let sorted = bits.map { bits in asTheyCome.sorted { bits[$0] < bits[$1] } } ?? asTheyCome
            planes = sorted
            labels = bits == nil ? nil : given.map { given in sorted.map { given[$0] } }
        case .aiff, .caf:
            planes = asTheyCome
            labels = given
        case .flac, .ogg:
            let fixed = Self.fixed(channelCount: channelCount, request.container)
            let order = fixed?.map { label in given?.firstIndex(of: label) ?? -1 }
            planes = order.map { $0.contains(-1) ? asTheyCome : $0 } ?? asTheyCome
            labels = fixed
        default:
            planes = asTheyCome
            labels = nil
        }
    }

    /// The order FLAC (RFC 9639) or Vorbis and Opus (Vorbis I specification; RFC 7845) prescribe; `nil` for one or two channels, which need no
    /// telling, and for more than eight.
    static func fixed(channelCount: Int, _ container: AudioContainer) -> [UInt32]? {
        let table = container == .flac ? flac : vorbis
        return channelCount > 2 && channelCount - 3 < table.count ? table[channelCount - 3] : nil
    }

    private static let flac: [[UInt32]] = [
        [1, 2, 3], [1, 2, 5, 6], [1, 2, 3, 5, 6], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 9, 5, 6], [1, 2, 3, 4, 33, 34, 5, 6],
    ]
    private static let vorbis: [[UInt32]] = [
        [1, 3, 2], [1, 2, 5, 6], [1, 3, 2, 5, 6], [1, 3, 2, 5, 6, 4], [1, 3, 2, 5, 6, 9, 4], [1, 3, 2, 5, 6, 33, 34, 4],
    ]
}

extension AudioCodec {
    /// Whether the extensible form of the WAVE header takes it.
    var fitsExtensibleWave: Bool { isLinear || self == .muLaw || self == .aLaw }
}
