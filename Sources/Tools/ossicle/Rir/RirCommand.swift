import ArgumentParser
import Foundation
import OssicleAcoustics
import OssicleBatch
import OssicleCore
import OssicleResponses

struct RirCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rir",
        abstract: "Compute the impulse response of a scene, with its room-acoustic metrics and a picture.",
        discussion: """
            Sound goes straight, around up to two edges and over up to three mirrors, or any number in a box; rays find all else. Places are in metres, \
            x to the right, y up, z to the back. An amplitude of 1 is the direct sound at 1 m in the open, and the first sample is the moment of emission. Several \
            --source and --listener give all pairs: one SOFA file, or a WAVE file for each. The same options give the same bytes on any number of \
            threads, and the SHA-256 printed at the end says so.

            Quality high takes a second or two for a room; reference takes ten times as long, for responses to measure with.

            A source or listener outside the room, or inside something solid, is an error unless --lenient is given. Of a closed surface the \
            side its normals look to is air: where all of the scene is in one surface with normals that look in, that is the room and both have to \
            be in its air. Elsewhere one of the two must not be deeper in solid matter than the other, nor in the open while the other sees walls all \
            around. Open surfaces enclose nothing, so that a scene outdoors is never refused for them. Within 1 mm of a surface either side counts.
            """)

    @OptionGroup var acoustics: AcousticOptions

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Where sound comes from, in metres. May be repeated.", valueName: "x,y,z"))
    var source: [Place]

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Where it is heard, in metres. May be repeated.", valueName: "x,y,z"))
    var listener: [Place]

    @OptionGroup var emission: EmissionOptions

    @OptionGroup var hearing: ListenerOptions

    @OptionGroup var speech: SpeechOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("Sample rate, 8000 to 384000.", valueName: "hertz"))
    var rate = 48_000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Mirrors in a row, in place of the quality's, with no limit to their number: 0 to 3 in any scene, and up to 1000 \
            inside an empty box of at most \(ImageSourceSolver<SceneTracer>.mostImages) images.
            """, valueName: "count"))
    var order: Int?

    @OptionGroup var lowFrequencies: LowFrequencyOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Seconds of the response; otherwise it ends when all bands have decayed by 60 dB.
            """, valueName: "seconds"))
    var length: Double?

    @Option(
        name: .shortAndLong,
        help: "Where to write the response: a .wav of 32-bit floating point, or a .sofa (AES69, SingleRoomSRIR).")
    var output = "rir.wav"

    @Option(help: ArgumentHelp("Draw decay, paths and directions into this SVG file.", valueName: "svg"))
    var picture: String?

    @Option(help: ArgumentHelp("Write the metrics into this file.", valueName: "json"))
    var json: String?

    @Flag(help: "Write all responses into one .wav, source by source, channel after channel.")
    var multichannel = false

    @Option(
        help: ArgumentHelp(
            """
            Write every path into this file: delay, octave levels, directions at both ends, corners and surfaces.
            """, valueName: "json"))
    var paths: String?

    @Option(
        help: ArgumentHelp(
            """
            Convolve this sound with each response, and write what is heard beside it, as NAME-played.wav, peak at −1 dBFS.
            """, valueName: "sound"))
    var playThrough: String?

    func validate() throws {
        if source.isEmpty { throw ValidationError("The source is missing: give --source x,y,z in metres.") }
        if listener.isEmpty { throw ValidationError("The listener is missing: give --listener x,y,z in metres.") }
        if multichannel, output.lowercased().hasSuffix(".sofa") {
            throw ValidationError("A .sofa holds all responses already: leave --multichannel out.")
        }
        try WorkOptions.check("--rate", rate, in: 8000...384_000)
        try WorkOptions.check("--order", order, in: 0...BoxRoom.highestOrder)
        try WorkOptions.check("--length", length, in: 0.001...60)
    }

    func run() throws {
        let pairs = try pairs()
        let files = try RirFiles(
            output: output, picture: picture, json: json, count: pairs.count, overwrites: acoustics.work.overwrite,
            extras: .init(isMultichannel: multichannel, paths: paths, isPlayed: playThrough != nil))
        let (scene, tracer) = try acoustics.open()
        for warning in try misplacements(pairs, scene, tracer: tracer) { AcousticOptions.warn(warning) }
        let dry = try playThrough.map { try DrySound.samples(of: $0, sampleRate: Double(rate)) }
        let started = ContinuousClock.now
        let results = try results(pairs, tracer)
        let elapsed = started.duration(to: .now)
        var hashes = try files.write(results, scene, command: self)
        if let paths { try files.write(results.map { PathFacts($0, tracer: tracer) }, to: paths) }
        let played = try dry.map { try PlayedSound($0, through: results.map(\.response)) }
        if let played { hashes += try files.write(played, sampleRate: rate) }
        for result in results { print(RirReport(result: result).text + "\n") }
        print(facts(results, elapsed))
        if let played { print("played     gain \(Text.number(played.gain, decimals: 1)) dB") }
        for (path, hash) in hashes { print("sha-256    \(hash)  \(path)") }
    }

    private func pairs() throws -> [RirPair] {
        let emissions = try emission.emissions(of: source)
        return try zip(source, emissions).flatMap { source, emission in
            try listener.map { listener in
                guard (source.vector - listener.vector).magnitude >= 0.01 else {
                    throw ToolError(
                        "The source and the listener are both at \(Metres.text(source.vector)): put them at least 1 cm apart."
                    )
                }
                return RirPair(
                    source: source.vector, listener: hearing.pose(at: listener.vector), emission: emission)
            }
        }
    }

    /// What `--lenient` makes a warning of; thrown without it.
    private func misplacements(_ pairs: [RirPair], _ scene: RirScene, tracer: SceneTracer) throws -> [String] {
        let found = PositionCheck(occluders: scene.occluders, tracer: tracer).misplacements(pairs).map(Text.oneLine)
        guard let first = found.first, !acoustics.scene.lenient else { return found }
        throw ToolError(first)
    }

    private func results(_ pairs: [RirPair], _ tracer: SceneTracer) throws -> [RirResult] {
        let receiver = try hearing.made(sampleRate: Double(rate))
        let synthesiser = try ResponseSynthesiser(
            sampleRate: Double(rate), medium: tracer.scene.medium, receiver: receiver,
            pattern: hearing.pattern, seed: acoustics.seed)
        let solver = RirSolver(
            tracer: tracer, quality: settings, seed: acoustics.seed, synthesiser: synthesiser, length: length,
            workers: acoustics.work.workers, findsErrors: true, measures: true, speech: speech.conditions(.atOneMetre),
            waves: try lowFrequencies.options(tracer.scene.medium))
        let progress = Progress("computing"), count = pairs.count
        defer { progress.clear() }
        return try pairs.enumerated().map { index, pair in
            try solver.result(for: pair) { share in
                progress.show(
                    (Double(index) + share) / Double(count), count > 1 ? "(\(index + 1) of \(count) responses)" : "")
            }
        }
    }

    private var settings: AcousticQuality { acoustics.quality(else: Self.quality, order: order) }

    static let quality = AcousticQuality.Name.high

    private func facts(_ results: [RirResult], _ elapsed: Duration) -> String {
        guard let response = results.first?.response else { return "" }
        let wall = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        return """
            length     \(Text.number(response.seconds, decimals: 3)) s, \(response.frameCount) frames at \(rate) Hz, \(hearing.receiver.words)
            work       \(settings.rays) rays, \(settings.reflectionOrder) mirrors, \(settings.edges) edges, \(Text.number(wall, decimals: 1)) s
            seed       \(acoustics.seed)
            """
    }
}
