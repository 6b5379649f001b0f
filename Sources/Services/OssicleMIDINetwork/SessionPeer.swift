/// The other end of a connection.
struct SessionPeer: Sendable {
    enum Phase: Hashable, Sendable {
        /// Invited at the control port, or at the data port; how often so far.
        case invitingControl(Int)
        case invitingData(Int)
        /// Accepted at the control port; the invitation at the data port is due.
        case accepted
        case connected
    }

    var ssrc: UInt32
    var name: String
    var token: UInt32
    var phase: Phase
    /// Of the control port; data is one higher.
    var address: NetworkAddress
    /// Where data comes from and goes to.
    var dataAddress: NetworkAddress
    let isInitiator: Bool
    /// Of the last packet from there, and of the last attempt or clock exchange of ours; nanoseconds.
    var heard: UInt64
    var asked: UInt64
    /// From the peer's clock to ours, in units of 100 µs; `nil` before clocks were exchanged.
    var clockOffset: Int64?
    var sender: RTPSender
    var receiver = RTPReceiver()
    var cutter = RTPCommandCutter()
    /// What was acknowledged last.
    var feedback: UInt16?
}

/// Another end of a session, as clients know it.
package struct SessionPeerInfo: Hashable, Sendable {
    package let name: String
    package let address: NetworkAddress
}

/// What a session reports, on its thread, in order.
package enum NetworkSessionEvent: Sendable {
    case connected(SessionPeerInfo)
    case disconnected(SessionPeerInfo)
    /// The other end refused, or did not answer.
    case refused(NetworkAddress)
    /// Bytes of MIDI 1.0: whole messages, or pieces of a system exclusive one, with their host time.
    case received([UInt8], at: UInt64)
}
