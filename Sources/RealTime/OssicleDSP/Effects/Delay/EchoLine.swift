import OssicleCore

/// The recent past of several channels, read back a whole number of frames later and fed with what was read.
///
/// Another delay is another place in the past: the line cross-fades to it. A change during a fade waits for its end,
/// and only the newest one counts. Not for motion with its Doppler shift; that is `FractionalDelayLine`. Audio thread.
///
///     for each run of at most `runLength` frames:  every channel: write, read, and feed if wanted;  then advance
struct EchoLine: ~Copyable {
    private let ring: SampleMemory
    /// Frames per channel.
    private let size: Int
    private let scratch = SampleMemory(count: Grid.quantum)
    private var position = 0
    private var old: Int
    private var current: Int
    private var wanted: Int
    private var fade = GainRamp(1)
    private var fadeFrames = 0

    /// - Parameters:
    ///   - longest: frames, as the delays; greater ones are held at it.
    init(longest: Int, channelCount: Int, delay: Int) {
        size = max(longest, 0) + Grid.quantum
        ring = SampleMemory(count: size * max(channelCount, 1))
        wanted = min(max(delay, 0), max(longest, 0))
        (old, current) = (wanted, wanted)
    }

    /// Fades to a delay over `frames` frames (0: at once).
    mutating func setDelay(_ delay: Int, frames: Int) {
        wanted = min(max(delay, 0), size - Grid.quantum)
        fadeFrames = max(frames, 0)
        if fadeFrames == 0 { settle() } else if fade.isIdle { beginFade() }
    }

    /// Forgets all sound, and is at the newest delay.
    mutating func reset() {
        ring.clear()
        position = 0
        settle()
    }

    /// How many of the next n frames may be written and read in one go: no more than the shortest way round the loop. A
    /// delay of 0 has no loop; it reads what was just written.
    func runLength(_ n: Int) -> Int {
        var run = min(n, Grid.quantum)
        if current > 0 { run = min(run, current) }
        guard !fade.isIdle else { return run }
        return min(old > 0 ? min(run, old) : run, fade.framesLeft)
    }

    /// Not finite counts as silence: in a loop it would never decay.
    func write(_ channel: Int, _ from: UnsafePointer<Float>, _ n: Int) {
        eachPiece(channel, delay: 0, n) { memory, done, count in
            for i in 0..<count { memory[i] = from[done + i].isFinite ? from[done + i] : 0 }
        }
    }

    func read(_ channel: Int, _ to: UnsafeMutablePointer<Float>, _ n: Int) {
        eachPiece(channel, delay: current, n) { memory, done, count in (to + done).update(from: memory, count: count) }
        guard !fade.isIdle else { return }
        let before = scratch.pointer
        eachPiece(channel, delay: old, n) { memory, done, count in (before + done).update(from: memory, count: count) }
        var weight = fade
        for i in 0..<n { to[i] = before[i] + (to[i] - before[i]) * weight.next() }
    }

    /// Adds to what was written last; each sample added is held within ±limit, so that no loop grows without end.
    func feed(_ channel: Int, _ from: UnsafePointer<Float>, gain: inout GainRamp, limit: Float, _ n: Int) {
        // Adding nothing would turn −0 into 0.
        let fed = gain.target == 0 ? min(n, gain.framesLeft) : n
        var ramp = gain
        eachPiece(channel, delay: 0, fed) { memory, done, count in
            for i in 0..<count {
                let echo = from[done + i] * ramp.next()
                memory[i] += min(max(-limit, echo), limit)
            }
        }
        gain = ramp
    }

    mutating func advance(_ n: Int) {
        position += n
        if position >= size { position -= size }
        guard !fade.isIdle else { return }
        for _ in 0..<n { _ = fade.next() }
        if fade.isIdle, wanted != current { beginFade() }
    }

    private mutating func settle() {
        (old, current) = (wanted, wanted)
        fade = GainRamp(1)
    }

    private mutating func beginFade() {
        guard wanted != current else { return }
        (old, current) = (current, wanted)
        fade = GainRamp(0)
        fade.setTarget(1, frames: fadeFrames)
    }

    /// The n frames of a channel that lie `delay` before the next ones, in the one or two pieces the ring has them in.
    @inline(__always)
    private func eachPiece(
        _ channel: Int, delay: Int, _ n: Int,
        _ body: (_ memory: UnsafeMutablePointer<Float>, _ done: Int, _ count: Int) -> Void
    ) {
        let start = position >= delay ? position - delay : position - delay + size
        let first = min(n, size - start)
        let memory = ring.pointer + channel * size
        body(memory + start, 0, first)
        if first < n { body(memory, first, n - first) }
    }
}
