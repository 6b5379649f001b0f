// Properties of mixers and equalisers in the C interface.

/// Volumes of the matrix mixer: inputs + 1 rows of outputs + 1 `Float32`; last row outputs, last column inputs, the corner is the master. Global.
public let kAudioUnitProperty_MatrixLevels: AudioUnitPropertyID = 3006
/// Whether a bus of a mixer is measured. Input and output; `UInt32`. Kept without effect.
public let kAudioUnitProperty_MeteringMode: AudioUnitPropertyID = 3007
/// Numbers of input and output channels of the matrix mixer. Global; two `UInt32`, read only.
public let kAudioUnitProperty_MatrixDimensions: AudioUnitPropertyID = 3009
/// Whether a mixer's output clipped. No unit here has it.
public let kAudioUnitProperty_MeterClipping: AudioUnitPropertyID = 3011
/// How well rates are converted. No unit here has it.
public let kAudioUnitProperty_SampleRateConverterComplexity: AudioUnitPropertyID = 3014
/// The time stamp of an input. No unit here has it.
public let kAudioUnitProperty_InputAnchorTimeStamp: AudioUnitPropertyID = 3016
/// Bands of the equaliser. Global; `UInt32`, read only here.
public let kAUNBandEQProperty_NumberOfBands: AudioUnitPropertyID = 2200
/// The most bands of the equaliser. Global; `UInt32`, read only.
public let kAUNBandEQProperty_MaxNumberOfBands: AudioUnitPropertyID = 2201
