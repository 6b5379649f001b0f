import Foundation
import OssicleVoiceRoom
import OssicleWebServer
import Synchronization

/// A voice room on loopback: a page for browsers, and a WebSocket for each that is open.
///
///     browser ──▶ binary: timestamp (4 bytes, lowest first), Opus packet     ──▶ VoiceRoom.receive
///     browser ──▶ text: {"seat": {"x", "z", "yaw"}}, {"muted": true}
///     browser ◀── binary: timestamp, Opus packet of the mix                  ◀── VoiceRoom.advance, every 20 ms
///     browser ◀── text: {"you": number, "people": [{"number", "x", "z", "yaw", "level", "isSpeaking"}]}, five times a second
///
/// Who closes the page leaves. Nothing that a page sends ends more than its own connection.
final class VoiceRoomServer: Sendable {
    /// Of the page, with its token.
    let address: String
    private let room: VoiceRoom
    private let server: LiveServer
    private let people = Mutex<[LiveServer.ClientID: VoiceRoom.Participant]>([:])
    private let isOver = Atomic(false)

    /// Seats around the table, which are taken in turn.
    private static let seats = 16

    /// - Parameter port: of 127.0.0.1; 0 for one that is free.
    init(port: UInt16, settings: VoiceRoom.Settings = VoiceRoom.Settings()) throws {
        room = try VoiceRoom(settings)
        do { server = try LiveServer(port: port, takesBytes: true) } catch {
            throw ServerError(description: "Nothing can be served at 127.0.0.1:\(error.port) (\(error.reason)).")
        }
        let rules = AccessRules(token: AccessRules.newToken(), port: server.port)
        address = "http://127.0.0.1:\(server.port)/\(rules.token)/"
        server.start(rules, resource: Page.resource) { [weak self] event in self?.receive(event) }
        let thread = Thread { [weak self] in Self.run { self } }
        thread.name = "voice room"
        thread.start()
    }

    struct ServerError: Error, CustomStringConvertible { let description: String }

    deinit { stop() }

    func stop() {
        isOver.store(true, ordering: .relaxed)
        server.stop()
    }

    var participants: [VoiceRoom.State] { room.participants }

    /// Every 20 ms by the steady clock; what was missed while the machine was busy is made up for.
    private static func run(_ server: () -> VoiceRoomServer?) {
        var next = now
        while let owner = server(), !owner.isOver.load(ordering: .relaxed) {
            owner.turn(at: next)
            next += VoiceRoom.interval
            // A second behind is a machine that slept: from here on.
            if now - next > 1 { next = now }
            let wait = next - now
            if wait > 0 { Thread.sleep(forTimeInterval: wait) }
        }
    }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }

    private func turn(at seconds: Double) {
        let deliveries = room.advance(to: seconds)
        let clients = people.withLock { $0 }
        let byPerson = Dictionary(uniqueKeysWithValues: clients.map { ($1, $0) })
        for delivery in deliveries {
            guard let client = byPerson[delivery.participant] else { continue }
            let stamp = withUnsafeBytes(of: delivery.timestamp.littleEndian) { Array($0) }
            server.send(bytes: stamp + delivery.packet, to: client, .passing)
        }
        // Five times a second.
        guard let first = deliveries.first, first.timestamp / 960 % 10 == 0 else { return }
        let states = room.participants.map(PersonMessage.init)
        for (client, person) in clients {
            guard let text = try? JSONEncoder().encode(RoomMessage(you: person.number, people: states)) else {
                continue
            }
            server.send(text, to: client, .passing)
        }
    }

    // MARK: What pages send

    private func receive(_ event: LiveServer.Event) {
        switch event {
        case .opened(let client):
            let index = people.withLock { $0.count }
            guard let person = try? room.join(at: .around(index % Self.seats, of: Self.seats)) else { return }
            people.withLock { $0[client] = person }
        case .closed(let client):
            if let person = people.withLock({ $0.removeValue(forKey: client) }) { room.leave(person) }
        case .bytes(let client, let bytes):
            guard bytes.count > 4, let person = people.withLock({ $0[client] }) else { return }
            let timestamp = bytes[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            try? room.receive(Array(bytes[4...]), timestamp: timestamp, from: person, at: Self.now)
        case .message(let client, let text):
            guard let person = people.withLock({ $0[client] }),
                let request = try? JSONDecoder().decode(PageRequest.self, from: Data(text.utf8))
            else { return }
            if let seat = request.seat {
                try? room.move(person, to: VoiceRoom.Seat(x: seat.x, z: seat.z, yaw: seat.yaw))
            }
            if let isMuted = request.muted { try? room.setMuted(isMuted, person) }
        }
    }
}

private struct PageRequest: Decodable {
    struct Seat: Decodable { let x, z, yaw: Double }
    let seat: Seat?
    let muted: Bool?
}

private struct RoomMessage: Encodable {
    let you: Int
    let people: [PersonMessage]
}

private struct PersonMessage: Encodable {
    let number: Int
    let x, z, yaw, level: Double
    let isSpeaking: Bool

    init(_ state: VoiceRoom.State) {
        number = state.participant.number
        (x, z, yaw) = (state.seat.x, state.seat.z, state.seat.yaw)
        (level, isSpeaking) = ((state.level * 10).rounded() / 10, state.isSpeaking)
    }
}

/// The files of the page, which are in the program.
private enum Page {
    static func resource(_ name: String) -> Connection.Resource? {
        let script = "text/javascript; charset=utf-8"
        return switch name {
        case "": Connection.Resource(type: "text/html; charset=utf-8", bytes: PackageResources.index_html)
        case "style.css": Connection.Resource(type: "text/css; charset=utf-8", bytes: PackageResources.style_css)
        case "room.js": Connection.Resource(type: script, bytes: PackageResources.room_js)
        case "worklet.js": Connection.Resource(type: script, bytes: PackageResources.worklet_js)
        default: nil
        }
    }
}
