import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Serves the page's files and its WebSockets on loopback, on a thread of its own that never waits: a client that does
/// not take what it is sent is dropped.
package final class LiveServer: Sendable {
    package typealias ClientID = Int

    /// Receives what clients do, on the server's thread.
    package enum Event: Sendable {
        case opened(ClientID)
        case message(ClientID, String)
        /// Only where the server takes bytes.
        case bytes(ClientID, [UInt8])
        case closed(ClientID)
    }

    /// How a message is treated where a client is behind.
    package enum Urgency {
        /// It is left out: another follows.
        case passing
        /// It is kept.
        case lasting
    }

    /// What waits to be sent.
    private struct Mail {
        let client: ClientID
        let frame: [UInt8]
        let urgency: Urgency
    }

    private struct State {
        var mail: [Mail] = []
        var isOver = false
    }

    package let port: UInt16
    private let takesBytes: Bool
    private let listener: Int32
    private let wakeUp: (read: Int32, write: Int32)
    private let state = Mutex(State())
    private let patience: Double

    /// - Parameters:
    ///   - port: 0 for one that is free.
    ///   - patience: seconds for a request to be there, and for what is sent to be taken.
    ///   - takesBytes: whether clients may send binary messages.
    package init(port wanted: UInt16, patience: Double = 5, takesBytes: Bool = false) throws(SocketFault) {
        (self.patience, self.takesBytes) = (patience, takesBytes)
        (listener, port) = try Sockets.listen(port: wanted)
        do { wakeUp = try Sockets.pipe() } catch {
            Sockets.close(listener)
            throw error
        }
    }

    /// Begins to serve.
    package func start(
        _ rules: AccessRules, resource: @escaping @Sendable (String) -> Connection.Resource?,
        _ report: @escaping @Sendable (Event) -> Void
    ) {
        let thread = Thread { [self] in
            var clients = Clients(listener, wakeUp.read, rules, patience, takesBytes, resource, report)
            while !state.withLock({ $0.isOver }) {
                clients.turn()
                let mail = state.withLock { state in
                    defer { state.mail = [] }
                    return state.mail
                }
                for letter in mail { clients.send(letter.frame, to: letter.client, letter.urgency) }
            }
            clients.closeAll()
            for end in [listener, wakeUp.read, wakeUp.write] { Sockets.close(end) }
        }
        thread.name = "ossicle.web"
        thread.start()
    }

    /// Any thread.
    package func send(_ text: some Collection<UInt8>, to client: ClientID, _ urgency: Urgency) {
        send(frame: WebSocketFrame.text(text), to: client, urgency)
    }

    /// Any thread.
    package func send(bytes: some Collection<UInt8>, to client: ClientID, _ urgency: Urgency) {
        send(frame: WebSocketFrame.binary(bytes), to: client, urgency)
    }

    private func send(frame: [UInt8], to client: ClientID, _ urgency: Urgency) {
        let isOver = state.withLock { state in
            if !state.isOver { state.mail.append(Mail(client: client, frame: frame, urgency: urgency)) }
            return state.isOver
        }
        if !isOver { wake() }
    }

    /// Ends all connections, soon.
    package func stop() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        if !wasOver { wake() }
    }

    private func wake() { _ = [UInt8(0)].withUnsafeBytes { write(wakeUp.write, $0.baseAddress, 1) } }
}

/// The connections of a server. On its thread.
private struct Clients {
    private struct Client {
        let id: LiveServer.ClientID
        let socket: Int32
        var connection: Connection
        let since = Sockets.now
        /// What the system has not taken yet, and how much of the first it has.
        var outbox: [[UInt8]] = []
        var sent = 0
        var waiting = 0
        /// Since when the first has not moved.
        var stuckSince: Double?
        var isClosing = false
        var isGone = false
    }

    private static let clientLimit = 32
    /// Bytes behind which passing messages are left out, and behind which a client is dropped.
    private static let passingLimit = 1 << 20, lastingLimit = 1 << 25

    private let listener, wakeUp: Int32
    private let rules: AccessRules
    private let patience: Double
    private let takesBytes: Bool
    private let resource: (String) -> Connection.Resource?
    private let report: (LiveServer.Event) -> Void
    private var clients: [Client] = []
    private var lastID = 0

