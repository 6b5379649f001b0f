// A built-in unit, before one is made.

/// What a unit is called, which parameters it has, and how many channels it takes.
package struct UnitDescription: Sendable {
    /// Numbers of channels that go together.
    package struct ChannelCapability: Sendable, Equatable {
        /// Channels in; -1 any, 0 none.
        package let inputs: Int
        /// Channels out; -1 any (the same as in, where that is -1 too), -2 any.
        package let outputs: Int
    }

    /// Type, subtype and maker. The maker's code is `appl`, because clients look for that.
    package let component: AudioComponentDescription
    /// The name that Apple's unit of this kind has, such as "AUDelay".
    package let name: String
    /// Its parameters, in order.
    package private(set) var parameters: [ParameterSpecification]
    /// The numbers of channels it works with.
    package let channelCapabilities: [ChannelCapability]

    /// Whose units the built-in ones stand for: clients search by name as well as by code.
    package static let manufacturerName = "Apple"
    /// 0xMMMMmmDD: 0.1.0.
    package static let version: UInt32 = 0x0000_0100

    init(_ type: OSType, _ subtype: OSType, _ name: String, channels: ChannelCapability, _ parameters: [ParameterSpecification]) {
        component = AudioComponentDescription(componentType: type, componentSubType: subtype, componentManufacturer: kAudioUnitManufacturer_Apple,
                                              componentFlags: 0, componentFlagsMask: 0)
        self.name = name
        self.parameters = parameters
        channelCapabilities = [channels]
    }

    /// The same unit with further parameters.
    package func adding(_ further: [ParameterSpecification]) -> UnitDescription {
        var unit = self
        unit.parameters += further
        return unit
    }

    /// A unit with as many channels out as in.
    static func effect(_ subtype: OSType, _ name: String, _ parameters: [ParameterSpecification]) -> UnitDescription {
        UnitDescription(kAudioUnitType_Effect, subtype, name, channels: .sameOutAsIn, parameters)
    }

    /// A unit that changes rate or time.
    static func timeEffect(_ subtype: OSType, _ name: String, _ parameters: [ParameterSpecification]) -> UnitDescription {
        UnitDescription(kAudioUnitType_FormatConverter, subtype, name, channels: .sameOutAsIn, parameters)
    }

    /// A unit of many inputs and one output.
    static func mixer(_ subtype: OSType, _ name: String, _ parameters: [ParameterSpecification]) -> UnitDescription {
        UnitDescription(kAudioUnitType_Mixer, subtype, name, channels: .anything, parameters)
    }

    /// A unit at the end of the line.
    static func output(_ subtype: OSType, _ name: String) -> UnitDescription {
        UnitDescription(kAudioUnitType_Output, subtype, name, channels: .anything, [])
    }
}

extension UnitDescription.ChannelCapability {
    /// Any number, the same on both sides.
    static let sameOutAsIn = Self(inputs: -1, outputs: -1)
    /// Any numbers.
    static let anything = Self(inputs: -1, outputs: -2)
    /// No input, any number out.
    static let onlyOut = Self(inputs: 0, outputs: -1)
}
