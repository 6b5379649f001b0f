import OssicleCodecs

/// Makes infinities and NaN silence, ahead of filters and encoders that would spread them.
final class FiniteStage: FrameSource {
    private let source: any FrameSource
    private let memory: PlaneMemory

    var channelCount: Int { source.channelCount }

    init(_ source: any FrameSource) {
        self.source = source
        memory = PlaneMemory(channelCount: source.channelCount, capacity: ConversionStream.pieceLength)
    }

    func next(_ limit: Int, _ pull: Pull) throws(ConversionError) -> SourcePiece {
        let piece = try source.next(min(limit, memory.capacity), pull)
        guard case .frames(let frames) = piece else { return piece }
        for (target, plane) in zip(memory.planes, frames.planes) {
            for index in 0..<frames.count { target[index] = plane[index].magnitude < .infinity ? plane[index] : 0 }
        }
        return .frames(memory.frames(frames.count))
    }
}
