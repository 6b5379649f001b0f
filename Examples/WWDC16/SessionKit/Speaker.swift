import AVFoundation
import Workbench

/// A tone that an engine plays again and again, as long as it may.
public final class Speaker {
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    private let tone: AVAudioPCMBuffer

    public init(frequency: Double) throws {
        tone = try .mono(seconds: 0.25, rate: 48_000) { 0.1 * sin(2 * .pi * frequency * $0) }
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: tone.format)
    }

    deinit { engine.stop() }

    public var isPlaying: Bool { engine.isRunning && player.isPlaying }

    /// Plays once, or on and on.
    public func play(_ options: AVAudioPlayerNodeBufferOptions = []) throws {
        try engine.start()
        player.scheduleBuffer(tone, at: nil, options: options, completionHandler: nil)
        player.play()
    }

    /// Goes on after an interruption, which has paused the engine but not the player.
    public func resume() throws {
        try engine.start()
        player.play()
    }

    public func pause() {
        player.pause()
        engine.pause()
    }
}
