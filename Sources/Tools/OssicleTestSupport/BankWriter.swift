/// Bytes of RIFF files, least significant byte first.
public struct RIFFBytes {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public mutating func u8(_ value: Int) { bytes.append(UInt8(truncatingIfNeeded: value)) }
    public mutating func u16(_ value: Int) { for shift in [0, 8] { u8(value >> shift) } }
    public mutating func u32(_ value: Int) { for shift in [0, 8, 16, 24] { u8(value >> shift) } }
    public mutating func text(_ text: String, _ length: Int) {
        let kept = Array(text.utf8.prefix(length))
        bytes += kept + [UInt8](repeating: 0, count: length - kept.count)
    }

    public static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        var chunk = RIFFBytes()
        chunk.text(name, 4)
        chunk.u32(content.count)
        return chunk.bytes + content + (content.count % 2 == 1 ? [0] : [])
    }

    public static func list(_ kind: String, _ chunks: [[UInt8]], name: String = "LIST") -> [UInt8] {
        chunk(name, Array(kind.utf8) + chunks.flatMap { $0 })
    }

    public static func make(_ body: (inout RIFFBytes) -> Void) -> [UInt8] {
        var bytes = RIFFBytes()
        body(&bytes)
        return bytes.bytes
    }
}

/// A SoundFont as its lists say it.
public struct BankWriter {
    public typealias Generators = [(Int, Int)]
    public struct Zone {
        var generators: Generators
        var modulators: [(Int, Int, Int, Int)]

        /// - Parameter modulators: source, destination, amount, second source.
        public init(generators: Generators, modulators: [(Int, Int, Int, Int)] = []) {
            (self.generators, self.modulators) = (generators, modulators)
        }
    }
    public struct Preset {
        var name: String
        var number: Int
        var bank: Int
        var zones: [Zone]

        public init(name: String = "preset", number: Int = 0, bank: Int = 0, zones: [Zone]) {
            (self.name, self.number, self.bank, self.zones) = (name, number, bank, zones)
        }
    }

    public struct Sample {
        var name: String
        var frames: [Int16]
        var loop: Range<Int>
        var rate: Int
        var key: Int
        var correction: Int
        public var type: Int
        /// A compressed file in place of the frames, as in version 3. Of a bank all samples or none.
        public var packed: [UInt8]?

        public init(
            name: String = "sample", frames: [Int16], loop: Range<Int> = 0..<0, rate: Int = 48_000, key: Int = 60,
            correction: Int = 0, type: Int = 1
        ) {
            (self.name, self.frames, self.loop, self.rate) = (name, frames, loop, rate)
            (self.key, self.correction, self.type) = (key, correction, type)
        }
    }

    public var presets: [Preset]
    public var instruments: [[Zone]]
    public var samples: [Sample]

    public init(presets: [Preset], instruments: [[Zone]], samples: [Sample]) {
        (self.presets, self.instruments, self.samples) = (presets, instruments, samples)
    }

    /// Low and high byte of a range.
    public static func range(_ low: Int, _ high: Int) -> Int { low | high << 8 }

    private static func zones(_ all: [[Zone]], _ last: String) -> [String: [UInt8]] {
        var bags = RIFFBytes(), modulators = RIFFBytes(), generators = RIFFBytes(), counts = (0, 0)
        for zone in all.flatMap({ $0 }) {
            bags.u16(counts.0)
            bags.u16(counts.1)
            for (generator, value) in zone.generators {
                generators.u16(generator)
                generators.u16(value)
            }
            for (source, destination, amount, scale) in zone.modulators {
                for number in [source, destination, amount, scale, 0] { modulators.u16(number) }
            }
            counts = (counts.0 + zone.generators.count, counts.1 + zone.modulators.count)
        }
        bags.u16(counts.0)
        bags.u16(counts.1)
        generators.u32(0)
        for _ in 0..<5 { modulators.u16(0) }
        return [last + "bag": bags.bytes, last + "mod": modulators.bytes, last + "gen": generators.bytes]
    }

    /// The file.
    public var bytes: [UInt8] {
        var parts = Self.zones(presets.map(\.zones), "p").merging(Self.zones(instruments, "i")) { $1 }
        var bag = 0
        parts["phdr"] = RIFFBytes.make { list in
            for preset in presets + [Preset(name: "EOP", zones: [])] {
                list.text(preset.name, 20)
                for number in [preset.number, preset.bank, bag] { list.u16(number) }
                for _ in 0..<3 { list.u32(0) }
                bag += preset.zones.count
            }
        }
        bag = 0
        parts["inst"] = RIFFBytes.make { list in
            for zones in instruments + [[]] {
                list.text("instrument", 20)
                list.u16(bag)
                bag += zones.count
            }
        }
        var frames = RIFFBytes(), place = 0
        parts["shdr"] = RIFFBytes.make { list in
            for sample in samples {
                // Loops of a compressed sample count from its own first frame.
                let start = sample.packed == nil ? place : 0
                list.text(sample.name, 20)
                for number in [
                    place, place + (sample.packed?.count ?? sample.frames.count), start + sample.loop.lowerBound,
                    start + sample.loop.upperBound,
                    sample.rate,
                ] { list.u32(number) }
                list.u8(sample.key)
                list.u8(sample.correction)
                list.u16(0)
                list.u16(sample.type)
                place += sample.packed?.count ?? sample.frames.count + 46
            }
            list.text("EOS", 46)
        }
        for sample in samples {
            for byte in sample.packed ?? [] { frames.u8(Int(byte)) }
            if sample.packed != nil { continue }
            for frame in sample.frames { frames.u16(Int(frame)) }
            for _ in 0..<46 { frames.u16(0) }
        }
        let order = ["phdr", "pbag", "pmod", "pgen", "inst", "ibag", "imod", "igen", "shdr"]
        return RIFFBytes.list(
            "sfbk",
            [
                RIFFBytes.list("INFO", [RIFFBytes.chunk("INAM", Array("A bank".utf8) + [0, 0])]),
                RIFFBytes.list("sdta", [RIFFBytes.chunk("smpl", frames.bytes)]),
                RIFFBytes.list("pdta", order.map { RIFFBytes.chunk($0, parts[$0] ?? []) }),
            ], name: "RIFF")
    }
}
