// What identifies an audio component.

import OssicleCoreAudioTypes

/// Type, subtype and maker of an audio component; 0 in a field means "any" in a search.
public struct AudioComponentDescription: Equatable, Hashable, Sendable {
    /// What the component does, such as `kAudioUnitType_Effect`.
    public var componentType: OSType
    /// Which component it is, such as `kAudioUnitSubType_Delay`.
    public var componentSubType: OSType
    /// Who made it, such as `kAudioUnitManufacturer_Apple`.
    public var componentManufacturer: OSType
    /// Bits of `AudioComponentFlags`. Default 0.
    public var componentFlags: UInt32
    /// The bits of `componentFlags` that count in a search. Default 0.
    public var componentFlagsMask: UInt32

    /// A description that fits every component.
    public init() {
        self.init(
            componentType: 0, componentSubType: 0, componentManufacturer: 0, componentFlags: 0, componentFlagsMask: 0)
    }

    /// A description with every field given.
    public init(
        componentType: OSType, componentSubType: OSType, componentManufacturer: OSType, componentFlags: UInt32,
        componentFlagsMask: UInt32
    ) {
        self.componentType = componentType
        self.componentSubType = componentSubType
        self.componentManufacturer = componentManufacturer
        self.componentFlags = componentFlags
        self.componentFlagsMask = componentFlagsMask
    }
}

/// Properties of a component.
public struct AudioComponentFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Found only by an exact description.
    public static let unsearchable = AudioComponentFlags(rawValue: 1)
    /// Can be used inside a sandbox.
    public static let sandboxSafe = AudioComponentFlags(rawValue: 2)
    /// Built on the version 3 interface.
    public static let isV3AudioUnit = AudioComponentFlags(rawValue: 4)
    /// Must be made asynchronously.
    public static let requiresAsyncInstantiation = AudioComponentFlags(rawValue: 8)
    /// Can live in the host's process.
    public static let canLoadInProcess = AudioComponentFlags(rawValue: 0x10)
}

/// Where a component shall live.
public struct AudioComponentInstantiationOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// In a process of its own.
    public static let loadOutOfProcess = AudioComponentInstantiationOptions(rawValue: 1)
    /// In the host's process.
    public static let loadInProcess = AudioComponentInstantiationOptions(rawValue: 2)
    /// On another machine.
    public static let loadedRemotely = AudioComponentInstantiationOptions(rawValue: 1 << 31)
}

/// A component that can be made into a unit. A handle: nothing lies at its address.
public typealias AudioComponent = OpaquePointer
/// An instance of a component. A handle: nothing lies at its address.
public typealias AudioComponentInstance = OpaquePointer
/// A unit.
public typealias AudioUnit = AudioComponentInstance
