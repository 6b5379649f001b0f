// Samples of a SoundFont, read into memory.

import OssicleFiles
import OssicleRender

extension SoundFont {
    /// Reads the programs that are wanted and the samples they play.
    func instrument(_ isWanted: (_ bank: Int, _ number: Int) -> Bool) throws(InstrumentError) -> Instrument {
        var draft = draft(isWanted)
        var blocks = [SampleBlock?](repeating: nil, count: headers.count)
        var ends: [Int: Int] = [:]
        for program in draft.programs {
            for zone in program.zones {
                ends[Int(zone.sample)] = max(ends[Int(zone.sample)] ?? 0, zone.end, zone.loopEnd)
            }
        }
        for index in ends.keys.sorted() {
            let header = headers[index]
            do {
                blocks[index] = header.isVorbis ? try decoded(header) : try plain(header, frames: ends[index] ?? 0)
            } catch {
                draft.warn("sample \"\(header.name)\" cannot be read: \(error.found)")
            }
        }
        return draft.instrument(named: name, samples: blocks)
    }

    private func isSensible(_ header: Header) -> Bool { (1...768_000).contains(header.rate) }

    /// A sample that is not compressed: 16 bits, or 24 where both chunks are there.
    private func plain(_ header: Header, frames: Int) throws(InstrumentError) -> SampleBlock? {
        let total = samples.count / 2
        guard isSensible(header), header.start < total, frames > 0 else { return nil }
        let count = min(frames, total - header.start)
        let start = samples.lowerBound + 2 * header.start
        let bytes = try file.bytes(start..<start + 2 * count)
        let read = bytes.count / 2
        guard read > 0 else { return nil }
        if let lowSamples {
            let low = try file.bytes(
                lowSamples.lowerBound + header.start..<lowSamples.lowerBound + header.start + count)
            let frames = UnsafeMutablePointer<Float>.allocate(capacity: read)
            for index in 0..<read {
                let high = Int32(Int16(littleEndian: Self.word(bytes, index)))
                let value = high << 8 | Int32(index < low.count ? low[index] : 0)
                frames[index] = Float(value) * 0x1p-23
            }
            return SampleBlock(float: frames, count: read, rate: Double(header.rate))
        }
        let frames = UnsafeMutablePointer<Int16>.allocate(capacity: read)
        for index in 0..<read { frames[index] = Int16(littleEndian: Self.word(bytes, index)) }
        return SampleBlock(int16: frames, count: read, rate: Double(header.rate))
    }

    private static func word(_ bytes: [UInt8], _ index: Int) -> Int16 {
        Int16(truncatingIfNeeded: Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8)
            .littleEndian
    }

    /// An Ogg Vorbis file inside the sample chunk. No more is decoded than a real recording of so many bytes has.
    private func decoded(_ header: Header) throws(InstrumentError) -> SampleBlock? {
        guard isSensible(header), header.start < header.end, header.start < samples.count else { return nil }
        let start = samples.lowerBound + header.start
        let bytes = try file.bytes(start..<min(samples.lowerBound + header.end, samples.upperBound))
        let limit = bytes.count * 64 + 65_536
        do {
            let reader = try AudioFileReader(source: MemoryBytes(bytes, name: header.name))
            return try SampleBlock(reading: reader, channel: 0, atMost: limit, rate: Double(header.rate))
        } catch { throw InstrumentError(error) }
    }
}

extension SampleBlock {
    /// One channel of a sound file, as 16-bit integers. `nil` where there is no frame.
    convenience init?(
        reading reader: AudioFileReader, channel: Int, atMost limit: Int, rate: Double
    ) throws(AudioFileError) {
        let channels = reader.info.channelCount, piece = 4096
        guard channel < channels else { return nil }
        let planes = (0..<channels).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: piece) }
        defer { for plane in planes { plane.deallocate() } }
        var frames: [Int16] = []
        while frames.count < limit {
            let count = try reader.read(into: planes, frames: min(piece, limit - frames.count))
            guard count > 0 else { break }
            frames += (0..<count).map { Int16(min(max((planes[channel][$0] * 32_768).rounded(), -32_768), 32_767)) }
        }
        guard !frames.isEmpty else { return nil }
        let memory = UnsafeMutablePointer<Int16>.allocate(capacity: frames.count)
        memory.initialize(from: frames, count: frames.count)
        self.init(int16: memory, count: frames.count, rate: rate)
    }
}
