// From requests for files to encoders of packets.

import OssicleCodecs

extension FileEncoderRequest {
    /// Whether the file is made of our own encoder's packets.
    var isOfPackets: Bool { packetCodecs.contains(codec) }

    /// The codecs whose packets go into the container.
    private var packetCodecs: [AudioCodec] {
        switch container {
        case .caf: [.alac16, .alac20, .alac24, .alac32, .aac, .flac8, .flac16, .flac24, .opus, .ima4]
        case .mpeg4: [.aac, .alac16, .alac20, .alac24, .alac32]
        case .adts: [.aac]
        default: []
        }
    }

    /// The encoder of what is asked for.
    func makePacketEncoder() throws(AudioFileError) -> any PacketEncoder {
        guard isOfPackets else {
            throw AudioFileError(.unsupported, path: path, found: "\(codec.rawValue) in \(container.rawValue)",
                                 rule: "This container holds \(packetCodecs.map(\.rawValue).joined(separator: ", ")).", cure: "Choose another container or one of these codecs.")
        }
        return try path.explaining { () throws(CodecError) in
            try Codecs.makeEncoder(codec, sampleRate: sampleRate, channelCount: channelCount, channelLabels: channelLabels, settings: settings)
        }
    }

    /// What the file is to say of its channels: the order in which a decoder gives them. AAC says it itself.
    var packetLabels: [UInt32]? {
        switch codec {
        case .aac: nil
        case .flac8, .flac16, .flac24, .opus: channelLabels == nil ? nil : Codecs.channelLabels(of: codec, channelCount: channelCount)
        default: channelLabels
        }
    }

    /// For each channel of the file the plane it comes from, where the encoder leaves that to us. Apple Lossless has an order for each number of
    /// channels, and M4A no place to tell another. Labels that are none of them keep their order.
    var packetPlanes: [Int]? {
        guard container == .mpeg4, codec.isLossless, let own = Codecs.channelLabels(of: codec, channelCount: channelCount), let given = channelLabels else { return nil }
        let planes = own.compactMap { given.firstIndex(of: $0) }
        return planes.count == given.count ? planes : nil
    }
}

extension String {
    /// Runs `work` for the file at this path and turns an error of a codec into one of the file.
    func explaining<Result>(_ work: () throws(CodecError) -> Result) throws(AudioFileError) -> Result {
        do throws(CodecError) { return try work() } catch {
            throw AudioFileError(error.fileErrorKind, path: self, found: error.found, rule: error.rule, cure: error.cure)
        }
    }
}

extension CodecError {
    /// The kind of error that a file has when its codec has this one.
    var fileErrorKind: AudioFileError.Kind {
        switch kind {
        case .unsupported, .failed: .unsupported
        case .traitOff: .traitOff
        case .damaged: .damaged
        case .outOfRange: .outOfRange
        }
    }
}
