// SoundFont 2: what a file says before any sample is read.

import OssicleFiles
import OssicleRender

/// A SoundFont 2 or 3 file: presets of zones of instruments of zones of samples (SoundFont 2.04 specification, E-mu
/// 2006).
///
///     preset ─▶ preset zones ─▶ instrument ─▶ instrument zones ─▶ sample
///                 added                          set
///
/// Version 3 is the same with samples as Ogg Vorbis. Every number comes from outside: indices are checked, lists are
/// cut to what is there, and what cannot be used is left out with a warning.
struct SoundFont {
    struct Preset {
        let name: String
        let bank: Int
        let number: Int
        let bags: Range<Int>
    }

    struct Header {
        let name: String
        /// Frames in the sample chunk, of version 3 bytes.
        let start, end: Int
        /// Of version 3 from the sample's own beginning.
        let loopStart, loopEnd: Int
        let rate: Int
        let key: Int
        let correction: Int
        let type: Int

        var isROM: Bool { type & 0x8000 != 0 }
        var isVorbis: Bool { type & 0x10 != 0 }
    }

    let file: RIFFFile
    let name: String
    let presets: [Preset]
    let headers: [Header]
    let samples: Range<Int>
    /// The lowest eight bits of 24, if they are there.
    let lowSamples: Range<Int>?
    private let presetBags, presetModulators, presetGenerators: ByteReader
    private let instruments, instrumentBags, instrumentModulators, instrumentGenerators: ByteReader

    /// Reads everything but the samples. `list` is the whole file's.
    init(_ file: RIFFFile, _ list: RIFFChunk) throws(InstrumentError) {
        self.file = file
        var lists: [String: [RIFFChunk]] = [:]
        for chunk in try file.chunks(in: list.range) {
            if let kind = chunk.list, lists[kind] == nil { lists[kind] = try file.chunks(in: chunk.range) }
        }
        func part(_ name: String) throws(InstrumentError) -> ByteReader {
            guard let chunk = lists["pdta"]?.first(where: { $0.name == name }) else {
                throw file.fault(
                    .damaged, "no list \"\(name)\"", "A SoundFont has nine lists of presets, instruments and samples.",
                    cure: "Get the file again, it is cut off.")
            }
            guard chunk.range.count <= 16 << 20 else {
                throw file.fault(
                    .tooLarge, "a list \"\(name)\" of \(chunk.range.count) bytes", "16 MiB of each list are read.",
                    cure: "Split the SoundFont.")
            }
            return ByteReader(try file.bytes(chunk.range))
        }
        (presetBags, presetModulators, presetGenerators) = (try part("pbag"), try part("pmod"), try part("pgen"))
        instruments = try part("inst")
        (instrumentBags, instrumentModulators) = (try part("ibag"), try part("imod"))
        instrumentGenerators = try part("igen")
        presets = Self.presets(try part("phdr"))
        headers = Self.headers(try part("shdr"))
        let frames = lists["sdta"]?.first { $0.name == "smpl" }?.range ?? 0..<0
        let low = lists["sdta"]?.first { $0.name == "sm24" }?.range
        (samples, lowSamples) = (frames, low.flatMap { $0.count >= frames.count / 2 ? $0 : nil })
        let title = lists["INFO"]?.first { $0.name == "INAM" }?.range.prefix(256) ?? 0..<0
        name = ByteReader(try file.bytes(title)).text(0, 256)
    }

    private static func presets(_ list: ByteReader) -> [Preset] {
        (0..<max(list.count / 38 - 1, 0)).map { index in
            let place = index * 38, first = list.u16(place + 24), last = list.u16(place + 38 + 24)
            return Preset(
                name: list.text(place, 20), bank: list.u16(place + 22), number: list.u16(place + 20),
                bags: first..<max(first, last))
        }
    }

    private static func headers(_ list: ByteReader) -> [Header] {
        (0..<max(list.count / 46 - 1, 0)).map { index in
            let place = index * 46
            return Header(
                name: list.text(place, 20), start: list.u32(place + 20), end: list.u32(place + 24),
                loopStart: list.u32(place + 28), loopEnd: list.u32(place + 32), rate: list.u32(place + 36),
                key: list.u8(place + 40), correction: list.s8(place + 41), type: list.u16(place + 44))
        }
    }

    // MARK: Zones

    /// One bag: generators by number, modulators in order.
    struct Bag {
        var generators: [Int: Int] = [:]
        var modulators: [ZoneModulator] = []

        /// Low and high byte of a range, or everything.
        func range(_ generator: Int) -> ClosedRange<Int>? {
            let word = generators[generator] ?? 0x7F00
            let (low, high) = (word & 0xFF, word >> 8 & 0xFF)
            return low <= high && low <= 127 ? low...min(high, 127) : nil
        }
    }

    func presetBags(_ range: Range<Int>) -> [Bag] {
        bags(range, presetBags, presetGenerators, presetModulators, last: 41)
    }

    func instrumentBags(_ index: Int) -> [Bag] {
        guard index >= 0, index < instruments.count / 22 - 1 else { return [] }
        let first = instruments.u16(index * 22 + 20), end = instruments.u16(index * 22 + 42)
        return bags(first..<max(first, end), instrumentBags, instrumentGenerators, instrumentModulators, last: 53)
    }

    /// The bags of a range; the first that names no instrument or sample is global, later ones mean nothing.
    private func bags(
        _ range: Range<Int>, _ list: ByteReader, _ generators: ByteReader, _ modulators: ByteReader, last: Int
    ) -> [Bag] {
        var global = Bag(), bags: [Bag] = []
        for index in range.clamped(to: 0..<max(list.count / 4 - 1, 0)) {
            var bag = bags.isEmpty && index == range.lowerBound ? Bag() : global
            let place = index * 4
            let end = min(list.u16(place + 4), generators.count / 4)
            for item in list.u16(place)..<max(list.u16(place), end) {
                bag.generators[generators.u16(item * 4)] = generators.u16(item * 4 + 2)
                if generators.u16(item * 4) == last { break }
            }
            let lastModulator = min(list.u16(place + 6), modulators.count / 10)
            for item in list.u16(place + 2)..<max(list.u16(place + 2), lastModulator) {
                if let modulator = Self.modulator(modulators, item * 10) { bag.modulators.set(modulator) }
            }
            if bag.generators[last] != nil {
                bags.append(bag)
            } else if index == range.lowerBound {
                global = bag
            }
        }
        return bags
    }

    /// `nil` for one whose source or curve means nothing, or that is linked to another.
    private static func modulator(_ list: ByteReader, _ place: Int) -> ZoneModulator? {
        let source = ModulatorSource(bits: UInt16(list.u16(place))), destination = list.u16(place + 2)
        let scale = ModulatorSource(bits: UInt16(list.u16(place + 6))), transform = list.u16(place + 8)
        guard destination < ZoneGenerator.count, source.isKnown, scale.isKnown, source.bits != 0,
            transform == 0 || transform == 2
        else { return nil }
        return ZoneModulator(
            source: source, scale: scale, destination: destination, amount: Float(list.s16(place + 4)),
            isAbsolute: transform == 2)
    }
}

extension [ZoneModulator] {
    /// Puts a modulator in the place of the same one, or adds it.
    mutating func set(_ modulator: ZoneModulator) {
        if let index = firstIndex(where: { $0.isSame(as: modulator) }) {
            self[index] = modulator
        } else {
            append(modulator)
        }
    }
}
