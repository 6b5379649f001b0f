import OssicleCodecs

/// The client's side: asked with the number of packets that would be welcome.
typealias Pull = (_ packets: Int) -> ConverterInput

/// What a stage has for the next one.
enum SourcePiece {
    /// One frame or more, valid until the next call.
    case frames(PlanarFrames)
    /// Nothing now, perhaps later.
    case ranDry
    /// Nothing ever again.
    case ended

    /// Frames of a piece at most, whatever the client requests: memory stays bounded.
    static let longest = 4096
}

/// A stage of a conversion: gives frames and asks the stage before it for as much as that takes.
protocol FrameSource: AnyObject {
    var channelCount: Int { get }
    /// Up to `limit` frames, at least one when there are any.
    func next(_ limit: Int, _ pull: Pull) throws(ConversionError) -> SourcePiece
}

/// Makes infinities and NaN silence, ahead of filters and encoders that would spread them.
final class FiniteStage: FrameSource {
    private let source: any FrameSource
    private let memory: PlaneMemory

    var channelCount: Int { source.channelCount }

    init(_ source: any FrameSource) {
        self.source = source
        memory = PlaneMemory(channelCount: source.channelCount, capacity: SourcePiece.longest)
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

/// Drops frames at the beginning and the end of a stream. To know the end it holds back as many frames as it drops
/// there.
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
        given = PlaneMemory(channelCount: source.channelCount, capacity: SourcePiece.longest)
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

/// Planar frames that wait, in rings that grow.
final class FrameQueue {
    private var rings: PlaneMemory
    private var first = 0
    private(set) var count = 0

    init(channelCount: Int) {
        rings = PlaneMemory(channelCount: channelCount, capacity: SourcePiece.longest)
    }

    /// Takes the frames behind the first `skipped`.
    func append(_ frames: PlanarFrames, from skipped: Int) {
        let added = frames.count - skipped
        if count + added > rings.capacity { grow(to: count + added) }
        let start = (first + count) % rings.capacity
        let untilEnd = min(added, rings.capacity - start)
        for (ring, plane) in zip(rings.planes, frames.planes) {
            (ring + start).update(from: plane + skipped, count: untilEnd)
            ring.update(from: plane + skipped + untilEnd, count: added - untilEnd)
        }
        count += added
    }

    /// Moves the first `number` frames into `memory`.
    func remove(_ number: Int, into memory: PlaneMemory) -> PlanarFrames {
        copy(number, into: memory)
        first = (first + number) % rings.capacity
        count -= number
        return memory.frames(number)
    }

    private func copy(_ number: Int, into memory: PlaneMemory) {
        let untilEnd = min(number, rings.capacity - first)
        for (plane, ring) in zip(memory.planes, rings.planes) {
            plane.update(from: ring + first, count: untilEnd)
            (plane + untilEnd).update(from: ring, count: number - untilEnd)
        }
    }

    private func grow(to needed: Int) {
        let larger = PlaneMemory(channelCount: rings.planes.count, capacity: max(2 * rings.capacity, needed))
        copy(count, into: larger)
        (rings, first) = (larger, 0)
    }
}
