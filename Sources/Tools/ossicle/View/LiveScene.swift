import ArgumentParser
import Foundation
import OssicleInspector
import OssiclePHASE
import OssicleRendering

/// A scene that plays in real time, over and over, while a page shows it: what `--view` does.
struct LiveScene {
    private let engine = PHASEEngine(updateMode: .automatic)
    private let scene: PHASEScene
    private let timelineURL: URL?
    private var timeline: PHASESceneTimeline?
    /// Seconds of engine time at which the present round began.
    private var begin = 0.0
    /// As the timeline left them, and those that somebody at the view has moved since: they stay where they were put
    /// until the timeline begins anew.
    private var left: [String: simd_float4x4] = [:]
    private var held: Set<String> = []

    private static let stepsPerSecond = 60.0

    /// Plays until Ctrl-C.
    /// - Parameter port: of the page; 0 for one that is free.
    static func run(_ request: RenderRequest, port: UInt16) throws {
        Interruption.watch()
        var live: LiveScene
        let inspector: Inspector
        do {
            live = try LiveScene(request)
            inspector = try Inspector(port: port) { _ in }
        } catch { throw ToolError(Text.oneLine("\(error)")) }
        for warning in live.scene.warnings { StandardError.write("Warning: \(warning)\n") }
        live.engine.inspector = inspector
        defer { live.engine.stop() }
        try live.engine.start()
        try live.beginRound()
        print("live view  \(inspector.address)\nCtrl-C ends it.")
        fflush(nil)
        while !Interruption.isAsked {
            try live.step()
            Thread.sleep(forTimeInterval: 1 / stepsPerSecond)
        }
    }

    private init(_ request: RenderRequest) throws {
        let draft = request.draft.flatMap { PHASEScene.KhronosDraft(rawValue: $0.rawValue) }
        scene = try PHASEScene(
            contentsOf: URL(fileURLWithPath: request.scene), engine: engine, khronosDraft: draft)
        timelineURL = request.timeline.map { URL(fileURLWithPath: $0) }
        if let seed = request.seed { engine.randomSeed = seed }
        switch request.layout {
        case nil: break
        case .binaural: engine.outputSpatializationMode = .alwaysUseBinaural
        default: engine.outputSpatializationMode = .alwaysUseChannelBased
        }
    }

    private var time: Double {
        engine.lastRenderTime.map { Double($0.sampleTime) / $0.sampleRate } ?? 0
    }

    private mutating func beginRound() throws {
        begin = time
        (left, held) = ([:], [])
        timeline = try timelineURL.map { try PHASESceneTimeline(contentsOf: $0, scene: scene) }
        try advance(to: 0)
        scene.start()
    }

    private mutating func step() throws {
        guard let timeline else { return }
        guard time - begin > timeline.duration else { return try advance(to: time - begin) }
        scene.soundEvents.values.forEach { $0.stopAndInvalidate() }
        try beginRound()
    }

    private mutating func advance(to seconds: Double) throws {
        guard let timeline else { return }
        let before = scene.objects.mapValues(\.transform)
        for (name, transform) in left where before[name] != transform { held.insert(name) }
        try timeline.advance(to: seconds)
        for name in held { if let transform = before[name] { scene.objects[name]?.transform = transform } }
        left = scene.objects.mapValues(\.transform)
    }
}

/// Options of the commands that can be looked at.
struct ViewOptions: ParsableArguments {
    @Flag(help: "Play in real time, over and over, and show it on a page of this machine; writes nothing.")
    var view = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Port of the page, with --view; without it one that is free.", valueName: "number"))
    var port: UInt16 = 0
}
