import Dispatch
import Synchronization

/// What clients learn of changes.
package enum HubNotification: Hashable, Sendable {
    case setupChanged
    case objectAdded(parent: HubID, HubKind?, child: HubID, HubKind)
    case objectRemoved(parent: HubID, HubKind?, child: HubID, HubKind)
    case propertyChanged(object: HubID, HubKind, name: String)
    case thruConnectionsChanged
    case ioError(device: HubID, code: Int32)
}

/// Who is notified.
struct HubClients: Sendable {
    private final class Client: Sendable {
        let id: HubID
        /// Runs `notify`, one notification after the other.
        let queue: DispatchQueue
        let notify: @Sendable (HubNotification) -> Void
        /// For notifications that are under way when the client is disposed of.
        let isAlive = Atomic(true)

        init(id: HubID, notify: @escaping @Sendable (HubNotification) -> Void) {
            self.id = id
            self.notify = notify
            queue = DispatchQueue(label: "ossicle.midi.client.\(id)")
        }
    }

    /// As they were made.
    private var clients: [Client] = []

    /// The queues on which notifications are delivered.
    var queues: [DispatchQueue] { clients.map(\.queue) }

    mutating func add(_ id: HubID, notify: @escaping @Sendable (HubNotification) -> Void) {
        clients.append(Client(id: id, notify: notify))
    }

    /// - Returns: what it was notified by.
    mutating func remove(_ id: HubID) -> (any Sendable)? {
        guard let index = clients.firstIndex(where: { $0.id == id }) else { return nil }
        let client = clients.remove(at: index)
        client.isAlive.store(false, ordering: .releasing)
        return client
    }

    /// Puts the notification into the queue of every client. Under the hub's lock, so that all see changes in their
    /// order.
    func notify(_ notification: HubNotification) {
        for client in clients {
            client.queue.async { if client.isAlive.load(ordering: .acquiring) { client.notify(notification) } }
        }
    }
}
