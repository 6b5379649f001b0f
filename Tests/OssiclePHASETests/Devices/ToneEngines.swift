import Foundation
import OssicleTestSupport
import Synchronization
@testable import OssicleAVFAudio
@testable import PHASE

/// Engines at devices whose channels play sines without end: channel c at `frequencies[c]`, whole numbers of Hz.
enum ToneEngines {
    private static let rate = 48000

    /// A second of every channel; what follows is the same again.
    private static func tones(_ frequencies: [Double], amplitude: Double) -> [[Float]] {
        frequencies.map { Signal.sine($0, count: rate, amplitude: amplitude) }
    }

    /// With a source node at the main mixer, in the output's format.
    static func audioEngine(_ frequencies: [Double], amplitude: Double) throws -> AVAudioEngine {
        let tones = tones(frequencies, amplitude: amplitude)
        return try audioEngine(channelCount: frequencies.count) { channel, frame in tones[channel][frame % rate] }
    }

    /// - Parameter sample: of a channel, at a frame of the source node's own count; render thread.
    static func audioEngine(
        channelCount: Int, _ sample: @escaping @Sendable (_ channel: Int, _ frame: Int) -> Float
    ) throws -> AVAudioEngine {
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        let format = engine.mainMixerNode.outputFormat(forBus: 0)
        guard format.channelCount == channelCount, format.sampleRate == Double(rate) else {
            throw TestFailure(description: "The output's format is \(format), not \(channelCount) channels.")
        }
        let position = Atomic(0)
        let source = AVAudioSourceNode(format: format) { _, _, count, list in
            let first = position.wrappingAdd(Int(count), ordering: .relaxed).oldValue
            for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
                let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
                for index in 0..<Int(count) { samples?[index] = sample(channel, first + index) }
            }
            return noErr
        }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: format)
        return engine
    }

    /// A looped event at a channel mixer, panned for loudspeakers; not started.
    static func phase(
        _ frequencies: [Double], amplitude: Double, layout: AudioChannelLayoutTag
    ) throws -> (stage: Stage, event: PHASESoundEvent) {
        try phase(
            tones(frequencies, amplitude: amplitude), TestFailure.unwrap(AVAudioChannelLayout(layoutTag: layout)))
    }

    /// The same with tones for a device of these labels.
    static func phase(
        _ frequencies: [Double], amplitude: Double, labels: [AudioChannelLabel]
    ) throws -> (stage: Stage, event: PHASESoundEvent) {
        try phase(tones(frequencies, amplitude: amplitude), .of(channelLabels: labels))
    }

    /// The same with a sound of any channels.
    static func phase(
        _ channels: [[Float]], _ layout: AVAudioChannelLayout
    ) throws -> (stage: Stage, event: PHASESoundEvent) {
        let stage = try Stage()
        stage.engine.errorHandler = { _ in }
        try stage.register("tone", channels, layout: layout)
        let mixer = PHASEChannelMixerDefinition(channelLayout: layout)
        let event = try stage.event(stage.registerEvent("tone", into: mixer, loops: true))
        stage.engine.disableManualRenderingMode()
        stage.engine.outputSpatializationMode = .alwaysUseChannelBased
        return (stage, event)
    }
}
