import ArgumentParser
import Foundation
import OssicleCore
import OssicleRendering
import OssicleResponses

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Render a scene file to a WAVE file, with what a timeline moves in it, and a picture.",
        discussion: """
            A scene is a glTF file (.gltf, .glb) with the extension OSSICLE_audio; Documentation/SceneFile.md says what is in it. Without a timeline the \
            instances that have a time to start at play, and --seconds says how long. Rendering follows no clock: the same files and options give the \
            same bytes on any number of threads, and the SHA-256 printed at the end says so.
            """)

    @Argument(help: ArgumentHelp("A scene file.", valueName: "scene"))
    var scene: String

    @Option(help: ArgumentHelp("What happens in the scene, and when.", valueName: "json"))
    var timeline: String?

    @Option(help: ArgumentHelp("The node that listens, where the scene has several listeners.", valueName: "name"))
    var listener: String?

    @Option(help: "For ears or loudspeakers; without it binaural, unless the scene says otherwise.")
    var layout: RenderLayout?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length in seconds, up to 3600; without it the timeline's.", valueName: "seconds"))
    var seconds: Double?

    @Option(parsing: .unconditional, help: "The seed of every random choice; without it the scene's.")
    var seed: UInt64?

    @Option(parsing: .unconditional, help: ArgumentHelp("Sample rate, 8000 to 384000.", valueName: "hertz"))
    var rate = 48_000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Threads; OSSICLE_THREADS and all cores otherwise.", valueName: "count"))
    var threads: Int?

    @Option(name: .shortAndLong, help: "Where to write the sound: a .wav of 32-bit floating point.")
    var output = "scene.wav"

    @Option(help: ArgumentHelp("Draw waveform, loudness and spectrum into this SVG file.", valueName: "svg"))
    var picture: String?

    @Flag(help: "Write for programs: a JSON object in place of the report.")
    var json = false

    @Flag(help: "Replace files that exist.")
    var overwrite = false

    func validate() throws {
        if let seconds, !(0.001...3600).contains(seconds) {
            throw ValidationError("--seconds \(seconds) is outside 0.001 to 3600: give a length in that range.")
        }
        guard (8000...384_000).contains(rate) else {
            throw ValidationError("--rate \(rate) is outside 8000 to 384000: give a rate in that range.")
        }
        if let threads, !(1...1024).contains(threads) {
            throw ValidationError("--threads \(threads) is outside 1 to 1024: give a count in that range.")
        }
        guard (output as NSString).pathExtension.lowercased() == "wav" else {
            throw ValidationError(
                "\(output) is not .wav: give -o a name with that ending (ossicle convert makes others of it).")
        }
    }

    func run() throws {
        for path in [output] + (picture.map { [$0] } ?? []) {
            _ = try OutputFile(path)
            guard overwrite || !FileSystem.exists(path) else {
                throw ToolError("\(path) exists: give --overwrite to replace it.")
            }
        }
        if let threads { setenv("OSSICLE_THREADS", "\(threads)", 1) }
        let started = ContinuousClock.now
        var rendering = try rendering()
        let warnings = rendering.warnings
        for warning in warnings { StandardError.write("Warning: \(warning)\n") }
        let progress = Progress("rendering")
        defer { progress.clear() }
        try rendering.run { progress.show($0) }
        for warning in rendering.warnings.dropFirst(warnings.count) { StandardError.write("Warning: \(warning)\n") }
        guard let wave = WaveFile(channels: rendering.channels, sampleRate: rate) else {
            throw ToolError("\(output) would be longer than a WAVE file can be: give a shorter --seconds.")
        }
        let hash = try UnfinishedFile.put(output, overwriting: overwrite) {
            try Data(wave.bytes).write(to: URL(fileURLWithPath: $0))
        }
        if let picture { try draw(picture) }
        progress.clear()
        let report = RenderReport(rendering, self, hash: hash, elapsed: started.duration(to: .now))
        print(json ? try report.json : report.text)
    }

    private func rendering() throws -> SceneRendering {
        let request = RenderRequest(
            scene: scene, timeline: timeline, listener: listener, layout: layout, seconds: seconds, seed: seed,
            rate: rate)
        do {
            return try SceneRendering(request)
        } catch {
            throw ToolError(Text.oneLine("\(error)"))
        }
    }

    private func draw(_ picture: String) throws {
        guard let svg = try SoundFacts(of: output, draws: true).svg else { return }
        try UnfinishedFile.put(picture, overwriting: overwrite) {
            try Data(svg.utf8).write(to: URL(fileURLWithPath: $0))
        }
    }
}

extension RenderLayout: ExpressibleByArgument {}

/// What `ossicle render` prints.
struct RenderReport: Encodable {
    let scene, sound, layout, sha256: String
    let timeline, picture, listener: String?
    let seed: UInt64
    let seconds: Double
    let frames, sampleRate, channels: Int
    /// dB relative to full scale; nil for silence.
    let peak: Double?
    /// Frames in which the limiter was at work.
    let limitedFrames: Int64
    let timesRealTime: Double

    init(_ rendering: SceneRendering, _ command: RenderCommand, hash: String, elapsed: Duration) {
        (scene, sound, sha256) = (command.scene, command.output, hash)
        (timeline, picture, listener) = (command.timeline, command.picture, rendering.listenerName)
        (layout, seed) = (rendering.layout.rawValue, rendering.seed)
        frames = rendering.channels[0].count
        (sampleRate, channels) = (command.rate, rendering.channels.count)
        seconds = Double(frames) / Double(command.rate)
        peak = rendering.peak
        limitedFrames = rendering.limitedFrames
        timesRealTime = seconds / max(elapsed / .seconds(1), 1e-9)
    }

    var text: String {
        let limited = limitedFrames == 0 ? "" : ", limited in \(limitedFrames) frames: lower the gains"
        let lines = [
            (
                "duration",
                "\(Text.number(seconds, decimals: 3)) s, \(frames) frames at \(sampleRate) Hz, \(layout), 32-bit floating point"
            ),
            ("speed", "\(Text.number(timesRealTime, decimals: 1)) × real time"),
            ("peak", "\(Text.number(peak ?? -.infinity, decimals: 1)) dBFS\(limited)"), ("seed", "\(seed)"),
            ("sound", sound),
        ]
        let others = [("listener", listener), ("picture", picture)].compactMap { name, value in value.map { (name, $0) }
        }
        return (lines + others + [("sha-256", sha256)]).map { Text.left($0.0, width: 10) + " " + $0.1 }
            .joined(separator: "\n")
    }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
