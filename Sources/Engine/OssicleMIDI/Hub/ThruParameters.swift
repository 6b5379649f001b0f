/// What a thru connection does to the messages that it carries; as it is made, it passes everything.
package struct ThruParameters: Hashable, Sendable {
    /// An endpoint by reference, or, where that is 0, by unique ID.
    package struct Endpoint: Hashable, Sendable {
        package var id: HubID
        package var uniqueID: Int32

        package init(id: HubID, uniqueID: Int32) {
            self.id = id
            self.uniqueID = uniqueID
        }
    }

    /// What happens to one kind of value.
    package struct Transform: Hashable, Sendable {
        package enum Kind: UInt16, Sendable, CaseIterable {
            case none = 0
            /// The message is dropped.
            case filterOut = 1
            /// Controllers only: the value goes to the controller `parameter`.
            case mapControl = 2
            /// `parameter` is added.
            case add = 8
            /// Multiplied by `parameter` / 4096.
            case scale = 9
            /// Raised to `parameter`.
            case minimum = 10
            /// Lowered to `parameter`.
            case maximum = 11
            /// Looked up in the map of index `parameter`, from 0.
            case map = 12
        }

        package var kind: Kind
        package var parameter: Int16

        package init(_ kind: Kind = .none, _ parameter: Int16 = 0) {
            self.kind = kind
            self.parameter = parameter
        }
    }

    /// What happens to one controller.
    package struct Control: Hashable, Sendable {
        package enum Kind: UInt8, Sendable, CaseIterable {
            case control7 = 0, control14, registered7, registered14, assignable7, assignable14

            /// Largest value.
            var largest: Int { self == .control7 || self == .registered7 || self == .assignable7 ? 127 : 16_383 }
            var isParameter: Bool { rawValue >= 2 }
            var isRegistered: Bool { self == .registered7 || self == .registered14 }
        }

        package var kind: Kind
        /// Of the controller that `mapControl` makes of it.
        package var remappedKind: Kind
        package var number: UInt16
        package var transform: Transform

        package init(kind: Kind, remappedKind: Kind, number: UInt16, transform: Transform) {
            self.kind = kind
            self.remappedKind = remappedKind
            self.number = number
            self.transform = transform
        }
    }

    package var sources: [Endpoint] = []
    package var destinations: [Endpoint] = []
    /// The new channel of each, 0...15; any other number drops the channel's messages.
    package var channelMap = [UInt8](0..<16)
    /// Note-ons of other velocities are dropped.
    package var velocities: ClosedRange<UInt8> = 0...127
    /// Notes and key pressure of other notes are dropped.
    package var notes: ClosedRange<UInt8> = 0...127
    package var noteNumber = Transform()
    /// Of note-ons.
    package var velocity = Transform()
    package var keyPressure = Transform()
    package var channelPressure = Transform()
    package var programChange = Transform()
    package var pitchBend = Transform()
    package var dropsSysEx = false
    package var dropsTimeCode = false
    package var dropsBeatClock = false
    package var dropsTuneRequest = false
    package var dropsAllControls = false
    package var controls: [Control] = []
    /// Tables of 128 values.
    package var maps: [[UInt8]] = []

    package init() {}
}

extension ThruParameters.Transform {
    /// The value after the transform; `nil` where the message is dropped. A map that is not there changes nothing.
    func apply(to value: Int, largest: Int, maps: [[UInt8]]) -> Int? {
        let parameter = Int(parameter)
        let result: Int
        switch kind {
        case .none, .mapControl: result = value
        case .filterOut: return nil
        case .add: result = value + parameter
        case .scale: result = (value * parameter) >> 12
        case .minimum: result = max(value, parameter)
        case .maximum: result = min(value, parameter)
        case .map:
            guard maps.indices.contains(parameter), maps[parameter].indices.contains(value) else { return value }
            result = Int(maps[parameter][value])
        }
        return min(max(result, 0), largest)
    }
}
