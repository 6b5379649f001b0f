import Foundation
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: busses, formats and connections")
struct GraphTests {
    @Test("nil keeps the source's format; a format is set on both busses")
    func formats() throws {
        let engine = AVAudioEngine()
        let (player, mixer) = (AVAudioPlayerNode(), AVAudioMixerNode())
        #expect(player.outputFormat(forBus: 0).sampleRate == 44100 && player.outputFormat(forBus: 0).channelCount == 2)
        engine.attach(player)
        engine.attach(mixer)
        engine.connect(player, to: mixer, format: nil)
        #expect(mixer.inputFormat(forBus: 0).sampleRate == 44100)
        engine.connect(player, to: mixer, fromBus: 0, toBus: 3, format: OfflineRig.format(32000, 1))
        #expect(player.outputFormat(forBus: 0).sampleRate == 32000)
        #expect(mixer.inputFormat(forBus: 3).channelCount == 1)
        #expect(engine.inputConnectionPoint(for: mixer, inputBus: 0) == nil, "one to one: the old connection gave way")
        #expect(engine.inputConnectionPoint(for: mixer, inputBus: 3)?.node === player)
    }

    @Test("An effect between gives out what it takes in, unless it is told otherwise")
    func effectFormat() throws {
        let rig = try OfflineRig()
        let (source, effect) = (OfflineRig.source(OfflineRig.noise), AVAudioUnitEQ(numberOfBands: 1))
        for node in [source, effect] as [AVAudioNode] { rig.engine.attach(node) }
        rig.engine.connect(source, to: effect, format: OfflineRig.format(32000, 1))
        rig.engine.connect(effect, to: rig.engine.mainMixerNode, format: nil)
        #expect(effect.outputFormat(forBus: 0).sampleRate == 32000)
        try rig.engine.start()
        rig.engine.stop()
        rig.engine.connect(effect, to: rig.engine.mainMixerNode, format: OfflineRig.format(48000, 1))
        #expect(throws: OssicleError.self) { try rig.engine.start() }
        rig.engine.connect(source, to: effect, format: OfflineRig.format(48000, 1))
        try rig.engine.start()
    }

    @Test(
        "While running a chain changes its format by being disconnected first; any other way is told, and changes nothing"
    )
    func effectFormatWhileRunning() throws {
        let rig = try OfflineRig()
        let (source, effect) = (OfflineRig.source { _, _ in 0.5 }, AVAudioUnitEQ(numberOfBands: 1))
        let (mono, stereo) = (OfflineRig.format(48000, 1), rig.format)
        for node in [source, effect] as [AVAudioNode] { rig.engine.attach(node) }
        rig.engine.connect(source, to: effect, format: mono)
        rig.engine.connect(effect, to: rig.engine.mainMixerNode, format: mono)
        try rig.engine.start()
        #expect(throws: OssicleError.self) { try rig.engine.connectNode(source, to: effect, format: stereo) }
        #expect(try rig.render(64)[0].allSatisfy { $0 == 0.5 })
        rig.engine.disconnectNodeOutput(effect)
        try rig.engine.connectNode(source, to: effect, format: stereo)
        try rig.engine.connectNode(effect, to: rig.engine.mainMixerNode, format: stereo)
        #expect(try rig.render(64)[1].allSatisfy { $0 == 0.5 })
    }

    @Test("The main mixer is connected to the output when first asked for, and follows its format")
    func mainMixer() throws {
        let rig = try OfflineRig(rate: 44100, channels: 1)
        let mixer = rig.engine.mainMixerNode
        #expect(rig.engine.outputConnectionPoints(for: mixer, outputBus: 0).first?.node === rig.engine.outputNode)
        #expect(mixer.outputFormat(forBus: 0).sampleRate == 44100)
        #expect(rig.engine.attachedNodes == [mixer, rig.engine.outputNode])
        rig.engine.disableManualRenderingMode()
        try rig.engine.enableManualRenderingMode(.offline, format: OfflineRig.format(96000, 2), maximumFrameCount: 64)
        try rig.engine.start()
        #expect(mixer.outputFormat(forBus: 0).sampleRate == 96000 && mixer.outputFormat(forBus: 0).channelCount == 2)
    }

