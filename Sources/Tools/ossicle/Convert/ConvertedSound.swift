import OssicleCodecs
import OssicleConversion
import OssicleFiles

/// The samples of a sound file in the channels and at the rate of another, read piece by piece: the memory does not
/// grow with the sound.
final class ConvertedSound {
    private let reader: AudioFileReader
    /// Nil where only the bits change, which is the writer's work.
    private let converter: Converter?
    private let input: SampleBlock
    private let gain: Double
    private let dithers: Bool

    /// Frames read at a time.
    static let chunk = 8192

    /// - Parameters:
    ///   - gain: linear; applied before noise hides the loss of bits.
    ///   - dithers: whether samples come with the bits of an integer codec, rounded behind noise.
    init(path: String, as form: OutputForm, gain: Double = 1, dithers: Bool = false) throws {
        reader = try AudioFileReader(path: path)
        self.gain = gain
        self.dithers = dithers && form.codec.isInteger
        let info = reader.info
        input = SampleBlock(channels: info.channelCount, capacity: Self.chunk)
        let mixes = info.channelCount != form.channelCount
        let source = PCMFormat(
            sampleRate: info.sampleRate, channelCount: info.channelCount, bits: 64,
            channelLabels: mixes
                ? info.channelLabels ?? ChannelWords.usualLabels(info.channelCount) : info.channelLabels)
        var target = PCMFormat(
            sampleRate: Double(form.sampleRate), channelCount: form.channelCount, bits: 64,
            channelLabels: form.channelLabels)
        if self.dithers {
            (target.kind, target.bits, target.bytesPerSample, target.isAlignedHigh) = (
                .signed, form.codec.bitDepth, 4, true
            )
        }
        converter = source == target ? nil : try Converter(from: .pcm(source), to: .pcm(target))
        converter?.settings.rateQuality = 127
        converter?.settings.downmixes = true
        converter?.settings.dithers = self.dithers
    }

    /// What is wrong with the source, as far as it has been read.
    var warnings: [AudioFileWarning] { reader.warnings }
    /// What the source is.
    var info: AudioFileInfo { reader.info }
    /// Frames of the source read so far.
    var position: Int64 { reader.position }

    /// Fills `block` and returns how many frames there were; 0 at the end.
    func read(into block: SampleBlock) throws -> Int {
        guard let converter else {
            let frames = try reader.read(into: block.planes, frames: block.capacity)
            block.scale(frames, by: gain)
            return frames
        }
        var failure: AudioFileError?
        let frames = try converter.convert(into: block.rawPlanes, frames: block.capacity) { _ in
            do throws(AudioFileError) {
                let frames = try reader.read(into: input.planes, frames: input.capacity)
                input.scale(frames, by: gain)
                return frames > 0 ? .samples(input.planes.map { UnsafeRawPointer($0) }, frames: frames) : .endOfStream
            } catch {
                failure = error
                return .endOfStream
            }
        }.frames
        if let failure { throw failure }
        if dithers { Self.widen(block, frames) }
        return frames
    }

    /// Makes samples of the integers of 32 bits in the lower half of each plane, from the end on, where nothing is
    /// overwritten that is still to come.
    private static func widen(_ block: SampleBlock, _ frames: Int) {
        for plane in block.planes {
            let integers = UnsafeRawPointer(plane)
            for frame in (0..<frames).reversed() {
                plane[frame] = Double(integers.load(fromByteOffset: 4 * frame, as: Int32.self)) / 2_147_483_648
            }
        }
    }
}

/// Memory for a stretch of sound, one plane per channel.
final class SampleBlock {
    let capacity: Int
    let planes: [UnsafeMutablePointer<Double>]

    /// - Parameter capacity: in frames, at least 1.
    init(channels: Int, capacity: Int) {
        self.capacity = capacity
        planes = (0..<channels).map { _ in
            let plane = UnsafeMutablePointer<Double>.allocate(capacity: capacity)
            plane.initialize(repeating: 0, count: capacity)
            return plane
        }
    }

    deinit { planes.forEach { $0.deallocate() } }

    var constPlanes: [UnsafePointer<Double>] { planes.map { UnsafePointer($0) } }
    var rawPlanes: [UnsafeMutableRawPointer] { planes.map { UnsafeMutableRawPointer($0) } }

    /// Multiplies the first `frames` frames.
    func scale(_ frames: Int, by gain: Double) {
        guard gain != 1 else { return }
        for plane in planes { for frame in 0..<frames { plane[frame] *= gain } }
    }
}
