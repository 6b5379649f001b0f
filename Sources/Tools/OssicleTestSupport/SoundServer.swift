import Foundation

/// The server that `Scripts/with-sound-server` started.
public enum SoundServer {
    private static let environment = ProcessInfo.processInfo.environment
    public static let isRunning = environment["OSSICLE_SOUND_SERVER"] == "1"
    /// The default, of two channels.
    public static let sink = environment["OSSICLE_SOUND_SINK"] ?? ""
    /// What starts a program in real time as the server is; empty where that may not be.
    static let launcher = (environment["OSSICLE_SOUND_LAUNCHER"] ?? "").split(separator: " ").map(String.init)
    /// What programs that play or hear beside the one under test ask for: as much as the engines' own streams in tests,
    /// 160 ms. PipeWire's cycles are half as long at most; with 10 ms they would be of 5 ms, and a server that stands
    /// still for one breaks what passes through it.
    public static let witnessLatency = "--latency-msec=160"

    @discardableResult public static func control(_ arguments: String...) throws -> String {
        try control(arguments, server: nil)
    }

    fileprivate static func control(_ arguments: [String], server: String?) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["pactl"] + (server.map { ["--server=" + $0] } ?? []) + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Adds a sink; the module's number unloads it.
    /// - Parameters:
    ///   - map: the roles of its channels in PulseAudio's words, with commas between; nil for the server's choice.
    ///   - form: what its device is, as "headphone"; nil for nothing.
    public static func addSink(
        _ name: String, rate: Int = 48000, channels: Int = 2, map: String? = nil, form: String? = nil
    ) throws -> String {
        try control(sink(name, rate: rate, channels: channels, map: map, form: form), server: nil)
    }

    public enum Direction: Sendable { case sink, source }

    /// Makes a sink or source the default, and returns when it is. The server takes the wish for one that its session
    /// manager has not seen yet, and forgets it, so that it is asked again. While a program connects, PipeWire tells
    /// those that are connected of no other default, and every question is a program that connects: questions leave
    /// the session manager time to answer, twice as much each time.
    public static func setDefault(_ direction: Direction, _ name: String) throws {
        try setDefault(direction, name, server: nil)
    }

    fileprivate static func setDefault(_ direction: Direction, _ name: String, server: String?) throws {
        for attempt in 0..<9 {
            _ = try? control(["set-default-\(direction)", name], server: server)
            Thread.sleep(forTimeInterval: 0.05 * Double(1 << attempt))
            if (try? control(["get-default-\(direction)"], server: server)) == name { return }
        }
        throw StaysOther(direction: direction, name: name)
    }

    /// What was to become the default did not, in 25 seconds.
    private struct StaysOther: Error {
        let direction: Direction
        let name: String
    }

    fileprivate static func sink(
        _ name: String, rate: Int, channels: Int, map: String? = nil, form: String? = nil
    ) -> [String] {
        [
            "load-module", "module-null-sink", "sink_name=\(name)", "rate=\(rate)", "channels=\(channels)",
            "format=float32le",
        ] + (map.map { ["channel_map=" + $0] } ?? [])
            + (form.map { ["sink_properties=device.form_factor=" + $0] } ?? [])
    }

    /// Another program that plays silence.
    public final class Neighbour {
        private let process = Process()

        /// - Parameters:
        ///   - properties: of its connection and its stream, beside the role.
        ///   - server: as in PULSE_SERVER; nil for the one of this process.
        public init(role: String, properties: [String: String] = [:], server: String? = nil) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                ["pacat", "--playback", "--rate=48000", "--property=media.role=\(role)"]
                + properties.map { "--property=\($0)=\($1)" } + (server.map { ["--server=" + $0] } ?? []) + [
                    "/dev/zero"
                ]
            process.standardError = FileHandle.nullDevice
            try process.run()
        }

        deinit { end() }

        /// Kills it. Only this signal gets through: those of a test runner's threads are blocked.
        public func end() {
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// A second server, for tests that kill it.
    public final class Victim {
        public let address: String
        private var server: pid_t
        private let sleeper: pid_t
        private let process = Process()
        private var successors: [Process] = []

        public init() throws {
            let output = Pipe()
            process.executableURL =
                URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../Scripts/with-sound-server").standardized
            process.arguments = ["bash", "-c", "echo $$ $OSSICLE_SOUND_PROCESS $PULSE_SERVER; exec sleep 300"]
            process.standardOutput = output
            try process.run()
            let words = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).split(
                whereSeparator: \.isWhitespace)
            guard words.count == 3, let sleeper = pid_t(words[0]), let server = pid_t(words[1]) else {
                throw CocoaError(.fileReadUnknown)
            }
            (self.sleeper, self.server, address) = (sleeper, server, String(words[2]))
        }

        /// To the process that programs talk to.
        public func send(_ signal: Int32) { kill(server, signal) }

        @discardableResult public func control(_ arguments: String...) throws -> String {
            try SoundServer.control(arguments, server: address)
        }

        /// Makes this process use the server while `body` runs. Only where no other test runs at the same time.
        public func serve(_ body: () throws -> Void) rethrows {
            let before = SoundServer.environment["PULSE_SERVER"]
            setenv("PULSE_SERVER", address, 1)
            defer { if let before { setenv("PULSE_SERVER", before, 1) } else { unsetenv("PULSE_SERVER") } }
            try body()
        }

        /// Starts the process anew after it was killed, with the sink it had.
        public func restart() throws {
            let socket = String(address.dropFirst("unix:".count))
            let folder = URL(fileURLWithPath: socket).deletingLastPathComponent().deletingLastPathComponent().path
            let successor = Process()
            successor.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            // Scheduled as the one before.
            let launcher = SoundServer.environment["OSSICLE_SOUND_LAUNCHER"] ?? ""
            successor.arguments = launcher.split(separator: " ").map(String.init) + ["pipewire-pulse"]
            successor.environment = SoundServer.environment.merging([
                "XDG_RUNTIME_DIR": folder, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus",
                "XDG_CONFIG_HOME": folder + "/config", "XDG_STATE_HOME": folder + "/state",
            ]) { $1 }
            successor.standardError = FileHandle.nullDevice
            try successor.run()
            successors.append(successor)
            server = successor.processIdentifier
            guard SoundServer.eventually({ (try? control("info"))?.isEmpty == false }) else {
                throw CocoaError(.fileReadUnknown)
            }
            try addSink()
        }

        /// The sink of two channels that is the default.
        public func addSink() throws {
            _ = try SoundServer.control(SoundServer.sink(SoundServer.sink, rate: 48000, channels: 2), server: address)
            try setDefault(.sink, SoundServer.sink)
        }

        /// As the server's.
        public func setDefault(_ direction: Direction, _ name: String) throws {
            try SoundServer.setDefault(direction, name, server: address)
        }

        deinit {
            // The signals of a test runner's threads are blocked, those of its children too: only this one gets
            // through.
            for successor in successors { kill(successor.processIdentifier, SIGKILL) }
            kill(sleeper, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Whether something becomes so, in twenty seconds at most.
    public static func eventually(_ isSo: () -> Bool) -> Bool {
        for _ in 0..<1000 {
            if isSo() { return true }
            Thread.sleep(forTimeInterval: 0.02)
        }
        return isSo()
    }
}
