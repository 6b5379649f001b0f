// What is known of a file once it is open.

import OssicleCodecs

/// The facts a scanner found.
struct ReaderFacts: Sendable {
    private(set) var container = AudioContainer.other
    private(set) var format: StreamFormat
    private(set) var metadata = AudioMetadata()
    private(set) var priming = (leading: 0, trailing: 0)
    private(set) var dataOffset: Int64 = 0
    private(set) var dataByteCount: Int64
    private(set) var packetCount: Int64
    private(set) var maximumPacketSize: Int
    private var frameCount: Int64

    /// Runs `scanner` as far as is needed: FLAC tells what others are searched for.
    init(_ scanner: FileScanner, _ source: any ByteSource) throws(AudioFileError) {
        try scanner.run { ReaderFacts.flac(in: $0, source) != nil }
        let found = scanner.found
        let flac = ReaderFacts.flac(in: found, source)
        if flac == nil { try scanner.run() }
        guard let format = ReaderFacts.format(in: found) else {
            throw AudioFileError(
                .damaged, path: source.name, found: "no audio in \(source.byteCount) bytes",
                rule: "A sound file tells its format and holds packets.",
                cure: "Copy or convert the file again.")
        }
        self.format = format
        packetCount = flac?.packetCount ?? found.index.count
        frameCount = flac?.info.frameCount ?? found.index.frameCount
        maximumPacketSize = flac?.info.maximumFrameSize ?? found.index.largest
        dataByteCount = found.index.byteCount
        var statedPackets: Int64?
        for event in found.events {
            switch event {
            case .container(let value): container = value
            case .data(let offset, let count, let packets):
                dataOffset = offset
                statedPackets = packets
                if flac != nil { dataByteCount = count ?? 0 }
            case .metadata(let value): metadata = value
            case .priming(let leading, let trailing): priming = (leading, trailing)
            case .format, .packets: break
            }
        }
        found.events = []
        // What an encoder put behind the recording went with the end of a file that was cut off.
        if let stated = statedPackets, container == .mpeg, packetCount < stated { priming.trailing = 0 }
    }

    private static func format(in found: ParserFindings) -> StreamFormat? {
        for case .format(let format) in found.events { return format }
        return nil
    }

    /// The STREAMINFO block of a FLAC file, without another container around it, that tells all, credibly.
    private static func flac(
        in found: ParserFindings, _ source: any ByteSource
    ) -> (info: FLACStreamInfo, packetCount: Int64)? {
        guard case .container(.flac)? = found.events.first, case .packets(let format) = format(in: found),
            let info = FLACStreamInfo(cookie: format.cookie),
            info.maximumFrameSize > 0
        else { return nil }
        for case .data(_, _, let count?) in found.events where count <= source.byteCount { return (info, count) }
        return nil
    }

    var info: AudioFileInfo {
        var codec = AudioCodec.other, isBigEndian = false
        switch format {
        case .pcm(let pcm): (codec, isBigEndian) = (pcm.codec, pcm.isBigEndian)
        case .packets(let packets): codec = packets.codec
        }
        return AudioFileInfo(
            sampleRate: format.sampleRate, channelCount: format.channelCount,
            frameCount: max(0, frameCount - Int64(priming.leading) - Int64(priming.trailing)), container: container,
            codec: codec,
            isBigEndian: isBigEndian, channelLabels: format.channelLabels)
    }
}

extension PCMFormat {
    /// What keeps these samples as they are.
    var codec: AudioCodec {
        switch (kind, bytesPerSample) {
        case (.float, 4): .float32
        case (.float, _): .float64
        case (.unsigned, _): .pcm8Unsigned
        case (.signed, 1): .pcm8
        case (.signed, 2): .pcm16
        case (.signed, 3): .pcm24
        default: .pcm32
        }
    }
}
