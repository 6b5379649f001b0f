import OssicleCore

/// The binaural voice: filters the two delayed copies of a mono sound for the two ears and adds them to a stereo bus.
///
///     left in  (delayed for the left ear)  ── FIR now ──┬─ cross-fade ──▶ + left out
///                                            FIR next ──┘
///     right in (delayed for the right ear) ── the same ───────────────▶ + right out
///
/// A change of filters fades linearly over one quantum (old and new are alike, so gains add to one, not powers); one that
/// comes during a fade waits for its end, the newest wins. The fade counts frames, so the cut of blocks leaves no trace.
/// Standing still costs one filter per ear, fading two. Audio thread, but for `init`.
package struct HeadRenderer: ~Copyable {
    package let tapCount: Int
    private let memory: SampleMemory
    private let leftEar: EarMemory
    private let rightEar: EarMemory
    private let scratch: UnsafeMutablePointer<Float>

    /// Which of the three filter slots sounds now, comes next, and takes the newest.
    private var now = 0, next = 1, newest = 2
    private var hasSounded = false
    private var isWaiting = false
    /// Frames since the fade began; nil outside of one.
    private var fadeFrame: Int?
    private var turned: (direction: SIMD3<Float>, head: HeadTable, delays: (left: Float, right: Float))?

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
    }

    /// New filters, `tapCount` taps each. Before the first `process` they apply at once, later over the next 128 frames.
    package mutating func setFilters(left: UnsafePointer<Float>, right: UnsafePointer<Float>) {
        let slot = hasSounded ? newest : now
        leftEar.filter(slot).update(from: left, count: tapCount)
        rightEar.filter(slot).update(from: right, count: tapCount)
        isWaiting = hasSounded
        turned = nil
    }

    /// Turns to a direction (see `HeadTable.interpolate`); `head.tapCount` must be this voice's, else nothing changes.
    /// The direction of before costs nothing.
    /// - Returns: delay of each ear in frames, for the caller's delay line.
    @discardableResult
    package mutating func turn(to direction: SIMD3<Float>, in head: HeadTable) -> (left: Float, right: Float) {
        guard head.tapCount == tapCount else { return (0, 0) }
        if let turned, turned.direction == direction, turned.head == head { return turned.delays }
        let slot = hasSounded ? newest : now
        isWaiting = hasSounded
        let delays = head.interpolate(direction, left: leftEar.filter(slot), right: rightEar.filter(slot))
        turned = (direction, head, delays)
        return delays
    }

    /// Adds `frames` filtered frames of each input to the output of the same side. Input and output do not overlap.
    package mutating func process(left: UnsafePointer<Float>, right: UnsafePointer<Float>,
                                  addingToLeft leftOut: UnsafeMutablePointer<Float>,
                                  right rightOut: UnsafeMutablePointer<Float>, frames: Int) {
        hasSounded = true
        var done = 0
        while done < frames {
            if fadeFrame == nil, isWaiting { beginFade() }
            let count = min(frames - done, Grid.quantum - (fadeFrame ?? 0))
            render(leftEar, left + done, leftOut + done, count)
            render(rightEar, right + done, rightOut + done, count)
            done += count
            if let frame = fadeFrame { advanceFade(to: frame + count) }
        }
    }

    private mutating func beginFade() {
        swap(&next, &newest)
        isWaiting = false
        fadeFrame = 0
    }

    private mutating func advanceFade(to frame: Int) {
        guard frame >= Grid.quantum else { return fadeFrame = frame }
        swap(&now, &next)
        fadeFrame = nil
    }

    private func render(_ ear: EarMemory, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ frames: Int) {
        ear.block.update(from: input, count: frames)
        if let start = fadeFrame {
            let new = scratch + Grid.quantum
            HeadConvolution.runPair(ear.signal, ear.filter(now), ear.filter(next), tapCount, into: scratch, new, frames)
            for i in 0..<frames {
                let weight = Float(start + i) * (1 / Float(Grid.quantum))
                output[i] += scratch[i] + (new[i] - scratch[i]) * weight
            }
        } else {
            HeadConvolution.run(ear.signal, ear.filter(now), tapCount, into: scratch, frames)
            for i in 0..<frames { output[i] += scratch[i] }
        }
        ear.keepHistory(after: frames)
    }
}

/// One ear's part of a voice's memory: the last `tapCount − 1` samples with the block behind them, and three filters.
private struct EarMemory: BitwiseCopyable {
    let signal: UnsafeMutablePointer<Float>
    let block: UnsafeMutablePointer<Float>
    private let filters: UnsafeMutablePointer<Float>
    private let tapCount: Int

    static func count(_ tapCount: Int) -> Int { 4 * ((tapCount + 15) / 16 * 16) + Grid.quantum + HeadConvolution.group }

    init(_ start: UnsafeMutablePointer<Float>, _ tapCount: Int) {
        let stride = (tapCount + 15) / 16 * 16
        self.tapCount = tapCount
        filters = start
        signal = start + 3 * stride
        block = signal + (tapCount - 1)
    }

    func filter(_ slot: Int) -> UnsafeMutablePointer<Float> { filters + slot * ((tapCount + 15) / 16 * 16) }

    func keepHistory(after frames: Int) { signal.update(from: signal + frames, count: tapCount - 1) }
}
