import Foundation
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleMIDINetwork

/// With Avahi's own programs at a daemon of the tests' own, which `Scripts/with-avahi` starts.
@Suite("Bonjour", .serialized, .enabled(if: ProcessInfo.processInfo.environment["OSSICLE_AVAHI"] != nil))
struct BonjourTests {
    private let environment = ProcessInfo.processInfo.environment

    private func directory(
        _ name: String, at host: String = "127.0.0.1", port: Int, changes: @escaping @Sendable () -> Void = {}
    ) throws -> BonjourDirectory {
        let address = try #require(NetworkAddress(host, port: port))
        let directory = BonjourDirectory(announcing: name, at: address, changes: changes)
        return try #require(directory)
    }

    /// Names, addresses and ports of sessions, as `avahi-browse` finds them. It can wait for an answer without end.
    private func browsed() throws -> Set<String> {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["5", "avahi-browse", "-rpt", BonjourDirectory.type]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let found = text.split(separator: "\n").map { $0.split(separator: ";", omittingEmptySubsequences: false) }
        return Set(found.filter { $0.count > 8 && $0[0] == "=" }.map { "\($0[3]) \($0[7]):\($0[8])" })
    }

    private func daemon() throws -> Int32 {
        let text = try String(contentsOfFile: environment["OSSICLE_AVAHI"] ?? "", encoding: .utf8)
        return try #require(Int32(text.filter { !$0.isWhitespace }))
    }

    /// Signals are blocked in children of a test runner, but for this one.
    private func end(_ process: Int32) { kill(process, SIGKILL) }

    @Test("A session is announced until it stops, and a second one of its name gets a number")
    func announces() throws {
        let first = try directory("Stage", port: 5004)
        #expect(SoundServer.eventually { (try? browsed()) == ["Stage 127.0.0.1:5004"] })
        let second = try directory("Stage", port: 5008)
        let both: Set = ["Stage 127.0.0.1:5004", "Stage\\032\\0352 127.0.0.1:5008"]
        #expect(SoundServer.eventually { (try? browsed()) == both })
        #expect(SoundServer.eventually { second.services.count == 1 && first.services.count == 1 })
        let stage = BonjourService(name: "Stage", domain: "local.")
        #expect(second.services == [stage: NetworkAddress(host: 0x7F00_0001, port: 5004)])
        first.stop()
        #expect(SoundServer.eventually { second.services.isEmpty })
        #expect(try browsed() == ["Stage\\032\\0352 127.0.0.1:5008"])
        second.stop()
        #expect(SoundServer.eventually { (try? browsed()) == [] })
    }

    @Test("A session that another program announces is found, and gone with it")
    func follows() throws {
        let reports = Atomic(0)
        let directory = try directory("Stage", port: 5004) { reports.add(1, ordering: .relaxed) }
        defer { directory.stop() }
        let other = Process()
        other.executableURL = URL(fileURLWithPath: "/usr/bin/avahi-publish")
        other.arguments = ["-s", "Förster's iPad", BonjourDirectory.type, "6000"]
        other.standardError = FileHandle.nullDevice
        try other.run()
        let service = BonjourService(name: "Förster's iPad", domain: "local")
        #expect(
            SoundServer.eventually {
                directory.services[service]?.port == 6000 && reports.load(ordering: .relaxed) == 1
            })
        end(other.processIdentifier)
        #expect(SoundServer.eventually { directory.services.isEmpty && reports.load(ordering: .relaxed) == 2 })
    }

    @Test("Sessions are found by addresses of the families that a session's sockets reach")
    func families() throws {
        let stage = try directory("Stage", port: 5004)
        let wide = try directory("Wide", at: "::", port: 5008)
        let six = try directory("Six", at: "::1", port: 5012)
        defer { for directory in [stage, wide, six] { directory.stop() } }
        func found(_ directory: BonjourDirectory) -> Set<String> {
            Set(directory.services.map { "\($0.key.name) \($0.value)" })
        }
        #expect(SoundServer.eventually { found(six) == ["Stage [::1]:5004", "Wide [::1]:5008"] })
        #expect(SoundServer.eventually { found(stage) == ["Wide 127.0.0.1:5008", "Six 127.0.0.1:5012"] })
        #expect(SoundServer.eventually { found(wide) == ["Stage 127.0.0.1:5004", "Six 127.0.0.1:5012"] })
    }

    @Test("A daemon that ends and starts again announces the session again")
    func returns() throws {
        let directory = try directory("Stage", port: 5004)
        defer { directory.stop() }
        #expect(SoundServer.eventually { (try? browsed()) == ["Stage 127.0.0.1:5004"] })
        let first = try daemon()
        end(first)
        #expect(SoundServer.eventually { (try? daemon()).map { $0 != first } ?? false })
        #expect(SoundServer.eventually { (try? browsed()) == ["Stage 127.0.0.1:5004"] })
    }
}
