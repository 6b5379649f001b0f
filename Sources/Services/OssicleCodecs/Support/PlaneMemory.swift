/// Planes of double precision that belong to an encoder, a decoder or a stage of a conversion: one per channel, of equal length, growing when asked.
package final class PlaneMemory {
    package private(set) var planes: [UnsafeMutablePointer<Double>]
    package private(set) var capacity: Int

    /// The counts must not be negative.
    package init(channelCount: Int, capacity: Int) {
        self.capacity = capacity
        planes = (0..<channelCount).map { _ in Self.zeros(capacity) }
    }

    deinit { planes.forEach { $0.deallocate() } }

    /// Makes room for `frames` frames; what was in is lost when it grows.
    package func reserve(_ frames: Int) {
        guard frames > capacity else { return }
        planes.forEach { $0.deallocate() }
        capacity = frames
        planes = planes.map { _ in Self.zeros(frames) }
    }

    /// The first `count` frames, to hand out.
    package func frames(_ count: Int) -> PlanarFrames { PlanarFrames(planes: planes.map { UnsafePointer($0) }, count: count) }

    private static func zeros(_ count: Int) -> UnsafeMutablePointer<Double> {
        let plane = UnsafeMutablePointer<Double>.allocate(capacity: count)
        plane.initialize(repeating: 0, count: count)
        return plane
    }
}
