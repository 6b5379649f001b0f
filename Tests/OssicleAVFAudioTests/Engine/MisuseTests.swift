import Foundation
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: misuse is told, and leaves the graph working")
struct MisuseTests {
    private let format = OfflineRig.format(48000, 2)

    /// A rig that sounds, to see whether it still does afterwards.
    private func sounding() throws -> (OfflineRig, AVAudioSourceNode) {
        let rig = try OfflineRig()
        let source = OfflineRig.source { _, _ in 0.5 }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        return (rig, source)
    }

    private func stillSounds(_ rig: OfflineRig) throws -> Bool { try rig.render(64)[0].allSatisfy { $0 == 0.5 } }

    private func code(_ body: () throws -> Void) -> Int? {
        do { try body() } catch { return (error as NSError).code }
        return nil
    }

    @Test("Attaching twice is nothing, attaching to two engines is told")
    func attach() throws {
        let (rig, source) = try sounding()
        rig.engine.attach(source)
        #expect(rig.engine.lastError == nil)
        let other = AVAudioEngine()
        other.errorHandler = { _ in }
        other.attach(source)
        #expect(other.lastError != nil)
        #expect(source.engine === rig.engine)
        #expect(try stillSounds(rig))
    }

    @Test("Detaching, disconnecting and removing taps of nothing is nothing")
    func idempotent() throws {
        let (rig, source) = try sounding()
        let stranger = AVAudioMixerNode()
        rig.engine.detach(stranger)
        rig.engine.disconnectNodeInput(stranger)
        rig.engine.disconnectNodeOutput(stranger, bus: 7)
        stranger.removeTap(onBus: 0)
        source.removeTap(onBus: 3)
        rig.engine.detach(source)
        rig.engine.detach(source)
        #expect(rig.engine.lastError == nil)
        #expect(source.engine == nil)
    }

