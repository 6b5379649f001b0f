import Foundation
import Testing
@testable import misuse_check

@Suite("Misuse, one process for each case")
struct MisuseCheckTests {
    /// Seconds until a process counts as hung, whatever else the machine does. Its own limit is five seconds of
    /// processor time.
    private static let patience = 120.0

    @Test(
        "comes out as documented: no trap, no hang, at most 5 s of processor time and 256 MB",
        arguments: MisuseCase.all.map(\.name))
    func misuse(name: String) async throws {
        let reply = try await Self.run(name)
        #expect(
            reply.status == 0,
            "\(reply.reason == .uncaughtSignal ? "signal" : "status") \(reply.status), after: \(reply.lastWords)")
    }

    @Test("every case has a name of its own")
    func names() { #expect(Set(MisuseCase.all.map(\.name)).count == MisuseCase.all.count) }

    @Test("a case that is not there is a failure")
    func unknown() async throws { #expect(try await Self.run("no such case").status == 1) }

    private struct Reply {
        let status: Int32
        let reason: Process.TerminationReason
        let lastWords: String
    }

    /// The program lies beside the tests. It writes into a file, which takes any amount.
    private static func run(_ name: String) async throws -> Reply {
        let log = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-misuse-\(UUID().uuidString).log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: log) }
        let words = try FileHandle(forWritingTo: log)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("misuse-check")
        process.arguments = [name]
        process.standardOutput = words
        process.standardError = words
        try process.run()
        let end = Date().addingTimeInterval(patience)
        while process.isRunning, Date() < end { try await Task.sleep(for: .milliseconds(20)) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
        let last = text.split(separator: "\n").filter { !$0.contains("Backtrace") }.prefix(while: {
            !$0.hasPrefix("***")
        }).suffix(3).joined(separator: " | ")
        return Reply(
            status: process.terminationStatus, reason: process.terminationReason, lastWords: String(last.suffix(600)))
    }
}
