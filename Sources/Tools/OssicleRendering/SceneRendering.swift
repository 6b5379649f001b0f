import OssicleChannels
import OssicleCore
import OssicleCoreAudioTypes
import OssicleFiles
import OssiclePHASE
import OssicleScenes

/// What a scene is rendered for.
package enum RenderLayout: RawRepresentable, CaseIterable, Hashable, Sendable {
    case binaural
    /// For loudspeakers or a decoder.
    case channels(SceneLayout)

    package static let stereo = RenderLayout.channels(.stereo)
    /// Beds and sounds have layouts besides that are no output of the engine's.
    package static let allCases: [RenderLayout] =
        [.binaural]
        + SceneLayout.allCases.filter { ![.mono, .surround5, .surround514].contains($0) }.map { .channels($0) }

    package init?(rawValue: String) {
        guard let layout = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = layout
    }

    package var rawValue: String {
        switch self {
        case .binaural: "binaural"
        case .channels(let layout): layout.rawValue
        }
    }

    package var channelCount: Int {
        switch self {
        case .binaural: 2
        case .channels(let layout): layout.channelCount
        }
    }

    /// - Throws: `RenderError` for a name that is none of theirs.
    package static func named(_ name: String) throws -> RenderLayout {
        guard let layout = RenderLayout(rawValue: name) else {
            let known = allCases.map(\.rawValue).joined(separator: ", ")
            throw RenderError("layout is “\(name)”; layouts are \(known): give one of these.")
        }
        return layout
    }

    fileprivate func format(sampleRate: Double) -> AVAudioFormat? {
        guard case .channels(let layout) = self, layout != .stereo else {
            return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 2)
        }
        let tag: AudioChannelLayoutTag? =
            switch layout {
            case .quadraphonic: kAudioChannelLayoutTag_Quadraphonic
            case .surround51: kAudioChannelLayoutTag_MPEG_5_1_A
            case .surround71: kAudioChannelLayoutTag_MPEG_7_1_C
            case .surround714: kAudioChannelLayoutTag_Atmos_7_1_4
            case .ambisonic(let field): field.tag
            case .mono, .stereo, .surround5, .surround514: nil
            }
        return tag.flatMap { AVAudioChannelLayout(layoutTag: $0) }.map {
            AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: $0)
        }
    }
}

/// What to render: files, and what is asked of their sound. Nil takes what the files say.
package struct RenderRequest: Sendable, Hashable {
    package var scene: String
    package var timeline: String?
    /// The node that listens, where the scene has several listeners.
    package var listener: String?
    package var layout: RenderLayout?
    /// Up to 3600.
    package var seconds: Double?
    package var seed: UInt64?
    /// Hz, 8000…384,000.
    package var rate: Int
    /// Whether several listeners may be heard together, where none is named.
    package var hearsAll: Bool
    /// By which extensions of Khronos' are read.
    package var draft: KhronosDraft?

    package init(
        scene: String, timeline: String? = nil, listener: String? = nil, layout: RenderLayout? = nil,
        seconds: Double? = nil, seed: UInt64? = nil, rate: Int = 48_000, hearsAll: Bool = false,
        draft: KhronosDraft? = nil
    ) {
        (self.scene, self.timeline, self.listener, self.layout) = (scene, timeline, listener, layout)
        (self.seconds, self.seed, self.rate) = (seconds, seed, rate)
        (self.hearsAll, self.draft) = (hearsAll, draft)
    }
}

/// A scene that cannot be rendered: what is wrong, and what to do.
package struct RenderError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ sentence: String) { description = sentence }
}

/// Why one instance of a scene is (not) heard.
package struct InstanceExplanation {
    package let instance: String
    package let explanation: PHASEExplanation

    package init(instance: String, explanation: PHASEExplanation) {
        (self.instance, self.explanation) = (instance, explanation)
    }
}

extension SceneDocument {
    /// A scene as the commands read it: `draft` as the user says.
    package static func read(_ path: String, _ draft: KhronosDraft?) throws -> SceneDocument {
        try SceneDocument(
            contentsOfFile: path, draft: draft, channelCount: { try? AudioFileReader(path: $0).info.channelCount })
    }
}

