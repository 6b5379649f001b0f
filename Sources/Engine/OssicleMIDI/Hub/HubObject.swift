import OssicleCore

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
    /// Whether other clients see objects of this kind, which have unique IDs and are announced.
    var isPublic: Bool { isEndpoint || isEntity || isDevice }
    var isExternal: Bool {
        switch self {
        case .externalDevice, .externalEntity, .externalSource, .externalDestination: true
        default: false
        }
    }
}

/// One object: what it is, where it belongs, what its properties say.
struct HubObject: Sendable {
    let kind: HubKind
    /// The client of a port or virtual endpoint, the entity of an endpoint, the device of an entity; else 0.
    let parent: HubID
    /// Sources before destinations at an entity; ports and endpoints of a client, as they were made.
    var children: [HubID] = []
    var properties: [String: HubValue] = [:]

    func string(_ name: String) -> String? {
        guard case .string(let value)? = properties[name] else { return nil }
        return value
    }

    func integer(_ name: String) -> Int32? {
        guard case .integer(let value)? = properties[name] else { return nil }
        return value
    }
}

/// Why the hub refused a call.
package enum HubRefusal: FaultKind {
    case invalidClient
    case invalidPort
    case wrongEndpointType
    case noConnection
    case unknownEndpoint
    case unknownProperty
    case wrongPropertyType
    case messageNotSent
    case objectNotFound
    case notUnique
    case notPermitted
    /// An argument is out of its range.
    case badArgument
}

package typealias HubFault = Fault<HubRefusal>

extension HubFault {
    static func noObject(_ id: HubID, _ kind: Kind, _ what: String) -> HubFault {
        HubFault(
            kind, object: "MIDI object \(id)", found: "is no \(what), or no longer",
            rule: "The call needs \(what == "object" || what == "entity" || what == "endpoint" ? "an" : "a") \(what).",
            cure: "Pass a reference that the MIDI system gave and that was not disposed of.")
    }

    static func wrongEndpoint(_ id: HubID, wanted: String) -> HubFault {
        HubFault(
            .wrongEndpointType, object: "MIDI endpoint \(id)", found: "is no \(wanted)",
            rule: "The call needs a \(wanted).", cure: "Pass a \(wanted); MIDI flows from sources to destinations.")
    }
}
