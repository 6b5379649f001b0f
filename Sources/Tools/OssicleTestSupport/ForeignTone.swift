import Foundation

/// A tone that the server's own program `pacat` plays beside the program under test: where it breaks, the server or the
/// machine left something out.
public final class ForeignTone {
    private let player = Process()
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - frequency: Hz; sampled at 48 kHz.
    ///   - seconds: after which it ends.
    ///   - role: the only channel of the sink that has it, in PulseAudio's words; nil where the server is to place it.
    public init(_ frequency: Double, amplitude: Double, seconds: Int, at sink: String, role: String? = nil) throws {
        folder = try TemporaryFolder()
        let tone = Signal.sine(frequency, count: seconds * 48_000, amplitude: amplitude)
        try tone.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: folder.path("tone")))
        player.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        player.arguments =
            SoundServer.launcher + [
                "pacat", "--device=\(sink)", "--format=float32le", "--rate=48000", "--channels=1",
                SoundServer.witnessLatency,
            ] + (role.map { ["--channel-map=\($0)", "--no-remix"] } ?? []) + [folder.path("tone")]
        player.standardError = FileHandle.nullDevice
        try player.run()
    }

    /// Only this signal gets through: those of a test runner's threads are blocked.
    deinit {
        kill(player.processIdentifier, SIGKILL)
        player.waitUntilExit()
    }
}