/// A scene that plays offline, block by block: what `ossicle render` and libossicle do. All their calls into the engine
/// are in this file.
package struct SceneRendering {
    private let engine: PHASEEngine
    private let scene: PHASEScene
    private let timeline: PHASESceneTimeline?
    package let sampleRate: Double
    private let frames: Int
    /// nil: the engine's own output, which all listeners and the channel mixers are in.
    private let listenerOutput: PHASEListenerOutput?
    private let buffer, listenerBuffer: AVAudioPCMBuffer
    package let listenerName: String?
    package let layout: RenderLayout
    package let seed: UInt64
    package private(set) var channels: [[Float]]
    /// nil for two channels.
    package var channelLabels: [UInt32]? { buffer.format.channelLayout?.channelLabels }
    /// Frames in which the limiter was at work.
    package private(set) var limitedFrames: Int64 = 0
    /// Of a rendering that is observed, one for each step.
    package private(set) var moments: [SceneMoment] = []

    /// Frames from one update of the scene to the next.
    private static let step = 512

    /// Reads the files and makes the engine ready.
    /// - Parameter stem: the part of the sound that is to be rendered; nil for all of it.
    /// - Throws: `RenderError`, and PHASE's errors.
    package init(_ request: RenderRequest, _ stem: SceneStem? = nil) throws {
        engine = PHASEEngine(updateMode: .manual)
        scene = try Self.scene(request, stem, engine)
        timeline = try request.timeline.map { [scene] in
            try PHASESceneTimeline(contentsOf: URL(fileURLWithPath: $0), scene: scene)
        }
        if let seed = request.seed { engine.randomSeed = seed }
        seed = engine.randomSeed
        layout = request.layout ?? (engine.outputSpatializationMode == .alwaysUseChannelBased ? .stereo : .binaural)
        engine.outputSpatializationMode = layout == .binaural ? .alwaysUseBinaural : .alwaysUseChannelBased
        sampleRate = Double(request.rate)
        guard let seconds = request.seconds ?? timeline?.duration, seconds > 0 else {
            throw RenderError("\(request.scene) does not say how long it is: give --seconds, or a --timeline.")
        }
        guard seconds <= 3600 else {
            throw RenderError("The timeline takes \(seconds) s: give --seconds, up to 3600.")
        }
        frames = max(Int((seconds * sampleRate).rounded()), 1)
        (buffer, listenerBuffer) = (try Self.buffer(layout, sampleRate), try Self.buffer(layout, sampleRate))
        channels = Array(repeating: [], count: Int(buffer.format.channelCount))
        try engine.enableManualRenderingMode(
            .offline, format: buffer.format, maximumFrameCount: AVAudioFrameCount(Self.step))
        listenerName = request.listener
        listenerOutput = request.hearsAll ? nil : try Self.output(request.listener, of: scene)
    }

    private static func scene(_ request: RenderRequest, _ stem: SceneStem?, _ engine: PHASEEngine) throws -> PHASEScene
    {
        let url = URL(fileURLWithPath: request.scene)
        guard let stem else {
            return try PHASEScene(
                contentsOf: url, engine: engine,
                khronosDraft: request.draft.flatMap { PHASEScene.KhronosDraft(rawValue: $0.rawValue) })
        }
        let part = stem.document(of: try SceneDocument.read(url.path, request.draft))
        return try PHASEScene(
            data: Data(part.bytes(binary: true)), name: url.lastPathComponent, folder: url.deletingLastPathComponent(),
            engine: engine)
    }

    /// Of what was rendered, dB relative to full scale; nil for silence.
    package var peak: Double? {
        let greatest = channels.map { $0.reduce(0) { max($0, abs($1)) } }.max() ?? 0
        return greatest > 0 ? Decibels.of(amplitude: Double(greatest)) : nil
    }

    package var warnings: [String] { scene.warnings + engine.recordedErrors.map { "\($0)" } }

    private static func buffer(_ layout: RenderLayout, _ sampleRate: Double) throws -> AVAudioPCMBuffer {
        guard let format = layout.format(sampleRate: sampleRate),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(step))
        else { throw RenderError("There is no memory to render \(layout.rawValue): free some and try again.") }
        return buffer
    }

    private static func output(_ name: String?, of scene: PHASEScene) throws -> PHASEListenerOutput? {
        let known = scene.listeners.keys.sorted().joined(separator: ", ")
        guard let name else {
            guard scene.listeners.count > 1 else { return nil }
            throw RenderError("The scene has \(scene.listeners.count) listeners: give --listener one of \(known).")
        }
        guard let listener = scene.listeners[name] else {
            throw RenderError(
                "The scene has no listener “\(name)”: \(known.isEmpty ? "it has none." : "give one of \(known).")"
            )
        }
        // Alone it is the engine's output, where the channel mixers are.
        return scene.listeners.count > 1 ? scene.engine.output(for: listener) : nil
    }

    /// Renders everything. `progress` receives the share that is done; what it throws ends the work.
    /// - Parameter document: of the scene, where moments are to be kept; this costs a tenth more.
    package mutating func run(observing document: SceneDocument? = nil, _ progress: (Double) throws -> Void) throws {
        defer { engine.stop() }
        try renderAll(observing: document, progress)
        limitedFrames += listenerOutput?.takeMeters().limitedFrames ?? engine.takeMeters().limitedFrames
    }

    /// Renders everything and explains all instances at the end, in order of their names.
    package mutating func explanations(_ progress: (Double) throws -> Void) throws -> [InstanceExplanation] {
        defer { engine.stop() }
        try renderAll(observing: nil, progress)
        try timeline?.advance(to: Double(frames) / sampleRate)
        engine.update()
        return Self.explanations(of: scene, by: engine)
    }

    /// Renders everything, and explains all instances in the middle of each stretch of `interval` seconds, in order of
    /// their names.
    package mutating func run(
        explainingEvery interval: Double, _ take: ([InstanceExplanation]) -> Void
    ) throws {
        defer { engine.stop() }
        var next = interval / 2
        let (engine, scene, seconds) = (engine, scene, Double(frames) / sampleRate)
        try renderAll(observing: nil) { share in
            guard share * seconds >= next else { return }
            next += interval
            take(Self.explanations(of: scene, by: engine))
        }
        limitedFrames += listenerOutput?.takeMeters().limitedFrames ?? engine.takeMeters().limitedFrames
    }

    private static func explanations(of scene: PHASEScene, by engine: PHASEEngine) -> [InstanceExplanation] {
        scene.soundEvents.sorted { $0.key < $1.key }.map {
            InstanceExplanation(instance: $0.key, explanation: engine.explain($0.value))
        }
    }

    private mutating func renderAll(observing document: SceneDocument?, _ progress: (Double) throws -> Void) throws {
        try engine.start()
        for index in channels.indices { channels[index].reserveCapacity(frames) }
        scene.start()
        var frame = 0
        while frame < frames {
            try timeline?.advance(to: Double(frame) / sampleRate)
            engine.update()
            let end = min(frames, (frame / Self.step + 1) * Self.step, max(nextAction, frame + 1))
            try render(end - frame)
            if let document { observe(document, from: frame, end - frame) }
            frame = end
            try progress(Double(frame) / Double(frames))
        }
    }

    /// Sound events are explained only every so many steps: all their factors and paths are put into words for it.
    private static let stepsToExplanation = 16

    private mutating func observe(_ document: SceneDocument, from start: Int, _ count: Int) {
        let meters = listenerOutput?.takeMeters() ?? engine.takeMeters()
        limitedFrames += meters.limitedFrames
        var paths = engine.directPaths.map(PathState.init)
        if moments.count % Self.stepsToExplanation == 0 {
            for instance in document.audio.instances {
                guard let event = scene.soundEvents[instance.name],
                    let path = paths.firstIndex(where: { $0.source == instance.source })
                else { continue }
                paths[path].detour = PathState.Detour(engine.explain(event))
            }
        }
        moments.append(
            SceneMoment(
                time: (Double(start) + Double(count) / 2) / sampleRate, frames: count, directPower: meters.directPower,
                reverbPower: meters.reverbPower, paths: paths,
                positions: scene.sources.mapValues { source in
                    let place = source.worldTransform.columns.3
                    return Vector(Double(place.x), Double(place.y), Double(place.z))
                }))
    }

    /// The frame of the timeline's next action, so that a render call ends there.
    private var nextAction: Int {
        timeline?.nextActionTime.map { Int(($0 * sampleRate).rounded(.up)) } ?? .max
    }

    private mutating func render(_ count: Int) throws {
        if let listenerOutput {
            try engine.renderOffline(
                AVAudioFrameCount(count), to: buffer, listeners: [listenerOutput: listenerBuffer])
        } else {
            try engine.renderOffline(AVAudioFrameCount(count), to: buffer)
        }
        let rendered = listenerOutput == nil ? buffer : listenerBuffer
        guard let planes = rendered.floatChannelData, Int(rendered.frameLength) == count else {
            throw RenderError(
                "The engine rendered \(rendered.frameLength) of \(count) frames: this is a fault of the engine, please report it."
            )
        }
        for index in channels.indices {
            channels[index] += UnsafeBufferPointer(start: planes[index], count: count)
        }
    }
}