    @Test("One output to many inputs, and the whole set replaced by the next such call")
    func oneToMany() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source { _, _ in 0.25 }
        let mixers = (0..<3).map { _ in AVAudioMixerNode() }
        for node in [source] + mixers as [AVAudioNode] { rig.engine.attach(node) }
        for mixer in mixers { rig.engine.connect(mixer, to: rig.engine.mainMixerNode, format: rig.format) }
        rig.engine.connect(
            source, to: mixers.map { AVAudioConnectionPoint(node: $0, bus: 0) }, fromBus: 0, format: rig.format)
        #expect(rig.engine.outputConnectionPoints(for: source, outputBus: 0).count == 3)
        try rig.engine.start()
        #expect(try rig.render(64)[0].allSatisfy { $0 == 0.75 })
        rig.engine.connect(
            source, to: [AVAudioConnectionPoint(node: mixers[1], bus: 2)], fromBus: 0, format: rig.format)
        #expect(
            rig.engine.outputConnectionPoints(for: source, outputBus: 0) == [
                AVAudioConnectionPoint(node: mixers[1], bus: 2)
            ])
        #expect(try rig.render(64)[0].allSatisfy { $0 == 0.25 })
    }

    @Test("A mixer has as many inputs as are used, and its next one answers as a bus does")
    func busses() throws {
        let rig = try OfflineRig()
        let mixer = rig.engine.mainMixerNode
        #expect(mixer.numberOfInputs == 1 && mixer.nextAvailableInputBus == 0)
        for index in 0..<40 {
            let source = OfflineRig.source { _, _ in 0 }
            rig.engine.attach(source)
            rig.engine.connect(source, to: mixer, format: rig.format)
            #expect(mixer.nextAvailableInputBus == index + 1)
        }
        #expect(mixer.numberOfInputs == 40)
        #expect(mixer.inputFormat(forBus: 40).channelCount == 2 && mixer.name(forInputBus: 40) == "Input 40")
        #expect(mixer.inputFormat(forBus: 41).channelCount == 0 && mixer.name(forInputBus: 41) == nil)
        rig.engine.disconnectNodeInput(mixer, bus: 7)
        #expect(mixer.nextAvailableInputBus == 7)
        rig.engine.disconnectNodeInput(mixer, bus: 3)
        rig.engine.disconnectNodeInput(mixer, bus: 30)
        #expect(mixer.nextAvailableInputBus == 3)
        rig.engine.disconnectNodeInput(mixer)
        #expect(mixer.nextAvailableInputBus == 0)
    }

    @Test("A mixer without inputs is legal, silent, and can be connected later")
    func emptyMixer() throws {
        let rig = try OfflineRig()
        let mixer = AVAudioMixerNode()
        rig.engine.attach(mixer)
        rig.engine.connect(mixer, to: rig.engine.mainMixerNode, format: rig.format)
        rig.engine.prepare()
        try rig.engine.start()
        #expect(try rig.render(64)[0].allSatisfy { $0 == 0 })
        let source = OfflineRig.source { _, _ in 0.5 }
        rig.engine.attach(source)
        rig.engine.connect(source, to: mixer, format: rig.format)
        #expect(try rig.render(64)[0].allSatisfy { $0 == 0.5 })
    }

    @Test("Splitting over a change of rate to another place is refused while running, and the graph stays")
    func splitOverRates() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source { _, _ in 0.5 }
        let varispeed = AVAudioUnitVarispeed()
        for node in [source, varispeed] as [AVAudioNode] { rig.engine.attach(node) }
        let mixer = rig.engine.mainMixerNode
        rig.engine.connect(source, to: mixer, format: rig.format)
        rig.engine.connect(varispeed, to: mixer, format: rig.format)
        try rig.engine.start()
        let points = [AVAudioConnectionPoint(node: mixer, bus: 0), AVAudioConnectionPoint(node: varispeed, bus: 0)]
        #expect(throws: OssicleError.self) {
            try rig.engine.connectNode(source, to: points, fromBus: 0, format: rig.format)
        }
        #expect(try rig.render(64)[0].allSatisfy { $0 == 0.5 })
    }

    @Test("A time effect behind the input node is refused")
    func liveTimeEffect() throws {
        let rig = try OfflineRig()
        let pitch = AVAudioUnitTimePitch()
        rig.engine.attach(pitch)
        #expect(rig.engine.inputNode.setManualRenderingInputPCMFormat(rig.format) { _ in nil })
        rig.engine.connect(rig.engine.inputNode, to: pitch, format: rig.format)
        rig.engine.connect(pitch, to: rig.engine.mainMixerNode, format: rig.format)
        #expect(throws: OssicleError.self) { try rig.engine.start() }
    }

    @Test("A sink at the end of an input chain gets what comes in, without an output")
    func sink() throws {
        let rig = try OfflineRig()
        let feeder = RateConversionTests.Feeder(rig.format) { Float($0) }
        #expect(rig.engine.inputNode.setManualRenderingInputPCMFormat(rig.format) { feeder.next($0) })
        let heard = Heard()
        let sink = AVAudioSinkNode { _, frames, list in
            let samples = list.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(frames) { heard.samples.append(samples?[frame] ?? -1) }
            return noErr
        }
        rig.engine.attach(sink)
        rig.engine.connect(rig.engine.inputNode, to: sink, format: rig.format)
        try rig.engine.start()
        _ = try rig.render(1000, callsOf: 300)
        #expect(heard.samples == (0..<1000).map(Float.init))
    }

    private final class Heard: @unchecked Sendable { var samples: [Float] = [] }

    @Test("Cross-points say how much of each channel goes where")
    func crossPoints() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source { _, channel in channel == 0 ? 0.5 : 0.25 }
        rig.engine.attach(source)
        let mixer = rig.engine.mainMixerNode
        rig.engine.connect(source, to: mixer, format: rig.format)
        for (input, output, gain) in [(0, 0, 0), (1, 0, 2), (0, 1, -1), (1, 1, 0)] as [(Int, Int, Float)] {
            mixer.setCrossPoint(gain, inputBus: 0, inputChannel: input, outputChannel: output)
        }
        try rig.engine.start()
        let sound = try rig.render(64)
        #expect(sound[0].allSatisfy { $0 == 0.5 } && sound[1].allSatisfy { $0 == -0.5 })
    }

    @Test("The graph describes itself in words and for Graphviz, with costs, peaks and silence while inspected")
    func inspection() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source { _, _ in 0.5 }
        let (equalizer, lonely) = (AVAudioUnitEQ(numberOfBands: 2), AVAudioPlayerNode())
        for node in [source, equalizer, lonely] as [AVAudioNode] { rig.engine.attach(node) }
        rig.engine.connect(source, to: equalizer, format: OfflineRig.format(44100, 1))
        rig.engine.connect(equalizer, to: rig.engine.mainMixerNode, format: nil)
        rig.engine.isInspectionEnabled = true
        try rig.engine.start()
        _ = try rig.render(4800)
        let text = rig.engine.dumpGraph()
        for part in [
            "running", "AVAudioMixerNode 1", "AVAudioUnitEQ 1", "1 ch 44100 Hz", "bus 0", "peak -6.0 dB", "cost",
            "feeds nothing that is heard",
        ] {
            #expect(text.contains(part), "no “\(part)” in\n\(text)")
        }
        _ = try rig.render(480)
        let reports = rig.engine.nodeReports()
        let found = reports.first { $0.name == "AVAudioSourceNode 1" }
        #expect(found?.peak == 0.5 && found?.isActive == true && found?.silentShare == 0)
        let shares = reports.map(\.costShare).reduce(0, +)
        #expect(abs(shares - 1) < 1e-9)
        let dot = rig.engine.dumpGraph(.graphviz)
        #expect(
            dot.hasPrefix("digraph") && dot.contains("\"AVAudioUnitEQ 1\" -> \"AVAudioMixerNode 1\"")
                && dot.hasSuffix("}"))
    }
}
