import AVFoundation
import Workbench

/// A voice over a backing track; who hits a note hears a bell.
///
///     microphone ─┬─▶ delay ──▶ main mixer ──▶ output
///                 └─ tap ──▶ judge ┄┄ schedules ┄┄▶ bell ──▶ main mixer
///     backing ──────────────────────────────────────────────▶ main mixer
final class Karaoke {
    let engine = AVAudioEngine()
    let delay = AVAudioUnitDelay()
    let bell = AVAudioPlayerNode()
    let judge: Judge
    private let backing = AVAudioPlayerNode()
    private let ding: AVAudioPCMBuffer
    /// Frames on which the bell was told to sound.
    private(set) var rung: [AVAudioFramePosition] = []

    init(_ song: [Judge.Note], ding: AVAudioPCMBuffer) {
        judge = Judge(song)
        self.ding = ding
        (delay.delayTime, delay.feedback, delay.wetDryMix) = (0.25, 30, 30)
        for node in [delay, bell, backing] { engine.attach(node) }
        engine.connect(bell, to: engine.mainMixerNode, format: ding.format)
    }

    /// Takes a file for the microphone of an engine that renders offline.
    func useAsMicrophone(_ url: URL) throws {
        let file = try AVAudioFile(forReading: url)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 16_384) else {
            throw Failure("no buffer for the microphone")
        }
        let isSet = engine.inputNode.setManualRenderingInputPCMFormat(file.processingFormat) { frames in
            do { try file.read(into: buffer, frameCount: frames) } catch { return nil }
            return buffer.frameLength > 0 ? buffer.audioBufferList : nil
        }
        guard isSet else { throw Failure("the engine takes no microphone") }
    }

    func start(with track: AVAudioPCMBuffer) throws {
        let microphone = engine.inputNode
        let format = microphone.outputFormat(forBus: 0)
        engine.connect(microphone, to: delay, format: format)
        engine.connect(delay, to: engine.mainMixerNode, format: format)
        engine.connect(backing, to: engine.mainMixerNode, format: track.format)
        microphone.installTap(onBus: 0, bufferSize: 1024, format: format) { [unowned self] buffer, time in
            if judge.listen(to: buffer.samples(), at: time) { ring() }
        }
        backing.scheduleBuffer(track)
        try engine.start()
        backing.play()
        bell.play()
    }

    private func ring() {
        if let now = bell.lastRenderTime { rung.append(now.sampleTime) }
        bell.scheduleBuffer(ding)
    }
}
