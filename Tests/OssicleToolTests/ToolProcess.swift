import Foundation

/// The tool as a program of its own, for what only a program has: standard streams and an exit status.
struct ToolProcess {
    let status: Int32
    let output: Data
    let errors: String

    /// The program that was built beside the tests.
    static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("ossicle")

    /// Runs the program.
    init(_ arguments: [String], input: Data = Data()) throws {
        let (process, source, result, messages) = (Process(), Pipe(), Pipe(), Pipe())
        process.executableURL = ToolProcess.program
        process.arguments = arguments
        (process.standardInput, process.standardOutput, process.standardError) = (source, result, messages)
        try process.run()
        // Each pipe holds 64 KB: all three have to move at the same time.
        let (group, words) = (DispatchGroup(), Box())
        DispatchQueue.global().async(group: group) {
            try? source.fileHandleForWriting.write(contentsOf: input)
            try? source.fileHandleForWriting.close()
        }
        DispatchQueue.global().async(group: group) { words.data = messages.fileHandleForReading.readDataToEndOfFile() }
        output = result.fileHandleForReading.readDataToEndOfFile()
        group.wait()
        process.waitUntilExit()
        status = process.terminationStatus
        errors = String(decoding: words.data, as: UTF8.self)
    }

    /// Written by one thread and read after it has ended.
    private final class Box: @unchecked Sendable { var data = Data() }
}
