import Foundation
import OssicleMIDINetwork
import Synchronization
import Testing
@testable import OssicleCoreMIDI

@Suite("Network sessions", .serialized) struct MIDINetworkTests {
    private func waitUntil(_ condition: () -> Bool) -> Bool {
        for _ in 0..<2000 {
            if condition() { return true }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return false
    }

    @Test("Hosts and connections are equal by what they name")
    func hosts() {
        let host = MIDINetworkHost(name: "a", address: "127.0.0.1", port: 5004)
        #expect(host == MIDINetworkHost(name: "a", address: "127.0.0.1", port: 5004))
        #expect(host != MIDINetworkHost(name: "b", address: "127.0.0.1", port: 5004))
        #expect(host.hasSameAddress(as: MIDINetworkHost(name: "b", address: "127.0.0.1", port: 5004)))
        let service = MIDINetworkHost(name: "a", netServiceName: "s", netServiceDomain: "local.")
        #expect(service.netServiceName == "s" && service.port == 0 && !service.hasSameAddress(as: host))
        #expect(Set([MIDINetworkConnection(host: host), MIDINetworkConnection(host: host)]).count == 1)
    }

    @Test("The session is off, on this machine only and closed to others at first; then it carries messages")
    func session() throws {
        let session = MIDINetworkSession.default()
        #expect(!session.isEnabled && session.networkPort == 0 && session.connectionPolicy == .noOne)
        #expect(session.listeningAddress == "127.0.0.1" && session.sourceEndpoint() != 0)
        let nowhere = MIDINetworkConnection(host: MIDINetworkHost(name: "x", address: "not an address", port: 1))
        #expect(!session.addConnection(nowhere))
        session.listeningAddress = "1.2.3.4"
        session.isEnabled = true
        #expect(!session.isEnabled && session.lastError != nil)
        session.listeningAddress = "127.0.0.1"
        session.isEnabled = true
        defer { session.isEnabled = false }
        #expect(session.isEnabled && session.networkPort > 0 && !session.addConnection(nowhere))

        let received = Mutex<[UInt8]>([])
        let refused = Mutex(0)
        let local = try #require(NetworkAddress("127.0.0.1", port: 0))
        let peer = try NetworkSession(name: "peer", address: local, seed: 5, accepts: { _ in true }) { event in
            switch event {
            case .received(let bytes, _): received.withLock { $0 += bytes }
            case .refused: refused.withLock { $0 += 1 }
            default: break
            }
        }
        peer.start()
        defer { peer.stop() }
        let here = try #require(NetworkAddress("127.0.0.1", port: session.networkPort))
        #expect(peer.connect(to: here) && waitUntil { refused.withLock { $0 } == 1 })
        #expect(session.addContact(MIDINetworkHost(name: "peer", address: "127.0.0.1", port: 1)))
        session.connectionPolicy = .hostsInContactList
        #expect(peer.connect(to: here) && waitUntil { session.connections().count == 1 })
        #expect(session.connections().first?.host.name == "peer")

        var (client, port) = (MIDIClientRef(), MIDIPortRef())
        MIDIClientCreateWithBlock("test", &client, nil)
        defer { MIDIClientDispose(client) }
        MIDIOutputPortCreate(client, "out", &port)
        let builder = MIDIPacketList.Builder(byteSize: 100)
        builder.append(timestamp: 0, data: [0x90, 60, 100])
        builder.withUnsafePointer { #expect(MIDISend(port, session.destinationEndpoint(), $0) == noErr) }
        #expect(waitUntil { received.withLock { $0 } == [0x90, 60, 100] })
        let arrived = Mutex(0)
        var input = MIDIPortRef()
        let block: MIDIReadBlock = { list, _ in arrived.withLock { $0 += Int(list.pointee.numPackets) } }
        MIDIInputPortCreateWithBlock(client, "in", &input, block)
        MIDIPortConnectSource(input, session.sourceEndpoint(), nil)
        peer.send([0xC0, 7], at: 0)
        #expect(waitUntil { arrived.withLock { $0 } == 1 })
        #expect(peer.disconnect(from: here) && waitUntil { session.connections().isEmpty })
        session.connectionPolicy = .noOne
        session.removeContact(MIDINetworkHost(name: "peer", address: "127.0.0.1", port: 1))
    }

    /// At the daemon that `Scripts/with-avahi` starts.
    @Test(
        "A host is found, connected to and let in by its Bonjour service",
        .enabled(if: ProcessInfo.processInfo.environment["OSSICLE_AVAHI"] != nil))
    func bonjour() throws {
        let session = MIDINetworkSession.default()
        session.isEnabled = true
        defer { session.isEnabled = false }
        let host = MIDINetworkHost(name: "Stage", netServiceName: "Stage", netServiceDomain: "local.")
        let connection = MIDINetworkConnection(host: host)
        // Not announced yet: waits for it. The second time it waits already.
        #expect(session.addConnection(connection) && !session.addConnection(connection))
        #expect(session.removeConnection(connection) && !session.removeConnection(connection))
        #expect(session.addConnection(connection))

        let refused = Mutex(0)
        let local = try #require(NetworkAddress("127.0.0.1", port: 0))
        let peer = try NetworkSession(name: "peer", address: local, seed: 5, accepts: { _ in true }) { event in
            if case .refused = event { refused.withLock { $0 += 1 } }
        }
        peer.start()
        defer { peer.stop() }
        let control = NetworkAddress(host: local.host, port: UInt16(peer.port))
        let announced = BonjourDirectory(announcing: "Stage", at: control, changes: {})
        let directory = try #require(announced)
        defer { directory.stop() }
        #expect(waitUntil { session.connections().first?.host == host })
        #expect(session.hostsInReach.map(\.netServiceName) == ["Stage"])
        // Others that another test announced a moment ago may be there as well.
        func ownAddress() -> NetworkAddress? {
            directory.services.first { $0.key.name == session.networkName }?.value
        }
        #expect(waitUntil { ownAddress() != nil })
        #expect(session.removeConnection(connection) && waitUntil { peer.peers.isEmpty })

        let here = try #require(ownAddress())
        #expect(peer.connect(to: here) && waitUntil { refused.withLock { $0 } == 1 })
        session.connectionPolicy = .hostsInContactList
        defer { session.connectionPolicy = .noOne }
        #expect(session.addContact(host))
        defer { session.removeContact(host) }
        #expect(peer.connect(to: here) && waitUntil { session.connections().count == 1 })
    }
}
