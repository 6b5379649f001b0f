import ArgumentParser
import OssicleCoreAudioTypes
import OssiclePHASE

/// What a scene is rendered for.
enum RenderLayout: String, CaseIterable, ExpressibleByArgument {
    case binaural, stereo, quadraphonic
    case surround51 = "5.1"
    case surround71 = "7.1"
    case surround714 = "7.1.4"

    fileprivate func format(sampleRate: Double) -> AVAudioFormat? {
        let tag: AudioChannelLayoutTag? =
            switch self {
            case .binaural, .stereo: nil
            case .quadraphonic: kAudioChannelLayoutTag_Quadraphonic
            case .surround51: kAudioChannelLayoutTag_MPEG_5_1_A
            case .surround71: kAudioChannelLayoutTag_MPEG_7_1_C
            case .surround714: kAudioChannelLayoutTag_Atmos_7_1_4
            }
        guard let tag else { return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 2) }
        return AVAudioChannelLayout(layoutTag: tag).map {
            AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: $0)
        }
    }
}

/// A scene that plays offline, block by block. All calls into the engine of `ossicle render` are in this file.
struct SceneRendering {
    private let engine: PHASEEngine
    private let scene: PHASEScene
    private let timeline: PHASESceneTimeline?
    private let sampleRate: Double
    private let frames: Int
    /// nil: the engine's own output, which all listeners and the channel mixers are in.
    private let listenerOutput: PHASEListenerOutput?
    private let buffer, listenerBuffer: AVAudioPCMBuffer
    let listenerName: String?
    let layout: RenderLayout
    let seed: UInt64
    private(set) var channels: [[Float]]
    private(set) var limitedFrames: Int64 = 0

    /// Frames from one update of the scene to the next.
    private static let step = 512

    init(_ command: RenderCommand) throws {
        engine = PHASEEngine(updateMode: .manual)
        do {
            scene = try PHASEScene(contentsOf: URL(fileURLWithPath: command.scene), engine: engine)
            timeline = try command.timeline.map { [scene] in
                try PHASESceneTimeline(contentsOf: URL(fileURLWithPath: $0), scene: scene)
            }
        } catch {
            throw ToolError("\(error)")
        }
        if let seed = command.seed { engine.randomSeed = seed }
        seed = engine.randomSeed
        layout = command.layout ?? (engine.outputSpatializationMode == .alwaysUseChannelBased ? .stereo : .binaural)
        engine.outputSpatializationMode = layout == .binaural ? .alwaysUseBinaural : .alwaysUseChannelBased
        sampleRate = Double(command.rate)
        guard let seconds = command.seconds ?? timeline?.duration, seconds > 0 else {
            throw ToolError("\(command.scene) does not say how long it is: give --seconds, or a --timeline.")
        }
        guard seconds <= 3600 else {
            throw ToolError("The timeline takes \(Text.number(seconds, decimals: 0)) s: give --seconds, up to 3600.")
        }
        frames = max(Int((seconds * sampleRate).rounded()), 1)
        (buffer, listenerBuffer) = (try Self.buffer(layout, sampleRate), try Self.buffer(layout, sampleRate))
        channels = Array(repeating: [], count: Int(buffer.format.channelCount))
        try engine.enableManualRenderingMode(
            .offline, format: buffer.format, maximumFrameCount: AVAudioFrameCount(Self.step))
        listenerName = command.listener
        listenerOutput = try Self.output(command.listener, of: scene)
    }

    var warnings: [String] { scene.warnings + engine.recordedErrors.map { "\($0)" } }

    private static func buffer(_ layout: RenderLayout, _ sampleRate: Double) throws -> AVAudioPCMBuffer {
        guard let format = layout.format(sampleRate: sampleRate),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(step))
        else { throw ToolError("There is no memory to render \(layout.rawValue): free some and try again.") }
        return buffer
    }

    private static func output(_ name: String?, of scene: PHASEScene) throws -> PHASEListenerOutput? {
        let known = scene.listeners.keys.sorted().joined(separator: ", ")
        guard let name else {
            guard scene.listeners.count > 1 else { return nil }
            throw ToolError("The scene has \(scene.listeners.count) listeners: give --listener one of \(known).")
        }
        guard let listener = scene.listeners[name] else {
            throw ToolError(
                "The scene has no listener “\(Text.oneLine(name))”: \(known.isEmpty ? "it has none." : "give one of \(known).")"
            )
        }
        // Alone it is the engine's output, where the channel mixers are.
        return scene.listeners.count > 1 ? scene.engine.output(for: listener) : nil
    }

    /// Renders everything. `progress` receives the share that is done.
    mutating func run(_ progress: (Double) -> Void) throws {
        try engine.start()
        for index in channels.indices { channels[index].reserveCapacity(frames) }
        scene.start()
        var frame = 0
        while frame < frames {
            try timeline?.advance(to: Double(frame) / sampleRate)
            engine.update()
            let end = min(frames, (frame / Self.step + 1) * Self.step, max(nextAction, frame + 1))
            try render(end - frame)
            frame = end
            progress(Double(frame) / Double(frames))
        }
        limitedFrames = listenerOutput?.takeMeters().limitedFrames ?? engine.takeMeters().limitedFrames
        engine.stop()
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
            throw ToolError(
                "The engine rendered \(rendered.frameLength) of \(count) frames: this is a fault of the engine, please report it."
            )
        }
        for index in channels.indices {
            channels[index] += UnsafeBufferPointer(start: planes[index], count: count)
        }
    }
}
