// Where system sounds are played.

import Foundation
import OssicleCoreAudioTypes
import OssicleMessages

/// One engine for all system sounds, which runs while something plays. All of it happens on one queue;
/// handlers have another.
final class SystemSoundPlayer: @unchecked Sendable {
    static let shared = SystemSoundPlayer()

    private let queue = DispatchQueue(label: "ossicle.systemsounds", qos: .userInitiated)
    private let handlers = DispatchQueue(label: "ossicle.systemsounds.handlers", qos: .userInitiated)
    private lazy var engine = AVAudioEngine()
    private var playing: [SystemSoundID: Voice] = [:]
    private var hasComplained = false
    private var lastNumber = 0

    private struct Voice {
        let number: Int
        let node: AVAudioPlayerNode
        let completions: [SystemSoundCompletion]
    }

    /// Plays a sound from its beginning.
    func play(_ id: SystemSoundID, _ completion: SystemSoundCompletion?) {
        queue.async { [self] in
            guard let sound = SystemSoundTable.shared.sound(id) else { return finish([completion].compactMap { $0 }) }
            end(id)
            let completions = [completion, sound.completion].compactMap { $0 }
            guard let samples = sound.samples, samples.frameLength > 0, begin(id, samples, completions) else {
                return finish(completions)
            }
        }
    }

    /// Ends a sound if it plays.
    func stop(_ id: SystemSoundID) { queue.async { [self] in end(id) } }

    /// Runs `body` while nothing begins or ends.
    func withEngine<Result>(_ body: (AVAudioEngine) throws -> Result) rethrows -> Result {
        try queue.sync { try body(engine) }
    }

    /// False where no device can be opened, which is said once.
    private func begin(
        _ id: SystemSoundID, _ samples: AVAudioPCMBuffer, _ completions: [SystemSoundCompletion]
    ) -> Bool {
        let node = AVAudioPlayerNode()
        engine.attach(node)
        engine.connect(node, to: engine.mainMixerNode, format: samples.format)
        do {
            if !engine.isRunning { try engine.start() }
        } catch {
            engine.detach(node)
            if !hasComplained { StandardError.write("Ossicle: \(error)\n") }
            hasComplained = true
            return false
        }
        lastNumber += 1
        playing[id] = Voice(number: lastNumber, node: node, completions: completions)
        node.scheduleBuffer(samples, at: nil, options: [], completionCallbackType: .dataPlayedBack) {
            [number = lastNumber] _ in
            let player = SystemSoundPlayer.shared
            player.queue.async { player.finished(id, number) }
        }
        node.play()
        return true
    }

    private func finished(_ id: SystemSoundID, _ number: Int) {
        if playing[id]?.number == number { end(id) }
    }

    private func end(_ id: SystemSoundID) {
        guard let voice = playing.removeValue(forKey: id) else { return }
        voice.node.stop()
        engine.detach(voice.node)
        if playing.isEmpty, !engine.isInManualRenderingMode { engine.pause() }
        finish(voice.completions)
    }

    private func finish(_ completions: [SystemSoundCompletion]) {
        for completion in completions { handlers.async { completion.call() } }
    }
}
