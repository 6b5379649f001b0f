import Foundation
import OssicleCore
import OssiclePHASE

/// One client of an `EverythingScene`: does one thing to it per turn, until all have been done, and again. Several
/// threads have a hand each, and play in the same scene with the same groups, listeners and registry.
final class SceneHand: Hand {
    private let scene: EverythingScene
    private let number: Int
    private let source: PHASESource
    private let parameters: PHASEMixerParameters
    private let effects = [AVAudioUnitEQ(numberOfBands: 4), AVAudioUnitReverb(), AVAudioUnitDelay()]
    private let strip = AVAudioUnitDistortion()
    private let buffer: AVAudioPCMBuffer
    private var events: [PHASESoundEvent] = []
    private var turn = 0
    private var changesHead = false

    /// - Parameter number: 0 and up; where in the round it begins.
    init(_ scene: EverythingScene, _ number: Int) throws {
        (self.scene, self.number) = (scene, number)
        source = PHASESource(engine: scene.engine)
        try scene.engine.rootObject.addChild(source)
        parameters = scene.places(source, number % 2 == 0 ? scene.listener : scene.second)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: try EverythingScene.streamFormat(44_100), frameCapacity: 3000)
        else { throw CheckError("no buffer") }
        for (frame, sample) in Noise.samples(3000, key: UInt64(number)).enumerated() {
            buffer.floatChannelData?[0][frame] = sample
        }
        buffer.frameLength = 3000
        self.buffer = buffer
        turn = 5 * number
    }

    /// The next of the round. What is done depends on the turn alone.
    func act() throws {
        turn += 1
        move()
        switch turn % 24 {
        case 0...9: try begin(EverythingScene.events[turn % 24])
        case 10: events.last?.seek(to: Double(turn % 50) / 100) { _ in }
        case 11: events.forEach { $0.pause() }
        case 12: events.forEach { $0.resume(at: time(2000)) }
        case 13:
            scene.engine.maximumVoiceCount = [nil, 3, 12][turn / 24 % 3]
            scene.engine.maximumFullVoiceCount = [nil, 2, 0, 5][turn / 24 % 4]
        case 14: mixGroups()
        case 15: try changeRoom()
        case 16: scene.engine.insertEffects = Array(effects.prefix(turn / 24 % 4))
        case 17: changeStrip()
        case 18: try changeTaps()
        case 19: movesParameters()
        case 20: feedStreams()
        case 21: look()
        case 22: try changeAssets()
        default: clear()
        }
    }

    /// Leaves nothing of its own.
    func leave() {
        events.forEach { $0.stopAndInvalidate() }
        scene.engine.rootObject.removeChild(source)
    }

    private func time(_ ahead: Int64) -> AVAudioTime {
        AVAudioTime(sampleTime: scene.engine.manualRenderingSampleTime + ahead, atRate: scene.format.sampleRate)
    }

    // MARK: Events

    private func begin(_ name: String) throws {
        let event = try PHASESoundEvent(engine: scene.engine, assetIdentifier: name, mixerParameters: parameters)
        for node in event.pullStreamNodes.values { node.renderHandler = { Self.saw($1, $2, $3) } }
        for node in event.pushStreamNodes.values {
            node.scheduleBuffer(
                buffer: buffer, time: nil, options: turn % 2 == 0 ? .loops : .default,
                completionCallbackType: .dataRendered
            ) { _ in }
        }
        if turn % 3 == 0 { event.seek(to: 0.05) { _ in } }
        if turn % 2 == 0 { event.start { _ in } } else { event.start(at: time(700)) { _ in } }
        events.append(event)
        if events.count > 14 { events.removeFirst().stopAndInvalidate() }
    }

    private static func saw(
        _ time: UnsafePointer<AudioTimeStamp>, _ frames: AVAudioFrameCount,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        for channel in UnsafeMutableAudioBufferListPointer(list) {
            let samples = channel.mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(frames) {
                samples?[frame] = Float((Int(time.pointee.mSampleTime) + frame) % 200) / 4000
            }
        }
        return noErr
    }

    private func feedStreams() {
        let options: [PHASEPushStreamBufferOptions] = [.default, .loops, .interrupts, .interruptsAtLoop]
        for event in events {
            for node in event.pushStreamNodes.values {
                node.scheduleBuffer(
                    buffer: buffer, time: nil, options: options[turn / 24 % 4], completionCallbackType: .dataRendered
                ) { _ in }
            }
        }
    }

    private func movesParameters() {
        for event in events {
            (event.metaParameters["level"] as? PHASENumberMetaParameter)?.fade(
                value: Double(turn % 10) / 10, duration: 0.03)
            (event.metaParameters["rate"] as? PHASENumberMetaParameter)?.fade(
                value: 0.5 + Double(turn % 7) / 4, duration: 0.02)
            (event.metaParameters["choice"] as? PHASEStringMetaParameter)?.value = turn % 2 == 0 ? "a" : "b"
        }
        (scene.engine.assetRegistry.globalMetaParameters["blend"] as? PHASENumberMetaParameter)?.value =
            Double(turn % 11) / 10
    }

    private func clear() {
        for _ in 0..<min(5, events.count) { events.removeFirst().stopAndInvalidate() }
    }

    // MARK: Scene

    /// Glides, and now and then is somewhere else.
    private func move() {
        let angle = Float(turn + 40 * number) / 20
        var transform = simd_float4x4(simd_quatf(angle: angle, axis: SIMD3(0, 1, 0)))
        transform.columns.3 = turn % 40 == 0 ? SIMD4(60, 0, 0, 1) : SIMD4(5 * sin(angle), 0.3, 6 * cos(angle), 1)
        source.transform = transform
        source.gain = Double(turn % 9) / 8
        scene.listener.transform = simd_float4x4(simd_quatf(angle: angle, axis: simd_normalize(SIMD3(0.2, 1, 0.1))))
        transform.columns.3 = SIMD4(sin(angle), 0, -1, 1)
        scene.occluder.transform = transform
    }

    private func mixGroups() {
        scene.music.fadeGain(gain: Double(turn % 5) / 4, duration: 0.05, curveType: .sine)
        scene.music.fadeRate(rate: 0.8 + Double(turn % 3) / 4, duration: 0.05, curveType: .linear)
        if turn / 24 % 2 == 0 { scene.preset.activate() } else { scene.preset.deactivate() }
        switch turn / 24 % 6 {
        case 0: scene.speech.solo()
        case 1: scene.speech.unsolo()
        case 2: scene.music.mute()
        case 3: scene.music.unmute()
        case 4: scene.ducker.deactivate()
        default: scene.ducker.activate()
        }
    }

    private func changeRoom() throws {
        scene.engine.defaultReverbPreset = [.smallRoom, .cathedral, .none, .mediumHall][turn / 24 % 4]
        scene.engine.acousticsMode = turn / 24 % 4 < 2 ? .geometry : .preset
        switch turn / 24 % 8 {
        case 1 where scene.zone.parent == nil: try? scene.engine.rootObject.addChild(scene.zone)
        case 3: scene.zone.reverb = .preset(.cathedral)
        case 5: scene.zone.reverb = .computed
        case 7: scene.engine.rootObject.removeChild(scene.zone)
        default: break
        }
        try changeMeasuredRoom()
        if turn / 24 % 3 == 0 { scene.engine.defaultMedium = PHASEMedium(engine: scene.engine, preset: .air) }
        if turn / 24 % 5 == 0 {
            scene.engine.rootObject.removeChild(source)
            try scene.engine.rootObject.addChild(source)
        }
        // Reading a head takes a second: the first hand does, seldom.
        guard number == 0, let head = scene.head, turn / 24 % 8 == 1 || turn / 24 % 8 == 4 else { return }
        if changesHead { scene.engine.resetHRTF() } else { try scene.engine.loadHRTF(contentsOf: head) }
        changesHead.toggle()
    }

    /// The file of noise as a room; now and then of the zone.
    private func changeMeasuredRoom() throws {
        switch turn / 24 % 6 {
        case 0: try scene.engine.loadImpulseResponse(contentsOf: scene.sound)
        case 2: try scene.zone.loadImpulseResponse(contentsOf: scene.sound)
        case 3: scene.engine.unloadImpulseResponse()
        case 5: scene.zone.unloadImpulseResponse()
        default: break
        }
    }

    private func changeStrip() {
        strip.preGain = Float(turn % 12) - 6
        effects.lazy.compactMap { $0 as? AVAudioUnitDelay }.forEach { $0.delayTime = Double(turn % 30) / 100 }
        guard let mixer = events.last?.mixers.values.first else { return }
        mixer.insertEffects = turn / 24 % 2 == 0 ? [strip] : []
    }

    private func changeTaps() throws {
        if turn / 24 % 4 == 0 { scene.engine.removeTap() }
        try scene.engine.installTap(bufferSize: 256) { _, _ in }
        if turn / 24 % 3 == 0 { events.last?.mixers.values.forEach { $0.removeTap() } }
        try events.last?.mixers.values.first?.installTap(bufferSize: 128) { _, _ in }
        let output = scene.engine.output(for: scene.listener)
        output.removeTap()
        try output.installTap(bufferSize: 512) { _, _ in }
    }

    private func look() {
        for event in events.suffix(2) { _ = "\(scene.engine.explain(event))" }
        _ = (
            scene.engine.directPaths.count, scene.engine.takeMeters(), scene.engine.streamStatistics,
            scene.engine.lastRenderTime, scene.engine.acousticsReport
        )
        // Somebody else's event, if there are others.
        scene.engine.soundEvents.first?.pause()
        scene.engine.soundEvents.first?.resume()
    }

    private func changeAssets() throws {
        let (registry, name) = (scene.engine.assetRegistry, "sound of \(number) \(turn)")
        try registry.registerSoundAsset(
            url: scene.sound, identifier: name, assetType: turn / 24 % 2 == 0 ? .streamed : .resident,
            channelLayout: nil, normalizationMode: .none)
        registry.unregisterAsset(identifier: name, completion: nil)
    }
}
