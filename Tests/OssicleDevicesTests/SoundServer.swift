import Foundation
import Synchronization
@testable import OssicleDevices

/// The server that `Scripts/with-sound-server` started.
enum SoundServer {
    private static let environment = ProcessInfo.processInfo.environment
    static let isRunning = environment["OSSICLE_SOUND_SERVER"] == "1"
    static let sink = environment["OSSICLE_SOUND_SINK"] ?? ""

    @discardableResult static func control(_ arguments: String...) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["pactl"] + arguments
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Adds a sink; the module's number unloads it.
    static func addSink(_ name: String, rate: Int = 48000, channels: Int = 2) throws -> String {
        try control(
            "load-module", "module-null-sink", "sink_name=\(name)", "rate=\(rate)", "channels=\(channels)",
            "format=float32le")
    }

    /// A second server, for tests that kill it.
    final class Victim {
        let address: String
        private let server: pid_t
        private let sleeper: pid_t
        private let process = Process()

        init() throws {
            let output = Pipe()
            process.executableURL =
                URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Scripts/with-sound-server").standardized
            process.arguments = ["bash", "-c", "echo $$ $OSSICLE_SOUND_PROCESS $PULSE_SERVER; exec sleep 60"]
            process.standardOutput = output
            try process.run()
            let words = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).split(
                whereSeparator: \.isWhitespace)
            guard words.count == 3, let sleeper = pid_t(words[0]), let server = pid_t(words[1]) else {
                throw CocoaError(.fileReadUnknown)
            }
            (self.sleeper, self.server, address) = (sleeper, server, String(words[2]))
        }

        func send(_ signal: Int32) { kill(server, signal) }

        deinit {
            // The signals of a test runner's threads are blocked, those of its children too: only this one gets
            // through.
            kill(sleeper, SIGKILL)
            process.waitUntilExit()
        }
    }
}

/// Writes down the events of a device, and lets a test wait for one.
final class EventLog: Sendable {
    private let entries = Mutex<[DeviceEvent]>([])

    func hear(_ event: DeviceEvent) { entries.withLock { $0.append(event) } }
    var events: [DeviceEvent] { entries.withLock { $0 } }

    /// Whether such an event came, in ten seconds at most.
    func hears(_ isWanted: (DeviceEvent) -> Bool) -> Bool { eventually { events.contains(where: isWanted) } }
    func hears(_ event: DeviceEvent) -> Bool { hears { $0 == event } }
}

/// Whether something becomes so, in ten seconds at most.
func eventually(_ isSo: () -> Bool) -> Bool {
    for _ in 0..<1000 {
        if isSo() { return true }
        Thread.sleep(forTimeInterval: 0.01)
    }
    return isSo()
}
