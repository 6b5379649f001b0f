/// A weight between 0 and 1 on its way along 3t² − 2t³: without a bend at either end, so that a tone that comes or goes has little beside itself, and
/// so that what fades in and what fades out add up to 1.
struct SmoothFade: BitwiseCopyable {
    private var start: Float = 0
    private(set) var target: Float = 0
    private var frames = 0
    private var index = 0

    var isIdle: Bool { index >= frames }
    /// Frames until the target is reached.
    var framesLeft: Int { max(frames - index, 0) }

    private func value(_ frame: Int) -> Float {
        guard frame < frames else { return target }
        let t = Float(frame) * (1 / Float(frames))
        return start + (target - start) * (t * t * (3 - 2 * t))
    }

    /// From wherever it has got to; 0 frames: at once.
    mutating func setTarget(_ weight: Float, frames: Int) {
        start = value(index)
        target = weight
        self.frames = start == target ? 0 : frames
        index = 0
    }

    /// sound · weight, in place.
    mutating func process(_ sound: UnsafeMutablePointer<Float>, _ n: Int) {
        let moving = min(framesLeft, n)
        for i in 0..<moving { sound[i] *= value(index + i) }
        index += moving
        if target == 0 { (sound + moving).update(repeating: 0, count: n - moving) }
    }
}
