import Foundation

/// Prints how fast the engine is on one core, beside rivals that do the same work by turns. Build in release; numbers
/// of a debug build mean nothing.
///
///     Benchmarks [--quick] [--only WORD] [--page FOLDER]     sound; page and chart go to FOLDER; --long for profilers
///     Benchmarks acoustics [--pyroomacoustics] [--only rays|occlusion|box|paths|sources] [--quality high]
///                                                            geometry, beside Embree's bare calls
///     Benchmarks costs                                       an update, a reverb send, a source that begins
///     Benchmarks voices [--count 256] [--blocks 100] [--air] [--sends 0]     ours alone, for callgrind; with sends, at rest
///     Benchmarks blocks                                      a measured room, block by block
///     Benchmarks yard [--quality high] [--narrow]            40 paths around boxes, for callgrind
///     Benchmarks columns [--count 4000] [--behind] [--close] [--room]    paths past two columns, for callgrind
///     Benchmarks deadlines [--seconds 20] [--voices 32,256]  callbacks of 64 frames while another thread edits
///     Benchmarks view [--seconds 3] [--voices 100] [--rounds 8]    callbacks while somebody looks at the live view, and nobody
///     Benchmarks cores [--quick] [--threads 2]               several threads beside one, in time of the wall
///     Benchmarks soak [--minutes 60]                         memory while things come and go; status 1 where it grows
@main
enum Benchmarks {
    static func main() throws {
        setenv("OSSICLE_THREADS", "1", 0)
        let arguments = CommandLine.arguments
        let effort = arguments.contains("--long") ? .long : arguments.contains("--quick") ? Effort.quick : .thorough
        if arguments.contains("cores") {
            return try Cores.run(effort, threads: number(of: "--threads", in: arguments).map { Int($0) } ?? 2)
        }
        if arguments.contains("acoustics") {
            return try acoustics(
                only: value(of: "--only", in: arguments), quality: value(of: "--quality", in: arguments))
        }
        if arguments.contains("costs") { return try VoiceCosts.print() }
        if arguments.contains("voices") {
            return try VoiceCosts.run(
                count: Int(number(of: "--count", in: arguments) ?? 256),
                blocks: Int(number(of: "--blocks", in: arguments) ?? 100),
                hasAir: arguments.contains("--air"),
                sends: number(of: "--sends", in: arguments).map { Int($0) })
        }
        if arguments.contains("blocks") { return try Convolution.printSpread() }
        if arguments.contains("yard") {
            return YardPaths.print(
                value(of: "--quality", in: arguments) ?? "medium", isNarrow: arguments.contains("--narrow"))
        }
        if arguments.contains("columns") {
            let layout = [ColumnPaths.Layout.behind, .close].first { arguments.contains("--\($0)") } ?? .beside
            return ColumnPaths.print(
                count: Int(number(of: "--count", in: arguments) ?? 4000), layout, isRoom: arguments.contains("--room"))
        }
        if arguments.contains("deadlines") {
            let voices = (value(of: "--voices", in: arguments) ?? "32,256").split(separator: ",").compactMap { Int($0) }
            return try Deadlines.run(voices: voices, seconds: number(of: "--seconds", in: arguments) ?? 20)
        }
        if arguments.contains("view"), let offline = value(of: "--offline", in: arguments) {
            return try ViewCosts.renderOffline(
                voices: Int(number(of: "--voices", in: arguments) ?? 100),
                blocks: Int(number(of: "--blocks", in: arguments) ?? 300), isWatched: offline == "with")
        }
        if arguments.contains("view") {
            return try ViewCosts.run(
                voices: Int(number(of: "--voices", in: arguments) ?? 100),
                seconds: number(of: "--seconds", in: arguments) ?? 3,
                rounds: Int(number(of: "--rounds", in: arguments) ?? 8))
        }
        if arguments.contains("soak") {
            exit(try Soak.run(minutes: number(of: "--minutes", in: arguments) ?? 60) ? 0 : 1)
        }
        let only = value(of: "--only", in: arguments)
        let files = SoundFiles(seconds: effort.fileSeconds)
        defer { files.remove() }
        let results = (SoundWork.all(effort, files)).filter { only == nil || $0.title.contains(only ?? "") }.map {
            work in
            let result = work.measure(rounds: effort.rounds)
            Report.lines(result.words)
            return result
        }
        guard let folder = value(of: "--page", in: arguments) else { return }
        try PerformancePage(results: results, effort: effort).write(to: URL(fileURLWithPath: folder))
    }

    /// What is in the scene, and what it does to sound.
    /// - Parameters:
    ///   - only: the name of a part; nil for all. - quality: of its paths or sources; nil for all.
    private static func acoustics(only: String?, quality: String?) throws {
        let parts: [(name: String, print: () throws -> Void)] = [
            ("rays", ReflectionSpeed.print), ("occlusion", OcclusionSpeed.print), ("box", BoxRoomSpeed.print),
            ("paths", { PathSpeed.print(only: quality) }), ("sources", { try GeometryVoices.print(only: quality) }),
        ]
        for part in parts where only == nil || only == part.name { try part.print() }
    }

    private static func number(of option: String, in arguments: [String]) -> Double? {
        value(of: option, in: arguments).flatMap(Double.init)
    }

    private static func value(of option: String, in arguments: [String]) -> String? {
        arguments.firstIndex(of: option).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
    }
}

/// How long is measured.
struct Effort {
    /// Each work is done this many times, by turns with its rivals.
    let rounds: Int
    /// Seconds of sound rendered in one round, and the length of the files that are converted.
    let renderedSeconds: Double
    let fileSeconds: Double

    static let quick = Effort(rounds: 3, renderedSeconds: 0.5, fileSeconds: 60)
    /// For profilers: what is done once is lost in it.
    static let long = Effort(rounds: 1, renderedSeconds: 20, fileSeconds: 60)
    static let thorough = Effort(rounds: 7, renderedSeconds: 2, fileSeconds: 600)
}
