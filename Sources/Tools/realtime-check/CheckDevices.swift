import Foundation
import OssicleAVFAudio
import OssicleDevices
import OssiclePHASE
import Synchronization

/// Both engines at the default devices, with their callbacks and what the devices' threads do around them under watch.
enum CheckDevices {
    /// Seconds that each engine plays before the watch begins, as the runtime makes metadata when it is first needed;
    /// and under it.
    private static let (before, watched) = (0.5, 1.0)

    /// A graph with live input, a player, a sink and taps on both ends.
    /// - Returns: callbacks under watch, and the device.
    static func graph() throws -> String {
        let engine = AVAudioEngine()
        let device = SurveyedOutput(try DefaultDevice.open())
        let input = try? DefaultInput.open(sampleRate: device.sampleRate)
        return try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device, input: input)) {
            let player = AVAudioPlayerNode()
            let sink = AVAudioSinkNode { _, _, _ in noErr }
            for node in [player, sink] as [AVAudioNode] { engine.attach(node) }
            guard let format = AVAudioFormat(standardFormatWithSampleRate: device.sampleRate, channels: 2) else {
                throw CheckError("no format")
            }
            try engine.connectNode(player, to: engine.mainMixerNode, format: format)
            if input != nil {
                try engine.connectNode(engine.inputNode, to: sink, format: nil)
                engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
            }
            engine.mainMixerNode.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
            engine.watchesRealTime = false
            try engine.start()
            player.scheduleBuffer(try noise(format), at: nil, options: .loops)
            player.play(at: AVAudioTime(hostTime: HostClock.now + 100_000_000))
            let found = try watch(device)
            player.pause()
            engine.stop()
            return found + (input == nil ? "" : " and \(input?.name ?? "")")
        }
    }

    /// A scene of voices that move.
    static func scene() throws -> String {
        let device = SurveyedOutput(try DefaultDevice.open())
        let voices = try MovingVoices(count: 8, device)
        voices.engine.watchesRealTime = false
        try voices.start()
        let found = try watch(device)
        voices.engine.stop()
        return found
    }

    private static func watch(_ device: SurveyedOutput) throws -> String {
        Thread.sleep(forTimeInterval: before)
        let first = device.callbackCount
        RealTimeWatch.isOn = true
        Thread.sleep(forTimeInterval: watched)
        RealTimeWatch.isOn = false
        let count = device.callbackCount - first
        guard count > 0 else { throw CheckError("\(device.name) asked for nothing") }
        return "\(count) callbacks of \(device.name)"
    }

    private static func noise(_ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 9600) else {
            throw CheckError("no buffer")
        }
        buffer.frameLength = 9600
        for frame in 0..<9600 {
            for channel in 0..<2 { buffer.floatChannelData?[channel][frame] = Float(frame * 7919 % 200) * 1e-4 }
        }
        return buffer
    }
}

/// A PHASE engine at a device, with looping voices around the listener.
final class MovingVoices {
    let engine = PHASEEngine(updateMode: .automatic)
    private let listener: PHASEListener
    private var events: [PHASESoundEvent] = []
    private let device: SurveyedOutput?

    /// - Parameter device: nil for the default, which the engine opens and follows.
    init(count: Int, _ device: SurveyedOutput? = nil) throws {
        self.device = device
        listener = PHASEListener(engine: engine)
        try engine.rootObject.addChild(listener)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
            let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb])
        else { throw CheckError("no format") }
        engine.defaultReverbPreset = .mediumRoom
        let samples = (0..<48_000).map { Float($0 * 7919 % 2000) * 1e-5 }
        try engine.assetRegistry.registerSoundAsset(
            data: samples.withUnsafeBytes { Data($0) }, identifier: "noise", format: format, normalizationMode: .none)
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline)
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "noise", mixerDefinition: mixer)
        sampler.playbackMode = .looping
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "voice")
        for index in 0..<count {
            let source = PHASESource(engine: engine)
            let angle = 2 * Float.pi * Float(index) / Float(count)
            source.transform.columns.3 = SIMD4(3 * cos(angle), 0, 3 * sin(angle), 1)
            try engine.rootObject.addChild(source)
            let parameters = PHASEMixerParameters()
            parameters.addSpatialMixerParameters(identifier: mixer.identifier, source: source, listener: listener)
            events.append(try PHASESoundEvent(engine: engine, assetIdentifier: "voice", mixerParameters: parameters))
        }
    }

    func start() throws {
        let substitutes = device.map { DeviceSubstitutes(output: $0) }
        try DeviceSubstitutes.$current.withValue(substitutes) { try engine.start() }
        for event in events { event.start(completion: nil) }
    }

    /// Turns the listener.
    func turn(_ step: Int) {
        let angle = Float(step % 100) / 100 * 2 * Float.pi
        listener.transform.columns = (
            SIMD4(cos(angle), 0, -sin(angle), 0), SIMD4(0, 1, 0, 0), SIMD4(sin(angle), 0, cos(angle), 0),
            SIMD4(0, 0, 0, 1)
        )
    }
}

/// Voices at the default device for a while: what it counts.
enum Soak {
    /// Plays 32 voices in blocks of 256 frames while the listener turns.
    static func run(seconds: Double) throws {
        var preferences = DevicePreferences.current
        preferences.bufferDuration = 256.0 / 48_000
        DevicePreferences.current = preferences
        let device = SurveyedOutput(try DefaultDevice.open(sampleRate: 48_000, channelCount: 2))
        let voices = try MovingVoices(count: 32, device)
        try voices.start()
        let end = Date().addingTimeInterval(seconds)
        var step = 0
        while Date() < end {
            voices.turn(step)
            step += 1
            Thread.sleep(forTimeInterval: 0.02)
        }
        let (callbacks, late, longest) = (device.callbackCount, device.lateCount, device.longestCallback)
        let (dropouts, scheduling) = (device.dropoutCount, device.scheduling)
        voices.engine.stop()
        print("device           \(device.name), \(device.quantum) frames at \(Int(device.sampleRate)) Hz")
        print("scheduling       \(scheduling)")
        print("voices           32 for \(seconds) s")
        print("callbacks        \(callbacks)")
        print("late callbacks   \(late)")
        for callback in device.lateCallbacks { print("                 \(callback)") }
        print("longest callback \((longest * 1e5).rounded() / 100) ms")
        print("xruns            \(dropouts)")
    }
}
