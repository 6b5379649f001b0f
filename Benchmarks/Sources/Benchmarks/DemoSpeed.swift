import Foundation

/// A minute of the demo, its file and its picture included.
enum DemoSpeed {
    /// - Parameter acoustics: as the command has them: `geometry` or `preset`.
    static func measure(_ acoustics: String) throws -> Double? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appendingPathComponent("demo.wav").path
        let arguments = ["demo", "--acoustics", acoustics, "--seconds", "60", "-o", output]
        return 60 / (try Command.seconds(Command.ossicle, arguments))
    }
}
