import OssicleCore
import OssicleDSP

/// When a voice sounds: what all renderers of sound events' leaves have in common.
///
///               start, resume, wake            engine frame `gate`
///     idle ───────────────────────▶ playing, silent ─────────▶ playing, sounding
///       ▲                                 ▲                           │ pause, stop, sleep, seek
///       │ pause, stop                     │ seek                      ▼
///       └─────────────────────────────────┴── sleeping ◀──── fading out, a quantum
///
/// The edge is a ramp over one quantum wherever a signal would have a step: on pause, stop, sleep, wake and seek, not
/// at the very beginning of a sound. A new place in the sound waits for the end of the fade-out. The result depends on
/// engine frames only, not on how blocks are cut.
struct VoiceControl: BitwiseCopyable {
    /// What some frames in a row are.
    enum Stretch {
        /// Silent, and the place in the sound stands still.
        case still
        /// Silent, and the place moves on.
        case unheard
        case sounding
    }

    private enum Activity { case idle, playing, sleeping(advancing: Bool), finished }
    /// What a fade-out leads to.
    private enum Ending { case none, idle, sleep(advancing: Bool), goOn }

    private var activity = Activity.idle
    private var ending = Ending.none
    /// The place does not move, and nothing sounds, before this engine frame; a fade-out that is under way is not held
    /// up.
    private var gate = Int64.min
    /// Becomes the gate when the fade-out has ended.
    private var nextGate = Int64.min
    /// Source frame to go to as soon as the voice is silent.
    private(set) var jump: Int64?
    /// Whether the last frame sounded.
    private var isSounding = false
    /// The next frame is the sound's first: beginning there makes no step.
    private var isAtBeginning = true
    private var hasBegun = false
    var edge = GainRamp(1)

    // MARK: Commands

    /// Behind every command comes `takeJump`.
    mutating func carryOut(_ command: VoiceCommand, at position: Int64) {
        if case .start(let from, let at) = command {
            self = VoiceControl()
            (activity, gate, jump) = (.playing, at, max(from, 0))
        }
        if case .finished = activity { return }
        switch command {
        case .wait(let until): if !hasBegun { gate = until }
        case .pause, .stop: fadeOut(then: .idle)
        case .sleep(let advancing): fadeOut(then: .sleep(advancing: advancing))
        case .resume(let at): goOn(at: at, now: position)
        case .wake: goOn(at: position, now: position)
        case .wakeAt(let place): wake(at: place, now: position)
        case .seek(let place, let at): seek(to: place, at: at)
        case .start, .replace: break
        }
    }

    /// The place to go on from, if the voice has to go somewhere and is silent.
    mutating func takeJump() -> Int64? {
        guard !isSounding, let place = jump else { return nil }
        jump = nil
        isAtBeginning = place == 0
        return place
    }

    /// The sound is over.
    mutating func finish() { (activity, ending, isSounding) = (.finished, .none, false) }

    private mutating func seek(to place: Int64, at frame: Int64) {
        (jump, nextGate) = (place, frame)
        if !isFadingOut { fadeOut(then: .goOn) }
    }

    private mutating func wake(at place: Int64, now: Int64) {
        if case .playing = activity, !isFadingOut { return seek(to: place, at: now) }
        jump = place
        goOn(at: now, now: now)
    }

    private mutating func fadeOut(then end: Ending) {
        if isSounding && !isFadingOut { edge.setTarget(0, frames: Grid.quantum) }
        ending = end
        if !isSounding || edge.isIdle { comeToRest() }
    }

    private mutating func comeToRest() {
        switch ending {
        case .idle: activity = .idle
        case .sleep(let advancing): activity = .sleeping(advancing: advancing)
        case .none, .goOn: break
        }
        (isSounding, ending) = (false, .none)
        (gate, nextGate) = (max(gate, nextGate), .min)
    }

    private mutating func goOn(at frame: Int64, now: Int64) {
        guard case .playing = activity else {
            (activity, gate) = (.playing, max(gate, frame))
            return
        }
        switch ending {
        case .none, .goOn: return
        case .idle, .sleep: break
        }
        if jump != nil || frame > now {
            (ending, nextGate) = (.goOn, max(nextGate, frame))
        } else {
            ending = .none
            edge.setTarget(1, frames: Grid.quantum)
        }
    }

    private var isFadingOut: Bool {
        if case .none = ending { false } else { true }
    }

    // MARK: Rendering

    /// The next frames that are alike, 1…`frames`. `pass` has to follow.
    mutating func stretch(at position: Int64, atMost frames: Int) -> (stretch: Stretch, frames: Int) {
        switch activity {
        case .idle, .finished, .sleeping(advancing: false): return (.still, frames)
        case .playing where isFadingOut: return (.sounding, min(frames, max(edge.framesLeft, 1)))
        case .playing, .sleeping(advancing: true): break
        }
        if position < gate { return (.still, Int(min(gate - position, Int64(frames)))) }
        guard case .playing = activity else { return (.unheard, frames) }
        if !isSounding {
            edge = GainRamp(isAtBeginning ? 1 : 0)
            edge.setTarget(1, frames: Grid.quantum)
        }
        return (.sounding, frames)
    }

    /// A stretch has been rendered, and `edge` has come along. Then comes `takeJump`.
    mutating func pass(_ stretch: Stretch) {
        switch stretch {
        case .still: return
        case .unheard: isSounding = false
        case .sounding: isSounding = true
        }
        (hasBegun, isAtBeginning) = (true, false)
        if isFadingOut && edge.isIdle { comeToRest() }
    }

    /// From which engine frame on, seen from `position`, the place moves; nil while it stands still for good.
    func movesFrom(_ position: Int64) -> Int64? {
        switch (activity, ending) {
        case (.idle, _), (.finished, _), (.sleeping(advancing: false), _), (_, .idle), (_, .sleep(advancing: false)):
            nil
        case (_, .goOn): max(position + Int64(edge.framesLeft), nextGate)
        default: max(position, gate)
        }
    }
}

/// What the control side sends to a voice. Engine times that have passed mean now.
package enum VoiceCommand: BitwiseCopyable {
    /// Plays source frame `from` with engine frame `at`.
    case start(from: Int64, at: Int64)
    /// Puts off, or brings forward, the beginning of a voice that has been started and still waits; too late, it
    /// changes nothing.
    case wait(until: Int64)
    case pause
    /// Continues with engine frame `at`.
    case resume(at: Int64)
    case stop
    /// Silent until woken; the place in the source moves on if `advancing`.
    case sleep(advancing: Bool)
    case wake
    case wakeAt(Int64)
    /// Fades out and continues from source frame `to` with engine frame `at`, a quantum from now at the earliest. What
    /// is paused stays paused there, what sleeps keeps sleeping; loops take `to` modulo their length, one-shots finish
    /// beyond their end. Streams ignore it.
    case seek(to: Int64, at: Int64)
    /// Another memory for the same sound, to be read from the place on that the next `seek` or `wakeAt` leads to.
    case replace(SampleSource)
}
