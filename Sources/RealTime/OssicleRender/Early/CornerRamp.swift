/// A gain towards each corner of the cube around the head, on its way in straight lines, counted in frames.
struct CornerRamp: BitwiseCopyable {
    private var start = SIMD8<Float>.zero
    private(set) var target = SIMD8<Float>.zero
    private var frames = 0
    private var index = 0

    private var isIdle: Bool { index >= frames }
    var isSilent: Bool { isIdle && target == .zero }

    private func value(_ frame: Int) -> SIMD8<Float> { frame < frames ? start + (target - start) * (Float(frame) / Float(frames)) : target }

    /// On the way there already it goes on as it does.
    mutating func setTarget(_ gains: SIMD8<Float>, frames: Int) {
        guard gains != target else { return }
        start = value(index)
        target = gains
        self.frames = frames
        index = 0
    }

    /// Adds a mono sound to the corners.
    mutating func add(_ sound: UnsafePointer<Float>, to corners: UnsafeMutablePointer<SIMD8<Float>>, _ frames: Int) {
        if isIdle {
            for frame in 0..<frames { corners[frame] += target * sound[frame] }
        } else {
            for frame in 0..<frames { corners[frame] += value(index + frame) * sound[frame] }
            index += frames
        }
    }
}
