import OssicleCodecs

/// The head of a conversion that begins with samples: reads what the client gives.
final class SampleSource: FrameSource {
    private let format: PCMFormat
    private let packing: SamplePacking
    private let memory: PlaneMemory
    private var buffers: [UnsafeRawPointer] = []
    private var first = 0
    private var remaining = 0
    private var hasEnded = false

    var channelCount: Int { format.channelCount }

    init(_ format: PCMFormat) throws(ConversionError) {
        self.format = format
        packing = try SamplePacking(format)
        memory = PlaneMemory(channelCount: format.channelCount, capacity: ConversionStream.pieceLength)
    }

    func next(_ limit: Int, _ pull: Pull) throws(ConversionError) -> SourcePiece {
        if remaining == 0, !hasEnded { try take(pull(limit)) }
        guard remaining > 0 else { return hasEnded ? .ended : .ranDry }
        let count = min(limit, remaining, memory.capacity)
        packing.unpack(buffers, from: first, count: count, into: memory.planes)
        first += count
        remaining -= count
        return .frames(memory.frames(count))
    }

    private func take(_ input: ConverterInput) throws(ConversionError) {
        switch input {
        case .samples(let buffers, let frames):
            guard buffers.count == format.bufferCount, frames >= 0 else {
                throw ConversionError(.invalidBuffer, found: "\(frames) frames of input in \(buffers.count) buffers",
                                      rule: "This input has \(format.bufferCount) and never less than 0 frames.",
                                      cure: "Give buffers of the input's format.")
            }
            (self.buffers, first, remaining) = (buffers, 0, frames)
        case .packets: throw ConversionError(.invalidBuffer, found: "packets of input", rule: "This input is linear PCM.", cure: "Give its samples.")
        case .nothingNow: break
        case .endOfStream: hasEnded = true
        }
    }
}
