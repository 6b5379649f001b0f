import Foundation

/// A minute of the demo, its file and its picture included.
enum DemoSpeed {
    static func measure() throws -> Double? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appendingPathComponent("demo.wav").path
        return 60 / (try Command.seconds(Command.ossicle, ["demo", "--seconds", "60", "-o", output]))
    }
}
