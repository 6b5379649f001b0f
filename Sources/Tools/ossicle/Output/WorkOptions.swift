import ArgumentParser
import OssicleAcoustics

/// Of all commands that compute on several threads and write what comes out.
struct WorkOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Threads; OSSICLE_THREADS and all cores otherwise.", valueName: "count"))
    var threads: Int?

    @Flag(help: "Replace files that exist.")
    var overwrite = false

    func validate() throws { try Self.check("--threads", threads, in: 1...1024) }

    static func check<Value: Comparable>(_ name: String, _ value: Value?, in range: ClosedRange<Value>) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError(
            "\(name) \(value) is outside \(range.lowerBound) to \(range.upperBound): give a value in that range.")
    }

    var workers: WorkerPool { threads.map { WorkerPool(workers: $0) } ?? .shared }
}
