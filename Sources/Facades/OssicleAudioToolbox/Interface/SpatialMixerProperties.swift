// Properties of the spatial mixer: what they say, scope, type.

import OssicleCoreAudioTypes

/// The room of the mixer's reverb. Global; `AUReverbRoomType`, at first a small room.
public let kAudioUnitProperty_ReverbRoomType: AudioUnitPropertyID = 10
/// Whether the mixer renders the reverb that `kSpatialMixerParam_ReverbBlend` sends to. Global; `UInt32`, at first 1.
public let kAudioUnitProperty_UsesInternalReverb: AudioUnitPropertyID = 1005
/// How an input is placed. Input; `AUSpatializationAlgorithm`, at first equal-power panning.
public let kAudioUnitProperty_SpatializationAlgorithm: AudioUnitPropertyID = 3000
/// Which parts of distance are rendered. Input; `AUSpatialMixerRenderingFlags`, at first both.
public let kAudioUnitProperty_SpatialMixerRenderingFlags: AudioUnitPropertyID = 3003
/// What the channels of an input are. Input; `AUSpatialMixerSourceMode`.
public let kAudioUnitProperty_SpatialMixerSourceMode: AudioUnitPropertyID = 3005
/// How far level falls with distance. Input; `MixerDistanceParams`.
public let kAudioUnitProperty_SpatialMixerDistanceParams: AudioUnitPropertyID = 3010
/// How level falls with distance. Input; `AUSpatialMixerAttenuationCurve`, at first the inverse.
public let kAudioUnitProperty_SpatialMixerAttenuationCurve: AudioUnitPropertyID = 3013
/// What two output channels are heard from. Global; `AUSpatialMixerOutputType`, at first headphones.
public let kAudioUnitProperty_SpatialMixerOutputType: AudioUnitPropertyID = 3100
/// What becomes of a point source inside the head. Input; `AUSpatialMixerPointSourceInHeadMode`.
public let kAudioUnitProperty_SpatialMixerPointSourceInHeadMode: AudioUnitPropertyID = 3103
/// Whether headphones with motion sensors turn the listener. Global; `UInt32`. Kept without effect.
public let kAudioUnitProperty_SpatialMixerEnableHeadTracking: AudioUnitPropertyID = 3111
/// Whether the listener's own HRTF is used. Global; `AUSpatialMixerPersonalizedHRTFMode`. Kept without effect.
public let kAudioUnitProperty_SpatialMixerPersonalizedHRTFMode: AudioUnitPropertyID = 3113
/// Whether an input is rendered with the listener's own HRTF, which none is. Global; `UInt32`, read only.
public let kAudioUnitProperty_SpatialMixerAnyInputIsUsingPersonalizedHRTF: AudioUnitPropertyID = 3116

/// How a spatial mixer places an input.
public enum AUSpatializationAlgorithm: UInt32, Sendable {
    /// Panned between channels 1 and 2 at equal power.
    case spatializationAlgorithm_EqualPowerPanning = 0
    /// Delay and shadow of a spherical head.
    case spatializationAlgorithm_SphericalHead = 1
    /// A measured head that all such inputs share.
    case spatializationAlgorithm_HRTF = 2
    /// All loudspeakers, weighted for the direction.
    case spatializationAlgorithm_SoundField = 3
    /// The two or three loudspeakers nearest to the direction. Here as `SoundField`.
    case spatializationAlgorithm_VectorBasedPanning = 4
    /// Channels 1 and 2 as they are.
    case spatializationAlgorithm_StereoPassThrough = 5
    /// A measured head with filters of its own for each input.
    case spatializationAlgorithm_HRTFHQ = 6
    /// What suits the output.
    case spatializationAlgorithm_UseOutputType = 7
}

/// What a spatial mixer takes the channels of an input to be.
public enum AUSpatialMixerSourceMode: UInt32, Sendable {
    /// Mono is a point, more channels are bypassed.
    case spatialMixerSourceMode_SpatializeIfMono = 0
    /// Channels into channels.
    case spatialMixerSourceMode_Bypass = 1
    /// All channels from one point.
    case spatialMixerSourceMode_PointSource = 2
    /// The channels surround the listener.
    case spatialMixerSourceMode_AmbienceBed = 3
}

