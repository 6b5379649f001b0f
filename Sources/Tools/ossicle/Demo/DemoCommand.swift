import ArgumentParser
import Foundation
import OssicleFiles
import OssicleRendering
import OssicleScenes

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Render a voice that walks from one room into another, binaural, to a WAVE file and a picture.",
        discussion: """
            The scene is Examples/Scenes/two-rooms.gltf with its walk, rendered as ossicle render does: reflections, the sound around edges and the late \
            reverberation come from its geometry, so that the voice is heard through the door before it is seen. The sounds are synthesised and the \
            rendering follows no clock: the same options give the same bytes, and the SHA-256 printed at the end says so.
            """)

    static let sampleRate = 48_000

    @Option(name: .shortAndLong, help: "Where to write the sound. The picture goes beside it, with the ending svg.")
    var output = "demo.wav"

    @Option(parsing: .unconditional, help: "Length in seconds, 0.1 to 600. The walk takes this long.")
    var seconds = 8.0

    @Option(parsing: .unconditional, help: "The seed of every random choice, in the sounds and in the engine.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("A sound file in place of the voice.", valueName: "file"))
    var voice: String?

    @Option(help: ArgumentHelp("A sound file in place of the music.", valueName: "file"))
    var loop: String?

    @Option(
        help: ArgumentHelp(
            "Where reverberation and the ways around obstacles come from: geometry, or preset, without such ways and with one room's reverberation.",
            valueName: "kind"))
    var acoustics = SceneEngine.Acoustics.geometry

    @Flag(help: "Write for programs: a JSON object in place of the report.")
    var json = false

    @Flag(help: "Play the result, and show where the voice walks.")
    var play = false

    @Option(help: ArgumentHelp("Where to play, as ossicle devices lists it; --play is implied.", valueName: "device"))
    var device: String?

    @OptionGroup var live: ViewOptions

    func run() throws {
        guard seconds >= 0.1, seconds <= 600 else {
            throw ToolError("--seconds \(seconds) is outside 0.1 to 600: give a length in that range.")
        }
        if live.view { return try view() }
        let (soundFile, pictureFile) = (try OutputFile(output), try OutputFile(picturePath))
        let files = try makeFiles()
        let started = ContinuousClock.now
        let recording = try record(files)
        let elapsed = started.duration(to: .now)

        let wave = WaveFile(left: recording.left, right: recording.right, sampleRate: DemoCommand.sampleRate)
        let map = SceneMap(files.document)
        try soundFile.write(Data(wave.bytes))
        try pictureFile.write(Data(DemoPicture.svg(of: recording, in: map, seed: seed).utf8))
        let report = DemoReport(
            recording: recording, seed: seed, elapsed: elapsed, soundPath: output, picturePath: picturePath,
            hash: SHA256.hex(of: wave.bytes))
        print(json ? try report.json : report.text)
        guard play || device != nil else { return }
        let played = try Loudspeaker.play(recording, in: map, on: device)
        if json { StandardError.write(played + "\n") } else { print(played) }
    }

    private func makeFiles(endsInOrder: Bool = false) throws -> DemoFiles {
        try DemoFiles(
            voice: try voiceSamples(), music: try loopSamples(), seconds: seconds, sampleRate: DemoCommand.sampleRate,
            acoustics: acoustics, endsInOrder: endsInOrder)
    }

    private func view() throws {
        let files = try makeFiles(endsInOrder: true)
        try withExtendedLifetime(files) {
            try LiveScene.run(
                RenderRequest(scene: files.scene, timeline: files.timeline, layout: .binaural, seed: seed),
                port: live.port)
        }
    }

    private func voiceSamples() throws -> [Float] {
        if let voice { return try DemoSound.samples(ofFile: voice, sampleRate: DemoCommand.sampleRate) }
        return VoiceSynthesiser.samples(seed: seed, frames: frames, sampleRate: Double(DemoCommand.sampleRate))
    }

    private func loopSamples() throws -> [Float] {
        if let loop { return try DemoSound.samples(ofFile: loop, sampleRate: DemoCommand.sampleRate) }
        return LoopSynthesiser.samples(seed: seed, sampleRate: Double(DemoCommand.sampleRate))
    }

    private func record(_ files: DemoFiles) throws -> Recording {
        let progress = Progress("rendering")
        defer { progress.clear() }
        var rendering = try SceneRendering.opened(
            RenderRequest(
                scene: files.scene, timeline: files.timeline, layout: .binaural, seconds: seconds, seed: seed,
                rate: DemoCommand.sampleRate))
        try rendering.run(observing: files.document) { progress.show($0) }
        return Recording(
            sampleRate: DemoCommand.sampleRate, left: rendering.channels[0], right: rendering.channels[1],
            moments: rendering.moments)
    }

    private var frames: Int { Int((seconds * Double(DemoCommand.sampleRate)).rounded()) }

    private var picturePath: String {
        let url = URL(fileURLWithPath: output)
        return (output as NSString).deletingPathExtension + (url.pathExtension == "svg" ? ".picture.svg" : ".svg")
    }
}

extension SceneEngine.Acoustics: ExpressibleByArgument {}

/// What a source of the demo plays: mono samples at the scene's rate.
enum DemoSound {
    /// The user's own sound: its channels averaged, its rate converted.
    static func samples(ofFile path: String, sampleRate: Int) throws -> [Float] {
        let audio = try Resampling.convert(try ResidentAudio(path: path), to: Double(sampleRate))
        guard audio.frameCount > 0 else {
            throw ToolError("\(path) holds no sound: name a file with at least one frame.")
        }
        let channels = (0..<audio.channelCount).map(audio.samples)
        let share = 1 / Float(channels.count)
        return (0..<audio.frameCount).map { frame in channels.reduce(0) { $0 + $1[frame] } * share }
    }
}
