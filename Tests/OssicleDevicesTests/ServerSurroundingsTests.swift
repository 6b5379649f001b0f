import Foundation
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleDevices

@Suite("What a session sees of a sound server", .enabled(if: SoundServer.isRunning), .serialized)
struct ServerSurroundingsTests {
    private final class Log: Sendable {
        private let entries = Mutex<[SurroundingsEvent]>([])
        func note(_ event: SurroundingsEvent) { entries.withLock { $0.append(event) } }
        var last: SurroundingsEvent? { entries.withLock { $0.last } }
        func has(_ isWanted: (SurroundingsEvent) -> Bool) -> Bool { entries.withLock { $0.contains(where: isWanted) } }
    }

    /// Percent, of the only stream there is.
    private func volume() throws -> Int? {
        let words = try SoundServer.control("list", "sink-inputs").split(whereSeparator: \.isWhitespace)
        return words.first { $0.hasSuffix("%") }.flatMap { Int($0.dropLast()) }
    }

    @Test("Other programs are seen with their roles, lowered by 12 dB and restored")
    func neighbours() throws {
        let (surroundings, log) = (ServerSurroundings(), Log())
        surroundings.watch { log.note($0) }
        #expect(eventually { log.has { $0 == .others([]) } })
        do {
            let music = try SoundServer.Neighbour(role: "music")
            defer { withExtendedLifetime(music) {} }
            #expect(eventually { log.last == .others([.music]) })
            #expect(try volume() == 100)
            // Each time at once after the last, when the server may still report the volume before.
            for _ in 0..<4 {
                surroundings.duckOthers(by: 12)
                #expect(eventually { (try? volume()) == 63 }, "−12 dB are 63 % of the cubic scale")
                surroundings.duckOthers(by: 0)
                #expect(eventually { (try? volume()) == 100 })
            }
            surroundings.duckOthers(by: 12)
            #expect(eventually { (try? volume()) == 63 })
            surroundings.watch { _ in }
            #expect(eventually { (try? volume()) == 100 }, "a watch that ends restores")
        }
    }

    @Test("A telephone is a telephone, and its end is seen")
    func telephone() throws {
        let (surroundings, log) = (ServerSurroundings(), Log())
        surroundings.watch { log.note($0) }
        do {
            let phone = try SoundServer.Neighbour(role: "phone")
            defer { withExtendedLifetime(phone) {} }
            #expect(eventually { log.last == .others([.phone]) })
        }
        #expect(eventually { log.last == .others([]) })
    }

    @Test("A device that comes is told, with the list before and after")
    func devices() throws {
        let (surroundings, log) = (ServerSurroundings(), Log())
        surroundings.watch { log.note($0) }
        #expect(eventually { log.last == .others([]) })
        let module = try SoundServer.addSink("session_sink")
        #expect(
            eventually {
                log.has { event in
                    guard case .devices(let old, let new) = event else { return false }
                    return !old.outputs.contains { $0.id == "session_sink" }
                        && new.outputs.contains { $0.id == "session_sink" }
                }
            })
        try SoundServer.control("unload-module", module)
        #expect(eventually { !surroundings.devices.outputs.contains { $0.id == "session_sink" } })
    }

    @Test("A server that is killed is told as lost")
    func loss() throws {
        let victim = try SoundServer.Victim()
        let (surroundings, log) = (ServerSurroundings(server: victim.address), Log())
        surroundings.watch { log.note($0) }
        #expect(eventually { log.last == .others([]) })
        victim.send(SIGKILL)
        #expect(eventually { log.has { $0 == .serverLost } })
    }
}

@Suite("Roles of streams")
struct StreamRoleTests {
    @Test("Names of the server, also older ones, mean roles; others mean none")
    func names() {
        let table: [(String, StreamRole)] = [
            ("music", .music), ("Movie", .video), ("video", .video), ("phone", .phone), ("Communication", .phone),
            ("notification", .event), ("a11y", .accessibility), ("announce", .announcement), ("", .unknown),
            ("opera", .unknown),
        ]
        for (name, role) in table { #expect(StreamRole(name: name) == role, "\(name)") }
        #expect(StreamRole.allCases.filter(\.isSecondary).count == 5)
    }
}
