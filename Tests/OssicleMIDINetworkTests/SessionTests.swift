import Foundation
import OssicleCore
import OssicleDevices
import Synchronization
import Testing
@testable import OssicleMIDINetwork

@Suite("MIDI network sessions", .serialized) struct SessionTests {
    private func session(
        _ name: String, _ reports: Reports, seed: UInt64,
        accepts: @escaping @Sendable (SessionPeerInfo) -> Bool = { _ in true }
    ) throws -> NetworkSession {
        let address = try #require(NetworkAddress("127.0.0.1", port: 0))
        let session = try NetworkSession(
            name: name, address: address, seed: seed, accepts: accepts, events: { reports.take($0) })
        session.start()
        return session
    }

    private func address(_ port: Int) throws -> NetworkAddress {
        try #require(NetworkAddress("localhost", port: port))
    }

    @Test("Two sessions connect, exchange clocks and messages both ways, and part")
    func pair() throws {
        let reports = [Reports(), Reports()]
        let first = try session("first", reports[0], seed: 1)
        let second = try session("second", reports[1], seed: 2)
        defer { first.stop() }
        let start = HostClock.now
        #expect(try first.connect(to: address(second.port)))
        #expect(try !first.connect(to: address(second.port)))
        #expect(reports[0].wait { $0.connected.count == 1 } && reports[1].wait { $0.connected.count == 1 })
        #expect(first.peers.map(\.name) == ["second"] && second.peers.map(\.name) == ["first"])
        // The clocks need three packets.
        #expect(reports[1].wait { _ in second.state.withLock { $0.peers.first?.clockOffset != nil } })
        first.send([0x90, 60, 100, 0xB0, 7, 5], at: 0)
        second.send([0xF0] + [UInt8](repeating: 3, count: 1000) + [0xF7], at: 0)
        #expect(reports[1].wait { $0.received.count == 2 } && reports[0].wait { $0.received.joined().count == 1002 })
        #expect(reports[1].content.withLock { $0.received } == [[0x90, 60, 100], [0xB0, 7, 5]])
        #expect(
            reports[1].content.withLock { $0.times }.allSatisfy { $0 >= start && $0 <= HostClock.now + 1_000_000_000 })
        second.stop()
        #expect(reports[0].wait { $0.disconnected.count == 1 } && first.peers.isEmpty)
        #expect(first.ignoredPackets == 0)
    }

    private static let hasIPv6 = NetworkAddress("::1", port: 0).flatMap { try? NetworkSocket($0) } != nil

    @Test("Sessions at IPv6 addresses connect, with each other and, at every address, with IPv4", .enabled(if: hasIPv6))
    func wide() throws {
        for (own, other, target) in [("::1", "::1", "::1"), ("::", "127.0.0.1", "127.0.0.1")] {
            let reports = [Reports(), Reports()]
            let sessions = try zip([own, other], reports).enumerated().map { index, end in
                let (address, reports) = end
                let session = try NetworkSession(
                    name: "\(index)", address: try #require(NetworkAddress(address, port: 0)), seed: UInt64(index + 1),
                    accepts: { _ in true }, events: { reports.take($0) })
                session.start()
                return session
            }
            defer { for session in sessions { session.stop() } }
            #expect(sessions[0].connect(to: try #require(NetworkAddress(target, port: sessions[1].port))))
            #expect(reports[0].wait { $0.connected.count == 1 } && reports[1].wait { $0.connected.count == 1 })
            #expect(sessions[0].peers.first?.address.hostText == target)
            sessions[0].send([0x90, 60, 100], at: 0)
            sessions[1].send([0x80, 60, 0], at: 0)
            #expect(reports[1].wait { $0.received == [[0x90, 60, 100]] })
            #expect(reports[0].wait { $0.received == [[0x80, 60, 0]] })
        }
    }

    @Test("Addresses are read and written in both spellings")
    func addresses() {
        for text in ["127.0.0.1", "::1", "2001:db8::ff:7", "fe80::1%3"] {
            #expect(NetworkHost(text)?.description == text)
        }
        #expect(NetworkHost("::ffff:10.0.0.7") == NetworkHost("10.0.0.7"))
        #expect(NetworkAddress("::1", port: 5004)?.description == "[::1]:5004")
        for text in ["", "1.2.3", "1.2.3.256", "::1::", "example.org", "fe80::1%no such interface"] {
            #expect(NetworkHost(text) == nil)
        }
    }

    @Test("An end that is not accepted is refused, and one that is not there does not answer")
    func refused() throws {
        let reports = [Reports(), Reports()]
        let first = try session("first", reports[0], seed: 1)
        let second = try session("second", reports[1], seed: 2) { _ in false }
        defer {
            first.stop()
            second.stop()
        }
        let target = try address(second.port)
        #expect(first.connect(to: target))
        #expect(reports[0].wait { $0.refused == [target] })
        first.send([0x90, 1, 1], at: 0)
        #expect(first.peers.isEmpty && second.peers.isEmpty && reports[1].content.withLock { $0.received.isEmpty })
    }

    @Test("Packets of strangers change nothing")
    func strangers() throws {
        let reports = Reports()
        let session = try session("first", reports, seed: 1) { _ in false }
        defer { session.stop() }
        let stranger = try NetworkSocket(try #require(NetworkAddress("127.0.0.1", port: 0)))
        let packet = RTPPacket(
            sequence: 1, timestamp: 0, ssrc: 9, commands: [.init(delta: 0, bytes: [0x90, 1, 1])], journal: nil)
        for bytes in [
            packet.bytes, [], [0xFF], [0xFF, 0xFF, 0x49], SessionPacket.end(.init(token: 1, ssrc: 9)).bytes,
            SessionPacket.clock(ssrc: 9, count: 0, times: [0, 0, 0]).bytes,
            SessionPacket.accepted(.init(token: 1, ssrc: 9)).bytes,
        ] {
            stranger.send(bytes, to: try address(session.port + 1))
        }
        #expect(reports.wait { _ in session.ignoredPackets == 7 })
        #expect(reports.content.withLock { $0.received.isEmpty } && session.peers.isEmpty)
    }

    @Test("10,000 messages come through a network that loses 5 % of the packets")
    func losses() throws {
        let reports = [Reports(), Reports()]
        let first = try session("first", reports[0], seed: 1)
        let second = try session("second", reports[1], seed: 2)
        let relay = try DroppingRelay(to: second.port, dropping: 0.05, seed: 77)
        defer {
            first.stop()
            second.stop()
            relay.stop()
        }
        #expect(try first.connect(to: address(relay.port)))
        #expect(reports[0].wait { $0.connected.count == 1 } && reports[1].wait { $0.connected.count == 1 })
        // Each note sounds while forty others begin and end, so that a run of lost packets holds no note whole.
        var sent: [[UInt8]] = []
        for index in 0..<5040 {
            if index < 5000 { sent.append([0x90 | UInt8(index % 3), UInt8(index / 3 % 128), UInt8(1 + index % 127)]) }
            if index >= 40 { sent.append([0x80 | UInt8((index - 40) % 3), UInt8((index - 40) / 3 % 128), 64]) }
        }
        #expect(sent.count == 10_000)
        for (index, bytes) in sent.enumerated() {
            first.send(bytes, at: 0)
            if index % 50 == 49 { Thread.sleep(forTimeInterval: 0.002) }
        }
        // Packets behind the last message, whose journals repair it.
        for _ in 0..<20 { first.send([0xFE], at: 0) }
        #expect(reports[1].wait { $0.received.filter { $0 != [0xFE] }.count == 10_000 })
        let received = reports[1].content.withLock { $0.received }.filter { $0 != [0xFE] }
        #expect(
            Dictionary(grouping: received) { $0 }.mapValues(\.count)
                == Dictionary(grouping: sent) { $0 }.mapValues(\.count))
        #expect(relay.dropped.load(ordering: .relaxed) > 350 && second.lostPackets > 350)
    }
}
