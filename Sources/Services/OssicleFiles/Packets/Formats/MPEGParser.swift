// MP1, MP2 and MP3.

import OssicleCodecs

/// A stream of frames of MPEG audio; each is a packet. A first frame that only tells about the others is none.
struct MPEGParser: ContainerParser {
    /// Frames by which a decoder of layer III is late, which encoders do not count in what they tell.
    static let decoderDelay = 529

    private var finder = FrameFinder<MPEGHeader>()
    private var average = AveragePackets()
    private var isReported = false

    mutating func step(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        if !isReported, finder.known == nil, MPEGHeader.isFreeFormat(window.bytes) {
            throw window.unsupported(
                "MPEG audio in the free format", rule: "A frame tells its bit rate, by which its length is known.")
        }
        switch finder.next(window) {
        case .step(let step): return step
        case .frame(let header, let position):
            let frame = UnsafeRawBufferPointer(rebasing: window.bytes[position..<position + header.byteCount])
            let info = isReported ? nil : MPEGInfoFrame(frame, header)
            if !isReported {
                report(
                    header, info, offset: window.offset + Int64(position + (info == nil ? 0 : header.byteCount)),
                    window: window, found: found)
            }
            if info == nil {
                found.packet(in: window, at: position, count: header.byteCount, frames: header.framesPerPacket)
                average.add(header.byteCount)
            }
            return .pass(Int64(position + header.byteCount))
        }
    }

    private mutating func report(
        _ header: MPEGHeader, _ info: MPEGInfoFrame?, offset: Int64, window: ParserWindow, found: ParserFindings
    ) {
        isReported = true
        average.offset = offset
        let format = PacketFormat(
            codec: header.codec, sampleRate: Double(header.sampleRate), channelCount: header.channelCount,
            framesPerPacket: header.framesPerPacket)
        found.events += [
            .container(.mpeg), .format(.packets(format)),
            .data(
                offset: offset,
                byteCount: window.fileSize.map { $0 - offset }
                    ?? info?.byteCount.map { max(0, $0 - Int64(header.byteCount)) },
                packetCount: info?.packetCount),
        ]
        if let delay = info?.delay, let padding = info?.padding {
            found.events.append(
                .priming(leading: delay + Self.decoderDelay, trailing: max(0, padding - Self.decoderDelay)))
        }
    }

    mutating func restart(at packet: Int64?) { finder.restart() }

    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? {
        average.byteOffset(ofPacket: packet)
    }
}

extension MPEGHeader: FrameHeader {
    /// A header with a bit rate of its own: without one nothing tells where the frame ends.
    init?(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        guard bytes[position] == 0xFF else { return nil }
        self.init(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
        guard bitRate > 0 else { return nil }
    }

    func isAkin(to other: MPEGHeader) -> Bool {
        layer == other.layer && sampleRate == other.sampleRate && channelCount == other.channelCount
    }

    /// Whether a frame without a bit rate of its own, as the standard allows, begins at the start.
    static func isFreeFormat(_ bytes: UnsafeRawBufferPointer) -> Bool { MPEGHeader(bytes)?.bitRate == 0 }
}

/// What encoders tell in a first frame without sound, by the names "Xing", "Info" and "VBRI".
struct MPEGInfoFrame {
    /// Frames of MPEG audio behind this one, and their bytes; `nil` when not stated.
    var packetCount: Int64?
    var byteCount: Int64?
    /// Samples the encoder put before and behind the recording; `nil` when not stated.
    var delay: Int?
    var padding: Int?

    init?(_ frame: UnsafeRawBufferPointer, _ header: MPEGHeader) {
        guard header.layer == 3 else { return nil }
        var cursor = ByteCursor(frame, from: 4 + header.sideInformationSize), vbri = ByteCursor(frame, from: 36)
        let name = cursor.name()
        if name == "Xing" || name == "Info" {
            readXing(&cursor)
        } else if vbri.name() == "VBRI" {
            readVBRI(&vbri)
        } else {
            return nil
        }
    }

    private mutating func readXing(_ cursor: inout ByteCursor) {
        guard let flags = cursor.big(UInt32.self) else { return }
        if flags & 1 != 0 { packetCount = cursor.big(UInt32.self).map { Int64($0) } }
        if flags & 2 != 0 { byteCount = cursor.big(UInt32.self).map { Int64($0) } }
        if flags & 4 != 0 { cursor.skip(100) }
        if flags & 8 != 0 { cursor.skip(4) }
        guard let encoder = cursor.big(UInt32.self), encoder != 0, cursor.skip(17), let first = cursor.big(UInt8.self),
            let last = cursor.big(UInt16.self)
        else { return }
        delay = Int(first) << 4 | Int(last >> 12)
        padding = Int(last & 0xFFF)
    }

    private mutating func readVBRI(_ cursor: inout ByteCursor) {
        cursor.skip(6)
        byteCount = cursor.big(UInt32.self).map { Int64($0) }
        packetCount = cursor.big(UInt32.self).map { Int64($0) }
    }
}
