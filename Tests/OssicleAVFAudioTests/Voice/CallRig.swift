import Foundation
import OssicleCoreAudioTypes
import OssicleVoice
@testable import OssicleAVFAudio

/// A call in manual rendering: a scene's far talker is played by the engine, its microphone is the input, and a tap on
/// the input keeps what voice processing makes of it.
final class CallRig {
    let scene: EchoScene
    let offline: OfflineRig
    private(set) var heard: [Float] = []
    var engine: AVAudioEngine { offline.engine }
    var input: AVAudioInputNode { engine.inputNode }

    /// - Parameters:
    ///   - cuts: lengths of render calls, in turn.
    ///   - microphones: channels of the input, all alike.
    init(_ scene: EchoScene, microphones: AVAudioChannelCount = 1, isProcessed: Bool = true) throws {
        self.scene = scene
        let rate = scene.settings.sampleRate
        offline = try OfflineRig(rate: rate, channels: 2)
        let source = OfflineRig.source { frame, _ in frame < scene.far.count ? scene.far[frame] : 0 }
        engine.attach(source)
        try engine.connectNode(source, to: engine.mainMixerNode, format: OfflineRig.format(rate, 2))
        let format = OfflineRig.format(rate, microphones)
        let feeder = RateConversionTests.Feeder(format) { $0 < scene.microphone.count ? scene.microphone[$0] : 0 }
        if isProcessed { try input.setVoiceProcessingEnabled(true) }
        guard input.setManualRenderingInputPCMFormat(format, inputBlock: { feeder.next($0) }) else {
            throw OfflineRig.RigError.format
        }
        input.installTap(onBus: 0, bufferSize: 1024, format: nil) { [weak self] buffer, _ in
            self?.heard += UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength))
        }
    }

    /// Renders from second to second of the scene.
    func render(seconds: Double, cuts: [Int] = [512]) throws {
        if !engine.isRunning { try engine.start() }
        var (left, turn) = (Int(seconds * scene.settings.sampleRate), 0)
        while left > 0 {
            let frames = min(cuts[turn % cuts.count], left)
            _ = try offline.render(frames, callsOf: frames)
            left -= frames
            turn += 1
        }
    }

    /// What is in the tap when everything has been delivered.
    func finish() -> [Float] {
        engine.stop()
        engine.machine.waitForCallbacks()
        return heard
    }

    /// Mean square of a stretch of seconds, in dB.
    func level(_ signal: [Float], _ seconds: Range<Double>) -> Double {
        let rate = scene.settings.sampleRate
        let part = signal[Int(seconds.lowerBound * rate)..<Int(seconds.upperBound * rate)]
        return 10 * log10(part.reduce(1e-20) { $0 + Double($1) * Double($1) } / Double(part.count))
    }

    static func scene(
        _ farAlone: Double, _ both: Double = 0, nearAlone: Double = 0, rate: Double = 16_000
    ) -> EchoScene {
        var settings = EchoScene.Settings()
        (settings.farAlone, settings.both, settings.nearAlone) = (farAlone, both, nearAlone)
        (settings.decay, settings.delay, settings.sampleRate) = (0.3, 0.06, rate)
        return EchoScene(settings)
    }
}
