/// Decoded frames, one plane per channel, in memory that belongs to the decoder that made them and is valid until its
/// next call. Double precision holds samples of every integer width exactly; integers of b bits are divided by 2^(b−1).
package struct PlanarFrames {
    package let planes: [UnsafePointer<Double>]
    package let count: Int

    package init(planes: [UnsafePointer<Double>], count: Int) {
        self.planes = planes
        self.count = count
    }

    package static var none: PlanarFrames { PlanarFrames(planes: [], count: 0) }
}

/// Planes of double precision that belong to an encoder, a decoder or a stage of a conversion: one per channel, of
/// equal length, growing when asked.
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

    /// The first `count` frames, for a caller.
    package func frames(_ count: Int) -> PlanarFrames {
        PlanarFrames(planes: planes.map { UnsafePointer($0) }, count: count)
    }

    private static func zeros(_ count: Int) -> UnsafeMutablePointer<Double> {
        let plane = UnsafeMutablePointer<Double>.allocate(capacity: count)
        plane.initialize(repeating: 0, count: count)
        return plane
    }
}

/// Gathers frames until a packet is full. What is no number is silence.
final class PacketBlock {
    /// Frames of a packet.
    let size: Int
    private(set) var count = 0
    private let memory: PlaneMemory

    init(channelCount: Int, size: Int) {
        self.size = size
        memory = PlaneMemory(channelCount: channelCount, capacity: size)
    }

    var planes: [UnsafeMutablePointer<Double>] { memory.planes }
    var isFull: Bool { count == size }

    /// Takes `frames` frames and calls `full` for each block that is; it is empty again after that.
    func append(
        _ source: [UnsafePointer<Double>], _ frames: Int, full: () throws(CodecError) -> Void
    ) throws(CodecError) {
        var taken = 0
        while taken < frames {
            let piece = min(size - count, frames - taken)
            for (plane, samples) in zip(memory.planes, source) {
                for index in 0..<piece {
                    let sample = samples[taken + index]
                    plane[count + index] = sample.isFinite ? sample : 0
                }
            }
            taken += piece
            count += piece
            guard isFull else { return }
            defer { count = 0 }
            try full()
        }
    }

    /// Fills up with silence.
    func pad() {
        for plane in memory.planes { (plane + count).update(repeating: 0, count: size - count) }
        count = size
    }

    func removeAll() { count = 0 }
}

/// What a decoder may give, whatever its packets hold.
package enum DecodedRange {
    /// The largest magnitude of a sample out of a lossy codec: +24 dBFS. Genuine overshoot of full scale stays within
    /// some decibels, and a float encoder that was given headroom keeps it; a damaged packet decodes to 10⁶ and more,
    /// which no loudspeaker should get.
    package static let lossyPeak = 16.0
    /// The same of a lossless codec of integers, whose samples have no room above full scale.
    package static let integerPeak = 1.0

    /// `sample` within ±`peak`; 0 where it is not a number.
    package static func clamp(_ sample: Double, to peak: Double = lossyPeak) -> Double {
        sample.isNaN ? 0 : min(max(sample, -peak), peak)
    }
}
