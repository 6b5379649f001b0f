// Structures of thru connections, laid out as in C: they travel as bytes.

import OssicleCoreAudioTypes

/// Most sources, and most destinations, of a thru connection.
public let kMIDIThruConnection_MaxEndpoints = 8

/// What happens to a value.
public enum MIDITransformType: UInt16, Sendable {
    /// Nothing.
    case none = 0
    /// The message is dropped.
    case filterOut = 1
    /// Controllers only: the value goes to the controller `param`.
    case mapControl = 2
    /// `param` is added.
    case add = 8
    /// Multiplied by `param` / 4096.
    case scale = 9
    /// Raised to `param`.
    case minValue = 10
    /// Lowered to `param`.
    case maxValue = 11
    /// Looked up in the map of index `param`, from 0.
    case mapValue = 12
}

/// How a controller's value is sent.
public enum MIDITransformControlType: UInt8, Sendable {
    /// One controller.
    case controlType_7Bit = 0
    /// Two controllers, of which the second is 32 higher.
    case controlType_14Bit = 1
    /// A registered parameter with its coarse value.
    case controlType_7BitRPN = 2
    /// A registered parameter.
    case controlType_14BitRPN = 3
    /// A non-registered parameter with its coarse value.
    case controlType_7BitNRPN = 4
    /// A non-registered parameter.
    case controlType_14BitNRPN = 5
}

/// A table for one value.
public struct MIDIValueMap: Sendable {
    /// What each value becomes.
    public var value:
        (
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
        ) = (
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        )

    /// Makes every value 0.
    public init() {}
}

/// What happens to one kind of value.
public struct MIDITransform: Sendable {
    private var kind: UInt16
    /// Of the transform; of `scale` with 12 bits of fraction.
    public var param: Int16

    /// What is done.
    public var transform: MIDITransformType {
        get { MIDITransformType(rawValue: kind) ?? .none }
        set { kind = newValue.rawValue }
    }

    /// Nothing happens.
    public init() { self.init(transform: .none, param: 0) }

    /// From its fields.
    public init(transform: MIDITransformType, param: Int16) {
        kind = transform.rawValue
        self.param = param
    }

    /// Whether the number in memory is that of a transform.
    var isKnown: Bool { MIDITransformType(rawValue: kind) != nil }
}

/// What happens to one controller.
public struct MIDIControlTransform: Sendable {
    private var kind: UInt8
    private var remappedKind: UInt8
    /// Number of the controller or parameter.
    public var controlNumber: UInt16
    private var transformKind: UInt16
    /// Of the transform; of `scale` with 12 bits of fraction.
    public var param: Int16

    /// How it is received.
    public var controlType: MIDITransformControlType {
        get { MIDITransformControlType(rawValue: kind) ?? .controlType_7Bit }
        set { kind = newValue.rawValue }
    }

    /// How it is sent where it is mapped to another controller.
    public var remappedControlType: MIDITransformControlType {
        get { MIDITransformControlType(rawValue: remappedKind) ?? .controlType_7Bit }
        set { remappedKind = newValue.rawValue }
    }

    /// What is done.
    public var transform: MIDITransformType {
        get { MIDITransformType(rawValue: transformKind) ?? .none }
        set { transformKind = newValue.rawValue }
    }

    /// Nothing happens to controller 0.
    public init() {
        self.init(
            controlType: .controlType_7Bit, remappedControlType: .controlType_7Bit, controlNumber: 0,
            transform: .none, param: 0)
    }

    /// From its fields.
    public init(
        controlType: MIDITransformControlType, remappedControlType: MIDITransformControlType, controlNumber: UInt16,
        transform: MIDITransformType, param: Int16
    ) {
        kind = controlType.rawValue
        remappedKind = remappedControlType.rawValue
        self.controlNumber = controlNumber
        transformKind = transform.rawValue
        self.param = param
    }

    /// Whether the numbers in memory are those of controllers and transforms.
    var isKnown: Bool {
        MIDITransformType(rawValue: transformKind) != nil && MIDITransformControlType(rawValue: kind) != nil
            && MIDITransformControlType(rawValue: remappedKind) != nil
    }
}

/// An end of a thru connection: a reference, or with 0 there a unique ID.
public struct MIDIThruConnectionEndpoint: Sendable {
    /// The endpoint; 0 where the unique ID says which.
    public var endpointRef: MIDIEndpointRef
    /// The endpoint's unique ID.
    public var uniqueID: MIDIUniqueID

