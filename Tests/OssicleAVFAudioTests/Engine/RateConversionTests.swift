import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: several rates in one graph")
struct RateConversionTests {
    /// A tone counted in frames at `rate`.
    static func tone(_ frequency: Double, _ rate: Double) -> AVAudioSourceNode {
        OfflineRig.source { frame, _ in Float(0.5 * sin(2 * .pi * frequency * Double(frame) / rate)) }
    }

    @Test(
        "A mixer brings every input to its own rate: the tone keeps its pitch and its place in time",
        arguments: [8000.0, 22050, 44100, 96000, 11025])
    func converts(rate: Double) throws {
        let rig = try OfflineRig()
        let source = Self.tone(1000, rate)
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: OfflineRig.format(rate, 2))
        try rig.engine.start()
        let sound = try rig.render(9600)
        var worst: Float = 0
        for frame in 2000..<9000 {
            worst = max(worst, (sound[0][frame] - Float(0.5 * sin(2 * .pi * 1000 * Double(frame) / 48000))).magnitude)
        }
        #expect(worst < 5e-4, "the converted tone is \(worst) away from the tone itself")
    }

    @Test("How calls are cut does not change converted sound")
    func cuts() throws {
        var sounds: [[[Float]]] = []
        for size in [64, 127, 4096] {
            let rig = try OfflineRig()
            for rate in [44100.0, 32000] {
                let source = OfflineRig.source(OfflineRig.noise)
                rig.engine.attach(source)
                rig.engine.connect(source, to: rig.engine.mainMixerNode, format: OfflineRig.format(rate, 1))
            }
            try rig.engine.start()
            sounds.append(try rig.render(4096, callsOf: size))
        }
        for sound in sounds.dropFirst() { #expect(sound == sounds[0]) }
    }

    @Test("A source split to two mixers at its own rate stays in step with itself")
    func splitInStep() throws {
        let rig = try OfflineRig()
        let (source, a, b) = (Self.tone(700, 44100), AVAudioMixerNode(), AVAudioMixerNode())
        for node in [source, a, b] { rig.engine.attach(node) }
        let format = OfflineRig.format(44100, 2)
        rig.engine.connect(
            source, to: [AVAudioConnectionPoint(node: a, bus: 0), AVAudioConnectionPoint(node: b, bus: 0)], fromBus: 0,
            format: format)
        rig.engine.connect(a, to: rig.engine.mainMixerNode, format: format)
        rig.engine.connect(b, to: rig.engine.mainMixerNode, format: format)
        try rig.engine.start()
        #expect(rig.engine.lastError == nil)
        let sound = try rig.render(4800)
        var worst: Float = 0
        for frame in 1000..<4000 {
            worst = max(worst, (sound[0][frame] - Float(sin(2 * .pi * 700 * Double(frame) / 48000))).magnitude)
        }
        #expect(worst < 1e-3)
    }

    @Test("The output node converts what it is connected to")
    func outputConverts() throws {
        let rig = try OfflineRig(rate: 48000, channels: 1)
        let source = Self.tone(500, 44100)
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.outputNode, format: OfflineRig.format(44100, 2))
        try rig.engine.start()
        let sound = try rig.render(4800)
        var worst: Float = 0
        for frame in 1000..<4000 {
            worst = max(worst, (sound[0][frame] - Float(0.5 * sin(2 * .pi * 500 * Double(frame) / 48000))).magnitude)
        }
        #expect(worst < 5e-4)
    }

    @Test("Manual input arrives bit for bit at its own rate, and converted at another")
    func input() throws {
        for rate in [48000.0, 44100] {
            let rig = try OfflineRig()
            let format = OfflineRig.format(rate, 2)
            let feeder = Feeder(format) { Float(0.5 * sin(2 * .pi * 440 * Double($0) / rate)) }
            let input = rig.engine.inputNode
            #expect(input.setManualRenderingInputPCMFormat(format) { feeder.next($0) })
            rig.engine.connect(input, to: rig.engine.mainMixerNode, format: OfflineRig.format(48000, 2))
            try rig.engine.start()
            let sound = try rig.render(4800, callsOf: 480)
            var worst: Float = 0
            for frame in 500..<4500 {
                worst = max(
                    worst, (sound[0][frame] - Float(0.5 * sin(2 * .pi * 440 * Double(frame) / 48000))).magnitude)
            }
            #expect(worst < (rate == 48000 ? 1e-9 : 5e-4))
            #expect(feeder.calls <= 24, "the block is asked about once a render call, not \(feeder.calls) times in 10")
        }
    }

    @Test(
        "An environment plays a source at its own speed, pitch with it, also when the speed changes",
        arguments: [0.5, 1.5, 2] as [Float])
    func speedInSpace(rate: Float) throws {
        let rig = try OfflineRig()
        let (environment, source) = (AVAudioEnvironmentNode(), Self.tone(500, 44100))
        for node in [environment, source] as [AVAudioNode] { rig.engine.attach(node) }
        rig.engine.connect(source, to: environment, format: OfflineRig.format(44100, 1))
        rig.engine.connect(environment, to: rig.engine.mainMixerNode, format: rig.format)
        source.position = AVAudio3DPoint(x: 0, y: 0, z: -1)
        try rig.engine.start()
        for speed in [1, rate] {
            source.rate = speed
            _ = try rig.render(4800)
            let sound = try rig.render(48_000)[0]
            let crossings = (1..<48_000).filter { sound[$0 - 1] < 0 && sound[$0] >= 0 }.count
            #expect(abs(crossings - Int(500 * speed)) <= 1, "\(crossings) periods a second at speed \(speed)")
        }
        #expect(rig.engine.lastError == nil)
    }

    @Test("A muted input is silent, and comes back")
    func muted() throws {
        let rig = try OfflineRig()
        let feeder = Feeder(rig.format) { _ in 0.5 }
        let input = rig.engine.inputNode
        #expect(input.setManualRenderingInputPCMFormat(rig.format) { feeder.next($0) })
        rig.engine.connect(input, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        for isMuted in [false, true, false] {
            input.isVoiceProcessingInputMuted = isMuted
            let sound = try rig.render(128)[0]
            #expect(sound.allSatisfy { $0 == (isMuted ? 0 : 0.5) })
        }
    }

    @Test("An input block without data is reported and counts as silence")
    func dryInput() throws {
        let rig = try OfflineRig()
        let input = rig.engine.inputNode
        #expect(input.setManualRenderingInputPCMFormat(rig.format) { _ in nil })
        rig.engine.connect(input, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: rig.format, frameCapacity: 512))
        let status = try rig.engine.renderOffline(512, to: buffer)
        #expect(status == .insufficientDataFromInputNode)
    }

    final class Feeder {
        private let buffer: AVAudioPCMBuffer
        private let value: (Int) -> Float
        private var at = 0
        private(set) var calls = 0
        init(_ format: AVAudioFormat, _ value: @escaping (Int) -> Float) {
            self.value = value
            buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 65536)!
        }
        func next(_ frames: AVAudioFrameCount) -> UnsafePointer<AudioBufferList>? {
            calls += 1
            buffer.frameLength = frames
            for channel in 0..<Int(buffer.format.channelCount) {
                for frame in 0..<Int(frames) { buffer.floatChannelData?[channel][frame] = value(at + frame) }
            }
            at += Int(frames)
            return buffer.audioBufferList
        }
    }
}
