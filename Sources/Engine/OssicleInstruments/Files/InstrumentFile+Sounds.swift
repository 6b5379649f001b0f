// Instruments that are made of sound files.

import Foundation
import OssicleFiles
import OssicleRender

extension InstrumentFile {
    /// Frames of one sound file that are read at the most: 2 GB.
    private static let mostFrames = 1 << 29

    /// Reads an instrument: a preset of the sampler, an EXS24 instrument, or one sound file.
    package static func instrument(path: String) throws(InstrumentError) -> Instrument {
        let source: FileBytes
        do { source = try FileBytes(path: path) } catch { throw InstrumentError(error) }
        let file = RIFFFile(source: source, name: path, byteCount: Int(clamping: source.byteCount))
        let head = ByteReader(try file.bytes(0..<20))
        if head.tag(0) == "RIFF", ["sfbk", "DLS "].contains(head.tag(8)) {
            return try bank(path: path)
        }
        if SamplerInstrument.isOne(head) { return try SamplerInstrument.read(file, path) }
        if let preset = try SamplerPreset(file, path) { return try preset.instrument() }
        return try audioFiles(paths: [path])
    }

    /// One zone for each file: keys, root and loop from the file where it states them. A single file without any lies
    /// over all keys, with its own pitch at middle C; of several each has one key, from middle C up.
    package static func audioFiles(paths: [String]) throws(InstrumentError) -> Instrument {
        guard !paths.isEmpty else {
            throw InstrumentError(
                .damaged, object: "sampler", found: "no files",
                rule: "An instrument is made of at least one sound file.",
                cure: "Name one.")
        }
        var draft = InstrumentDraft(), blocks: [SampleBlock?] = []
        draft.programs = [InstrumentDraft.Program(bank: 0, number: 0, name: name(of: paths[0]))]
        for (index, path) in paths.enumerated() {
            let sound = try SoundFileSamples(path: path, atMost: mostFrames)
            var zone = InstrumentZone()
            if paths.count > 1 {
                let key = UInt8(min(60 + index, 127))
                (zone.lowKey, zone.highKey, zone.rootPitch) = (key, key, Float(key) * 100)
            }
            sound.facts.apply(to: &zone)
            for zone in sound.zones(zone, firstSample: blocks.count) {
                draft.add(zone, modulators: ZoneModulator.plain)
            }
            blocks += sound.blocks
        }
        return draft.instrument(named: name(of: paths[0]), samples: blocks)
    }

    static func name(of path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }

    /// That a bank has no such program.
    package static func noProgram(_ path: String, _ program: ProgramNumber) -> InstrumentError {
        InstrumentError(
            .noProgram, object: path, found: "no program \(program.number) in bank \(program.bank)",
            rule: "A program is chosen by a number and a bank that the file has; bank 128 is percussion.",
            cure: "Choose one of the file's.")
    }
}

extension ZoneModulator {
    /// The standard ones but for that from velocity to cutoff: a sound file stays as bright as it is.
    static let plain = standard.filter { $0.destination != ZoneGenerator.filterCutoff }
}

/// The channels of a sound file in memory, and what it says about keys.
struct SoundFileSamples {
    let blocks: [SampleBlock]
    let facts: SoundFileFacts

    /// Up to two channels of a file.
    init(path: String, atMost limit: Int) throws(InstrumentError) {
        do {
            let reader = try AudioFileReader(path: path)
            let channels = min(reader.info.channelCount, 2)
            let planes = try Self.read(reader, channels, atMost: min(limit, Int(clamping: reader.info.frameCount)))
            blocks = planes.map { plane in
                let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(plane.count, 1))
                memory.initialize(from: plane, count: plane.count)
                return SampleBlock(float: memory, count: plane.count, rate: max(reader.info.sampleRate, 1))
            }
        } catch { throw InstrumentError(error) }
        facts = SoundFileFacts(path: path)
        guard let first = blocks.first, first.frameCount > 0 else {
            throw InstrumentError(
                .damaged, object: path, found: "no frames", rule: "A sample has at least one frame.",
                cure: "Use another file.")
        }
    }

    private static func read(
        _ reader: AudioFileReader, _ channels: Int, atMost limit: Int
    ) throws(AudioFileError) -> [[Float]] {
        let piece = 1 << 16
        let memory = (0..<channels).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: piece) }
        defer { for plane in memory { plane.deallocate() } }
        var planes = [[Float]](repeating: [], count: channels)
        while let done = planes.first?.count, done < limit {
            let count = try reader.read(into: memory, frames: min(piece, limit - done))
            guard count > 0 else { break }
            for channel in 0..<channels {
                planes[channel] += UnsafeBufferPointer(start: memory[channel], count: count)
            }
        }
        return planes
    }

    /// The zone once for each channel, two of them left and right.
    func zones(_ zone: InstrumentZone, firstSample: Int) -> [InstrumentZone] {
        blocks.indices.map { index in
            var own = zone
            own.sample = Int32(firstSample + index)
            if own.end <= 0 { own.end = blocks[index].frameCount }
            if blocks.count > 1 { own.generators[ZoneGenerator.pan] = index == 0 ? -500 : 500 }
            return own
        }
    }
}

