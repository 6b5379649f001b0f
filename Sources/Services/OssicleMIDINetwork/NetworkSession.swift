import Foundation
import OssicleCore
import OssicleDevices
import Synchronization

/// A session of MIDI over a network: RTP packets with recovery journals (RFC 6295) between ends that invite each other
/// by the AppleMIDI protocol.
///
/// Two UDP ports in a row, control and data, bound to one address of this machine. One thread receives; senders write
/// from their own. No end may connect unless `accepts` says so. What does not follow the protocols is ignored and
/// counted.
package final class NetworkSession: Sendable {
    /// Most ends at a time; further invitations are refused.
    package static let mostPeers = 16
    /// Nanoseconds between attempts to invite, and how many.
    static let retry: UInt64 = 500_000_000
    static let attempts = 8
    /// Nanoseconds between exchanges of clocks, and until an end that says nothing is gone.
    static let clockInterval: UInt64 = 10_000_000_000
    static let patience: UInt64 = 60_000_000_000

    struct State: Sendable {
        var peers: [SessionPeer] = []
        var draws: UInt64 = 0
        var ignored = 0
    }

    package let name: String
    let ssrc: UInt32
    let control: NetworkSocket
    let data: NetworkSocket
    let state = Mutex(State())
    private let random: CounterRandom
    private let accepts: @Sendable (SessionPeerInfo) -> Bool
    let events: @Sendable (NetworkSessionEvent) -> Void
    private let stopping = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    private let running = Mutex<ObjectIdentifier?>(nil)

    /// Opens the ports.
    /// - Parameters:
    ///   - address: of this machine; with port 0 the system chooses two in a row.
    ///   - seed: of identities and tokens.
    ///   - accepts: whether an end that invites may connect. On the session's thread.
    ///   - events: called on the session's thread.
    package init(
        name: String, address: NetworkAddress, seed: UInt64,
        accepts: @escaping @Sendable (SessionPeerInfo) -> Bool,
        events: @escaping @Sendable (NetworkSessionEvent) -> Void
    ) throws(NetworkSessionError) {
        self.name = name
        self.accepts = accepts
        self.events = events
        random = CounterRandom(seed: seed, object: CounterRandom.number(of: "MIDI session"))
        ssrc = UInt32(truncatingIfNeeded: random.bits(0))
        (control, data) = try NetworkSession.open(address)
    }

    private static func open(
        _ address: NetworkAddress
    ) throws(NetworkSessionError) -> (control: NetworkSocket, data: NetworkSocket) {
        var failure: NetworkSessionError?
        for _ in 0..<(address.port == 0 ? 50 : 1) {
            let control = try NetworkSocket(address)
            guard control.address.port < .max else { continue }
            do throws(NetworkSessionError) {
                let next = NetworkAddress(host: address.host, port: control.address.port + 1)
                return (control, try NetworkSocket(next))
            } catch { failure = error }
        }
        throw failure ?? NetworkSessionError(call: "bind", address: address, code: EADDRINUSE)
    }

    /// The control port; data is one higher.
    package var port: Int { Int(control.address.port) }
    package var peers: [SessionPeerInfo] {
        state.withLock { state in state.peers.filter { $0.phase == .connected }.map(\.info) }
    }
    /// Packets that never came, over all ends that are connected now.
    package var lostPackets: Int { state.withLock { state in state.peers.reduce(0) { $0 + $1.receiver.lost } } }
    /// Packets that were no packets of a peer.
    package var ignoredPackets: Int { state.withLock { $0.ignored } }

    /// Lets the session receive. Its thread keeps it until `stop`.
    package func start() {
        let thread = Thread { [self] in
            while !stopping.load(ordering: .acquiring) { turn() }
            ended.signal()
        }
        thread.name = "ossicle.midi.network"
        thread.qualityOfService = .userInteractive
        let identity = ObjectIdentifier(thread)
        running.withLock { $0 = identity }
        thread.start()
    }

    /// Says goodbye to all ends and closes; no event follows, but for one that calls this.
    package func stop() {
        guard !stopping.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let isOnThread = running.withLock { $0 } == ObjectIdentifier(Thread.current)
        if !isOnThread { _ = ended.wait(timeout: .now() + 2) }
        state.withLock { state in
            for peer in state.peers { sendEnd(to: peer) }
            state.peers = []
        }
    }

    /// Invites an end at its control port; what comes of it is reported. False where it is invited or connected
    /// already, or there are too many.
    @discardableResult package func connect(to address: NetworkAddress) -> Bool {
        let peer: SessionPeer? = state.withLock { state in
            guard address.port < .max, state.peers.count < NetworkSession.mostPeers,
                !state.peers.contains(where: { $0.address == address })
            else { return nil }
            let peer = makePeer(&state, address, token: nil, ssrc: 0, name: "", phase: .invitingControl(1))
            state.peers.append(peer)
            return peer
        }
        guard let peer else { return false }
        control.send(invitation(peer).bytes, to: address)
        return true
    }

    /// Ends the connection with an end. False where there is none.
    @discardableResult package func disconnect(from address: NetworkAddress) -> Bool {
        let peer = state.withLock { state -> SessionPeer? in
            guard let index = state.peers.firstIndex(where: { $0.address == address }) else { return nil }
            return state.peers.remove(at: index)
        }
        guard let peer else { return false }
        sendEnd(to: peer)
        return true
    }

    /// Sends bytes of MIDI 1.0, whole messages with their status or pieces of a system exclusive one, to all ends.
    /// - Parameter time: host time in nanoseconds at which they apply; 0 is now.
    package func send(_ bytes: [UInt8], at time: UInt64) {
        let stamp = UInt32(truncatingIfNeeded: NetworkSession.units(time == 0 ? HostClock.now : time))
        state.withLock { state in
            for index in state.peers.indices where state.peers[index].phase == .connected {
                for group in NetworkSession.groups(state.peers[index].cutter.commands(bytes)) {
                    let packet = state.peers[index].sender.packet(
                        group.map { RTPPacket.Command(delta: 0, bytes: $0) }, timestamp: stamp)
                    data.send(packet.bytes, to: state.peers[index].dataAddress)
                }
            }
        }
    }

    /// Commands for each packet, so that it is carried whole.
    private static func groups(_ commands: [[UInt8]]) -> [[[UInt8]]] {
        var groups: [[[UInt8]]] = []
        var size = 0
        for command in commands {
            if groups.isEmpty || size + command.count > 400 {
                groups.append([])
                size = 0
            }
            groups[groups.count - 1].append(command)
            size += command.count + 1
        }
        return groups
    }

    /// Units of 100 µs.
    static func units(_ nanoseconds: UInt64) -> UInt64 { nanoseconds / 100_000 }

    func makePeer(
        _ state: inout State, _ address: NetworkAddress, token: UInt32?, ssrc: UInt32, name: String,
        phase: SessionPeer.Phase
    ) -> SessionPeer {
        state.draws += 1
        let bits = random.bits(state.draws)
        let now = HostClock.now
        return SessionPeer(
            ssrc: ssrc, name: name, token: token ?? UInt32(truncatingIfNeeded: bits >> 16), phase: phase,
            address: address, dataAddress: NetworkAddress(host: address.host, port: address.port &+ 1),
            isInitiator: token == nil, heard: now, asked: now,
            sender: RTPSender(ssrc: self.ssrc, start: UInt16(truncatingIfNeeded: bits)))
    }

    func invitation(_ peer: SessionPeer) -> SessionPacket {
        .invitation(SessionPacket.Exchange(token: peer.token, ssrc: ssrc, name: name))
    }

    private func sendEnd(to peer: SessionPeer) {
        let packet = SessionPacket.end(SessionPacket.Exchange(token: peer.token, ssrc: ssrc))
        control.send(packet.bytes, to: peer.address)
    }

    func mayConnect(_ info: SessionPeerInfo) -> Bool { accepts(info) }

    /// Waits for packets for a twentieth of a second at most.
    private func turn() {
        var places = [
            pollfd(fd: control.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: data.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        if poll(&places, nfds_t(places.count), 50) > 0 {
            while let packet = control.receive() { takeControl(packet.bytes, packet.from) }
            while let packet = data.receive() { takeData(packet.bytes, packet.from) }
        }
        keepTime(HostClock.now)
    }
}

extension SessionPeer {
    var info: SessionPeerInfo { SessionPeerInfo(name: name, address: address) }
}
