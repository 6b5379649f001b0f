import AVFAudio
import CMalloc
import Foundation
import PHASE

/// Whether memory grows while sounds, sources, nodes and assets come and go.
///
///     Benchmarks soak [--minutes 60]
///
/// Renders that much sound offline, a scene and a graph of nodes by turns, in rounds: in each, things are made and
/// dropped at random, then everything is taken away and rendered until it has died away, so that the rounds' ends are
/// comparable. Prints the bytes of the heap in use and the process's resident memory at the start (behind the first
/// tenth, when caches and pools have their size), in the middle and at the end.
enum Soak {
    /// Bytes of the heap in use, and resident ones.
    struct Memory {
        let heap, resident: Int

        static var now: Memory {
            malloc_trim(0)
            let heap = mallinfo2()
            let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            let resident = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
            return Memory(
                heap: Int(heap.uordblks + heap.hblkhd), resident: resident * Int(sysconf(Int32(_SC_PAGESIZE))))
        }

        var words: String { "\(heap) bytes in use, \(Report.number(Double(resident) / 1_048_576)) MiB resident" }
    }

    private static let roundSeconds = 30.0

    /// - Returns: whether memory stayed what it was.
    static func run(minutes: Double) throws -> Bool {
        let rounds = max(Int(minutes * 60 / roundSeconds), 10)
        let (scene, graph) = (try SoakedScene(), try SoakedGraph())
        var marks: [(name: String, memory: Memory)] = []
        for round in 1...rounds {
            try scene.round(seconds: roundSeconds / 2)
            try graph.round(seconds: roundSeconds / 2)
            let name = [max(rounds / 10, 2): "start", (rounds + 1) / 2: "middle", rounds: "end"][round]
            guard let name else { continue }
            marks.append((name, Memory.now))
            let rendered = Report.number(Double(round) * roundSeconds / 60)
            Report.lines("\(name), \(rendered) min rendered: \(Memory.now.words)")
        }
        let (middle, end) = (marks[marks.count - 2].memory, marks[marks.count - 1].memory)
        let growth = max(middle.heap, end.heap) - marks[0].memory.heap
        Report.lines(
            "made and dropped: \(scene.count) sounds of a scene, \(graph.count) nodes; "
                + "growth of the heap \(growth) bytes")
        return growth <= 0
    }
}

/// A scene whose sources, sound events and assets come and go.
private final class SoakedScene {
    private let engine = PHASEEngine(updateMode: .manual)
    private let listener: PHASEListener
    private let buffer: AVAudioPCMBuffer
    private var random = SplitMix(seed: 2)
    private(set) var count = 0

    init() throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1024)
        else { throw CocoaError(.featureUnsupported) }
        self.buffer = buffer
        engine.outputSpatializationMode = .alwaysUseBinaural
        engine.defaultReverbPreset = .smallRoom
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 1024)
        listener = PHASEListener(engine: engine)
        try engine.rootObject.addChild(listener)
        try engine.start()
    }

    func round(seconds: Double) throws {
        var live: [(source: PHASESource, event: PHASESoundEvent, name: String)] = []
        var serial = 0
        func drop(_ index: Int) {
            let (source, event, name) = live.remove(at: index)
            event.stopAndInvalidate()
            engine.rootObject.removeChild(source)
            for asset in [name, name + " sound"] {
                engine.assetRegistry.unregisterAsset(identifier: asset, completion: nil)
            }
        }
        for _ in 0..<Int(seconds * 48_000 / 1024) {
            if random.below(8) == 0, live.count < 8 {
                serial += 1
                live.append(try make("sound \(serial)"))
            }
            if random.below(10) == 0, !live.isEmpty { drop(random.below(live.count)) }
            for (index, one) in live.enumerated() where random.below(3) == 0 {
                one.source.transform = MovingVoices.Stage.transform(
                    Circles.place(of: index, at: Double(random.below(99))))
            }
            try render()
        }
        while !live.isEmpty { drop(0) }
        // The reverb's tail, and a little more for what is freed behind it.
        for _ in 0..<200 { try render() }
    }

    private func make(_ name: String) throws -> (PHASESource, PHASESoundEvent, String) {
        count += 1
        guard let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
            let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .earlyReflections, .lateReverb])
        else { throw CocoaError(.featureUnsupported) }
        let samples = Circles.noise.prefix(4800 + random.below(40_000))
        try engine.assetRegistry.registerSoundAsset(
            data: samples.withUnsafeBytes { Data($0) }, identifier: name + " sound", format: mono,
            normalizationMode: .none)
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "mixer")
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: name + " sound", mixerDefinition: mixer)
        sampler.playbackMode = random.below(2) == 0 ? .looping : .oneShot
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: name)
        let source = PHASESource(engine: engine)
        source.transform = MovingVoices.Stage.transform(Circles.place(of: random.below(1000), at: 0))
        try engine.rootObject.addChild(source)
        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(identifier: "mixer", source: source, listener: listener)
        let event = try PHASESoundEvent(engine: engine, assetIdentifier: name, mixerParameters: parameters)
        event.start(completion: nil)
        return (source, event, name)
    }

    private func render() throws {
        engine.update()
        _ = try engine.renderOffline(1024, to: buffer)
    }
}

/// A graph whose players and effects come and go.
private final class SoakedGraph {
    private let engine = AVAudioEngine()
    private let format: AVAudioFormat
    private let buffer: AVAudioPCMBuffer
    private let noise: AVAudioPCMBuffer
    private var random = SplitMix(seed: 3)
    private(set) var count = 0

    init() throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1024),
            let noise = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 24_000)
        else { throw CocoaError(.featureUnsupported) }
        (self.format, self.buffer, self.noise) = (format, buffer, noise)
        noise.frameLength = 24_000
        for channel in 0..<2 {
            for (frame, sample) in Circles.noise.prefix(24_000).enumerated() {
                noise.floatChannelData?[channel][frame] = sample
            }
        }
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 1024)
        _ = engine.mainMixerNode
        try engine.start()
    }

    func round(seconds: Double) throws {
        var live: [[AVAudioNode]] = []
        for _ in 0..<Int(seconds * 48_000 / 1024) {
            if random.below(8) == 0, live.count < 8 { live.append(try make()) }
            if random.below(10) == 0, !live.isEmpty {
                for node in live.remove(at: random.below(live.count)) { engine.detach(node) }
            }
            _ = try engine.renderOffline(1024, to: buffer)
        }
        for node in live.joined() { engine.detach(node) }
        for _ in 0..<20 { _ = try engine.renderOffline(1024, to: buffer) }
    }

    /// A player behind an effect of some kind.
    private func make() throws -> [AVAudioNode] {
        count += 2
        let player = AVAudioPlayerNode()
        let effect: AVAudioNode =
            switch random.below(5) {
            case 0: AVAudioUnitEQ(numberOfBands: 4)
            case 1: AVAudioUnitReverb()
            case 2: AVAudioUnitDelay()
            case 3: AVAudioUnitVarispeed()
            default: AVAudioMixerNode()
            }
        for node in [player, effect] { engine.attach(node) }
        try engine.connectNode(player, to: effect, format: format)
        try engine.connectNode(effect, to: engine.mainMixerNode, format: format)
        player.scheduleBuffer(noise, at: nil, options: random.below(2) == 0 ? .loops : [])
        player.play()
        return [player, effect]
    }
}
