/// How filters and delays follow a direction that moves: low-passes in time, the filters' in steps of a quantum, the
/// delays' of any length.
///
///     filters   one pole            y ← y + (x − y)·s,  s = n/(n + τ)          n frames in this step
///     delays    three in a row                                                  τ = `HRTFTable.settling`
///
/// A head is measured every few degrees and known in straight lines between, each measurement a little wrong: a tone is
/// modulated by the corners as they pass, and by nothing so much as by the delays', since at 1 kHz 5 µs are already −30
/// dB. What is slower than 1/(2πτ) passes, which is what a head does to a sound that moves around it; the corners do
/// not. It is behind by τ and 3τ, and in the end exactly there. A value; audio thread.
struct DirectionSmoothing: BitwiseCopyable {
    /// Time constants after which it is taken to be there: what the delays lack by then is some millionths of the way.
    private static let duration: Float = 24

    private var wanted = SIMD2<Float>.zero
    private var stages = (SIMD2<Float>.zero, SIMD2<Float>.zero, SIMD2<Float>.zero)
    private var settling: Float = 1
    /// Frames left until it is there.
    private var left: Float = 0

    init() {}

    /// There already.
    init(at delays: (left: Float, right: Float)) {
        wanted = SIMD2(delays.left, delays.right)
        stages = (wanted, wanted, wanted)
    }

    var isOver: Bool { left <= 0 }
    var delays: (left: Float, right: Float) { (stages.2.x, stages.2.y) }

    /// - Parameter settling: τ in frames.
    mutating func begin(to delays: (left: Float, right: Float), settling: Float) {
        wanted = SIMD2(delays.left, delays.right)
        (self.settling, left) = (settling, Self.duration * settling)
    }

    mutating func move(on frames: Int) {
        left -= Float(frames)
        if isOver {
            stages = (wanted, wanted, wanted)
            return
        }
        let share = Float(frames) / (Float(frames) + settling)
        stages.0 += (wanted - stages.0) * share
        stages.1 += (stages.0 - stages.1) * share
        stages.2 += (stages.1 - stages.2) * share
    }
}
