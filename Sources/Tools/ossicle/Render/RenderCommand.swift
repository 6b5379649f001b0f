import ArgumentParser
import Foundation
import OssicleCore
import OssicleRendering
import OssicleFiles
import OssicleScenes

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

    @Option(
        help:
            "For ears, loudspeakers or a decoder (ambisonic: ACN, SN3D or with :n3d N3D, in the axes of the listener's head); without it binaural, unless the scene says otherwise."
    )
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
        help: ArgumentHelp(
            "Read Khronos' drafts KHR_audio_emitter and KHR_audio_environment as of then.", valueName: "2024|2026-08"))
    var khronos: KhronosDraft?

    @Option(name: .shortAndLong, help: "Where to write the sound: a .wav of 32-bit floating point.")
    var output = "scene.wav"

    @Option(help: ArgumentHelp("Draw waveform, loudness and spectrum into this SVG file.", valueName: "svg"))
    var picture: String?

    @Flag(
        help:
            "Write a file for each instance besides: walk.NAME.wav beside walk.wav. All together they are the mix, which takes a rendering for each."
    )
    var stems = false

    @Flag(help: "As --stems, with a file for each group, and other for what is in none.")
    var groupStems = false

    @Flag(help: "Write for programs: a JSON object in place of the report.")
    var json = false

    @OptionGroup var work: WorkOptions

    @OptionGroup var live: ViewOptions

    func validate() throws {
        if live.view, stems || groupStems || picture != nil || json || seconds != nil || listener != nil {
            throw ValidationError(
                "--view plays a scene with all its listeners and writes nothing: leave --stems, --group-stems, --picture, --json, --seconds and --listener out."
            )
        }
        if live.view, let layout, layout != .binaural, layout != .stereo {
            throw ValidationError(
                "--view plays to this machine's output: give --layout binaural or stereo, or leave it out for what the output has."
            )
        }
        if stems, groupStems {
            throw ValidationError("--stems and --group-stems exclude each other: give one of the two.")
        }
        if let seconds, !(0.001...3600).contains(seconds) {
            throw ValidationError("--seconds \(seconds) is outside 0.001 to 3600: give a length in that range.")
        }
        try WorkOptions.check("--rate", rate, in: 8000...384_000)
        guard (output as NSString).pathExtension.lowercased() == "wav" else {
            throw ValidationError(
                "\(output) is not .wav: give -o a name with that ending (ossicle convert makes others of it).")
        }
    }

    func run() throws {
        if live.view {
            return try LiveScene.run(
                RenderRequest(scene: scene, timeline: timeline, layout: layout, seed: seed, draft: khronos),
                port: live.port)
        }
        let stems = try stemFiles
        for path in [output] + stems.map(\.path) + (picture.map { [$0] } ?? []) {
            _ = try OutputFile(path)
            guard work.overwrite || !FileSystem.exists(path) else {
                throw ToolError("\(path) exists: give --overwrite to replace it.")
            }
        }
        if let threads = work.threads { setenv("OSSICLE_THREADS", "\(threads)", 1) }
        let started = ContinuousClock.now
        let progress = Progress("rendering"), parts = Double(1 + stems.count)
        defer { progress.clear() }
        let mix = try rendered { progress.show($0 / parts) }
        let hash = try put(mix.channels, output)
        var files: [RenderReport.Stem] = []
        var rest = mix.channels
        for (index, (stem, path)) in stems.enumerated() {
            let part = try rendered(stem) { progress.show((Double(index + 1) + $0) / parts) }
            rest.subtract(part.channels)
            files.append(RenderReport.Stem(name: stem.name, sound: path, sha256: try put(part.channels, path)))
        }
        if let picture { try draw(picture) }
        progress.clear()
        var report = RenderReport(mix, self, hash: hash, elapsed: started.duration(to: .now))
        if !files.isEmpty { (report.stems, report.stemResidual) = (files, rest.peakLevel) }
        print(json ? try report.json : report.text)
    }

    /// The mix with its warnings, or silently one of its stems.
    private func rendered(_ stem: SceneStem? = nil, _ progress: (Double) -> Void) throws -> SceneRendering {
        var rendering = try SceneRendering.opened(
            RenderRequest(
                scene: scene, timeline: timeline, listener: listener, layout: layout, seconds: seconds, seed: seed,
                rate: rate, draft: khronos), stem)
        let warnings = rendering.warnings
        func warn(_ warnings: some Sequence<String>) {
            if stem == nil { for warning in warnings { StandardError.write("Warning: \(warning)\n") } }
        }
        warn(warnings)
        try rendering.run(progress)
        warn(rendering.warnings.dropFirst(warnings.count))
        return rendering
    }

    private func put(_ channels: [[Float]], _ path: String) throws -> String {
        guard let wave = WaveFile(channels: channels, sampleRate: rate) else {
            throw ToolError("\(path) would be longer than a WAVE file can be: give a shorter --seconds.")
        }
        return try UnfinishedFile.put(path, overwriting: work.overwrite) {
            try Data(wave.bytes).write(to: URL(fileURLWithPath: $0))
        }
    }

    /// What is rendered besides the mix, and where each is written.
    private var stemFiles: [(stem: SceneStem, path: String)] {
        get throws {
            guard stems || groupStems else { return [] }
            let document: SceneDocument
            do { document = try SceneDocument.read(scene, khronos) } catch { throw ToolError("\(error)") }
            let base = (output as NSString).deletingPathExtension
            var used: Set<String> = []
            return SceneStem.stems(of: document, by: groupStems ? .groups : .instances).map { stem in
                var name = Text.fileName(stem.name)
                while !used.insert(name.lowercased()).inserted { name += "_" }
                return (stem, "\(base).\(name).wav")
            }
        }
    }

    private func draw(_ picture: String) throws {
        guard let svg = try SoundFacts(of: output, draws: true).svg else { return }
        try UnfinishedFile.put(picture, overwriting: work.overwrite) {
            try Data(svg.utf8).write(to: URL(fileURLWithPath: $0))
        }
    }
}

extension RenderLayout: ExpressibleByArgument {}

extension KhronosDraft: ExpressibleByArgument {}

extension SceneRendering {
    /// A rendering for a command: what is wrong with the files is said in one line.
    static func opened(_ request: RenderRequest, _ stem: SceneStem? = nil) throws -> SceneRendering {
        do { return try SceneRendering(request, stem) } catch { throw ToolError(Text.oneLine("\(error)")) }
    }
}

extension [[Float]] {
    /// - Parameter other: as many channels of as many frames.
    fileprivate mutating func subtract(_ other: [[Float]]) {
        for (channel, samples) in other.enumerated() {
            for (frame, sample) in samples.enumerated() { self[channel][frame] -= sample }
        }
    }
}
