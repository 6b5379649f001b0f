import Foundation
import OssicleCoreAudioTypes
import OssicleDevices
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: from start to stop, and again")
struct LifeTests {
    private func ramp(_ frames: Int, _ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = AVAudioFrameCount(frames)
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<frames { buffer.floatChannelData?[channel][frame] = Float(frame + 1) / 65536 }
        }
        return buffer
    }

    @Test("After stop and re-entering manual rendering a player begins at frame 0")
    func reentry() throws {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        let buffer = try ramp(4000, rig.format)
        for _ in 0..<3 {
            try rig.engine.start()
            player.scheduleBuffer(buffer)
            player.play()
            let sound = try rig.render(1000, callsOf: 300)
            #expect(sound[0] == OssicleAVFAudioTests.ramp(1000))
            #expect(rig.engine.manualRenderingSampleTime == 1000)
            rig.engine.stop()
            rig.engine.disableManualRenderingMode()
            #expect(!rig.engine.isInManualRenderingMode)
            #expect(rig.engine.manualRenderingSampleTime == 0)
            try rig.engine.enableManualRenderingMode(.offline, format: rig.format, maximumFrameCount: 512)
        }
        #expect(rig.engine.lastError == nil)
    }

    @Test("Reset sets manual time back to 0 and clears what nodes remember")
    func reset() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source { frame, _ in frame == 0 ? 1 : 0 }
        let delay = AVAudioUnitDelay()
        (delay.delayTime, delay.feedback, delay.wetDryMix) = (0.01, 0, 100)
        for node in [source, delay] as [AVAudioNode] { rig.engine.attach(node) }
        rig.engine.connect(source, to: delay, format: rig.format)
        rig.engine.connect(delay, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        // The echo would come at frame 480.
        _ = try rig.render(300)
        #expect(source.lastRenderTime?.sampleTime == 300)
        rig.engine.reset()
        #expect(rig.engine.manualRenderingSampleTime == 0)
        #expect(try rig.render(2000)[0].allSatisfy { $0 == 0 }, "the echo that was on its way is gone")
    }

    @Test("Pausing halts time and keeps what plays; starting goes on where it was")
    func pause() throws {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        player.scheduleBuffer(try ramp(4000, rig.format))
        player.play()
        let before = try rig.render(700, callsOf: 700)[0]
        rig.engine.pause()
        #expect(!rig.engine.isRunning && player.lastRenderTime == nil)
        try rig.engine.start()
        let after = try rig.render(700, callsOf: 700)[0]
        #expect(before + after == OssicleAVFAudioTests.ramp(1400))
    }

    @Test("A player taken out and put back goes on where it was; nothing of it is lost")
    func rewiring() throws {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        player.scheduleBuffer(try ramp(4000, rig.format))
        player.play()
        let before = try rig.render(500, callsOf: 500)[0]
        rig.engine.disconnectNodeOutput(player)
        #expect(try rig.render(300, callsOf: 300)[0].allSatisfy { $0 == 0 })
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        let after = try rig.render(500, callsOf: 500)[0]
        #expect(before + after == OssicleAVFAudioTests.ramp(1000))
    }

    @Test("Sixty-four players created, connected and started while rendering: each on its frame, and no sample else")
    func hotPlayers() throws {
        let rig = try OfflineRig()
        let steady = OfflineRig.source { _, _ in 0.25 }
        rig.engine.attach(steady)
        rig.engine.connect(steady, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let buffer = try ramp(900, rig.format)
        var sound: [Float] = []
        var starts: [Int] = []
        for index in 0..<64 {
            let player = AVAudioPlayerNode()
            rig.engine.attach(player)
            rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
            player.scheduleBuffer(buffer)
            player.play()
            starts.append(sound.count)
            let call = 97 + index % 5 * 31
            sound += try rig.render(call, callsOf: call)[0]
        }
        var worst: Float = 0
        for frame in sound.indices {
            // In the order of the busses: the steady source first.
            var expected: Float = 0.25
            for start in starts where frame >= start && frame < start + 900 {
                expected += Float(frame - start + 1) / 65536
            }
            worst = max(worst, (sound[frame] - expected).magnitude)
        }
        #expect(worst == 0)
        #expect(rig.engine.lastError == nil)
    }

    @Test("A tap and a completion that hang stop neither the clock nor each other")
    func hangingHandlers() throws {
        let rig = try OfflineRig()
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: rig.format)
        let hang = DispatchSemaphore(value: 0), other = DispatchSemaphore(value: 0)
        rig.engine.offlineHandlerTimeLimit = 0.05
        rig.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 64, format: nil) { _, _ in hang.wait() }
        try rig.engine.start()
        let buffer = try ramp(100, rig.format)
        player.scheduleBuffer(buffer) { hang.wait() }
        let second = AVAudioPlayerNode()
        rig.engine.attach(second)
        rig.engine.connect(second, to: rig.engine.mainMixerNode, format: rig.format)
        second.scheduleBuffer(buffer) { other.signal() }
        player.play()
        second.play()
        let rendered = try rig.render(48_000)
        #expect(rendered[0].count == 48_000)
        other.wait()
        for _ in 0..<2000 { hang.signal() }
        rig.engine.stop()
    }

    @Test("The block of realtime manual rendering renders what renderOffline would, and lends memory")
    func realtimeBlock() throws {
        let engine = AVAudioEngine()
        let format = OfflineRig.format(48000, 2)
        try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 256)
        let source = OfflineRig.source(OfflineRig.noise)
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: format)
        let block = engine.manualRenderingBlock
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        var status = noErr
        for index in 0..<2 { list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil) }
        #expect(block(100, list.unsafeMutablePointer, &status) == .error)
        #expect(status == AVAudioEngineManualRenderingError.notRunning.rawValue)
        try engine.start()
        for index in 0..<2 { list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil) }
        #expect(block(200, list.unsafeMutablePointer, &status) == .success && status == noErr)
        #expect(list[1].mDataByteSize == 800)
        let samples = try #require(list[1].mData?.assumingMemoryBound(to: Float.self))
        #expect((0..<200).allSatisfy { samples[$0] == OfflineRig.noise($0, 1) })
        #expect(
            block(257, list.unsafeMutablePointer, &status) == .error && status == kAudioUnitErr_TooManyFramesToProcess)
        engine.stop()
        #expect(block(10, list.unsafeMutablePointer, &status) == .error)
    }

    @Test(
        "Manual rendering gives every form of PCM",
        arguments: [AVAudioCommonFormat.pcmFormatInt16, .pcmFormatInt32, .pcmFormatFloat32, .pcmFormatFloat64],
        [true, false])
    func forms(_ form: AVAudioCommonFormat, _ interleaved: Bool) throws {
        let engine = AVAudioEngine()
        let format = try #require(
            AVAudioFormat(commonFormat: form, sampleRate: 48000, channels: 2, interleaved: interleaved))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 256)
        let source = OfflineRig.source { frame, channel in Float(frame % 100 - 50) / 64 * (channel == 0 ? 1 : -1) }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: OfflineRig.format(48000, 2))
        try engine.start()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 256))
        #expect(try engine.renderOffline(200, to: buffer) == .success)
        #expect(buffer.frameLength == 200)
        let planes = (0..<2).map { _ in UnsafeMutablePointer<Double>.allocate(capacity: 200) }
        defer { planes.forEach { $0.deallocate() } }
        buffer.load(planes, at: 0, frames: 200)
        #expect(
            (0..<200).allSatisfy {
                abs(planes[0][$0] - Double($0 % 100 - 50) / 64) < 1e-9
                    && abs(planes[1][$0] + Double($0 % 100 - 50) / 64) < 1e-9
            })
    }

    @Test("A changed device stops the engine and is told off the caller's thread; nodes stay connected")
    func configurationChange() async throws {
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        let format = OfflineRig.format(48000, 2)
        try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 256)
        let source = OfflineRig.source { _, _ in 0 }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: format)
        try engine.start()
        let told = DispatchSemaphore(value: 0)
        let wasRunning = Flag()
        let token = NotificationCenter.default.addObserver(
            forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
        ) { note in
            wasRunning.value = (note.object as? AVAudioEngine)?.isRunning ?? true
            told.signal()
        }
        DeviceChanges(engine.machine).formatChanged(to: (44100, 2))
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                told.wait()
                continuation.resume()
            }
        }
        NotificationCenter.default.removeObserver(token)
        #expect(!engine.isRunning && !wasRunning.value)
        #expect(engine.inputConnectionPoint(for: engine.mainMixerNode, inputBus: 0)?.node === source)
        try engine.start()
        engine.stop()
    }

    private final class Flag: @unchecked Sendable { var value = true }

    @Test(
        "At a device, or a silent clock where there is none, time passes, a player ends and is told when it has been heard"
    )
    func device() async throws {
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        let player = AVAudioPlayerNode()
        engine.attach(player)
        let format = OfflineRig.format(48000, 2)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        try engine.start()
        player.play()
        let type = await player.scheduleBuffer(try ramp(2400, format), completionCallbackType: .dataPlayedBack)
        #expect(type == .dataPlayedBack)
        let time = try #require(player.lastRenderTime)
        #expect(time.sampleTime >= 2400 && time.isHostTimeValid)
        engine.stop()
        #expect(engine.lastError == nil)
    }

    @Test("With auto shutdown the device rests once nothing plays, the engine counts as running, and a player wakes it")
    func autoShutdown() async throws {
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        engine.isAutoShutdownEnabled = true
        let player = AVAudioPlayerNode()
        engine.attach(player)
        let format = OfflineRig.format(48000, 2)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        try engine.start()
        while !engine.machine.locked({ engine.machine.autoShutdown.isIdle }) {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(engine.isRunning)
        player.play()
        let type = await player.scheduleBuffer(try ramp(2400, format), completionCallbackType: .dataRendered)
        #expect(type == .dataRendered && !engine.machine.locked { engine.machine.autoShutdown.isIdle })
        engine.stop()
        #expect(engine.lastError == nil)
    }

    @Test("Eight threads that edit, and one that renders, leave an engine that works")
    func manyThreads() throws {
        let rig = try OfflineRig()
        let steady = OfflineRig.source { _, _ in 0.25 }
        rig.engine.attach(steady)
        rig.engine.connect(steady, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let (engine, format) = (Unchecked(rig.engine), rig.format)
        let buffer = Unchecked(try ramp(300, rig.format))
        let group = DispatchGroup()
        for thread in 0..<8 {
            DispatchQueue.global().async(group: group) {
                for round in 0..<40 {
                    let player = AVAudioPlayerNode(), equalizer = AVAudioUnitEQ(numberOfBands: 2)
                    engine.value.attach(player)
                    engine.value.attach(equalizer)
                    engine.value.connect(player, to: equalizer, format: format)
                    engine.value.connect(equalizer, to: engine.value.mainMixerNode, format: format)
                    player.volume = 0
                    player.scheduleBuffer(buffer.value, at: nil, options: round % 2 == 0 ? .loops : [])
                    player.play()
                    equalizer.globalGain = Float(round)
                    if round % 3 == thread % 3 { player.stop() }
                    engine.value.detach(equalizer)
                    engine.value.detach(player)
                }
            }
        }
        var sound: [Float] = []
        while group.wait(timeout: .now()) == .timedOut { sound += try rig.render(256, callsOf: 256)[0] }
        sound += try rig.render(1024)[0]
        #expect(sound.suffix(1000).allSatisfy { $0 == 0.25 })
        #expect(rig.engine.attachedNodes.count == 3)
        #expect(rig.engine.lastError == nil)
    }

    private struct Unchecked<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
}
