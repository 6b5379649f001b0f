import OssicleCodecs
import OssicleCore

/// Adds triangular noise of ±1 step ahead of the rounding to fewer bits, so that the error is noise instead of distortion: its mean and
/// power no longer depend on the sound, and with the rounding's own the power is 3 · step²/12 (Lipshitz, Wannamaker and Vanderkooy 1992).
///
/// The noise of a channel's frame depends on nothing but the two numbers.
final class Dither: FrameSource {
    /// Whether it does anything; the frames count on all the same.
    var isOn = false
    private let source: any FrameSource
    private let step: Double
    private let noise: [CounterRandom]
    private let memory: PlaneMemory
    private var position: UInt64 = 0

    var channelCount: Int { source.channelCount }

    init(_ source: any FrameSource, bits: Int) {
        self.source = source
        step = 1 / Double(UInt64(1) << UInt64(clamping: bits - 1))
        noise = (0..<source.channelCount).map { CounterRandom(seed: CounterRandom.number(of: "dither"), object: UInt64($0)) }
        memory = PlaneMemory(channelCount: source.channelCount, capacity: ConversionStream.pieceLength)
    }

    func next(_ limit: Int, _ pull: Pull) throws(ConversionError) -> SourcePiece {
        let piece = try source.next(min(limit, memory.capacity), pull)
        guard case .frames(let frames) = piece else { return piece }
        defer { position &+= UInt64(frames.count) }
        guard isOn else { return .frames(frames) }
        for channel in noise.indices { add(noise[channel], to: frames.planes[channel], count: frames.count, into: memory.planes[channel]) }
        return .frames(memory.frames(frames.count))
    }

    /// The two halves of a random word are two uniform numbers; their difference is triangular.
    private func add(_ random: CounterRandom, to plane: UnsafePointer<Double>, count: Int, into target: UnsafeMutablePointer<Double>) {
        let scale = step * 0x1p-32
        for index in 0..<count {
            let bits = random.bits(position &+ UInt64(index))
            let triangular = Double(Int64(bits >> 32) - Int64(bits & 0xFFFF_FFFF))
            target[index] = plane[index] + triangular * scale
        }
    }
}