    init(
        _ listener: Int32, _ wakeUp: Int32, _ rules: AccessRules, _ patience: Double, _ takesBytes: Bool,
        _ resource: @escaping (String) -> Connection.Resource?,
        _ report: @escaping (LiveServer.Event) -> Void
    ) {
        (self.listener, self.wakeUp) = (listener, wakeUp)
        (self.rules, self.patience, self.takesBytes) = (rules, patience, takesBytes)
        (self.resource, self.report) = (resource, report)
    }

    /// Waits for something to do, at most half a second, and does it.
    mutating func turn() {
        var polled = [
            pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
        ]
        polled += clients.map { client in
            pollfd(fd: client.socket, events: Int16(POLLIN | (client.outbox.isEmpty ? 0 : POLLOUT)), revents: 0)
        }
        Sockets.wait(&polled, milliseconds: 500)
        if polled[0].revents != 0 { _ = Sockets.receive(wakeUp) }
        for place in clients.indices where polled[place + 2].revents != 0 {
            if polled[place + 2].revents & Int16(POLLOUT) != 0 { flush(place) }
            if polled[place + 2].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { receive(place) }
        }
        dropLate()
        removeGone()
        if polled[1].revents != 0 { accept() }
    }

    private mutating func accept() {
        while let socket = Sockets.accept(listener) {
            guard clients.count < Self.clientLimit else {
                Sockets.close(socket)
                continue
            }
            lastID += 1
            clients.append(
                Client(
                    id: lastID, socket: socket,
                    connection: Connection(rules, takesBytes: takesBytes, resource: resource)))
        }
    }

    private mutating func receive(_ place: Int) {
        switch Sockets.receive(clients[place].socket) {
        case .nothing: break
        case .end: clients[place].isGone = true
        case .bytes(let bytes):
            // What comes behind the end of the conversation is thrown away.
            guard !clients[place].isClosing else { return }
            for effect in clients[place].connection.receive(bytes, at: Sockets.now) {
                switch effect {
                case .send(let bytes): put(bytes, place)
                case .opened: report(.opened(clients[place].id))
                case .message(let text): report(.message(clients[place].id, text))
                case .bytes(let bytes): report(.bytes(clients[place].id, bytes))
                case .close: clients[place].isClosing = true
                }
            }
            flush(place)
        }
    }

    mutating func send(_ frame: [UInt8], to id: LiveServer.ClientID, _ urgency: LiveServer.Urgency) {
        guard let place = clients.firstIndex(where: { $0.id == id && $0.connection.isWebSocket && !$0.isClosing })
        else {
            return
        }
        if urgency == .passing, clients[place].waiting > Self.passingLimit { return }
        put(frame, place)
        flush(place)
        removeGone()
    }

    private mutating func put(_ bytes: [UInt8], _ place: Int) {
        clients[place].outbox.append(bytes)
        clients[place].waiting += bytes.count
        if clients[place].waiting > Self.lastingLimit { clients[place].isGone = true }
    }

    private mutating func flush(_ place: Int) {
        while let first = clients[place].outbox.first {
            guard let count = Sockets.send(clients[place].socket, first[clients[place].sent...]) else {
                clients[place].isGone = true
                return
            }
            if count == 0 {
                clients[place].stuckSince = clients[place].stuckSince ?? Sockets.now
                return
            }
            clients[place].stuckSince = nil
            clients[place].sent += count
            clients[place].waiting -= count
            if clients[place].sent == first.count {
                clients[place].outbox.removeFirst()
                clients[place].sent = 0
            }
        }
        clients[place].stuckSince = nil
        if clients[place].isClosing { clients[place].isGone = true }
    }

    private mutating func dropLate() {
        let now = Sockets.now
        for place in clients.indices {
            let client = clients[place]
            let isLateRequest = !client.connection.isWebSocket && now - client.since > patience
            let isStuck = client.stuckSince.map { now - $0 > patience } ?? false
            if isLateRequest || isStuck { clients[place].isGone = true }
        }
    }

    private mutating func removeGone() {
        for client in clients where client.isGone {
            Sockets.close(client.socket)
            if client.connection.wasOpened { report(.closed(client.id)) }
        }
        clients.removeAll(where: \.isGone)
    }

    mutating func closeAll() {
        for place in clients.indices { clients[place].isGone = true }
        removeGone()
    }
}
