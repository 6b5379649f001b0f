import OssicleCore

/// What many paths add up to at the eight corners, frame by frame, until it goes out channel by channel.
struct CornerSum: ~Copyable {
    let frames: UnsafeMutablePointer<SIMD8<Float>>

    init() {
        frames = .allocate(capacity: Grid.quantum)
        frames.initialize(repeating: .zero, count: Grid.quantum)
    }

    deinit { frames.deallocate() }

    func clear(_ count: Int) {
        for frame in 0..<count { frames[frame] = .zero }
    }

    /// Corner k to the k-th of `outputs`.
    func write(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int) {
        for corner in 0..<DiffuseEars.cornerCount {
            let output = outputs[corner]
            for frame in 0..<count { output[frame] = frames[frame][corner] }
        }
    }
}
