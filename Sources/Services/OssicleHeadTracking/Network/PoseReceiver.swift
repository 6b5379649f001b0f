import Dispatch
import Foundation

/// Listens on a UDP port and keeps the newest pose. Any thread.
///
/// Packets are read on a queue of the receiver's own. Everyone in this process who asks for the same endpoint shares
/// one receiver.
package final class PoseReceiver: @unchecked Sendable {
    package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
        package enum Format: String, Sendable {
            case osc = "OSC"
            case opentrack = "opentrack"
        }

        package let format: Format
        package let address: String
        package let port: UInt16
        package let inverted: Set<HeadAngle>

        package init(_ format: Format, address: String = "127.0.0.1", port: UInt16, inverted: Set<HeadAngle> = []) {
            (self.format, self.address, self.port, self.inverted) = (format, address, port, inverted)
        }

        package var description: String { "\(format.rawValue) head tracking on \(address):\(port)" }
    }

    private let socket: UDPSocket
    private let events: any DispatchSourceRead
    private let closed = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    private var decoder: any PoseDecoder
    private var arrivals = PacketCount()
    private var latest: HeadPose?

    /// As bound: the system's choice where port 0 was asked for.
    package var port: UInt16 { socket.port }

    /// Opens the port.
    package init(_ endpoint: Endpoint) throws(HeadTrackingError) {
        socket = try UDPSocket(address: endpoint.address, port: endpoint.port, object: endpoint.description)
        decoder =
            endpoint.format == .osc
            ? OSCDecoder(inverted: endpoint.inverted) : OpentrackDecoder(inverted: endpoint.inverted)
        events = DispatchSource.makeReadSource(
            fileDescriptor: socket.descriptor, queue: DispatchQueue(label: "ossicle.head-tracking"))
        let (descriptor, closed) = (socket.descriptor, closed)
        events.setCancelHandler {
            close(descriptor)
            closed.signal()
        }
        events.setEventHandler { [unowned self] in takeWaitingPackets() }
        events.activate()
    }

    /// Closes the port and returns once it is free again. Call it once, and not from the receiver's own queue.
    package func shut() {
        events.cancel()
        closed.wait()
    }

    // MARK: What came

    /// The newest pose, with the time it arrived at; nil before the first.
    package var pose: HeadPose? { lock.withLock { latest } }

    package func count(at time: Double = MonotonicClock.now) -> PacketCount {
        lock.withLock { arrivals.seen(at: time) }
    }

    /// A flood must not keep the queue for ever.
    private static let most = 256
    /// The largest packet UDP can carry.
    private static let room = 65_536

    private func takeWaitingPackets() {
        withUnsafeTemporaryAllocation(byteCount: Self.room, alignment: 16) { room in
            for _ in 0..<Self.most {
                guard let packet = socket.receive(into: room) else { return }
                take(packet, at: MonotonicClock.now)
            }
        }
    }

    private func take(_ packet: UnsafeRawBufferPointer, at time: Double) {
        lock.withLock {
            let verdict = decoder.read(packet)
            arrivals.add(verdict, at: time)
            guard verdict == .pose else { return }
            latest = decoder.pose
            latest?.time = time
        }
    }
}

// MARK: Sharing

extension PoseReceiver {
    private struct Shared {
        let receiver: PoseReceiver
        var users: Int
    }

    private static let table = NSLock()
    nonisolated(unsafe) private static var shared: [Endpoint: Shared] = [:]

    /// The receiver of an endpoint, opened if nobody has it open. To be given back by `leave`.
    package static func join(_ endpoint: Endpoint) throws(HeadTrackingError) -> PoseReceiver {
        table.lock()
        defer { table.unlock() }
        // Port 0 is a port of one's own.
        if endpoint.port != 0, let open = shared[endpoint] {
            shared[endpoint]?.users += 1
            return open.receiver
        }
        let receiver = try PoseReceiver(endpoint)
        if endpoint.port != 0 { shared[endpoint] = Shared(receiver: receiver, users: 1) }
        return receiver
    }

    /// Gives a receiver back; the last one closes the port.
    package static func leave(_ receiver: PoseReceiver, _ endpoint: Endpoint) {
        table.lock()
        defer { table.unlock() }
        if endpoint.port != 0 {
            shared[endpoint]?.users -= 1
            guard shared[endpoint]?.users == 0 else { return }
            shared[endpoint] = nil
        }
        receiver.shut()
    }
}