/// The room of a reverb.
public enum AUReverbRoomType: UInt32, Sendable {
    /// A small room.
    case reverbRoomType_SmallRoom = 0
    /// A medium room.
    case reverbRoomType_MediumRoom = 1
    /// A large room.
    case reverbRoomType_LargeRoom = 2
    /// A medium hall.
    case reverbRoomType_MediumHall = 3
    /// A large hall.
    case reverbRoomType_LargeHall = 4
    /// A plate.
    case reverbRoomType_Plate = 5
    /// A medium chamber.
    case reverbRoomType_MediumChamber = 6
    /// A large chamber.
    case reverbRoomType_LargeChamber = 7
    /// A cathedral.
    case reverbRoomType_Cathedral = 8
    /// A second large room.
    case reverbRoomType_LargeRoom2 = 9
    /// A second medium hall.
    case reverbRoomType_MediumHall2 = 10
    /// A third medium hall.
    case reverbRoomType_MediumHall3 = 11
    /// A second large hall.
    case reverbRoomType_LargeHall2 = 12
}

/// How level falls between the reference and the greatest distance.
public enum AUSpatialMixerAttenuationCurve: UInt32, Sendable {
    /// A power of the distance, down to the greatest attenuation.
    case spatialMixerAttenuationCurve_Power = 0
    /// As many dB for each metre, down to the greatest attenuation.
    case spatialMixerAttenuationCurve_Exponential = 1
    /// The inverse of the distance, 6 dB for each doubling.
    case spatialMixerAttenuationCurve_Inverse = 2
    /// As much amplitude for each metre, down to the greatest attenuation.
    case spatialMixerAttenuationCurve_Linear = 3
}

/// Which parts of distance are rendered.
public struct AUSpatialMixerRenderingFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The delay between two ears. Here it is a part of every algorithm for ears.
    public static let spatialMixerRenderingFlags_InterAuralDelay = AUSpatialMixerRenderingFlags(rawValue: 1 << 0)
    /// The fall of level.
    public static let spatialMixerRenderingFlags_DistanceAttenuation = AUSpatialMixerRenderingFlags(rawValue: 1 << 2)
}

/// What a spatial mixer is heard from.
public enum AUSpatialMixerOutputType: UInt32, Sendable {
    /// Two ears.
    case spatialMixerOutputType_Headphones = 1
    /// Loudspeakers of the machine.
    case spatialMixerOutputType_BuiltInSpeakers = 2
    /// Other loudspeakers.
    case spatialMixerOutputType_ExternalSpeakers = 3
}

/// What becomes of a point source inside the head.
public enum AUSpatialMixerPointSourceInHeadMode: UInt32, Sendable {
    /// Its channels sound alike in both ears.
    case spatialMixerPointSourceInHeadMode_Mono = 0
    /// Its channels go to the outputs as they are.
    case spatialMixerPointSourceInHeadMode_Bypass = 1
}

/// Whether the listener's own HRTF is used.
public enum AUSpatialMixerPersonalizedHRTFMode: UInt32, Sendable {
    /// No.
    case spatialMixerPersonalizedHRTFMode_Off = 0
    /// Yes.
    case spatialMixerPersonalizedHRTFMode_On = 1
    /// Where there is one.
    case spatialMixerPersonalizedHRTFMode_Auto = 2
}

/// How far level falls; data of `kAudioUnitProperty_SpatialMixerDistanceParams`.
public struct MixerDistanceParams: Equatable, Sendable {
    /// Nearer than this nothing grows louder. Metres, above 0.
    public var mReferenceDistance: Float32
    /// Farther than this nothing grows quieter. Metres.
    public var mMaxDistance: Float32
    /// The loss at the greatest distance, in dB, 0 and up.
    public var mMaxAttenuation: Float32

    /// Zeros.
    public init() { self.init(mReferenceDistance: 0, mMaxDistance: 0, mMaxAttenuation: 0) }

    /// All fields.
    public init(mReferenceDistance: Float32, mMaxDistance: Float32, mMaxAttenuation: Float32) {
        self.mReferenceDistance = mReferenceDistance
        self.mMaxDistance = mMaxDistance
        self.mMaxAttenuation = mMaxAttenuation
    }
}
