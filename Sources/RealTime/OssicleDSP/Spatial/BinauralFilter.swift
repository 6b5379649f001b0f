import OssicleCore

/// The binaural voice: filters the two delayed copies of a mono sound for the two ears and adds them to a stereo bus.
///
///     left in  (delayed for the left ear)  ── FIR now ──┬─ cross-fade ──▶ + left out
///                                            FIR next ──┘
///     right in (delayed for the right ear) ── the same ───────────────▶ + right out
///
/// A change of filters fades linearly, over one quantum or the piece of way it belongs to (old and new are alike, so
/// gains add to one, not powers); one that comes during a fade waits for its end, the newest wins. The fade counts
/// frames, so the cut of blocks leaves no trace. Standing still costs one filter per ear, fading two. What moves is to
/// `follow` its direction, what jumps to `turn` to it. Audio thread, but for `init`.
package struct BinauralFilter: ~Copyable {
    package let tapCount: Int
    private let memory: SampleMemory
    private let leftEar: EarMemory
    private let rightEar: EarMemory
    private let scratch: UnsafeMutablePointer<Float>

    /// Which of the filter slots sounds now, comes next, and takes the newest.
    private var now = 0, next = 1, newest = 2
    private var hasSounded = false
    private var isWaiting = false
    /// Frames since the fade began; nil outside of one.
    private var fadeFrame: Int?
    /// How long that is, and how long the next one will be; at most a quantum.
    private var fadeLength = Grid.quantum, nextLength = Grid.quantum
    private var turned: (direction: SIMD3<Float>, head: HRTFTable, delays: (left: Float, right: Float))?
    private var pursuit = DirectionSmoothing()

    /// - Parameter tapCount: of the head's filters, at least 1.
    package init(tapCount: Int) {
        self.tapCount = max(tapCount, 1)
        let perEar = EarMemory.count(self.tapCount)
        memory = SampleMemory(count: 2 * perEar + 2 * Grid.quantum)
        leftEar = EarMemory(memory.pointer, self.tapCount)
        rightEar = EarMemory(memory.pointer + perEar, self.tapCount)
        scratch = memory.pointer + 2 * perEar
    }

    /// Silence, no filters: the next ones given sound at once.
    package mutating func reset() {
        memory.clear()
        (now, next, newest) = (0, 1, 2)
        (hasSounded, isWaiting, fadeFrame, turned) = (false, false, nil, nil)
        pursuit = DirectionSmoothing()
    }

    /// New filters, `tapCount` taps each. Before the first `process` they apply at once, later over the next 128
    /// frames.
    package mutating func setFilters(left: UnsafePointer<Float>, right: UnsafePointer<Float>) {
        let slot = hasSounded ? newest : now
        leftEar.filter(slot).update(from: left, count: tapCount)
        rightEar.filter(slot).update(from: right, count: tapCount)
        (isWaiting, nextLength) = (hasSounded, Grid.quantum)
        turned = nil
        pursuit = DirectionSmoothing()
    }

    /// Turns to a direction (see `HRTFTable.interpolate`); `head.tapCount` must be this voice's, else nothing changes.
    /// The direction of before costs nothing.
    /// - Returns: delay of each ear in frames, for the caller's delay line.
    @discardableResult
    package mutating func turn(to direction: SIMD3<Float>, in head: HRTFTable) -> (left: Float, right: Float) {
        guard head.tapCount == tapCount else { return (0, 0) }
        if let turned, turned.direction == direction, turned.head == head, isSettled { return turned.delays }
        let slot = hasSounded ? newest : now
        (isWaiting, nextLength) = (hasSounded, Grid.quantum)
        let delays = head.interpolate(direction, left: leftEar.filter(slot), right: rightEar.filter(slot))
        turned = (direction, head, delays)
        pursuit = DirectionSmoothing(at: delays)
        return delays
    }

    /// Whether filters and delays are those of the direction; until then, `follow` is to be called on, with the same
    /// one at the end of a way.
    package var isSettled: Bool { pursuit.isOver }

    /// Moves on to where a steady way leads within `frames` frames: filters and delays follow smoothly (see
    /// `DirectionSmoothing`).
    /// - Returns: delay of each ear at the end of these frames.
    package mutating func follow(
        _ direction: SIMD3<Float>, in head: HRTFTable, frames: Int
    ) -> (left: Float, right: Float) {
        guard hasSounded, let turned, turned.head == head else { return turn(to: direction, in: head) }
        if turned.direction != direction {
            let delays = head.interpolate(
                direction, left: leftEar.filter(EarMemory.wanted), right: rightEar.filter(EarMemory.wanted))
            self.turned = (direction, head, delays)
            pursuit.begin(to: delays, settling: head.settling)
        }
        guard !isSettled else { return turned.delays }
        let latest = isWaiting ? newest : (fadeFrame == nil ? now : next)
        let share = pursuit.move(on: frames)
        leftEar.approach(from: latest, to: newest, share)
        rightEar.approach(from: latest, to: newest, share)
        (isWaiting, nextLength) = (true, min(max(frames, 1), Grid.quantum))
        return pursuit.delays
    }

    /// Adds `frames` filtered frames of each input to the output of the same side. Input and output do not overlap.
    package mutating func process(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>,
        addingToLeft leftOut: UnsafeMutablePointer<Float>,
        right rightOut: UnsafeMutablePointer<Float>, frames: Int
    ) {
        hasSounded = true
        var done = 0
        while done < frames {
            if fadeFrame == nil, isWaiting { beginFade() }
            let count = min(frames - done, fadeFrame.map { fadeLength - $0 } ?? Grid.quantum)
            render(leftEar, left + done, leftOut + done, count)
            render(rightEar, right + done, rightOut + done, count)
            done += count
            if let frame = fadeFrame { advanceFade(to: frame + count) }
        }
    }

    private mutating func beginFade() {
        swap(&next, &newest)
        isWaiting = false
        (fadeFrame, fadeLength) = (0, nextLength)
    }

    private mutating func advanceFade(to frame: Int) {
        guard frame >= fadeLength else { return fadeFrame = frame }
        swap(&now, &next)
        fadeFrame = nil
    }

    private func render(
        _ ear: EarMemory, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        ear.block.update(from: input, count: frames)
        if let start = fadeFrame {
            let (new, step) = (scratch + Grid.quantum, 1 / Float(fadeLength))
            HRTFConvolution.runPair(ear.signal, ear.filter(now), ear.filter(next), tapCount, into: scratch, new, frames)
            for i in 0..<frames {
                let weight = Float(start + i) * step
                output[i] += scratch[i] + (new[i] - scratch[i]) * weight
            }
        } else {
            HRTFConvolution.run(ear.signal, ear.filter(now), tapCount, into: scratch, frames)
            for i in 0..<frames { output[i] += scratch[i] }
        }
        ear.keepHistory(after: frames)
    }
}

