import Foundation
import OssicleAVFAudio
import OssicleCore
import OssiclePHASE

/// A scene and a graph large enough for several threads, edited while they render: with RealtimeSanitizer on every
/// thread, and with the same bytes on one, two, three and seven.
enum CheckWorkers {
    /// - Returns: seconds rendered.
    static func run() throws -> Double {
        try compare("scene") { try scene(threads: $0) }
        try compare("graph") { try graph(threads: $0) }
        return 8 * Double(blocks) * Double(blockFrames) / 48_000
    }

    private static let blocks = 60
    private static let blockFrames: AVAudioFrameCount = 512

    private static func compare(_ name: String, _ render: (Int) throws -> [Float]) throws {
        let expected = try render(1)
        guard expected.contains(where: { $0 != 0 }) else { throw CheckError("the \(name) is silent") }
        for threads in [2, 3, 7] where try render(threads) != expected {
            throw CheckError("the \(name) has other bytes on \(threads) threads than on one")
        }
    }

    /// All blocks, before each of which `step` changes something; the second half under watch.
    private static func sound(
        _ format: AVAudioFormat, watch: (Bool) -> Void, _ step: (Int, AVAudioPCMBuffer) throws -> Void
    ) throws -> [Float] {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: blockFrames) else {
            throw CheckError("no buffer")
        }
        var sound: [Float] = []
        watch(false)
        for block in 0..<blocks {
            if block == blocks / 2 { watch(true) }
            try step(block, buffer)
            for channel in 0..<Int(format.channelCount) {
                guard let samples = buffer.floatChannelData?[channel] else { continue }
                sound += UnsafeBufferPointer(start: samples, count: Int(buffer.frameLength))
            }
        }
        return sound
    }

    private static func stereo() throws -> AVAudioFormat {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else {
            throw CheckError("no format")
        }
        return format
    }

    // MARK: A scene

    /// A hundred and twenty moving sources in a hall; every other block a sound begins and one ends.
    private static func scene(threads: Int) throws -> [Float] {
        let engine = PHASEEngine(updateMode: .automatic)
        let format = try stereo()
        engine.outputSpatializationMode = .alwaysUseBinaural
        engine.renderThreadCount = threads
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: blockFrames)
        engine.defaultReverbPreset = .mediumHall
        let listener = PHASEListener(engine: engine)
        try engine.rootObject.addChild(listener)
        let file = try CheckScene.writeNoise()
        defer { try? FileManager.default.removeItem(at: file) }
        try engine.assetRegistry.registerSoundAsset(
            url: file, identifier: "noise", assetType: .resident, channelLayout: nil, normalizationMode: .none)
        guard let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb]) else {
            throw CheckError("no pipeline")
        }
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "mixer")
        mixer.distanceModelParameters = PHASEGeometricSpreadingDistanceModelParameters()
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "noise", mixerDefinition: mixer)
        sampler.playbackMode = .looping
        sampler.cullOption = .doNotCull
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "event")
        let sources = try [PHASESource](in: engine, count: 120)
        func event(_ source: PHASESource) throws -> PHASESoundEvent {
            let parameters = PHASEMixerParameters()
            parameters.addSpatialMixerParameters(identifier: "mixer", source: source, listener: listener)
            let event = try PHASESoundEvent(engine: engine, assetIdentifier: "event", mixerParameters: parameters)
            event.start(completion: nil)
            return event
        }
        try engine.start()
        defer { engine.stop() }
        var events = try sources.map(event)
        return try sound(format, watch: { engine.watchesRealTime = $0 }) { block, buffer in
            for (index, source) in sources.enumerated() {
                let angle = Float(index) + Float(block) * 0.03
                var transform = matrix_identity_float4x4
                transform.columns.3 = SIMD4(5 * sin(angle), 0.3 * Float(index % 5), 5 * cos(angle), 1)
                source.transform = transform
            }
            if block % 2 == 1 {
                events.removeFirst().stopAndInvalidate()
                events.append(try event(sources[block % sources.count]))
            }
            try engine.renderOffline(blockFrames, to: buffer)
        }
    }

    // MARK: A graph

    /// Sixteen players behind changes of speed, and a source of the client's; every fourth block brings a player, or
    /// takes it away.
    private static func graph(threads: Int) throws -> [Float] {
        let engine = AVAudioEngine()
        let format = try stereo()
        engine.renderThreadCount = threads
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: blockFrames)
        let file = try CheckScene.writeNoise()
        defer { try? FileManager.default.removeItem(at: file) }
        let noise = try AVAudioFile(forReading: file)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: noise.processingFormat, frameCapacity: 30_000) else {
            throw CheckError("no buffer")
        }
        try noise.read(into: buffer)
        func player() throws -> AVAudioPlayerNode {
            let (player, change) = (AVAudioPlayerNode(), AVAudioUnitTimePitch())
            for node in [player, change] { engine.attach(node) }
            try engine.connectNode(player, to: change, format: noise.processingFormat)
            try engine.connectNode(change, to: engine.mainMixerNode, format: noise.processingFormat)
            change.rate = 0.9
            change.pitch = 200
            player.scheduleBuffer(buffer, at: nil, options: .loops)
            return player
        }
        let players = try (0..<16).map { _ in try player() }
        let source = AVAudioSourceNode { _, stamp, frames, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                for frame in 0..<Int(frames) {
                    samples[frame] = Float((Int(stamp.pointee.mSampleTime) + frame) & 255) * 0.0005
                }
            }
            return noErr
        }
        engine.attach(source)
        try engine.connectNode(source, to: engine.mainMixerNode, format: format)
        try engine.start()
        defer { engine.stop() }
        for player in players { player.play() }
        var guest: AVAudioPlayerNode?
        return try sound(format, watch: { engine.watchesRealTime = $0 }) { block, buffer in
            if block % 4 == 3, let gone = guest {
                engine.detach(gone)
                guest = nil
            } else if block % 4 == 3 {
                guest = try player()
                guest?.play()
            }
            try engine.renderOffline(blockFrames, to: buffer)
        }
    }
}
