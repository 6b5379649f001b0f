// What a session does with packets, and with time that passes. On its thread.

import OssicleDevices

extension NetworkSession {
    func ignore() { state.withLock { $0.ignored += 1 } }

    /// A packet at the control port.
    func takeControl(_ bytes: [UInt8], _ from: NetworkAddress) {
        guard let packet = SessionPacket(bytes) else { return ignore() }
        switch packet {
        case .invitation(let exchange): answerControl(exchange, from)
        case .accepted(let exchange): inviteData(exchange, from)
        case .rejected(let exchange):
            remove(where: { $0.token == exchange.token && $0.address == from }, isRefusal: true)
        case .end(let exchange): takeEnd(exchange, from)
        case .feedback(let ssrc, let sequence): takeFeedback(ssrc, sequence, from)
        case .clock: ignore()
        }
    }

    /// A packet at the data port.
    func takeData(_ bytes: [UInt8], _ from: NetworkAddress) {
        if bytes.count > 1, bytes[0] == 0xFF, bytes[1] == 0xFF {
            guard let packet = SessionPacket(bytes) else { return ignore() }
            switch packet {
            case .invitation(let exchange): answerData(exchange, from)
            case .accepted(let exchange): complete(exchange, from)
            case .rejected(let exchange):
                remove(where: { $0.token == exchange.token && $0.address.host == from.host }, isRefusal: true)
            case .end(let exchange): takeEnd(exchange, from)
            case .clock(let ssrc, let count, let times): takeClock(ssrc, count, times, from)
            case .feedback(let ssrc, let sequence): takeFeedback(ssrc, sequence, from)
            }
            return
        }
        guard let packet = try? RTPPacket(bytes) else { return ignore() }
        takeMIDI(packet, from)
    }

    // An end that invites.

    private func answerControl(_ exchange: SessionPacket.Exchange, _ from: NetworkAddress) {
        let info = SessionPeerInfo(name: exchange.name, address: from)
        let mayConnect = mayConnect(info)
        let isAccepted = state.withLock { state in
            if let known = state.peers.first(where: { $0.ssrc == exchange.ssrc && !$0.isInitiator }) {
                return known.address == from && known.token == exchange.token
            }
            guard mayConnect, from.port < .max, state.peers.count < NetworkSession.mostPeers else { return false }
            let peer = makePeer(
                &state, from, token: exchange.token, ssrc: exchange.ssrc, name: exchange.name, phase: .accepted)
            state.peers.append(peer)
            return true
        }
        let reply = SessionPacket.Exchange(token: exchange.token, ssrc: ssrc, name: name)
        control.send((isAccepted ? SessionPacket.accepted(reply) : .rejected(reply)).bytes, to: from)
    }

    private func answerData(_ exchange: SessionPacket.Exchange, _ from: NetworkAddress) {
        let answer = state.withLock { state -> (isKnown: Bool, connected: SessionPeerInfo?) in
            guard
                let index = state.peers.firstIndex(where: {
                    $0.ssrc == exchange.ssrc && $0.token == exchange.token && $0.address.host == from.host
                })
            else { return (false, nil) }
            let isNew = state.peers[index].phase == .accepted
            guard isNew || state.peers[index].phase == .connected else { return (false, nil) }
            state.peers[index].phase = .connected
            state.peers[index].dataAddress = from
            return (true, isNew ? state.peers[index].info : nil)
        }
        let reply = SessionPacket.Exchange(token: exchange.token, ssrc: ssrc, name: name)
        data.send((answer.isKnown ? SessionPacket.accepted(reply) : .rejected(reply)).bytes, to: from)
        if let info = answer.connected { events(.connected(info)) }
    }

    // An end that was invited.

    private func inviteData(_ exchange: SessionPacket.Exchange, _ from: NetworkAddress) {
        let peer = state.withLock { state -> SessionPeer? in
            guard
                let index = state.peers.firstIndex(where: {
                    $0.isInitiator && $0.token == exchange.token && $0.address == from
                }), case .invitingControl = state.peers[index].phase
            else { return nil }
            state.peers[index].phase = .invitingData(1)
            state.peers[index].name = exchange.name
            state.peers[index].asked = HostClock.now
            return state.peers[index]
        }
        guard let peer else { return ignore() }
        data.send(invitation(peer).bytes, to: peer.dataAddress)
    }

    private func complete(_ exchange: SessionPacket.Exchange, _ from: NetworkAddress) {
        let info = state.withLock { state -> SessionPeerInfo? in
            guard
                let index = state.peers.firstIndex(where: {
                    $0.isInitiator && $0.token == exchange.token && $0.dataAddress == from
                }), case .invitingData = state.peers[index].phase
            else { return nil }
            state.peers[index].phase = .connected
            state.peers[index].ssrc = exchange.ssrc
            state.peers[index].heard = HostClock.now
            sendClock(to: &state.peers[index], HostClock.now)
            return state.peers[index].info
        }
        guard let info else { return ignore() }
        events(.connected(info))
    }

    private func takeEnd(_ exchange: SessionPacket.Exchange, _ from: NetworkAddress) {
        remove(where: { $0.ssrc == exchange.ssrc && $0.address.host == from.host }, isRefusal: false)
    }

    private func remove(where fits: (SessionPeer) -> Bool, isRefusal: Bool) {
        let gone = state.withLock { state -> SessionPeer? in
            guard let index = state.peers.firstIndex(where: fits) else { return nil }
            return state.peers.remove(at: index)
        }
        guard let gone else { return ignore() }
        events(gone.phase == .connected || !isRefusal ? .disconnected(gone.info) : .refused(gone.address))
    }

