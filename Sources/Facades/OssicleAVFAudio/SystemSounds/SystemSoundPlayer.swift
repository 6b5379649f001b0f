// Where system sounds are played.

import Dispatch
import OssicleCoreAudioTypes
import OssicleMessages

/// The system sounds that play, each in the engine that players share. Any thread: what opens or closes a device runs
/// on a queue, what an `OfflineAudioDevice` plays at once on the caller's thread.
final class SystemSoundPlayer: @unchecked Sendable {
    static let shared = SystemSoundPlayer()

    private let queue = DispatchQueue(label: "ossicle.systemsounds", qos: .userInitiated)
    private let lock = NSRecursiveLock()
    // Under the lock.
    private var playing: [SystemSoundID: SystemSoundVoice] = [:]
    private var hasReported = false

    /// Plays a sound from its beginning.
    func play(_ id: SystemSoundID, _ completion: SystemSoundCompletion?) {
        let output = OfflineAudioDevice.inForce?.shared ?? .output
        perform(isOffline: output.isOffline) { [self] in
            end(playing[id])
            let sound = SystemSoundTable.shared.sound(id)
            let voice = SystemSoundVoice(id, output, [completion, sound?.completion].compactMap { $0 })
            guard let samples = sound?.samples, samples.frameLength > 0 else { return voice.finish() }
            do {
                playing[id] = voice
                try voice.play(samples)
            } catch {
                if !hasReported { StandardError.write("Ossicle: \(error)\n") }
                hasReported = true
                end(voice)
            }
        }
    }

    /// Ends a sound if it plays.
    func stop(_ id: SystemSoundID) {
        perform(isOffline: lock.withLock { playing[id]?.output.isOffline ?? false }) { [self] in end(playing[id]) }
    }

    /// A sound was played to its end, or lost its output.
    fileprivate func ended(_ voice: SystemSoundVoice) {
        perform(isOffline: voice.output.isOffline) { [self] in end(voice) }
    }

    private func perform(isOffline: Bool, _ work: @escaping @Sendable () -> Void) {
        if isOffline { lock.withLock(work) } else { queue.async { [lock] in lock.withLock(work) } }
    }

    /// Under the lock.
    private func end(_ voice: SystemSoundVoice?) {
        guard let voice, playing[voice.id] === voice else { return }
        playing[voice.id] = nil
        voice.stop()
        voice.finish()
    }
}

/// A system sound that plays.
private final class SystemSoundVoice: SharedEngineMember, @unchecked Sendable {
    let id: SystemSoundID
    let output: SharedEngine
    private let completions: [SystemSoundCompletion]
    private let node = AVAudioPlayerNode()

    private static let handlers = DispatchQueue(label: "ossicle.systemsounds.handlers", qos: .userInitiated)

    init(_ id: SystemSoundID, _ output: SharedEngine, _ completions: [SystemSoundCompletion]) {
        self.id = id
        self.output = output
        self.completions = completions
    }

    /// Throws why the output does not open.
    func play(_ samples: AVAudioPCMBuffer) throws {
        try output.join(self) { engine in
            engine.attach(node)
            try engine.connectNode(
                node, to: output.mixer(samples.format.sampleRate, in: engine), format: samples.format)
        }
        node.scheduleBuffer(samples, at: nil, options: [], completionCallbackType: .dataPlayedBack) { [weak self] _ in
            self?.endByItself()
        }
        node.play()
    }

    func stop() {
        node.stop()
        node.engine?.detach(node)
        output.leave(self)
    }

    /// Calls the completions: on a queue or, offline, on the thread that renders.
    func finish() {
        for completion in completions {
            if output.isOffline {
                output.deliver(completion.call)
            } else {
                Self.handlers.async(execute: completion.call)
            }
        }
    }

    private func endByItself() { SystemSoundPlayer.shared.ended(self) }

    // MARK: The shared engine

    func tick(at frame: Int64) {}
    func nextEvent(after frame: Int64) -> Int64? { nil }
    func engineDidRestart() { endByItself() }
    func engineWasLost(_ error: any Error) { endByItself() }
    func engineIsLetGo() { endByItself() }
    func sessionInterrupted() { endByItself() }
    func sessionInterruptionEnded(mayResume: Bool) {}
}
