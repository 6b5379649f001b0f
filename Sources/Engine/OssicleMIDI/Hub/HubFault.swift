import OssicleCore

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
