import Foundation
import OssicleCore
import OssiclePHASE
import OssicleTestSupport

/// A program that does something at random between any two render calls, and keeps what it rendered.
final class RandomScene: @unchecked Sendable {
    let engine: PHASEEngine
    private(set) var channels: [[Float]] = [[], []]
    private let random = CounterRandom(seed: 11, object: 3)
    private var draws: UInt64 = 0
    private let buffer: AVAudioPCMBuffer
    private var sources: [PHASESource] = []
    private var listener: PHASEListener
    private var group: PHASEGroup
    private var ducker: PHASEDucker
    private var preset: PHASEGroupPreset
    private var events: [PHASESoundEvent] = []
    private var occluder: PHASEOccluder
    private let head = PHASEHeadTracking(.supplied)
    private let equalizer = AVAudioUnitEQ(numberOfBands: 1), delay = AVAudioUnitDelay()
    private let distortion = AVAudioUnitDistortion()

    private func draw(_ limit: Int) -> Int {
        draws += 1
        return min(Int(random.unit(draws) * Double(limit)), limit - 1)
    }

    private func draw(_ range: ClosedRange<Double>) -> Double {
        draws += 1
        return range.lowerBound + random.unit(draws) * (range.upperBound - range.lowerBound)
    }

    /// - Parameter recording: where its commands go.
    init(updateMode: PHASEEngine.UpdateMode, usesGeometry: Bool, recording: URL) throws {
        engine = PHASEEngine(updateMode: updateMode)
        try engine.startRecordingCommands(to: recording)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let mono = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 2048)
        else { throw CocoaError(.featureUnsupported) }
        self.buffer = buffer
        engine.randomSeed = 77
        engine.defaultReverbPreset = .mediumRoom
        if usesGeometry {
            engine.acousticsMode = .geometry
            engine.acousticsQuality = PHASEAcousticsQuality(
                rays: 64, bounces: 8, reflectionOrder: 1, reflections: 4, edges: 1)
        }
        listener = PHASEListener(engine: engine)
        group = PHASEGroup(identifier: "all")
        let other = PHASEGroup(identifier: "other")
        group.register(engine: engine)
        other.register(engine: engine)
        ducker = PHASEDucker(
            engine: engine, sourceGroups: [other], targetGroups: [group], gain: 0.5, attackTime: 0.05, releaseTime: 0.1,
            attackCurve: .sine, releaseCurve: .linear)
        preset = PHASEGroupPreset(
            engine: engine,
            settings: [
                "all": PHASEGroupPresetSetting(gain: 0.6, rate: 1.1, gainCurveType: .linear, rateCurveType: .linear)
            ], timeToTarget: 0.2, timeToReset: 0.1)
        let mesh = MDLMesh(
            boxWithExtent: SIMD3(1, 2, 0.2), segments: SIMD3(1, 1, 1), inwardNormals: false, geometryType: .triangles,
            allocator: nil)
        let shape = PHASEShape(engine: engine, mesh: mesh, materials: [PHASEMaterial(engine: engine, preset: .wood)])
        occluder = PHASEOccluder(engine: engine, shapes: [shape])
        try engine.rootObject.addChild(listener)
        listener.automaticHeadTrackingFlags = [.orientation, .position]
        engine.headTracking = head
        for index in 0..<3 {
            let source = PHASESource(engine: engine)
            source.transform.columns.3 = simd_float4(Float(index) - 1, 0, -2, 1)
            try engine.rootObject.addChild(source)
            sources.append(source)
        }
        let noise = Signal.noise(count: 22_050, seed: 5, amplitude: 0.3).withUnsafeBytes { Data($0) }
        try engine.assetRegistry.registerSoundAsset(
            data: noise, identifier: "noise", format: mono, normalizationMode: .dynamic)
        let tone = Signal.sine(330, sampleRate: 44_100, count: 11_025, amplitude: 0.3).withUnsafeBytes { Data($0) }
        try engine.assetRegistry.registerSoundAsset(
            data: tone, identifier: "tone", format: mono, normalizationMode: .none)
        try registerEvents(other)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 2048)
        try engine.start()
    }

    private func registerEvents(_ other: PHASEGroup) throws {
        guard let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .earlyReflections, .lateReverb])
        else {
            throw CocoaError(.featureUnsupported)
        }
        pipeline.entries[.lateReverb]?.sendLevel = 0.3
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "space")
        mixer.distanceModelParameters = PHASEGeometricSpreadingDistanceModelParameters()
        let volume = PHASENumberMetaParameterDefinition(value: 0.8, minimum: 0, maximum: 1, identifier: "volume")
        try engine.assetRegistry.registerGlobalMetaParameter(
            metaParameterDefinition: PHASENumberMetaParameterDefinition(
                value: 1, minimum: 0.5, maximum: 2, identifier: "speed"))
        let samplers = ["noise", "tone"].map { name in
            let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: name, mixerDefinition: mixer)
            sampler.playbackMode = name == "noise" ? .looping : .oneShot
            sampler.group = name == "noise" ? group : other
            sampler.gainMetaParameterDefinition = volume
            sampler.rateMetaParameterDefinition = PHASENumberMetaParameterDefinition(
                value: 1, minimum: 0.5, maximum: 2, identifier: "speed")
            return sampler
        }
        let choice = PHASERandomNodeDefinition()
        for sampler in samplers { choice.addSubtree(sampler, weight: 2) }
        try engine.assetRegistry.registerSoundEventAsset(rootNode: choice, identifier: "any")
        let stream = PHASEPushStreamNodeDefinition(
            mixerDefinition: mixer, format: AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)!,
            identifier: "pushed")
        try engine.assetRegistry.registerSoundEventAsset(rootNode: stream, identifier: "stream")
        let live = PHASEPullStreamNodeDefinition(
            mixerDefinition: mixer, format: AVAudioFormat(standardFormatWithSampleRate: 32_000, channels: 1)!,
            identifier: "pulled")
        live.normalize = true
        try engine.assetRegistry.registerSoundEventAsset(rootNode: live, identifier: "live")
    }

    /// Renders `seconds` in calls of random length, with an edit before each.
    func run(seconds: Double) throws {
        let frames = channels[0].count + Int(seconds * 48_000)
        while channels[0].count < frames {
            try edit()
            if draw(3) > 0 { engine.update() }
            let count = min(1 + draw(2048), frames - channels[0].count)
            try engine.renderOffline(AVAudioFrameCount(count), to: buffer)
            for channel in 0..<2 {
                channels[channel] += UnsafeBufferPointer(start: buffer.floatChannelData?[channel], count: count)
            }
        }
    }

    /// Any thread.
    func move(_ source: Int, to x: Float) { sources[source].transform.columns.3.x = x }

    private func edit() throws {
        let source = sources[draw(sources.count)], event = events.isEmpty ? nil : events[draw(events.count)]
        switch draw(25) {
        case 0...3:
            source.transform.columns.3 = simd_float4(Float(draw(-3...3)), Float(draw(-1...1)), Float(draw(-4...1)), 1)
        case 4: listener.transform.columns.3.x = Float(draw(-1...1))
        case 5: source.gain = draw(0...1)
        case 6...7: try makeEvent(source)
        case 8: event?.pause()
        case 9: event?.resume()
        case 10: event?.seek(to: draw(0...0.2))
        case 11: event?.stopAndInvalidate()
        case 12: group.fadeGain(gain: draw(0.2...1), duration: draw(0...0.3), curveType: .sine)
        case 13: (event?.metaParameters["volume"] as? PHASENumberMetaParameter)?.fade(value: draw(0...1), duration: 0.1)
        case 14: engine.assetRegistry.globalMetaParameters["speed"]?.value = draw(0.5...2)
        case 15: draw(2) == 0 ? preset.activate() : preset.deactivate()
        case 16: draw(2) == 0 ? ducker.activate() : ducker.deactivate()
        case 17:
            if occluder.parent == nil {
                try engine.rootObject.addChild(occluder)
            } else {
                engine.rootObject.removeChild(occluder)
            }
        case 18: try pushSound(source)
        case 19: try pullSound(source)
        case 20:
            let turn = draw(-1...1)
            head.supply(
                orientation: simd_quatd(ix: 0, iy: sin(turn), iz: 0, r: cos(turn)),
                position: SIMD3(draw(-0.3...0.3), 0, draw(-0.3...0.3)))
        case 21: draw(3) == 0 ? engine.headTracking = draw(2) == 0 ? nil : head : head.recentre()
        case 22:
            switch draw(4) {
            case 0: engine.insertEffects = [equalizer, delay]
            case 1: engine.insertEffects = [delay]
            case 2: engine.insertEffects = []
            default: event?.mixers["space"]?.insertEffects = draw(2) == 0 ? [] : [distortion]
            }
        case 23:
            delay.delayTime = draw(0.01...0.1)
            equalizer.bands[0].bypass = false
            equalizer.bands[0].gain = Float(draw(-12...6))
            equalizer.globalGain = Float(draw(-6...0))
            distortion.loadFactoryPreset(draw(2) == 0 ? .multiEcho1 : .drumsLoFi)
            distortion.preGain = Float(draw(-12...0))
            delay.bypass = draw(4) == 0
        default: engine.defaultReverbPreset = draw(2) == 0 ? .smallRoom : .largeHall
        }
    }

    private func parameters(_ source: PHASESource) -> PHASEMixerParameters {
        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(identifier: "space", source: source, listener: listener)
        return parameters
    }

    private func makeEvent(_ source: PHASESource) throws {
        let event = try PHASESoundEvent(engine: engine, assetIdentifier: "any", mixerParameters: parameters(source))
        event.start()
        if events.count > 5 { events.removeFirst().stopAndInvalidate() }
        events.append(event)
    }

    /// A stream that is made as it is played, and silent now and then.
    private func pullSound(_ source: PHASESource) throws {
        let event = try PHASESoundEvent(engine: engine, assetIdentifier: "live", mixerParameters: parameters(source))
        let step = draw(0.02...0.06)
        event.pullStreamNodes["pulled"]?.renderHandler = { isSilence, time, count, list in
            let start = Int(time.pointee.mSampleTime)
            isSilence.pointee = ObjCBool(start / 4000 % 3 == 1)
            let samples = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(count) {
                samples?[frame] = 0.1 * Float(DeterministicMath.sin(step * Double(start + frame)))
            }
            return noErr
        }
        event.start()
        events.append(event)
    }

    private func pushSound(_ source: PHASESource) throws {
        let event = try PHASESoundEvent(engine: engine, assetIdentifier: "stream", mixerParameters: parameters(source))
        guard let node = event.pushStreamNodes["pushed"],
            let sound = AVAudioPCMBuffer(pcmFormat: node.format, frameCapacity: 9600)
        else { return }
        sound.frameLength = 9600
        for (frame, sample) in Signal.sine(500 + draw(0...500), count: 9600, amplitude: 0.1).enumerated() {
            sound.floatChannelData?[0][frame] = sample
        }
        node.scheduleBuffer(buffer: sound)
        event.start()
        events.append(event)
    }
}
