/// Names of properties, as Core MIDI spells them, and what they hold.
package enum HubProperty {
    package static let name = "name"
    package static let displayName = "displayName"
    package static let manufacturer = "manufacturer"
    package static let model = "model"
    package static let uniqueID = "uniqueID"
    package static let offline = "offline"
    package static let isPrivate = "private"
    package static let isEmbedded = "embedded"
    package static let protocolID = "protocol"
    /// Microseconds by which a destination gets messages before their time.
    package static let advanceScheduleTime = "scheduleAheadMuSec"
    /// Bytes of system exclusive data a second.
    package static let maxSysExSpeed = "maxSysExSpeed"
    package static let driver = "driver"

    /// What an object does not inherit from the entity or device it belongs to.
    static let own: Set<String> = [name, displayName, uniqueID, isPrivate, isEmbedded]

    private static let strings: Set<String> = [
        name, displayName, manufacturer, model, driver, "image", "driverDeviceEditorApp",
    ]
    private static let integers: Set<String> = [
        uniqueID, offline, isPrivate, isEmbedded, protocolID, advanceScheduleTime, maxSysExSpeed, "deviceID",
        "receiveChannels", "transmitChannels",
    ]

    /// The type that a property's values must have; `nil` where any will do.
    static func requiredKind(_ name: String) -> HubValueKind? {
        strings.contains(name) ? .string : integers.contains(name) ? .integer : nil
    }
}

/// A value of a property.
package enum HubValue: Hashable, Sendable {
    case integer(Int32)
    case string(String)
    case data([UInt8])
    /// A property list, serialised by the caller.
    case dictionary([UInt8])

    package var kind: HubValueKind {
        switch self {
        case .integer: .integer
        case .string: .string
        case .data: .data
        case .dictionary: .dictionary
        }
    }
}

/// The types of values.
package enum HubValueKind: Sendable {
    case integer, string, data, dictionary
}
