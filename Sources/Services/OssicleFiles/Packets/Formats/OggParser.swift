// Ogg: Opus, Vorbis and FLAC.

import OssicleCodecs

/// Takes the packets of the first stream it knows out of pages. A page that is damaged or missing costs the packets in
/// it.
struct OggParser: ContainerParser {
    private var stream: OggStream?
    private var serial: UInt32 = 0
    private var sequence: UInt32?
    /// The beginning of a packet that continues in the next page, and where its pieces lie.
    private var partial: (bytes: [UInt8], extents: [(file: Int64, count: Int)])?
    private var average = AveragePackets()
    private var isReported = false
    private var frameCount: Int64 = 0
    private var lastGranule: Int64 = 0
    private var isEnded = false

    /// A packet that grows beyond is dropped, in bytes.
    private static let largest = 32 << 20

    mutating func step(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        switch OggPage.read(window.bytes) {
        case .incomplete(let count): return window.isLast && count > window.count ? resync(window) : .wait(count)
        case .none: return resync(window)
        case .page(let page):
            try read(page, window, found: found)
            return .pass(Int64(page.byteCount))
        }
    }

    /// On to what may be the start of a page.
    private func resync(_ window: ParserWindow) -> ParserStep {
        let mark: [UInt8] = [0x4F, 0x67, 0x67, 0x53]
        guard window.count > 4 else { return .wait(5) }
        for position in 1...window.count - 4
        where window.bytes[position] == mark[0] && window.bytes[position..<position + 4].elementsEqual(mark) {
            return .pass(Int64(position))
        }
        return .pass(Int64(window.count - 3))
    }

    private mutating func read(_ page: OggPage, _ window: ParserWindow, found: ParserFindings) throws(AudioFileError) {
        if stream == nil {
            guard page.isFirst else { return }
            let head = UnsafeRawBufferPointer(rebasing: window.bytes[page.headerSize..<page.byteCount])
            guard let known = OggStream(head) else { return }
            stream = known
            serial = page.serial
            found.events.append(.container(.ogg))
        }
        guard page.serial == serial, !isEnded else { return }
        if !page.isContinued || sequence.map({ $0 &+ 1 != page.sequence }) ?? true { partial = nil }
        sequence = page.sequence
        try readPackets(page, window, found: found)
        if isReported { average.offset = average.offset ?? window.offset + Int64(page.byteCount) }
        if page.granule > 0 { lastGranule = page.granule }
        if page.isLast {
            isEnded = true
            tellEnd(found)
        }
    }

    private mutating func readPackets(
        _ page: OggPage, _ window: ParserWindow, found: ParserFindings
    ) throws(AudioFileError) {
        var position = page.headerSize, start = position
        var isLost = page.isContinued && partial == nil
        for segment in page.segments {
            position += Int(segment)
            guard segment < 255 else { continue }
            if !isLost { try take(start..<position, window, found: found) }
            isLost = false
            start = position
            partial = nil
        }
        guard page.segments.last == 255, !isLost else { return }
        extend(start..<position, window)
        if (partial?.bytes.count ?? 0) > Self.largest { partial = nil }
    }

    private mutating func extend(_ range: Range<Int>, _ window: ParserWindow) {
        var whole = partial ?? ([], [])
        partial = nil
        whole.bytes.append(contentsOf: window.bytes[range])
        whole.extents.append((window.offset + Int64(range.lowerBound), range.count))
        partial = whole
    }

    /// The packet that ends with the bytes in `range`.
    private mutating func take(
        _ range: Range<Int>, _ window: ParserWindow, found: ParserFindings
    ) throws(AudioFileError) {
        extend(range, window)
        guard let packet = partial, var stream else { return }
        partial = nil
        guard !packet.bytes.isEmpty else { return }
        if let frames = try stream.frames(of: packet.bytes, window) {
            if !isReported { report(stream, window, found: found) }
            found.packet(packet.bytes, frames: frames, at: packet.extents, isFile: window.isFile)
            average.add(packet.bytes.count + 1 + packet.bytes.count / 255)
            frameCount += Int64(frames)
        } else if stream.format != nil, stream.isComplete, !isReported {
            report(stream, window, found: found)
        }
        self.stream = stream
    }

    private mutating func report(_ stream: OggStream, _ window: ParserWindow, found: ParserFindings) {
        guard let format = stream.format else { return }
        isReported = true
        let offset = window.offset
        found.events += [
            .format(.packets(format)),
            .data(offset: offset, byteCount: window.fileSize.map { max(0, $0 - offset) }, packetCount: nil),
        ]
        if !stream.metadata.isEmpty { found.events.append(.metadata(stream.metadata)) }
        if stream.primingFrames > 0 { found.events.append(.priming(leading: stream.primingFrames, trailing: 0)) }
    }

    /// The last granule tells how many frames of the last packets count.
    private mutating func tellEnd(_ found: ParserFindings) {
        guard isReported, let stream, lastGranule > 0, lastGranule < frameCount else { return }
        let trailing = Int(clamping: frameCount - lastGranule)
        found.events.append(.priming(leading: stream.primingFrames, trailing: min(trailing, stream.longestPacket)))
    }

    mutating func end(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) {
        if !isEnded { tellEnd(found) }
        isEnded = true
    }

    mutating func restart(at packet: Int64?) {
        partial = nil
        sequence = nil
    }

    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? {
        average.byteOffset(ofPacket: packet)
    }
}
