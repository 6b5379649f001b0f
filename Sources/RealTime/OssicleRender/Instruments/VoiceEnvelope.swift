import OssicleCore

/// The six stages of an envelope: delay, attack, hold, decay to a sustained level, and release.
///
/// The level is 0 … 1 and a straight line in each stage. What it means is the voice's: for volume an amplitude while it
/// rises, and behind that a level in dB (1 is 0 dB, 0 is −100 dB), as SoundFont 2.04 §8.1.2 asks for. Every value is
/// computed from the frames since its stage began, so that it does not matter how blocks are cut.
struct VoiceEnvelope: BitwiseCopyable {
    enum Stage: UInt8, BitwiseCopyable { case delay, attack, hold, decay, sustain, release, done }

    /// Frames of the stages; of decay and release for the whole range from 1 to 0.
    struct Lengths: BitwiseCopyable {
        var delay = 0, attack = 0, hold = 0, decay = 0, release = 0
        /// The level that decay ends at.
        var sustain: Float = 1
    }

    private(set) var stage = Stage.delay
    private var lengths = Lengths()
    private var elapsed = 0
    /// Frames of this stage.
    private var length = 0
    /// The level at the beginning of this stage, and what it moves to.
    private var from: Float = 0
    private var to: Float = 0

    init() {}

    init(_ lengths: Lengths) {
        self.lengths = lengths
        enter(.delay)
    }

    var level: Float {
        guard length > 0 else { return from }
        return from + (to - from) * (Float(elapsed) / Float(length))
    }

    /// Whether the level is an amplitude that rises.
    var isRising: Bool { stage == .delay || stage == .attack }
    var isDone: Bool { stage == .done }

    /// Frames until the level bends, 1 at least.
    var framesLeft: Int {
        switch stage {
        case .sustain, .done: .max
        default: max(length - elapsed, 1)
        }
    }

    /// At most `framesLeft`.
    mutating func advance(_ frames: Int) {
        guard stage != .sustain, stage != .done else { return }
        elapsed += frames
        if elapsed >= length { next() }
    }

    /// Begins the release from a level.
    mutating func release(from level: Float, frames: Int) {
        guard stage != .done else { return }
        (stage, elapsed, from, to) = (.release, 0, level, 0)
        length = Int(Float(frames) * level)
        if length <= 0 { finish() }
    }

    /// Begins the release that the zone asks for.
    mutating func release(from level: Float) { release(from: level, frames: lengths.release) }

    private mutating func finish() { (stage, elapsed, length, from, to) = (.done, 0, 0, 0, 0) }

    private mutating func next() {
        switch stage {
        case .delay: enter(.attack)
        case .attack: enter(.hold)
        case .hold: enter(.decay)
        case .decay: enter(.sustain)
        case .sustain: break
        case .release, .done: finish()
        }
    }

    private mutating func enter(_ new: Stage) {
        (stage, elapsed) = (new, 0)
        switch new {
        case .delay: (length, from, to) = (lengths.delay, 0, 0)
        case .attack: (length, from, to) = (lengths.attack, 0, 1)
        case .hold: (length, from, to) = (lengths.hold, 1, 1)
        case .decay: (length, from, to) = (Int(Float(lengths.decay) * (1 - lengths.sustain)), 1, lengths.sustain)
        case .sustain:
            if lengths.sustain <= 0 { return finish() }
            return (length, from, to) = (0, lengths.sustain, lengths.sustain)
        case .release, .done: return
        }
        if length <= 0 { next() }
    }
}

/// A triangle that begins at 0, rises, and swings between −1 and 1.
struct VoiceLFO: BitwiseCopyable {
    private var delay = 0
    /// Periods since it began; 0 … 1.
    private var phase = 0.0

    init(delay: Int) { self.delay = delay }

    var value: Float {
        guard delay == 0 else { return 0 }
        let quarter = phase * 4
        return Float(quarter < 1 ? quarter : quarter < 3 ? 2 - quarter : quarter - 4)
    }

    /// - Parameter step: periods a frame.
    mutating func advance(_ frames: Int, step: Double) {
        let waits = min(delay, frames)
        delay -= waits
        guard frames > waits else { return }
        phase += Double(frames - waits) * step
        phase -= phase.rounded(.down)
    }
}
