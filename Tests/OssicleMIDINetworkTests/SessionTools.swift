import Foundation
import OssicleCore
import Synchronization
import Testing
@testable import OssicleMIDINetwork

/// Keeps what a session reports.
final class Reports: Sendable {
    struct Content: Sendable {
        var connected: [SessionPeerInfo] = []
        var disconnected: [SessionPeerInfo] = []
        var refused: [NetworkAddress] = []
        var received: [[UInt8]] = []
        var times: [UInt64] = []
    }

    let content = Mutex(Content())

    func take(_ event: NetworkSessionEvent) {
        content.withLock { content in
            switch event {
            case .connected(let peer): content.connected.append(peer)
            case .disconnected(let peer): content.disconnected.append(peer)
            case .refused(let address): content.refused.append(address)
            case .received(let bytes, let time):
                content.received.append(bytes)
                content.times.append(time)
            }
        }
    }

    /// The limit is for a test that fails.
    func wait(_ condition: (Content) -> Bool) -> Bool {
        for _ in 0..<2000 {
            if content.withLock({ condition($0) }) { return true }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return false
    }
}

/// Passes packets between two sessions on this machine and drops some of those with MIDI, by a seed.
final class DroppingRelay: Sendable {
    let port: Int
    private let sockets: [NetworkSocket]
    private let stopping = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    let dropped = Atomic(0)

    /// - Parameters:
    ///   - target: control port of the session that is invited.
    ///   - share: of the packets, 0...1.
    init(to target: Int, dropping share: Double, seed: UInt64) throws {
        let local = try #require(NetworkAddress("127.0.0.1", port: 0))
        let control = try NetworkSocket(local)
        let data = try NetworkSocket(NetworkAddress(host: local.host, port: control.address.port + 1))
        (sockets, port) = ([control, data], Int(control.address.port))
        let random = CounterRandom(seed: seed, object: 0)
        let thread = Thread { [self] in
            var inviter: [NetworkAddress?] = [nil, nil]
            var count: UInt64 = 0
            while !stopping.load(ordering: .acquiring) {
                var places = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
                guard poll(&places, nfds_t(2), 20) > 0 else { continue }
                for (index, socket) in sockets.enumerated() {
                    while let (bytes, from) = socket.receive() {
                        let theirs = NetworkAddress(host: from.host, port: UInt16(target + index))
                        if from != theirs { inviter[index] = from }
                        count += 1
                        if bytes.first == 0x80, random.unit(count) < share {
                            dropped.wrappingAdd(1, ordering: .relaxed)
                            continue
                        }
                        if let to = from == theirs ? inviter[index] : theirs { socket.send(bytes, to: to) }
                    }
                }
            }
            ended.signal()
        }
        thread.start()
    }

    func stop() {
        stopping.store(true, ordering: .releasing)
        ended.wait()
    }
}
