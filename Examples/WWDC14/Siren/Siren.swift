import AVFoundation
import Workbench

/// A siren in three buffers: it winds up once, drones for as long as it has to, and dies down.
///
///     attack ──▶ sustain ⟲ ──▶ release          player ──▶ main mixer ──▶ output
final class Siren {
    let engine = AVAudioEngine()
    let attack, sustain, release: AVAudioPCMBuffer
    private let player = AVAudioPlayerNode()

    init(rate: Double) throws {
        // 1.5 s from 200 to 700 Hz, 0.1 s at 700 Hz, 2 s down again. Each part ends on a whole period, so that the next
        // begins where it left off.
        attack = try .mono(seconds: 1.5, rate: rate) {
            0.4 * envelope($0, length: 9, attack: 0.2, release: 1) * sin(2 * .pi * (200 * $0 + 500 / 3 * $0 * $0))
        }
        sustain = try .mono(seconds: 0.1, rate: rate) { 0.4 * sin(2 * .pi * 700 * $0) }
        release = try .mono(seconds: 2, rate: rate) {
            0.4 * envelope($0, length: 2, release: 1.5) * sin(2 * .pi * (700 * $0 - 125 * $0 * $0))
        }
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: attack.format)
    }

    /// Winds up and goes on until `silence` is called.
    func sound() throws {
        player.scheduleBuffer(attack)
        player.scheduleBuffer(sustain, at: nil, options: .loops)
        try engine.start()
        player.play()
    }

    /// Lets the loop come to its end, then dies down. `done` is called when it has.
    func silence(_ done: @escaping @Sendable () -> Void) {
        player.scheduleBuffer(release, at: nil, options: .interruptsAtLoop, completionCallbackType: .dataRendered) {
            _ in done()
        }
    }

    /// Sounds a buffer at a time of the player's, though nothing is playing now.
    func schedule(_ buffer: AVAudioPCMBuffer, seconds: Double) {
        let rate = buffer.format.sampleRate
        player.scheduleBuffer(buffer, at: AVAudioTime(sampleTime: AVAudioFramePosition(seconds * rate), atRate: rate))
    }
}