    // While connected.

    private func takeFeedback(_ ssrc: UInt32, _ sequence: UInt16, _ from: NetworkAddress) {
        state.withLock { state in
            for index in state.peers.indices
            where state.peers[index].ssrc == ssrc && state.peers[index].address.host == from.host {
                state.peers[index].sender.acknowledge(sequence)
                state.peers[index].heard = HostClock.now
            }
        }
    }

    private func takeMIDI(_ packet: RTPPacket, _ from: NetworkAddress) {
        let now = HostClock.now
        let found = state.withLock { state -> [(bytes: [UInt8], time: UInt64)]? in
            guard
                let index = state.peers.firstIndex(where: {
                    $0.ssrc == packet.ssrc && $0.phase == .connected && $0.dataAddress.host == from.host
                })
            else { return nil }
            state.peers[index].heard = now
            let commands = state.peers[index].receiver.receive(packet)
            let offset = state.peers[index].clockOffset
            return commands.map { command in
                (command.bytes, NetworkSession.hostTime(packet.timestamp &+ command.delta, offset, now))
            }
        }
        guard let found else { return ignore() }
        for (bytes, time) in found { events(.received(bytes, at: time)) }
    }

    /// The host time of a peer's time stamp; now where clocks were not exchanged, or it is more than five seconds off.
    static func hostTime(_ stamp: UInt32, _ offset: Int64?, _ now: UInt64) -> UInt64 {
        guard let offset else { return now }
        let present = Int64(units(now))
        let ours = UInt32(truncatingIfNeeded: Int64(stamp) &+ offset)
        let distance = Int64(Int32(bitPattern: ours &- UInt32(truncatingIfNeeded: present)))
        guard abs(distance) < 50_000 else { return now }
        return UInt64(max(present + distance, 0)) * 100_000
    }

    private func takeClock(_ ssrc: UInt32, _ count: UInt8, _ times: [UInt64], _ from: NetworkAddress) {
        let now = HostClock.now
        let units = NetworkSession.units(now)
        let isKnown = state.withLock { state in
            guard
                let index = state.peers.firstIndex(where: {
                    $0.ssrc == ssrc && $0.phase == .connected && $0.dataAddress.host == from.host
                })
            else { return false }
            state.peers[index].heard = now
            let target = state.peers[index].dataAddress
            switch count {
            case 0:
                data.send(
                    SessionPacket.clock(ssrc: self.ssrc, count: 1, times: [times[0], units, 0]).bytes, to: target)
            case 1:
                // Half of the journey there and back, by our clock, belongs to the peer's time.
                state.peers[index].clockOffset = NetworkSession.offset(times[0], units, theirs: times[1])
                data.send(
                    SessionPacket.clock(ssrc: self.ssrc, count: 2, times: [times[0], times[1], units]).bytes,
                    to: target)
            default: state.peers[index].clockOffset = NetworkSession.offset(times[1], units, theirs: times[2])
            }
            return true
        }
        if !isKnown { ignore() }
    }

    private static func offset(_ sent: UInt64, _ received: UInt64, theirs: UInt64) -> Int64 {
        let (sent, received) = (Int64(truncatingIfNeeded: sent), Int64(truncatingIfNeeded: received))
        return sent &+ (received &- sent) / 2 &- Int64(truncatingIfNeeded: theirs)
    }

    private func sendClock(to peer: inout SessionPeer, _ now: UInt64) {
        peer.asked = now
        let packet = SessionPacket.clock(ssrc: ssrc, count: 0, times: [NetworkSession.units(now), 0, 0])
        data.send(packet.bytes, to: peer.dataAddress)
    }

    /// Invites again, exchanges clocks, acknowledges, and gives up on ends that say nothing.
    func keepTime(_ now: UInt64) {
        var reports: [NetworkSessionEvent] = []
        state.withLock { state in
            for index in state.peers.indices.reversed() {
                if let report = keepTime(&state.peers[index], now) {
                    reports.append(report)
                    state.peers.remove(at: index)
                }
            }
        }
        for report in reports { events(report) }
    }

    /// What to report where the peer is given up.
    private func keepTime(_ peer: inout SessionPeer, _ now: UInt64) -> NetworkSessionEvent? {
        switch peer.phase {
        case .invitingControl(let count), .invitingData(let count):
            guard now >= peer.asked + NetworkSession.retry else { return nil }
            guard count < NetworkSession.attempts else { return .refused(peer.address) }
            peer.asked = now
            if case .invitingControl = peer.phase {
                peer.phase = .invitingControl(count + 1)
                control.send(invitation(peer).bytes, to: peer.address)
            } else {
                peer.phase = .invitingData(count + 1)
                data.send(invitation(peer).bytes, to: peer.dataAddress)
            }
            return nil
        case .accepted: return now >= peer.heard + NetworkSession.clockInterval ? .refused(peer.address) : nil
        case .connected:
            if now >= peer.heard + NetworkSession.patience { return .disconnected(peer.info) }
            if peer.isInitiator, now >= peer.asked + NetworkSession.clockInterval { sendClock(to: &peer, now) }
            if let sequence = peer.receiver.acknowledged, sequence != peer.feedback {
                peer.feedback = sequence
                control.send(SessionPacket.feedback(ssrc: ssrc, sequence: sequence).bytes, to: peer.address)
            }
            return nil
        }
    }
}
