import Dispatch
import OssicleCore
import Synchronization

/// A reference to an object of the hub; 0 is none. No number is given twice, so a stale one names nothing.
package typealias HubID = UInt32

package enum HubKind: Int, Sendable, CaseIterable {
    case client, inputPort, outputPort, device, entity, source, destination
    case externalDevice, externalEntity, externalSource, externalDestination, thruConnection

    var isEndpoint: Bool { isSource || isDestination }
    var isSource: Bool { self == .source || self == .externalSource }
    var isDestination: Bool { self == .destination || self == .externalDestination }
    var isDevice: Bool { self == .device || self == .externalDevice }
    var isEntity: Bool { self == .entity || self == .externalEntity }
    var isExternal: Bool {
        switch self {
        case .externalDevice, .externalEntity, .externalSource, .externalDestination: true
        default: false
        }
    }
}

/// A value of a property.
package enum HubValue: Hashable, Sendable {
    case integer(Int32)
    case string(String)
    case data([UInt8])
    /// A property list, serialised by the caller.
    case dictionary([UInt8])
}

/// One object: what it is, where it belongs, what its properties say.
struct HubObject: Sendable {
    let kind: HubKind
    /// The client of a port or virtual endpoint, the entity of an endpoint, the device of an entity; else 0.
    let parent: HubID
    /// Sources before destinations at an entity; ports and endpoints of a client, as they were made.
    var children: [HubID] = []
    var properties: [String: HubValue] = [:]
}

/// Where messages end: a client's block, or a device.
struct HubSink: Sendable {
    let form: MIDIForm
    let receive: MIDIReceiver
}

struct HubClient: Sendable {
    /// Runs `notify`, one notification after the other.
    let queue: DispatchQueue
    let notify: (@Sendable (HubNotification) -> Void)?
    let isAlive = HubFlag()
}

/// Whether a client is still there, for notifications that are under way.
final class HubFlag: Sendable {
    private let value = Atomic(true)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func clear() { value.store(false, ordering: .releasing) }
}

/// An input port and what it is connected to.
struct HubInput: Sendable {
    struct Connection: Sendable {
        let source: HubID
        let context: UInt
        var converter: DeliveryConverter
    }

    let sink: HubSink
    var connections: [Connection] = []
}

/// What an endpoint has beside its properties.
struct HubEndpoint: Sendable {
    /// A destination's receiver; `nil` at sources and at endpoints of devices without a driver.
    var sink: HubSink?
    /// At a destination, for each sender; 0 is one without a port.
    var converters: [HubID: DeliveryConverter] = [:]
    /// Bytes of senders that are no whole messages yet; at a source with the key 0.
    var parsers: [HubID: ByteStreamToPackets] = [:]
    /// Input ports connected to a source, in the order in which they were connected.
    var listeners: [HubID] = []
}

/// All that the hub's lock guards.
struct HubState: Sendable {
    var lastID: HubID = 0
    var objects: [HubID: HubObject] = [:]
    var clients: [HubID: HubClient] = [:]
    var inputs: [HubID: HubInput] = [:]
    var endpoints: [HubID: HubEndpoint] = [:]
    var thru = ThruTable()
    /// As they were added; the lists that clients count.
    var devices: [HubID] = []
    var externalDevices: [HubID] = []
    var sources: [HubID] = []
    var destinations: [HubID] = []
    var clientOrder: [HubID] = []
    var uniqueIDs: [Int32: HubID] = [:]
    var queue = EventQueue()
    /// A thread carries out what is due.
    var isDelivering = false
    /// Of a hub whose clock is moved by hand.
    var manualTime: UInt64 = 0

    mutating func add(_ object: HubObject) -> HubID {
        lastID += 1
        objects[lastID] = object
        if object.parent != 0 { objects[object.parent]?.children.append(lastID) }
        return lastID
    }

    /// Removes an object and what belongs to it, innermost first; returns all that is gone.
    mutating func remove(_ id: HubID) -> [HubID] {
        guard let object = objects[id] else { return [] }
        var gone: [HubID] = []
        for child in object.children { gone += remove(child) }
        objects[id] = nil
        objects[object.parent]?.children.removeAll { $0 == id }
        if case .integer(let unique)? = object.properties[HubProperty.uniqueID] { uniqueIDs[unique] = nil }
        forget(id, object.kind)
        return gone + [id]
    }

    private mutating func forget(_ id: HubID, _ kind: HubKind) {
        switch kind {
        case .client:
            clients[id]?.isAlive.clear()
            clients[id] = nil
            clientOrder.removeAll { $0 == id }
        case .inputPort:
            for connection in inputs[id]?.connections ?? [] {
                endpoints[connection.source]?.listeners.removeAll { $0 == id }
            }
            inputs[id] = nil
        case .outputPort, .thruConnection:
            for target in endpoints.keys.sorted() { forgetSender(id, at: target) }
        case .source, .externalSource:
            for port in endpoints[id]?.listeners ?? [] { inputs[port]?.connections.removeAll { $0.source == id } }
            endpoints[id] = nil
            sources.removeAll { $0 == id }
        case .destination, .externalDestination:
            endpoints[id] = nil
            destinations.removeAll { $0 == id }
            queue.removeDeliveries(to: id)
        case .device: devices.removeAll { $0 == id }
        case .externalDevice: externalDevices.removeAll { $0 == id }
        case .entity, .externalEntity: break
        }
    }

    private mutating func forgetSender(_ port: HubID, at destination: HubID) {
        endpoints[destination]?.parsers[port] = nil
        endpoints[destination]?.converters[port] = nil
    }

    func object(
        _ id: HubID, _ refusal: HubRefusal, _ what: String, where fits: (HubKind) -> Bool
    ) throws(HubFault)
        -> HubObject
    {
        guard let object = objects[id], fits(object.kind) else { throw .noObject(id, refusal, what) }
        return object
    }

    func endpoint(_ id: HubID, isSource: Bool) throws(HubFault) -> HubObject {
        let object = try object(id, .unknownEndpoint, "endpoint") { $0.isEndpoint }
        guard object.kind == (isSource ? .source : .destination) else {
            throw .wrongEndpoint(id, wanted: isSource ? "source" : "destination")
        }
        return object
    }
}
