import Dispatch
import OssicleDevices
import OssiclePlayback
import OssicleRender
import Synchronization

/// How far the sound of other programs is lowered while voice processing runs. Under its owner's lock.
struct VoiceDucking {
    /// How long words are followed by others, in nanoseconds.
    private static let patience: UInt64 = 1_000_000_000

    var configuration = AVAudioVoiceProcessingOtherAudioDuckingConfiguration()
    /// dB, as requested last.
    private var lowered = 0
    /// `HostClock`'s time at which somebody spoke last.
    private var lastSpoken: UInt64 = 0

    /// - Returns: dB by which they are to be lowered from now on; `nil` where that stays.
    mutating func follow(_ controls: VoiceControls) -> Int? {
        let now = HostClock.now
        if controls.isSpeech || controls.isFarActive { lastSpoken = now }
        let isQuiet = configuration.enableAdvancedDucking.boolValue && now &- lastSpoken > Self.patience
        return set(isQuiet ? 0 : configuration.duckingLevel.decibels)
    }

    mutating func end() -> Int? { set(0) }

    private mutating func set(_ decibels: Int) -> Int? {
        defer { lowered = decibels }
        return decibels == lowered ? nil : decibels
    }
}

extension AVAudioVoiceProcessingOtherAudioDuckingConfiguration.Level {
    var decibels: Int {
        switch self {
        case .default, .min: 6
        case .mid: 12
        case .max: 20
        }
    }
}

/// Has a client's block called for speech into a muted microphone.
final class MutedSpeechListener: Sendable {
    typealias Block = (_ hasBegun: Bool) -> Void

    /// `@unchecked`: the mutex guards it, and the queue calls the block one at a time.
    private struct State: @unchecked Sendable {
        var block: Block?
        var seen = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "ossicle.speech", qos: .userInitiated)

    /// - Parameter turns: beginnings and ends of speech so far, which are not reported.
    func set(_ block: Block?, since turns: Int) {
        let made = State(block: block, seen: turns)
        state.withLock { $0 = made }
    }

    /// Reports what has happened since the last call.
    func deliver(until turns: Int, through callbacks: CallbackFence?) {
        let (known, from) = state.withLock { state in
            defer { state.seen = max(turns, state.seen) }
            return (state, state.seen)
        }
        guard from < turns, known.block != nil, let callbacks else { return }
        for turn in from..<turns {
            callbacks.run("The listener for muted speech", on: queue) { known.block?(turn & 1 == 0) }
        }
    }
}