    /// No endpoint.
    public init() { self.init(endpointRef: 0, uniqueID: 0) }

    /// From its fields.
    public init(endpointRef: MIDIEndpointRef, uniqueID: MIDIUniqueID) {
        self.endpointRef = endpointRef
        self.uniqueID = uniqueID
    }
}

/// What a thru connection connects and does. In memory `numControlTransforms` times `MIDIControlTransform` and
/// `numMaps` times `MIDIValueMap` follow.
public struct MIDIThruConnectionParams: Sendable {
    /// 0.
    public var version: UInt32 = 0
    /// How many of `sources` count.
    public var numSources: UInt32 = 0
    /// What is connected.
    public var sources:
        (
            MIDIThruConnectionEndpoint, MIDIThruConnectionEndpoint, MIDIThruConnectionEndpoint,
            MIDIThruConnectionEndpoint, MIDIThruConnectionEndpoint, MIDIThruConnectionEndpoint,
            MIDIThruConnectionEndpoint, MIDIThruConnectionEndpoint
        ) = (
            MIDIThruConnectionEndpoint(), MIDIThruConnectionEndpoint(), MIDIThruConnectionEndpoint(),
            MIDIThruConnectionEndpoint(), MIDIThruConnectionEndpoint(), MIDIThruConnectionEndpoint(),
            MIDIThruConnectionEndpoint(), MIDIThruConnectionEndpoint()
        )
    /// How many of `destinations` count.
    public var numDestinations: UInt32 = 0
    /// What it is connected to.
    public var destinations:
        (
            MIDIThruConnectionEndpoint, MIDIThruConnectionEndpoint, MIDIThruConnectionEndpoint,
            MIDIThruConnectionEndpoint, MIDIThruConnectionEndpoint, MIDIThruConnectionEndpoint,
            MIDIThruConnectionEndpoint, MIDIThruConnectionEndpoint
        ) = (
            MIDIThruConnectionEndpoint(), MIDIThruConnectionEndpoint(), MIDIThruConnectionEndpoint(),
            MIDIThruConnectionEndpoint(), MIDIThruConnectionEndpoint(), MIDIThruConnectionEndpoint(),
            MIDIThruConnectionEndpoint(), MIDIThruConnectionEndpoint()
        )
    /// The new channel of each, from 0; 0xFF drops the channel's messages.
    public var channelMap:
        (
            UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
            UInt8, UInt8, UInt8, UInt8
        ) = (
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        )
    /// Softer note-ons are dropped.
    public var lowVelocity: UInt8 = 0
    /// Louder note-ons are dropped.
    public var highVelocity: UInt8 = 0
    /// Lower notes are dropped.
    public var lowNote: UInt8 = 0
    /// Higher notes are dropped.
    public var highNote: UInt8 = 0
    /// Of notes and key pressure.
    public var noteNumber = MIDITransform()
    /// Of note-ons.
    public var velocity = MIDITransform()
    /// Of the pressure of single keys.
    public var keyPressure = MIDITransform()
    /// Of the pressure of a channel.
    public var channelPressure = MIDITransform()
    /// Of program numbers.
    public var programChange = MIDITransform()
    /// Of pitch bend, 14 bits.
    public var pitchBend = MIDITransform()
    /// 1 drops system exclusive messages.
    public var filterOutSysEx: UInt8 = 0
    /// 1 drops MIDI time code.
    public var filterOutMTC: UInt8 = 0
    /// 1 drops beat clock, start, continue and stop.
    public var filterOutBeatClock: UInt8 = 0
    /// 1 drops tune requests.
    public var filterOutTuneRequest: UInt8 = 0
    /// Zeros.
    public var reserved2: (UInt8, UInt8, UInt8) = (0, 0, 0)
    /// 1 drops all controllers.
    public var filterOutAllControls: UInt8 = 0
    /// Control transforms that follow.
    public var numControlTransforms: UInt16 = 0
    /// Value maps that follow.
    public var numMaps: UInt16 = 0
    /// Zeros.
    public var reserved3: (UInt16, UInt16, UInt16, UInt16) = (0, 0, 0, 0)

    /// All zeros, which sends every channel to the first and lets pass no note but 0;
    /// `MIDIThruConnectionParamsInitialize` makes parameters that pass everything.
    public init() {}
}
