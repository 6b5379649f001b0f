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
