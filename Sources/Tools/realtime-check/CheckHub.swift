import Foundation
import OssicleMIDI
import Synchronization

/// A MIDI hub in which many threads make and dispose of clients, ports and virtual endpoints, connect them directly and
/// by thru connections, send at once, for later and in pieces, and flush, while its own thread delivers.
enum CheckHub {
    /// - Returns: how many turns the threads had, and how many times a receiver was called meanwhile.
    static func run(threads: Int, seconds: Double) throws -> (turns: Int, calls: Int) {
        let hub = MIDIHub(clock: .host)
        let received = Received()
        let turns = try Hands.work(threads) {
            HubHand(hub, $0, received)
        } while: {
            Thread.sleep(forTimeInterval: seconds)
        }.turns
        // Whatever is still on its way has no destination any more.
        try hub.flush(0)
        hub.waitForNotifications()
        guard received.calls.load(ordering: .relaxed) > 0 else { throw CheckError("the hub delivered nothing") }
        return (turns, received.calls.load(ordering: .relaxed))
    }
}

private final class Received: Sendable { let calls = Atomic(0) }

/// One client of the hub, with a port each way, a source and a destination. Its calls may name what another thread has
/// just disposed of: those throw, and change nothing.
private final class HubHand: Hand {
    private let hub: MIDIHub
    private let number: Int
    private let received: Received
    private var turn: Int
    private var client: HubID = 0
    private var input: HubID = 0
    private var output: HubID = 0
    private var source: HubID = 0
    private var destination: HubID = 0
    private var thru: HubID = 0

    init(_ hub: MIDIHub, _ number: Int, _ received: Received) {
        (self.hub, self.number, self.received, turn) = (hub, number, received, 5 * number)
        try? enter()
    }

    func act() { try? carryOut() }

    private func carryOut() throws {
        turn += 1
        switch turn % 16 {
        case 0, 8: for other in hub.sources { try? hub.connect(port: input, to: other, context: UInt(turn)) }
        case 1: for other in hub.destinations { try? hub.send(notes(at: 0), port: output, to: other) }
        case 2, 9: for other in hub.destinations { try? hub.send(notes(at: later), port: output, to: other) }
        case 3, 10: try hub.receive(notes(at: 0), from: source)
        case 4: try connectThru()
        case 5: try hub.setThruParameters(parameters(), of: thru)
        case 6: try hub.send([0xF0] + [UInt8](repeating: 5, count: 40) + [0xF7], at: later, to: destination)
        case 7: try sendInPieces()
        case 11: try hub.flush(number % 2 == 0 ? destination : 0)
        case 12: look()
        case 13: for other in hub.sources { try? hub.disconnect(port: input, from: other) }
        case 14: try hub.disposeThru(thru)
        default:
            try hub.disposeEndpoint(try ownedDestination())
            if turn / 16 % 3 == 0 { try restart() }
        }
    }

    private func enter() throws {
        let received = received
        let receive: MIDIReceiver = { _, _ in received.calls.add(1, ordering: .relaxed) }
        client = hub.createClient(name: "client \(number)") { _ in received.calls.add(1, ordering: .relaxed) }
        let form: MIDIForm = [.bytes, .words(.midi1), .words(.midi2)][number % 3]
        input = try hub.createInputPort(client: client, name: "in", form: form, receive: receive)
        output = try hub.createOutputPort(client: client, name: "out")
        source = try hub.createSource(client: client, name: "source", protocol: number % 2 == 0 ? .midi1 : .midi2)
        destination = try hub.createDestination(client: client, name: "sink", form: form, receive: receive)
    }

    /// A destination whose block is the last that holds an object which calls the hub at its end.
    private func ownedDestination() throws -> HubID {
        let owner = ClientOwner(hub)
        return try hub.createDestination(client: owner.client, name: "owned", form: .bytes) { _, _ in
            withExtendedLifetime(owner) {}
        }
    }

    private func restart() throws {
        try hub.disposeEndpoint(source)
        try hub.disposePort(input)
        leave()
        try enter()
    }

    func leave() { try? hub.disposeClient(client) }

    /// 1 to 8 ms from now.
    private var later: UInt64 { hub.now + UInt64(turn % 8 + 1) * 1_000_000 }

    private func notes(at time: UInt64) -> MIDIPackets {
        let (key, channel) = (UInt32(turn % 128), UInt32(number % 16))
        if turn % 2 == 0 {
            return .bytes([MIDIBytePacket(time: time, bytes: [0x90 | UInt8(channel), UInt8(key), 90])])
        }
        return .words([MIDIWordPacket(time: time, words: [0x2090_0040 | channel << 16 | key << 8])], .midi1)
    }

    private func connectThru() throws { thru = try hub.createThru(parameters(), owner: number == 0 ? "check" : nil) }

    /// From this client's source to its destination.
    private func parameters() -> ThruParameters {
        var parameters = ThruParameters()
        parameters.sources = [ThruParameters.Endpoint(id: source, uniqueID: 0)]
        parameters.destinations = [ThruParameters.Endpoint(id: destination, uniqueID: 0)]
        parameters.velocity = ThruParameters.Transform(.scale, Int16(turn % 4096))
        return parameters
    }

    private func sendInPieces() throws {
        let pieces = Pieces()
        try hub.send(
            SysExRequest {
                pieces.next($0)
            } completed: {
            }, to: destination)
    }

    private func look() {
        for endpoint in hub.sources + hub.destinations {
            _ = try? hub.contents(of: endpoint)
            _ = try? hub.property(HubProperty.name, of: endpoint, as: .string)
        }
        _ = hub.thruConnections(of: "check")
        try? hub.setProperty(HubProperty.model, of: destination, to: .string("model \(turn)"))
    }
}

/// Disposes of its client at its end, as programs do.
private final class ClientOwner: Sendable {
    private let hub: MIDIHub
    let client: HubID

    init(_ hub: MIDIHub) { (self.hub, client) = (hub, hub.createClient(name: "owned")) }

    deinit { try? hub.disposeClient(client) }
}

/// A system exclusive message in four pieces.
private final class Pieces: Sendable {
    private let given = Atomic(0)

    func next(_ most: Int) -> [UInt8] {
        let piece = given.add(1, ordering: .relaxed).oldValue
        guard piece < 4 else { return [] }
        return [piece == 0 ? 0xF0 : 1] + [UInt8](repeating: 2, count: min(most, 100) - 2) + [piece == 3 ? 0xF7 : 3]
    }
}