/// One ear's part of a voice's memory: the last `tapCount − 1` samples with the block behind them, and four filters.
struct EarMemory: BitwiseCopyable {
    let signal: UnsafeMutablePointer<Float>
    let block: UnsafeMutablePointer<Float>
    private let filters: UnsafeMutablePointer<Float>
    private let tapCount: Int

    /// The slot of the filter that is followed.
    static let wanted = 3

    static func count(_ tapCount: Int) -> Int { 5 * ((tapCount + 15) / 16 * 16) + Grid.quantum + HRTFConvolution.group }

    init(_ start: UnsafeMutablePointer<Float>, _ tapCount: Int) {
        let stride = (tapCount + 15) / 16 * 16
        self.tapCount = tapCount
        filters = start
        signal = start + 4 * stride
        block = signal + (tapCount - 1)
    }

    func filter(_ slot: Int) -> UnsafeMutablePointer<Float> { filters + slot * ((tapCount + 15) / 16 * 16) }

    /// From one slot's filter `share` of the way to the wanted one, which a share of 1 gives to the bit.
    func approach(from latest: Int, to slot: Int, _ share: Float) {
        let (from, wanted, output) = (filter(latest), filter(Self.wanted), filter(slot))
        guard share < 1 else { return output.update(from: wanted, count: tapCount) }
        for k in 0..<tapCount { output[k] = from[k] + (wanted[k] - from[k]) * share }
    }

    func keepHistory(after frames: Int) { signal.update(from: signal + frames, count: tapCount - 1) }
}

/// How filters and delays follow a direction that moves: low-passes in time, in steps of any length.
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

    /// - Returns: how much of what is lacking the filters are to gain, 1 when it is over.
    mutating func move(on frames: Int) -> Float {
        left -= Float(frames)
        if isOver {
            stages = (wanted, wanted, wanted)
            return 1
        }
        let share = Float(frames) / (Float(frames) + settling)
        stages.0 += (wanted - stages.0) * share
        stages.1 += (stages.0 - stages.1) * share
        stages.2 += (stages.1 - stages.2) * share
        return share
    }
}
