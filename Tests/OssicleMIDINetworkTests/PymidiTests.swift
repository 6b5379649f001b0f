import Foundation
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleMIDINetwork

/// With an independent implementation of the protocols, which `Scripts/with-pymidi` fetches.
@Suite("pymidi", .serialized, .enabled(if: ProcessInfo.processInfo.environment["OSSICLE_PYMIDI"] != nil))
struct PymidiTests {
    private func peer(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ProcessInfo.processInfo.environment["OSSICLE_PYMIDI"] ?? "")
        let script = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Scripts/pymidi-peer")
        process.arguments = [script.path] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    private func session(_ reports: Reports) throws -> NetworkSession {
        let session = try NetworkSession(
            name: "Ossicle", address: try #require(NetworkAddress("127.0.0.1", port: 0)), seed: 3,
            accepts: { _ in true }, events: { reports.take($0) })
        session.start()
        return session
    }

    @Test("pymidi gets 10,000 messages through a network that loses 5 % of the packets")
    func receives() throws {
        let port = Int(try DatagramSocket.quietPort())
        let (process, output) = try peer(["receive", "\(port)"])
        #expect(output.fileHandleForReading.availableData.starts(with: Data("ready".utf8)))
        let reports = Reports()
        let session = try session(reports)
        let relay = try DroppingRelay(to: port, dropping: 0.05, seed: 5)
        defer { relay.stop() }
        #expect(session.connect(to: try #require(NetworkAddress("127.0.0.1", port: relay.port))))
        #expect(reports.wait { $0.connected.count == 1 })
        var sent: [String] = []
        func send(_ messages: [[UInt8]]) {
            session.send(messages.flatMap { $0 }, at: 0)
            for message in messages {
                sent.append(message.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
            }
            Thread.sleep(forTimeInterval: 0.008)
        }
        // Five notes begin with a packet and end ten packets later.
        for packet in 0..<1010 {
            var messages: [[UInt8]] = []
            for index in 5 * (packet - 10)..<5 * (packet - 9) where packet >= 10 {
                messages.append([0x83, UInt8(index % 128), 64])
            }
            for index in 5 * packet..<5 * (packet + 1) where packet < 1000 {
                messages.append([0x93, UInt8(index % 128), UInt8(1 + index % 127)])
            }
            send(messages)
        }
        // Packets without notes, whose journals repair the last ones.
        for _ in 0..<20 { session.send([0xB3, 1, 1], at: 0) }
        Thread.sleep(forTimeInterval: 2)
        session.stop()
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
            separator: "\n")
        process.waitUntilExit()
        #expect(sent.count == 10_000 && lines.dropLast().sorted() == sent.map { Substring($0) }.sorted())
        let lost = try #require(lines.last.flatMap { Int($0.dropFirst("lost ".count)) })
        #expect(lost >= 30)
    }

    @Test("10,000 messages come from pymidi in their order")
    func sends() throws {
        let reports = Reports()
        let session = try session(reports)
        defer { session.stop() }
        let (process, _) = try peer(["send", "\(session.port)", "10000"])
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(reports.wait { $0.received.count == 10_000 && $0.disconnected.count == 1 })
        var expected: [[UInt8]] = []
        for index in 0..<10_000 {
            let status = UInt8(0x90 + index / 10 % 16)
            expected.append([status, UInt8(index % 128), UInt8(1 + index % 10)])
        }
        #expect(reports.content.withLock { $0.received } == expected)
        #expect(reports.content.withLock { $0.connected.map(\.name) } == ["pymidi"])
    }
}
