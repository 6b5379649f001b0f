// Downloadable Sounds, levels 1 and 2: what a file says before any sample is read.

import OssicleFiles
import OssicleRender

/// A DLS file: instruments of regions, and a pool of waves (DLS Level 1 specification 1.1b, MMA 1999; Level 2.2, 2004).
///
/// What it says about envelopes, oscillators and filters are connections of a source with a destination. They become
/// generators and modulators, which mean the same; connections that have no counterpart there are left out with a
/// warning.
struct DownloadableSounds {
    /// A wave of the pool.
    struct Wave {
        let format: ByteReader
        let data: Range<Int>
        let sampler: ByteReader?
        let sampleRate: Int
    }

    let file: RIFFFile
    let name: String
    let waves: [Wave]
    private let instruments: [RIFFChunk]

    init(_ file: RIFFFile, _ list: RIFFChunk) throws(InstrumentError) {
        self.file = file
        let chunks = try file.chunks(in: list.range)
        func first(_ name: String) -> RIFFChunk? { chunks.first { $0.list == name || $0.name == name } }
        guard let collection = first("lins"), let pool = first("wvpl") else {
            throw file.fault(
                .damaged, "no instruments or no waves", "A DLS file has a list of instruments and a pool of waves.",
                cure: "Get the file again, it is cut off.")
        }
        instruments = try file.chunks(in: collection.range).filter { $0.list == "ins " }
        let all = try file.chunks(in: pool.range)
        var byOffset: [Int: Wave] = [:], order: [Int] = []
        for chunk in all where chunk.list == "wave" {
            let offset = chunk.range.lowerBound - 12 - pool.range.lowerBound
            byOffset[offset] = try Self.wave(file, chunk)
            order.append(offset)
        }
        // The cue table gives numbers to waves; without one they are numbered as they lie.
        var offsets = order
        if let table = first("ptbl"), table.range.count <= 1 << 20 {
            let bytes = ByteReader(try file.bytes(table.range)), header = max(bytes.u32(0), 8)
            offsets = (0..<min(bytes.u32(4), (bytes.count - min(header, bytes.count)) / 4)).map {
                bytes.u32(header + 4 * $0)
            }
        }
        waves = offsets.map { byOffset[$0] ?? Wave.none }
        name = try Self.title(file, chunks)
    }

    private static func title(_ file: RIFFFile, _ chunks: [RIFFChunk]) throws(InstrumentError) -> String {
        guard let info = chunks.first(where: { $0.list == "INFO" }) else { return "" }
        guard let title = try file.chunks(in: info.range).first(where: { $0.name == "INAM" }) else { return "" }
        return ByteReader(try file.bytes(title.range.prefix(256))).text(0, 256)
    }

    private static func wave(_ file: RIFFFile, _ list: RIFFChunk) throws(InstrumentError) -> Wave {
        let chunks = try file.chunks(in: list.range)
        func content(_ name: String) throws(InstrumentError) -> ByteReader? {
            guard let chunk = chunks.first(where: { $0.name == name }) else { return nil }
            return ByteReader(try file.bytes(chunk.range.prefix(1024)))
        }
        let format = try content("fmt ") ?? ByteReader([])
        return Wave(
            format: format, data: chunks.first { $0.name == "data" }?.range ?? 0..<0, sampler: try content("wsmp"),
            sampleRate: format.u32(4))
    }

    // MARK: Instruments

    /// All programs that are wanted.
    func draft(_ isWanted: (_ bank: Int, _ number: Int) -> Bool) throws(InstrumentError) -> InstrumentDraft {
        var draft = InstrumentDraft()
        for instrument in instruments {
            if draft.isFull { break }
            try add(instrument, to: &draft, isWanted)
        }
        return draft
    }

    private func add(
        _ instrument: RIFFChunk, to draft: inout InstrumentDraft, _ isWanted: (_ bank: Int, _ number: Int) -> Bool
    ) throws(InstrumentError) {
        let chunks = try file.chunks(in: instrument.range)
        guard let header = chunks.first(where: { $0.name == "insh" }), header.range.count >= 12 else { return }
        let bytes = ByteReader(try file.bytes(header.range.prefix(12)))
        // Bit 31 is percussion; the bytes of bank select are bits 8 … 14 and 0 … 6.
        let word = bytes.u32(4), high = word >> 8 & 127, low = word & 127
        let bank = word & 0x8000_0000 != 0 || high == 120 ? 128 : high == 121 || high == 0 ? low : high
        let number = bytes.u32(8) & 127
        guard isWanted(bank, number) else { return }
        draft.programs.append(
            InstrumentDraft.Program(bank: bank, number: number, name: try Self.title(file, chunks)))
        var shared = Articulation()
        for list in chunks where list.list == "lart" || list.list == "lar2" { try read(list, into: &shared, &draft) }
        for list in chunks where list.list == "lrgn" {
            for region in try file.chunks(in: list.range) where region.list == "rgn " || region.list == "rgn2" {
                if draft.isFull { return }
                try addRegion(region, shared, to: &draft)
            }
        }
    }