/// What a sound file says about playing it on keys: WAVE's chunks `smpl` and `inst`, AIFF's `INST`.
struct SoundFileFacts {
    var root: Int?
    /// Cents by which the sound's own pitch lies above the root.
    var fine = 0.0
    var keys: ClosedRange<Int>?
    var velocities: ClosedRange<Int>?
    /// First frame and the one behind the last.
    var loop: Range<Int>?

    init() {}

    /// Nothing where the file says nothing.
    init(path: String) {
        guard let source = try? FileBytes(path: path) else { return }
        let file = RIFFFile(source: source, name: path, byteCount: Int(clamping: source.byteCount))
        guard let head = try? ByteReader(file.bytes(0..<12)) else { return }
        if head.tag(0) == "RIFF", head.tag(8) == "WAVE" {
            guard let whole = try? file.chunks(in: 0..<file.byteCount).first,
                let chunks = try? file.chunks(in: whole.range)
            else { return }
            for chunk in chunks {
                guard let bytes = try? ByteReader(file.bytes(chunk.range.prefix(4096))) else { continue }
                if chunk.name == "smpl" { take(sampler: bytes) }
                if chunk.name == "inst" { take(instrument: bytes) }
            }
        } else if head.tag(0) == "FORM" {
            readAIFF(file)
        }
    }

    private mutating func take(sampler bytes: ByteReader) {
        guard bytes.count >= 36 else { return }
        root = bytes.u32(12) <= 127 ? bytes.u32(12) : root
        fine = Double(bytes.u32(16)) / 4_294_967_296 * 100
        // Forward loops; the end is the last frame that is played.
        if bytes.u32(28) > 0, bytes.count >= 60, bytes.u32(40) == 0, bytes.u32(48) > bytes.u32(44) {
            loop = bytes.u32(44)..<bytes.u32(48) + 1
        }
    }

    private mutating func take(instrument bytes: ByteReader) {
        guard bytes.count >= 7 else { return }
        root = bytes.u8(0) <= 127 ? bytes.u8(0) : root
        // How far it is to be moved, not how far it is off.
        fine = -Double(bytes.s8(1))
        setRanges(keys: (bytes.u8(3), bytes.u8(4)), velocities: (bytes.u8(5), bytes.u8(6)))
    }

    private mutating func setRanges(keys: (Int, Int), velocities: (Int, Int)) {
        if keys.0 <= keys.1, keys.1 <= 127 { self.keys = keys.0...keys.1 }
        if velocities.0 <= velocities.1, velocities.1 <= 127 { self.velocities = velocities.0...velocities.1 }
    }

    /// Base note, detune, low and high note, low and high velocity.
    private mutating func readAIFF(_ file: RIFFFile) {
        var place = 12
        for _ in 0..<RIFFFile.mostChunks {
            guard place + 8 <= file.byteCount, let read = try? file.bytes(place..<place + 28) else { return }
            var bytes = ByteReader(read)
            bytes.isBigEndian = true
            if bytes.tag(0) == "INST" {
                root = bytes.u8(8) <= 127 ? bytes.u8(8) : nil
                fine = -Double(bytes.s8(9))
                return setRanges(keys: (bytes.u8(10), bytes.u8(11)), velocities: (bytes.u8(12), bytes.u8(13)))
            }
            let length = bytes.u32(4)
            place += 8 + length + length & 1
        }
    }

    /// The zone as the file wants it.
    func apply(to zone: inout InstrumentZone) {
        if let root { zone.rootPitch = Float(root) * 100 + Float(fine) }
        if let keys { (zone.lowKey, zone.highKey) = (UInt8(keys.lowerBound), UInt8(keys.upperBound)) }
        if let velocities {
            (zone.lowVelocity, zone.highVelocity) = (UInt8(velocities.lowerBound), UInt8(velocities.upperBound))
        }
        if let loop { (zone.loop, zone.loopStart, zone.loopEnd) = (.endless, loop.lowerBound, loop.upperBound) }
    }
}
