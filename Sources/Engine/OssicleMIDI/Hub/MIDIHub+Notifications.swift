// Notifications of clients.

import OssicleCore

/// What clients learn of changes.
package enum HubNotification: Hashable, Sendable {
    case setupChanged
    case objectAdded(parent: HubID, HubKind?, child: HubID, HubKind)
    case objectRemoved(parent: HubID, HubKind?, child: HubID, HubKind)
    case propertyChanged(object: HubID, HubKind, name: String)
    case thruConnectionsChanged
    case ioError(device: HubID, code: Int32)
}

extension HubState {
    /// Puts the notification into the queue of every client. Under the lock, so that all see changes in their order.
    func notify(_ notification: HubNotification) {
        for id in clientOrder {
            guard let client = clients[id], let notify = client.notify else { continue }
            client.queue.async { if client.isAlive.isSet { notify(notification) } }
        }
    }

    /// An object that clients see is there.
    func notifyAdded(_ id: HubID) {
        guard let object = objects[id] else { return }
        let parent = visibleParent(object)
        notify(.objectAdded(parent: parent, objects[parent]?.kind, child: id, object.kind))
        notify(.setupChanged)
    }

    /// Removes an object and what belongs to it, with a notification for each device, entity and endpoint.
    mutating func dispose(_ id: HubID) {
        var gone: [HubNotification] = []
        describe(id, &gone)
        _ = remove(id)
        for notification in gone { notify(notification) }
        if !gone.isEmpty { notify(.setupChanged) }
    }

    private func describe(_ id: HubID, _ gone: inout [HubNotification]) {
        guard let object = objects[id] else { return }
        for child in object.children { describe(child, &gone) }
        guard object.kind.isEndpoint || object.kind.isEntity || object.kind.isDevice else { return }
        let parent = visibleParent(object)
        gone.append(.objectRemoved(parent: parent, objects[parent]?.kind, child: id, object.kind))
    }

    /// A client is no part of the system that others see.
    private func visibleParent(_ object: HubObject) -> HubID {
        objects[object.parent]?.kind == .client ? 0 : object.parent
    }
}

extension MIDIHub {
    /// Returns when every notification made so far has been delivered. Not from a notification.
    package func waitForNotifications() {
        let queues = state.withLock { state in state.clientOrder.compactMap { state.clients[$0]?.queue } }
        for queue in queues { queue.sync {} }
    }

    /// Tells clients of an error of a device.
    package func report(ioError code: Int32, of device: HubID) {
        state.withLock { $0.notify(.ioError(device: device, code: code)) }
    }

    /// Has devices looked for again: calls what backends have registered, and notifies.
    package func restart() {
        for handler in restartHandlers.withLock({ $0 }) { handler() }
        state.withLock { $0.notify(.setupChanged) }
    }

    /// Registers what `restart` is to call.
    package func onRestart(_ handler: @escaping @Sendable () -> Void) {
        restartHandlers.withLock { $0.append(handler) }
    }
}
