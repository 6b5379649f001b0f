import OssicleCodecs

/// Planar frames that wait, in rings that grow.
final class FrameQueue {
    private var rings: PlaneMemory
    private var first = 0
    private(set) var count = 0

    init(channelCount: Int) {
        rings = PlaneMemory(channelCount: channelCount, capacity: ConversionStream.pieceLength)
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
