import Foundation

/// A program run to its end.
enum Command {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Seconds of processor time, all threads together.
    static func seconds(_ program: URL, _ arguments: [String]) throws -> Double {
        let before = childSeconds()
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description:
                    "\(program.lastPathComponent) \(arguments.joined(separator: " ")) ended with status \(process.terminationStatus)"
            )
        }
        return max(childSeconds() - before, 1e-9)
    }

    /// Where a program is installed.
    static func find(_ name: String) -> URL? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
    }

    /// The command line tool, built beside the benchmarks.
    static var ossicle: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("ossicle")
    }

    private static func childSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