    private func addRegion(
        _ region: RIFFChunk, _ shared: Articulation, to draft: inout InstrumentDraft
    ) throws(InstrumentError) {
        let chunks = try file.chunks(in: region.range)
        func content(_ name: String) throws(InstrumentError) -> ByteReader? {
            guard let chunk = chunks.first(where: { $0.name == name }) else { return nil }
            return ByteReader(try file.bytes(chunk.range.prefix(1024)))
        }
        guard let header = try content("rgnh"), let link = try content("wlnk"), waves.indices.contains(link.u32(8))
        else {
            return
        }
        // A region's own articulation takes the place of the instrument's.
        var articulation = shared, isOwn = false
        for list in chunks where list.list == "lart" || list.list == "lar2" {
            if !isOwn { articulation = Articulation() }
            isOwn = true
            try read(list, into: &articulation, &draft)
        }
        var zone = InstrumentZone()
        zone.generators = articulation.generators
        zone.scaleTuning = articulation.scaleTuning
        (zone.lowKey, zone.highKey) = (UInt8(min(header.u16(0), 127)), UInt8(min(header.u16(2), 127)))
        // Level 1 leaves velocities at 0.
        if header.u16(6) > 0 {
            (zone.lowVelocity, zone.highVelocity) = (UInt8(min(header.u16(4), 127)), UInt8(min(header.u16(6), 127)))
        }
        zone.exclusiveClass = UInt16(header.u16(10))
        zone.sample = Int32(link.u32(8))
        let wave = waves[link.u32(8)]
        zone.end = wave.frameCount
        (try content("wsmp") ?? wave.sampler)?.applySampler(to: &zone)
        draft.add(zone, modulators: articulation.modulators)
    }

    private func read(
        _ list: RIFFChunk, into articulation: inout Articulation, _ draft: inout InstrumentDraft
    ) throws(InstrumentError) {
        for chunk in try file.chunks(in: list.range) where chunk.name == "art1" || chunk.name == "art2" {
            let bytes = ByteReader(try file.bytes(chunk.range.prefix(12 * 1024 + 8)))
            let first = max(bytes.u32(0), 8)
            for index in 0..<min(bytes.u32(4), 1024) where first + 12 * (index + 1) <= bytes.count {
                let place = first + 12 * index
                articulation.connect(
                    source: bytes.u16(place), control: bytes.u16(place + 2), destination: bytes.u16(place + 4),
                    scale: bytes.s32(place + 8), &draft)
            }
        }
    }

    /// Reads the programs that are wanted and the waves they play.
    func instrument(_ isWanted: (_ bank: Int, _ number: Int) -> Bool) throws(InstrumentError) -> Instrument {
        let draft = try draft(isWanted)
        var blocks = [SampleBlock?](repeating: nil, count: waves.count)
        for index in Set(draft.programs.flatMap { $0.zones.map { Int($0.sample) } }).sorted() {
            blocks[index] = try waves[index].block(in: file)
        }
        return draft.instrument(named: name, samples: blocks)
    }
}

extension DownloadableSounds.Wave {
    fileprivate static let none = Self(format: ByteReader([]), data: 0..<0, sampler: nil, sampleRate: 0)

    private var bytesPerFrame: Int { max(format.u16(12), 1) }
    private var bits: Int { format.u16(14) }

    var frameCount: Int { data.count / bytesPerFrame }

    /// The first channel of plain 8 or 16 bits; `nil` for other codings.
    fileprivate func block(in file: RIFFFile) throws(InstrumentError) -> SampleBlock? {
        guard format.u16(0) == 1, [8, 16].contains(bits), (1...768_000).contains(sampleRate), frameCount > 0,
            bytesPerFrame >= bits / 8
        else { return nil }
        let bytes = ByteReader(try file.bytes(data)), count = bytes.count / bytesPerFrame
        guard count > 0 else { return nil }
        let frames = UnsafeMutablePointer<Int16>.allocate(capacity: count)
        for index in 0..<count {
            let place = index * bytesPerFrame
            frames[index] = Int16(bits == 8 ? (bytes.u8(place) - 128) << 8 : bytes.s16(place))
        }
        return SampleBlock(int16: frames, count: count, rate: Double(sampleRate))
    }
}

extension ByteReader {
    /// Unity note, fine tuning in cents, gain in 65,536ths of a centibel, and the first loop.
    fileprivate func applySampler(to zone: inout InstrumentZone) {
        guard count >= 20 else { return }
        zone.rootPitch = Float(min(u16(4), 127)) * 100 - Float(s16(6))
        zone.generators[ZoneGenerator.attenuation] -= Float(s32(8)) / 65_536
        let first = max(u32(0), 20)
        if u32(16) > 0, count >= first + 16 {
            zone.loop = u32(first + 4) == 1 ? .untilRelease : .endless
            zone.loopStart = u32(first + 8)
            zone.loopEnd = u32(first + 8) + u32(first + 12)
        }
    }
}
