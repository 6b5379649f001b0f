// Damaged files of every kind, given to everything that reads files.

import Foundation
import OssicleTestSupport

/// `mutation-check [files of each kind] [seed] [name of a kind …]`: status 1 when a file ends the program, takes more
/// than 5 s of work or 256 MB of memory, decodes to samples beyond bounds, or makes a library write on standard output
/// or error. Such files are kept.
@main
struct MutationCheck {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--work", arguments.count == 6,
            let kind = Kind.all.first(where: { $0.name == arguments[1] }),
            let first = Int(arguments[3]), let end = Int(arguments[4]), let seed = UInt64(arguments[5])
        {
            try Worker(kind: kind, folder: arguments[2], seed: seed).run(from: first, to: end)
        }
        let count = arguments.first.flatMap { Int($0) } ?? 4000,
            seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
        let chosen = Set(arguments.dropFirst(2)), kinds = Kind.all.filter { chosen.isEmpty || chosen.contains($0.name) }
        var files = 0, findings = 0
        for kind in kinds {
            let check = try MutationCheck(kind: kind, seed: seed)
            let found = try check.run(count)
            files += count
            findings += found
            print("\(kind.name): \(count) files, \(found) findings")
        }
        print("\(files) files of \(kinds.count) kinds, \(findings) findings")
        exit(findings == 0 ? 0 : 1)
    }

    private let kind: Kind
    private let seed: UInt64
    private let folder: TemporaryFolder
    private static let kept = "mutation-findings"
    /// Findings of a kind after which it is given up.
    private static let most = 20

    private init(kind: Kind, seed: UInt64) throws {
        self.kind = kind
        self.seed = seed
        folder = try TemporaryFolder()
        try kind.write(to: folder.path(kind.name))
    }

    private func run(_ count: Int) throws -> Int {
        var next = 0, findings = 0
        while next < count, findings < Self.most {
            let (complaint, output) = try work(from: next, to: count)
            if complaint == nil, output.isEmpty { break }
            findings += 1
            let round = complaint == nil ? count : Self.round(folder.url.path)
            try report(complaint ?? "a library wrote", output, round: round)
            next = complaint == nil ? count : round + 1
        }
        return findings
    }

    /// What a worker says at its end, `nil` when all went well, and what was written on its standard output and error.
    private func work(from first: Int, to end: Int) throws -> (complaint: String?, output: String) {
        let process = Process(), output = folder.path("output")
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--work", kind.name, folder.url.path, "\(first)", "\(end)", "\(seed)"]
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
        switch (process.terminationReason, process.terminationStatus) {
        case (.exit, 0): return (nil, text)
        case (.exit, Worker.tooSlow): return ("more than \(Worker.mostSeconds) s of work", text)
        case (.exit, Worker.tooLarge), (.exit, Worker.wrong): return ("beyond bounds", text)
        case (.uncaughtSignal, let number): return ("signal \(number)", text)
        default: return ("status \(process.terminationStatus)", text)
        }
    }

    private static func round(_ folder: String) -> Int {
        guard let bytes = FileManager.default.contents(atPath: Worker.roundFile(folder)), bytes.count >= 8 else {
            return 0
        }
        return Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
    }

    private func report(_ complaint: String, _ output: String, round: Int) throws {
        let name = "\(Self.kept)/\(seed)-\(round)-\(kind.name)"
        try FileManager.default.createDirectory(atPath: Self.kept, withIntermediateDirectories: true)
        try? FileManager.default.removeItem(atPath: name)
        try? FileManager.default.copyItem(atPath: Worker.spoiltFile(folder.url.path, kind), toPath: name)
        print("\(name): \(complaint) \(output.split(separator: "\n").prefix(3).joined(separator: " | "))")
    }
}
