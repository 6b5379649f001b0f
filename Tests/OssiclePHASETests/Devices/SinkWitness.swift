import Foundation
import OssicleTestSupport

/// A sink of its own, heard by another program: `parec` writes what comes out of its monitor, or out of a microphone that
/// hears it, to a file.
final class SinkWitness {
    let name: String
    /// The roles of the sink's channels, in its own order.
    let map: [String]
    private let modules: [String]
    private let folder: TemporaryFolder
    private let process = Process()

    /// - Parameter microphone: of this name, with the channels of the sink; it becomes the input of engines.
    init(_ name: String, map: [String], microphone: String? = nil) throws {
        (self.name, self.map) = (name, map)
        let roles = map.joined(separator: ",")
        folder = try TemporaryFolder()
        let sink = try SoundServer.addSink(name, channels: map.count, map: roles)
        // The monitor itself is no microphone, which an engine's input node is for.
        let source = try microphone.map {
            try SoundServer.control(
                "load-module", "module-remap-source", "source_name=\($0)", "master=\(name).monitor",
                "channels=\(map.count)", "channel_map=\(roles)", "master_channel_map=\(roles)", "remix=no")
        }
        modules = [source, sink].compactMap { $0 }
        if let microphone { setenv("OSSICLE_INPUT_DEVICE", "pulse:" + microphone, 1) }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "parec", "--verbose", "--device=\(microphone ?? name + ".monitor")", "--format=float32le", "--rate=48000",
            "--channels=\(map.count)", "--channel-map=\(roles)", SoundServer.witnessLatency, folder.path("sound"),
        ]
        // A pipe that nobody reads would halt the program within a minute.
        _ = FileManager.default.createFile(atPath: folder.path("words"), contents: nil)
        process.standardError = FileHandle(forWritingAtPath: folder.path("words"))
        try process.run()
    }

    /// Makes the engines that `body` starts play to the sink. Only where no other test runs at the same time.
    func serve<Result>(_ body: () throws -> Result) rethrows -> Result {
        setenv("OSSICLE_DEVICE", "pulse:" + name, 1)
        defer { unsetenv("OSSICLE_DEVICE") }
        return try body()
    }

    private var frameBytes: Int { map.count * MemoryLayout<Float>.stride }
    private var bytes: Int {
        (try? FileManager.default.attributesOfItem(atPath: folder.path("sound"))[.size] as? Int) ?? 0
    }
    /// Frames that were recorded so far.
    var frameCount: Int { bytes / frameBytes }

    /// Ends the recording.
    /// - Returns: so many frames of each channel from a frame on, and whether `parec` lost some by its own fault.
    func end(from first: Int, count: Int) throws -> (channels: [[Float]], hasLost: Bool) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let text = try String(contentsOfFile: folder.path("words"), encoding: .utf8)
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("sound")), options: .alwaysMapped)
        guard data.count >= (first + count) * frameBytes else {
            throw TestFailure(description: "\(name) gave \(data.count / frameBytes) frames. \(text)")
        }
        let channels = data.withUnsafeBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            return map.indices.map { channel in
                (first..<first + count).map { samples[$0 * map.count + channel] }
            }
        }
        return (channels, text.contains("overrun"))
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        if modules.count > 1 { unsetenv("OSSICLE_INPUT_DEVICE") }
        for module in modules { _ = try? SoundServer.control("unload-module", module) }
    }
}

extension SinkWitness {
    /// Seconds of silence that come out of a sink from now on before it sounds, counted in its own frames; nil where
    /// twenty seconds bring no sound.
    static func silence(at sink: String) throws -> Double? {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "parec", "--device=\(sink).monitor", "--format=float32le", "--rate=48000", "--channels=1",
            SoundServer.witnessLatency,
        ]
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        var silent = 0
        while silent < 20 * 48000 {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { return nil }
            let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            if let sound = samples.firstIndex(where: { $0.magnitude > 1e-4 }) { return Double(silent + sound) / 48000 }
            silent += samples.count
        }
        return nil
    }
}