    @Test("A format of 0 Hz or 0 channels, of integers or interleaved, is refused with -10868")
    func formats() throws {
        let (rig, source) = try sounding()
        let bad: [AVAudioFormat?] = [
            AVAudioFormat.none,
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48000, channels: 2, interleaved: true),
            AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 48000, channels: 2, interleaved: true),
        ]
        for format in bad {
            let refused = code { try rig.engine.connectNode(source, to: rig.engine.mainMixerNode, format: format) }
            #expect(refused == Int(kAudioUnitErr_FormatNotSupported))
        }
        #expect(try stillSounds(rig))
    }

    @Test("A bus there is not, a node that is not attached, a circle")
    func connections() throws {
        let (rig, source) = try sounding()
        let mixer = rig.engine.mainMixerNode
        #expect(
            code { try rig.engine.connectNode(source, to: mixer, fromBus: 1, toBus: 0, format: format) }
                == Int(kAudioUnitErr_InvalidElement))
        #expect(
            code { try rig.engine.connectNode(source, to: mixer, fromBus: 0, toBus: -1, format: format) }
                == Int(kAudioUnitErr_InvalidElement))
        #expect(
            code { try rig.engine.connectNode(mixer, to: source, format: format) } == Int(kAudioUnitErr_InvalidElement))
        #expect(
            code { try rig.engine.connectNode(AVAudioMixerNode(), to: mixer, format: format) } == Int(kAudio_ParamError)
        )
        let second = AVAudioMixerNode()
        rig.engine.attach(second)
        try rig.engine.connectNode(second, to: mixer, format: format)
        #expect(
            code { try rig.engine.connectNode(mixer, to: second, format: format) }
                == Int(kAudioUnitErr_CannotDoInCurrentContext))
        #expect(try stillSounds(rig))
    }

    @Test("The old spellings keep the error in words that name object, value, rule and cure")
    func recorded() throws {
        let (rig, source) = try sounding()
        rig.engine.connect(source, to: rig.engine.mainMixerNode, fromBus: 5, toBus: 0, format: format)
        let error = try #require(rig.engine.lastError as? OssicleError)
        #expect(error.object.contains("AVAudioSourceNode"))
        #expect(error.value.contains("5"))
        #expect(!error.rule.isEmpty && !error.cure.isEmpty)
        #expect(error.domain == "com.apple.coreaudio.avfaudio")
        #expect(try stillSounds(rig))
    }

    @Test("An engine without an end does not start; starting, stopping and pausing twice is nothing")
    func life() throws {
        let empty = AVAudioEngine()
        try empty.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
        #expect(code { try empty.start() } != nil)
        let (rig, _) = try sounding()
        try rig.engine.start()
        #expect(try stillSounds(rig))
        rig.engine.pause()
        rig.engine.pause()
        #expect(!rig.engine.isRunning)
        try rig.engine.start()
        #expect(try stillSounds(rig))
        rig.engine.stop()
        rig.engine.stop()
        rig.engine.reset()
        #expect(rig.engine.lastError == nil)
    }

    @Test("Manual rendering out of turn throws Apple's codes")
    func manual() throws {
        let engine = AVAudioEngine()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
        #expect(code { try engine.renderOffline(64, to: buffer) } == -80800)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 256)
        _ = engine.mainMixerNode
        #expect(code { try engine.renderOffline(64, to: buffer) } == -80802)
        try engine.start()
        #expect(
            code { try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 256) } == -80801)
        #expect(code { try engine.renderOffline(257, to: buffer) } == Int(kAudioUnitErr_TooManyFramesToProcess))
        let other = try #require(AVAudioPCMBuffer(pcmFormat: OfflineRig.format(44100, 2), frameCapacity: 512))
        #expect(code { try engine.renderOffline(64, to: other) } == Int(kAudioUnitErr_FormatNotSupported))
        engine.stop()
        let realtime = AVAudioEngine()
        try realtime.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 256)
        _ = realtime.mainMixerNode
        try realtime.start()
        #expect(code { try realtime.renderOffline(64, to: buffer) } == -80800)
        #expect(
            code {
                try realtime.enableManualRenderingMode(
                    .offline, format: OfflineRig.format(48000, 2), maximumFrameCount: 0)
            } != nil)
    }

    @Test("Taps on no bus or in another rate are refused; several on one bus are not")
    func taps() throws {
        let (rig, source) = try sounding()
        #expect(
            code { try source.installAudioTap(onBus: 1, bufferSize: 512, format: nil) { _, _ in } }
                == Int(kAudioUnitErr_InvalidElement))
        let slow = OfflineRig.format(16000, 2)
        #expect(
            code { try source.installAudioTap(onBus: 0, bufferSize: 512, format: slow) { _, _ in } }
                == Int(kAudioUnitErr_FormatNotSupported))
        #expect(code { try source.installAudioTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in } } == nil)
        #expect(code { try source.installAudioTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in } } == nil)
        #expect(try stillSounds(rig))
    }

    @Test("Mixing properties refuse what is not a number and clamp what is out of range")
    func mixing() throws {
        let (rig, source) = try sounding()
        source.volume = .nan
        #expect(source.volume == 1)
        #expect(rig.engine.lastError != nil)
        source.volume = 7
        #expect(source.volume == 1)
        source.pan = -3
        #expect(source.pan == -1)
        source.pan = 0
        source.position = AVAudio3DPoint(x: .infinity, y: 0, z: 0)
        #expect(source.position.x == 0)
        source.rate = 9
        #expect(source.rate == 2)
        source.rate = 1
        rig.engine.mainMixerNode.outputVolume = .nan
        #expect(rig.engine.mainMixerNode.outputVolume == 1)
        #expect(try stillSounds(rig))
    }

    @Test("A source that gives NaN, infinity or an error is silenced where it enters")
    func badSource() throws {
        let rig = try OfflineRig()
        let bad = OfflineRig.source { frame, _ in frame % 3 == 0 ? .nan : frame % 3 == 1 ? .infinity : 0.25 }
        let failing = AVAudioSourceNode { _, _, _, _ in kAudioUnitErr_NoConnection }
        for node in [bad, failing] {
            rig.engine.attach(node)
            rig.engine.connect(node, to: rig.engine.mainMixerNode, format: rig.format)
        }
        try rig.engine.start()
        let sound = try rig.render(300)[0]
        #expect(sound.indices.allSatisfy { sound[$0] == ($0 % 3 == 2 ? 0.25 : 0) })
    }

    @Test("An engine that goes away in the middle, its nodes being used on, is nothing")
    func engineGone() throws {
        var rig: OfflineRig? = try OfflineRig()
        let source = OfflineRig.source { _, _ in 0.5 }
        rig?.engine.attach(source)
        if let engine = rig?.engine { engine.connect(source, to: engine.mainMixerNode, format: nil) }
        try rig?.engine.start()
        _ = try rig?.render(64)
        rig = nil
        source.volume = 0.5
        source.reset()
        source.removeTap(onBus: 0)
        #expect(source.engine == nil)
        #expect(source.lastRenderTime == nil)
        #expect(source.outputFormat(forBus: 0).sampleRate == 44100)
        #expect(source.outputFormat(forBus: 9).sampleRate == 0)
    }

    @Test("A paused engine renders nothing, whoever asks; a mixing destination may outlive its source")
    func pausedAndOutlived() throws {
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 64)
        var source: AVAudioSourceNode? = OfflineRig.source { _, _ in 0.5 }
        let mixer = engine.mainMixerNode
        if let source {
            engine.attach(source)
            engine.connect(source, to: mixer, format: format)
        }
        let destination = try #require(source?.destination(forMixer: mixer, bus: 0))
        try engine.start()
        let block = engine.manualRenderingBlock
        engine.pause()
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        for index in 0..<2 { list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil) }
        var status = noErr
        let paused = block(64, list.unsafeMutablePointer, &status)
        #expect(paused == .error && status == AVAudioEngineManualRenderingError.notRunning.rawValue)
        try engine.start()
        let going = block(64, list.unsafeMutablePointer, &status)
        #expect(going == .success)
        if let node = source { engine.detach(node) }
        source = nil
        destination.volume = .nan
        destination.volume = 0.5
        #expect(destination.destination(forMixer: mixer, bus: 0) == nil)
        engine.stop()
    }

    @Test("Stopping the engine from a source's block ends after the call")
    func stopInside() throws {
        let rig = try OfflineRig()
        let engine = rig.engine
        let source = AVAudioSourceNode { [weak engine] _, _, _, _ in
            engine?.stop()
            return noErr
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        _ = try rig.render(128, callsOf: 128)
        #expect(!rig.engine.isRunning)
    }
}
