import Foundation
import OssicleAcoustics
import OssicleHeader
import OssiclePHASE
import OssicleRendering
import OssicleScenes

/// A scene and its timeline behind a handle, checked.
final class OpenScene: Sendable {
    let path: String
    let timeline: String?
    let facts: CText
    /// Seconds of the timeline.
    let length: Double?
    let listeners: [String]

    /// Reads both files.
    init(_ path: String, timeline: String?) throws {
        self.path = URL(fileURLWithPath: path).path
        self.timeline = timeline.map { URL(fileURLWithPath: $0).path }
        let document = try SceneDocument(contentsOfFile: self.path)
        length = try self.timeline.map { try SceneTimeline(contentsOfFile: $0, for: document).length }
        let facts = SceneFacts(document, seconds: length)
        listeners = facts.listeners
        self.facts = CText(json: facts)
    }
}

/// What `ossicle_scene_facts` says.
private struct SceneFacts: Encodable {
    let listeners, sources, instances, warnings: [String]
    let seed: Int
    let seconds: Double?

    init(_ document: SceneDocument, seconds: Double?) {
        func names(_ role: (SceneRoles) -> Bool) -> [String] {
            document.nodes.enumerated().filter { role($1.roles) }.map { $1.name ?? "node \($0)" }
        }
        (listeners, sources) = (names { $0.listener != nil }, names { $0.source != nil })
        instances = document.audio.instances.map(\.name)
        (warnings, seed) = (document.warnings, document.audio.engine.seed)
        self.seconds = seconds
    }
}

/// What `ossicle_sound_facts` says of a rendering.
private struct RenderFacts: Encodable {
    let layout: String
    let listener: String?
    let seed: UInt64
    let seconds: Double
    let frames, sampleRate, channels: Int
    /// dB relative to full scale; nil for silence.
    let peak: Double?
    let limitedFrames: Int64
    let warnings: [String]

    init(_ rendering: SceneRendering, rate: Int) {
        (layout, listener, seed) = (rendering.layout.rawValue, rendering.listenerName, rendering.seed)
        (frames, channels, sampleRate) = (rendering.channels.first?.count ?? 0, rendering.channels.count, rate)
        (seconds, peak) = (Double(frames) / Double(rate), rendering.peak)
        (limitedFrames, warnings) = (rendering.limitedFrames, rendering.warnings)
    }
}

extension ossicle_render_options {
    static var standard: ossicle_render_options {
        var options = ossicle_render_options()
        options.size = MemoryLayout<ossicle_render_options>.size
        options.rate = 48_000
        return options
    }

    fileprivate func request(_ scene: OpenScene) throws -> RenderRequest {
        if seconds != 0 { try Check.number("options.seconds", seconds, in: 0.001...3600) }
        try Check.integer("options.threads", threads, in: 0...1024)
        let length = seconds != 0 ? seconds : scene.length ?? 0
        guard length > 0 else {
            throw Fault(
                "options.seconds", "is 0", rule: "a scene without a timeline does not say how long it is",
                cure: "give seconds, or open the scene with a timeline")
        }
        let rate = try Check.rate(rate)
        let layout = try chosenLayout()
        try Sound.check(seconds: length, rate: rate, channels: max(layout?.channelCount ?? 2, 16))
        return RenderRequest(
            scene: scene.path, timeline: scene.timeline, listener: try listener(of: scene), layout: layout,
            seconds: seconds == 0 ? nil : seconds, seed: has_seed == 0 ? nil : seed, rate: rate)
    }

    private func chosenLayout() throws -> RenderLayout? {
        guard let layout else { return nil }
        let name = String(cString: layout)
        guard let known = RenderLayout(rawValue: name) else {
            throw Fault(
                "options.layout", "is “\(name)”",
                rule: "layouts are \(RenderLayout.allCases.map(\.rawValue).joined(separator: ", "))",
                cure: "give one of these")
        }
        return known
    }

    private func listener(of scene: OpenScene) throws -> String? {
        let known = scene.listeners.joined(separator: ", ")
        guard let listener else {
            guard scene.listeners.count > 1 else { return nil }
            throw Fault(
                "options.listener", "is NULL", rule: "the scene has the listeners \(known)", cure: "give one of them")
        }
        let name = String(cString: listener)
        guard scene.listeners.contains(name) else {
            throw Fault(
                "options.listener", "is “\(name)”",
                rule: known.isEmpty ? "the scene has no listener with a name" : "the scene has the listeners \(known)",
                cure: known.isEmpty ? "leave it out" : "give one of them")
        }
        return name
    }
}

@c @implementation
public func ossicle_scene_open(
    _ path: UnsafePointer<CChar>?, _ timeline: UnsafePointer<CChar>?, _ scene: HandlePlace?, _ error: ErrorPlace?
) -> Int32 {
    make(scene, error, "scene") {
        try OpenScene(String(path, named: "path"), timeline: timeline.map { String(cString: $0) })
    }
}

@c @implementation
public func ossicle_scene_facts(_ scene: OpaquePointer?) -> UnsafePointer<CChar>? {
    (try? Handles.object(scene, OpenScene.self, "scene"))?.facts.pointer
}

@c @implementation
public func ossicle_scene_free(_ scene: OpaquePointer?) { Handles.free(scene, OpenScene.self) }

@c @implementation
public func ossicle_render_options_init(_ options: UnsafeMutablePointer<ossicle_render_options>?) {
    options?.pointee = .standard
}

@c @implementation
public func ossicle_render(
    _ scene: OpaquePointer?, _ given: UnsafePointer<ossicle_render_options>?, _ sound: HandlePlace?,
    _ error: ErrorPlace?
) -> Int32 {
    make(sound, error, "sound") {
        let scene = try Handles.object(scene, OpenScene.self, "scene")
        let options = try options(
            given, defaults: .standard, cure: "set them by ossicle_render_options_init of the same header")
        let request = try options.request(scene)
        return try WorkerPool.$chosen.withValue(WorkerPool(limit: options.threads)) {
            var rendering = try SceneRendering(request)
            try rendering.run { share in
                guard let progress = options.progress, progress(share, options.context) != 0 else { return }
                throw Fault("The progress function ended the rendering.", code: OSSICLE_CANCELLED)
            }
            return Sound(
                rendering.channels, rate: request.rate, facts: RenderFacts(rendering, rate: request.rate))
        }
    }
}

extension WorkerPool {
    /// Nil for 0, which leaves the choice to the environment.
    init?(limit: Int32) {
        guard limit > 0 else { return nil }
        self.init(workers: Int(limit))
    }
}
