import AVFAudio
import Foundation
import OssicleInspector
import PHASE

/// What `Scripts/view-check` looks at besides the demo: a scene of 100 voices and some 2,000 paths, or a graph. Prints
/// the address and plays until standard input ends.
@main
enum ViewStage {
    static func main() throws {
        let inspector = try Inspector { address in
            print(address)
            fflush(nil)
        }
        switch CommandLine.arguments.dropFirst().first {
        case "crowd": try Crowd(inspector).play()
        case "graph": try Effects(inspector).play()
        default:
            FileHandle.standardError.write(Data("usage: view-stage crowd|graph\n".utf8))
            exit(64)
        }
    }

    /// Calls `step` thirty times a second, with the seconds since the start, until standard input ends.
    static func untilInputEnds(_ step: (Double) -> Void) {
        let start = Date()
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        var next = 0.0
        while true {
            let left = next + start.timeIntervalSinceNow
            if poll(&input, 1, Int32(max(left * 1000, 0).rounded(.up))) > 0 {
                let isOpen = input.revents & Int16(POLLIN) != 0
                guard isOpen, !FileHandle.standardInput.availableData.isEmpty else { return }
                continue
            }
            let now = -start.timeIntervalSinceNow
            step(now)
            // A step that is late is not made up for: the next one is where it would have been.
            next = max(next + 1 / 30, now)
        }
    }
}

/// A hundred sources on a grid in a hall with two screens, in geometry mode; ten of them walk.
struct Crowd {
    private let engine = PHASEEngine(updateMode: .automatic)
    private var sources: [PHASESource] = []
    private var events: [PHASESoundEvent] = []

    init(_ inspector: Inspector) throws {
        engine.outputSpatializationMode = .alwaysUseBinaural
        engine.acousticsMode = .geometry
        // Twenty reflections a source.
        engine.acousticsQuality = PHASEAcousticsQuality(rays: 256, reflections: 20)
        // Also beside compilers: the paths are what is looked at.
        engine.acousticsBudget = 10
        try add(SIMD3(26, 5, 18), at: SIMD3(0, 2.5, 0), .brick, inwards: true, name: "hall")
        try add(SIMD3(5, 2.6, 0.2), at: SIMD3(3, 1.3, -3), .wood, inwards: false, name: "long screen")
        try add(SIMD3(0.2, 2.6, 5), at: SIMD3(-5, 1.3, 2), .wood, inwards: false, name: "short screen")
        let listener = PHASEListener(engine: engine)
        listener.name = "listener"
        listener.transform.columns.3 = SIMD4(0, 1.6, 0, 1)
        try engine.rootObject.addChild(listener)
        let names = ["talk", "music", "steps", "birds"]
        let groups = names.map { PHASEGroup(identifier: $0) }
        for (number, name) in names.enumerated() {
            groups[number].register(engine: engine)
            try register(name, number, groups[number])
        }
        for number in 0..<100 {
            let source = PHASESource(engine: engine)
            source.name = "\(names[number % 4]) \(number + 1)"
            source.transform = Self.place(number, 0)
            try engine.rootObject.addChild(source)
            sources.append(source)
            let parameters = PHASEMixerParameters()
            parameters.addSpatialMixerParameters(identifier: "mixer", source: source, listener: listener)
            events.append(
                try PHASESoundEvent(engine: engine, assetIdentifier: names[number % 4], mixerParameters: parameters))
        }
        engine.inspector = inspector
        try engine.start()
        for event in events { event.start(completion: nil) }
    }

    func play() {
        ViewStage.untilInputEnds { seconds in
            for number in stride(from: 0, to: sources.count, by: 10) {
                sources[number].transform = Self.place(number, seconds)
            }
        }
        engine.stop()
    }

    private static func place(_ number: Int, _ seconds: Double) -> simd_float4x4 {
        let turn = Float(seconds) * 0.5 + Float(number)
        var transform = matrix_identity_float4x4
        transform.columns.3 = SIMD4(
            (Float(number % 10) - 4.5) * 2.4 + 0.6 * sin(turn), 1 + 0.3 * Float(number % 3),
            (Float(number / 10) - 4.5) * 1.6 + 0.6 * cos(turn), 1)
        return transform
    }

    private func add(
        _ size: SIMD3<Float>, at centre: SIMD3<Float>, _ preset: PHASEMaterialPreset, inwards: Bool, name: String
    ) throws {
        let mesh = MDLMesh.newBox(
            withDimensions: size, segments: vector_uint3(1, 1, 1), geometryType: .triangles, inwardNormals: inwards,
            allocator: nil)
        let shape = PHASEShape(engine: engine, mesh: mesh, materials: [PHASEMaterial(engine: engine, preset: preset)])
        let occluder = PHASEOccluder(engine: engine, shapes: [shape])
        occluder.name = name
        occluder.transform.columns.3 = SIMD4(centre, 1)
        try engine.rootObject.addChild(occluder)
    }

    /// A short tone or noise that comes again and again.
    private func register(_ name: String, _ number: Int, _ group: PHASEGroup) throws {
        guard let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
            let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .earlyReflections, .lateReverb])
        else { throw CocoaError(.featureUnsupported) }
        let pitch = 220 * pow(1.5, Double(number))
        let samples = (0..<48_000).map { frame -> Float in
            let time = Double(frame) / 48_000
            return Float(0.05 * exp(-4 * time) * sin(2 * .pi * pitch * time))
        }
        try engine.assetRegistry.registerSoundAsset(
            data: samples.withUnsafeBytes { Data($0) }, identifier: name + " sound", format: mono,
            normalizationMode: .none)
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "mixer")
        let law = PHASEGeometricSpreadingDistanceModelParameters()
        law.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 40)
        mixer.distanceModelParameters = law
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: name + " sound", mixerDefinition: mixer)
        sampler.playbackMode = .looping
        sampler.group = group
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: name)
    }
}

/// Three players through effects into a mix, and one that feeds nothing.
struct Effects {
    private let engine = AVAudioEngine()
    private let players = (0..<4).map { _ in AVAudioPlayerNode() }
    private let effects: [AVAudioNode] = [AVAudioUnitEQ(numberOfBands: 2), AVAudioUnitDelay(), AVAudioUnitTimePitch()]
    private let reverb = AVAudioUnitReverb()

    init(_ inspector: Inspector) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else {
            throw CocoaError(.featureUnsupported)
        }
        for node in players + effects + [reverb] { engine.attach(node) }
        let bus = AVAudioMixerNode()
        engine.attach(bus)
        for (player, effect) in zip(players, effects) {
            try engine.connectNode(player, to: effect, format: format)
            try engine.connectNode(effect, to: bus, format: format)
        }
        try engine.connectNode(bus, to: reverb, format: format)
        try engine.connectNode(reverb, to: engine.mainMixerNode, format: format)
        reverb.wetDryMix = 25
        engine.inspector = inspector
        try engine.start()
        for (number, player) in players.prefix(3).enumerated() {
            guard let loop = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000) else { continue }
            loop.frameLength = 48_000
            for channel in 0..<2 {
                for frame in 0..<48_000 {
                    let time = Double(frame) / 48_000
                    let pitch = 165 * pow(1.5, Double(number))
                    loop.floatChannelData?[channel][frame] = Float(0.25 * exp(-3 * time) * sin(2 * .pi * pitch * time))
                }
            }
            player.scheduleBuffer(loop, at: nil, options: .loops)
            // The third has nothing to say yet.
            if number < 2 { player.play() }
        }
    }

    func play() {
        ViewStage.untilInputEnds { _ in }
        engine.stop()
    }
}
