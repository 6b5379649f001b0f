import Foundation
import OssicleDevices
import OssiclePlayback
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio
@testable import PHASE

/// To be run alone: the whole process uses another server meanwhile.
@Suite(
    "A server that requests corking",
    .enabled(if: SoundServer.isRunning && FileManager.default.isExecutableFile(atPath: "/usr/bin/pulseaudio")),
    .serialized)
struct CorkingTests {
    /// PulseAudio itself, with a policy: while a stream of the role event plays, those of the role music are to pause.
    private final class PulseAudio {
        let address: String
        private let folder: URL
        private let process = Process()
        private let server: pid_t

        init() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("pulse-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let socket = folder.appendingPathComponent("native").path
            address = "unix:" + socket
            // It closes all files it inherits, by which Foundation sees the end of a process: so a shell waits for it.
            let modules = [
                "module-null-sink sink_name=out", "module-remap-source source_name=mic master=out.monitor",
                "module-role-cork trigger_roles=event cork_roles=music",
                "module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
            ].map { "-L '\($0)'" }.joined(separator: " ")
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c",
                "/usr/bin/pulseaudio -n --daemonize=no --use-pid-file=no --exit-idle-time=-1 --disable-shm=yes \(modules)"
                    + " >/dev/null & echo $!; wait",
            ]
            process.standardOutput = output
            process.environment = ProcessInfo.processInfo.environment.merging([
                "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.path,
            ]) { $1 }
            process.standardError = FileHandle.nullDevice
            try process.run()
            let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            server = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            guard SoundServer.eventually({ (try? DeviceList.current(server: self.address))?.outputs.isEmpty == false })
            else { throw CocoaError(.fileReadUnknown) }
        }

        deinit {
            // Other signals are blocked: those of a test runner's threads are.
            if server > 0 { kill(server, SIGKILL) }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }
    }

    @Test("A request to cork interrupts both engines, a player and a recorder; the request to uncork ends it")
    func policy() throws {
        let server = try PulseAudio()
        let before = ProcessInfo.processInfo.environment["PULSE_SERVER"] ?? ""
        setenv("PULSE_SERVER", server.address, 1)
        defer { setenv("PULSE_SERVER", before, 1) }
        let session = AVAudioSession(
            SessionControl(
                surroundings: ServerSurroundings(), participants: .shared, access: RecordAccess(environment: [:])
            ) { _ in })
        let types = Types(of: session)
        try session.setCategory(.playAndRecord)
        try session.setActive(true)

        let engine = AVAudioEngine()
        _ = engine.mainMixerNode
        try engine.start()
        let stage = try Stage()
        stage.engine.disableManualRenderingMode()
        try stage.start()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let recorder = try AVAudioRecorder(url: folder.appendingPathComponent("a.wav"), settings: [:])
        #expect(recorder.record())
        let player = try AVAudioPlayer(contentsOf: Self.silence(in: folder))
        player.numberOfLoops = -1
        #expect(player.play())

        let event = try SoundServer.Neighbour(role: "event", server: server.address)
        #expect(SoundServer.eventually { types.all == [.began] })
        #expect(!session.isActive && session.promptStyle != .none)
        #expect(!engine.isRunning && stage.engine.renderingState == .paused)
        #expect(!recorder.isRecording && !player.isPlaying)
        event.end()
        #expect(SoundServer.eventually { types.all == [.began, .ended] })
        #expect(types.mayResume)
        try session.setActive(true)
        try engine.start()
        #expect(player.play() && recorder.record() && session.isActive)
        player.stop()
        recorder.stop()
        engine.stop()
        stage.engine.stop()
    }

    private static func silence(in folder: URL) throws -> URL {
        let url = folder.appendingPathComponent("silence.wav")
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000))
        buffer.frameLength = 48_000
        try AVAudioFile(forWriting: url, settings: format.settings).write(from: buffer)
        return url
    }

    /// The interruptions a session posts.
    private final class Types: @unchecked Sendable {
        private let lock = NSLock()
        private var posted: [Notification] = []
        private var observer: (any NSObjectProtocol)?

        init(of session: AVAudioSession) {
            observer = NotificationCenter.default.addObserver(
                forName: AVAudioSession.interruptionNotification, object: session, queue: nil
            ) { [weak self] note in self?.note(note) }
        }

        deinit { observer.map(NotificationCenter.default.removeObserver) }

        private func note(_ note: Notification) { lock.withLock { posted.append(note) } }

        var all: [AVAudioSession.InterruptionType] {
            lock.withLock { posted }.compactMap { note in
                (note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt).flatMap(
                    AVAudioSession.InterruptionType.init)
            }
        }

        var mayResume: Bool {
            lock.withLock { posted.last }?.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt == 1
        }
    }
}
