import OssicleCodecs

/// Drops frames at the beginning and the end of a stream. To know the end it holds back as many frames as it drops there.
final class TrimStage: FrameSource {
    private let source: any FrameSource
    private var leading: Int
    private let trailing: Int
    private let held: FrameQueue
    private let given: PlaneMemory

    var channelCount: Int { source.channelCount }

    init(_ source: any FrameSource, leading: Int, trailing: Int) {
        self.source = source
        self.leading = leading
        self.trailing = trailing
        held = FrameQueue(channelCount: source.channelCount)
        given = PlaneMemory(channelCount: source.channelCount, capacity: ConversionStream.pieceLength)
    }

    func next(_ limit: Int, _ pull: Pull) throws(ConversionError) -> SourcePiece {
        let limit = min(limit, given.capacity)
        while held.count <= trailing {
            let piece = try source.next(limit, pull)
            guard case .frames(let frames) = piece else { return piece }
            let dropped = min(leading, frames.count)
            leading -= dropped
            held.append(frames, from: dropped)
        }
        return .frames(held.remove(min(limit, held.count - trailing), into: given))
    }
}
