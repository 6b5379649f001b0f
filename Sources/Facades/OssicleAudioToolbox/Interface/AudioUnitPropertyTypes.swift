// What properties of units hold.

import OssicleCoreAudioTypes

/// A preset; data of `kAudioUnitProperty_PresentPreset`.
public struct AUPreset: @unchecked Sendable {
    /// 0 and up for the maker's, below 0 for the user's.
    public var presetNumber: Int32
    /// Name to show.
    public var presetName: Unmanaged<CFString>?

    /// Preset 0 without a name.
    public init() { self.init(presetNumber: 0, presetName: nil) }

    /// A preset.
    public init(presetNumber: Int32, presetName: Unmanaged<CFString>?) {
        (self.presetNumber, self.presetName) = (presetNumber, presetName)
    }
}

/// Numbers of channels that go together; element of `kAudioUnitProperty_SupportedNumChannels`.
public struct AUChannelInfo: Equatable, Sendable {
    /// Channels in: −1 any, −2 any and not the same as out.
    public var inChannels: Int16
    /// Channels out: −1 any, −2 any and not the same as in.
    public var outChannels: Int16

    /// 0 in, 0 out.
    public init() { self.init(inChannels: 0, outChannels: 0) }

    /// Numbers.
    public init(inChannels: Int16, outChannels: Int16) {
        (self.inChannels, self.outChannels) = (inChannels, outChannels)
    }
}

/// A parameter that another one changes; element of `kAudioUnitProperty_DependentParameters`.
public struct AUDependentParameter: Equatable, Sendable {
    /// Its scope.
    public var mScope: AudioUnitScope
    /// Its number.
    public var mParameterID: AudioUnitParameterID

    /// Parameter 0 of the global scope.
    public init() { self.init(mScope: 0, mParameterID: 0) }

    /// A parameter.
    public init(mScope: AudioUnitScope, mParameterID: AudioUnitParameterID) {
        (self.mScope, self.mParameterID) = (mScope, mParameterID)
    }
}

/// One parameter of one unit.
public struct AudioUnitParameter: @unchecked Sendable {
    /// The unit.
    public var mAudioUnit: AudioUnit
    /// Number of the parameter.
    public var mParameterID: AudioUnitParameterID
    /// Its scope.
    public var mScope: AudioUnitScope
    /// Its element.
    public var mElement: AudioUnitElement

    /// A parameter.
    public init(
        mAudioUnit: AudioUnit, mParameterID: AudioUnitParameterID, mScope: AudioUnitScope, mElement: AudioUnitElement
    ) {
        self.mAudioUnit = mAudioUnit
        self.mParameterID = mParameterID
        self.mScope = mScope
        self.mElement = mElement
    }
}

/// One property of one unit.
public struct AudioUnitProperty: @unchecked Sendable {
    /// The unit.
    public var mAudioUnit: AudioUnit
    /// Number of the property.
    public var mPropertyID: AudioUnitPropertyID
    /// Its scope.
    public var mScope: AudioUnitScope
    /// Its element.
    public var mElement: AudioUnitElement

    /// A property.
    public init(
        mAudioUnit: AudioUnit, mPropertyID: AudioUnitPropertyID, mScope: AudioUnitScope, mElement: AudioUnitElement
    ) {
        self.mAudioUnit = mAudioUnit
        self.mPropertyID = mPropertyID
        self.mScope = mScope
        self.mElement = mElement
    }
}

/// The least render quality.
public let kRenderQuality_Min = 0
/// A low render quality.
public let kRenderQuality_Low = 32
/// A medium render quality.
public let kRenderQuality_Medium = 64
/// A high render quality.
public let kRenderQuality_High = 96
/// The greatest render quality.
public let kRenderQuality_Max = 127

/// Number of the format of a state. Key of `kAudioUnitProperty_ClassInfo`.
public let kAUPresetVersionKey = "version"
/// Type of the unit. Key of `kAudioUnitProperty_ClassInfo`.
public let kAUPresetTypeKey = "type"
/// Subtype of the unit. Key of `kAudioUnitProperty_ClassInfo`.
public let kAUPresetSubtypeKey = "subtype"
/// Maker of the unit. Key of `kAudioUnitProperty_ClassInfo`.
public let kAUPresetManufacturerKey = "manufacturer"
/// The parameters, as bytes. Key of `kAudioUnitProperty_ClassInfo`.
public let kAUPresetDataKey = "data"
/// Name of the state. Key of `kAudioUnitProperty_ClassInfo`.
public let kAUPresetNameKey = "name"
/// Number of the maker's preset. Key of `kAudioUnitProperty_ClassInfo`.
public let kAUPresetNumberKey = "preset-number"
/// The render quality. Key of `kAudioUnitProperty_ClassInfo`; not written here.
public let kAUPresetRenderQualityKey = "render-quality"
/// The share of the processor. Key of `kAudioUnitProperty_ClassInfo`; not written here.
public let kAUPresetCPULoadKey = "cpu-load"
/// Names of elements. Key of `kAudioUnitProperty_ClassInfo`; not written here.
public let kAUPresetElementNameKey = "element-name"
/// Files that belong to the state. Key of `kAudioUnitProperty_ClassInfo`; not written here.
public let kAUPresetExternalFileRefs = "file-references"
