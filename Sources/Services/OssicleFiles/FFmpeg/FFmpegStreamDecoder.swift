#if FFmpeg
// A stream of a file, decoded piece by piece and from any place.

import CFFmpeg
import OssicleCodecs

/// Decodes the packets of one file's stream, so that every frame comes out the same wherever reading began. For one
/// thread at a time.
final class FFmpegStreamDecoder {
    /// The frame of the stream with which the next piece begins.
    private(set) var position: Int64 = 0
    private let bytes: FileBytes
    private let timeline: FFmpegTimeline
    private let channelCount: Int
    private let decoder: FFmpegDecoder
    private var input: FFmpegInput
    /// Where packets have no table, an input that has met them all and finds them again.
    private let finder: FFmpegInput?
    private let packet = FFmpegPacket()
    /// The packets before the next, as far as a new decoder wants to see them.
    private var history: [FFmpegPacket] = []
    private var number = 0
    private var isDrained = false
    /// A packet's worth of memory for each channel, for packets that give too little.
    private let filler: [UnsafeMutablePointer<Double>]

    init(
        _ bytes: FileBytes, _ timeline: FFmpegTimeline, shape: FFmpegStreamShape, finder: FFmpegInput? = nil
    ) throws(AudioFileError) {
        self.bytes = bytes
        self.finder = finder
        self.timeline = timeline
        channelCount = shape.channelCount
        input = try FFmpegInput(bytes)
        decoder = try Self.makeDecoder(input, path: bytes.name)
        filler = (0..<shape.channelCount).map { _ in .allocate(capacity: shape.framesPerPacket) }
    }

    deinit { filler.forEach { $0.deallocate() } }

    static func makeDecoder(_ input: FFmpegInput, path: String) throws(AudioFileError) -> FFmpegDecoder {
        do throws(CodecError) {
            return try FFmpegDecoder(input.stream.pointee.codecpar, object: path)
        } catch {
            throw AudioFileError(
                error.kind == .damaged ? .damaged : .unsupported, path: path, found: error.found, rule: error.rule,
                cure: error.cure)
        }
    }

    /// Packets read so far: what it cost to come to a place.
    var packetsRead: Int { input.packetsRead }

    /// The next piece, valid until the next call; empty at the end.
    func next() throws(AudioFileError) -> PlanarFrames {
        while number < timeline.packetCount || timeline.framesPerPacket == 0 {
            if timeline.entry == .grid, number > 0, number % FFmpegTimeline.grid == 0 { try renew() }
            guard input.read(into: packet.pointer) else { break }
            let frames = fit((try? decoder.decode(packet.pointer)) ?? .none)
            remember()
            number += 1
            position += Int64(frames.count)
            if frames.count > 0 { return frames }
        }
        return drain()
    }

    /// Goes to a place from which `frame` is reached by reading on, the nearest there is.
    func move(toward frame: Int64) throws(AudioFileError) {
        let wanted = timeline.framesPerPacket > 0 ? Int(clamping: frame / Int64(timeline.framesPerPacket)) : 0
        let entry = timeline.entry(before: wanted)
        if position <= frame, entry <= number { return }
        if entry > 0, enter(entry) { return }
        if position > frame { try rewind() }
    }

    /// Goes to a packet from which decoding may begin, other than the first; false, at an unknown place, when it cannot
    /// be found.
    private func enter(_ entry: Int) -> Bool {
        history.removeAll()
        if let finder { replaceInput(finder) }
        guard let place = timeline.place(of: entry - FFmpegTimeline.preroll, in: input) else { return lose() }
        for index in 0..<FFmpegTimeline.preroll {
            guard index == 0 ? input.read(into: packet.pointer, at: place) : input.read(into: packet.pointer) else {
                return lose()
            }
            history.append(FFmpegPacket(copying: packet))
        }
        number = entry
        position = Int64(entry) * Int64(timeline.framesPerPacket)
        return true
    }

    /// Makes sure that only a new beginning helps.
    private func lose() -> Bool {
        position = .max
        return false
    }

    private func rewind() throws(AudioFileError) {
        replaceInput(try FFmpegInput(bytes))
        try reset()
        history.removeAll()
        (number, position, isDrained) = (0, 0, false)
    }

    private func replaceInput(_ other: FFmpegInput) {
        other.packetsRead = input.packetsRead
        input = other
    }

    /// A new decoder, warmed up with the packets before the next.
    private func renew() throws(AudioFileError) {
        try reset()
        for packet in history { _ = try? decoder.decode(packet.pointer) }
        history.removeAll()
    }

    private func reset() throws(AudioFileError) {
        do throws(CodecError) { try decoder.reset() } catch {
            throw AudioFileError(.damaged, path: bytes.name, found: error.found, rule: error.rule, cure: error.cure)
        }
    }

    private func remember() {
        guard timeline.entry == .grid, number % FFmpegTimeline.grid >= FFmpegTimeline.grid - FFmpegTimeline.preroll
        else { return }
        history.append(FFmpegPacket(copying: packet))
    }

    /// Brings what a packet gave to the length that its number tells, with silence for what is missing.
    private func fit(_ frames: PlanarFrames) -> PlanarFrames {
        guard timeline.framesPerPacket > 0 else { return frames.planes.count == channelCount ? frames : .none }
        let wanted = Int(clamping: min(Int64(timeline.framesPerPacket), max(0, timeline.frameCount - position)))
        let found = frames.planes.count == channelCount ? frames.count : 0
        guard found < wanted else { return PlanarFrames(planes: frames.planes, count: wanted) }
        for (channel, plane) in filler.enumerated() {
            if found > 0 { plane.update(from: frames.planes[channel], count: found) }
            (plane + found).update(repeating: 0, count: wanted - found)
        }
        return PlanarFrames(planes: filler.map { UnsafePointer($0) }, count: wanted)
    }

    /// What packets that differ leave in the decoder.
    private func drain() -> PlanarFrames {
        guard timeline.framesPerPacket == 0, !isDrained else { return .none }
        isDrained = true
        let frames = fit((try? decoder.decode(nil)) ?? .none)
        position += Int64(frames.count)
        return frames
    }
}
#endif
