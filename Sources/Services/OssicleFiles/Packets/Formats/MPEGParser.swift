// MP1, MP2 and MP3.

import OssicleCodecs

/// A stream of frames of MPEG audio; each is a packet. A first frame that only tells about the others is none.
struct MPEGParser: ContainerParser {
    /// Frames by which a decoder of layer III is late, which encoders do not count in what they tell.
    static let decoderDelay = 529

    private var finder = FrameFinder<MPEGHeader>()
    private var average = AveragePackets()
    private var isTold = false

    mutating func step(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        if !isTold, finder.known == nil, MPEGHeader.isFreeFormat(window.bytes) {
            throw window.unsupported("MPEG audio in the free format", rule: "A frame tells its bit rate, by which its length is known.")
        }
        switch finder.next(window) {
        case .step(let step): return step
        case .frame(let header, let position):
            let frame = UnsafeRawBufferPointer(rebasing: window.bytes[position..<position + header.byteCount])
            let info = isTold ? nil : MPEGInfoFrame(frame, header)
            if !isTold { tell(header, info, window.offset + Int64(position + (info == nil ? 0 : header.byteCount)), window, found) }
            if info == nil {
                found.packet(in: window, at: position, count: header.byteCount, frames: header.framesPerPacket)
                average.add(header.byteCount)
            }
            return .pass(Int64(position + header.byteCount))
        }
    }

    private mutating func tell(_ header: MPEGHeader, _ info: MPEGInfoFrame?, _ offset: Int64, _ window: ParserWindow, _ found: ParserFindings) {
        isTold = true
        average.offset = offset
        let format = PacketFormat(codec: header.codec, sampleRate: Double(header.sampleRate), channelCount: header.channelCount, framesPerPacket: header.framesPerPacket)
        found.events += [.container(.mpeg), .format(.packets(format)),
                         .data(offset: offset, byteCount: window.fileSize.map { $0 - offset } ?? info?.byteCount.map { max(0, $0 - Int64(header.byteCount)) },
                               packetCount: info?.packetCount)]
        if let delay = info?.delay, let padding = info?.padding {
            found.events.append(.priming(leading: delay + Self.decoderDelay, trailing: max(0, padding - Self.decoderDelay)))
        }
    }

    mutating func restart(at packet: Int64?) { finder.restart() }

    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? { average.byteOffset(ofPacket: packet) }
}

/// Packets whose places are guessed from those that have come.
struct AveragePackets {
    var offset: Int64?
    private var byteCount: Int64 = 0
    private var count: Int64 = 0

    /// A packet came that took `bytes` in the stream.
    mutating func add(_ bytes: Int) {
        byteCount += Int64(bytes)
        count += 1
    }

    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? {
        guard let offset, count > 0 else { return nil }
        let guess = Double(offset) + Double(packet) * Double(byteCount) / Double(count)
        return guess < 0x1p62 ? (Int64(guess), packet > 0) : nil
    }
}
