import Foundation

/// The speed the command line tool states for its demo. Of three runs the fastest: what disturbs a run only slows it
/// down.
enum DemoSpeed {
    static func measure() throws -> Double {
        try (0..<3).map { _ in try run(Command.ossicle) }.max() ?? 0
    }

    private static func run(_ tool: URL) throws -> Double {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (process, output) = (Process(), Pipe())
        process.executableURL = tool
        process.arguments = ["demo", "--seconds", "60", "-o", folder.appendingPathComponent("demo.wav").path]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let line = text.split(separator: "\n").first { $0.hasPrefix("speed") }
        guard let number = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
            throw CocoaError(
                .fileReadCorruptFile,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "\(tool.path) demo printed no speed (status \(process.terminationStatus))."
                ])
        }
        return number
    }
}
