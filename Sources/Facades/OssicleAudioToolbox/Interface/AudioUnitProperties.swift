// Properties of units in the C interface: what they say, scope, type. A unit without a property gives
// `kAudioUnitErr_InvalidProperty`.

import OssicleCoreAudioTypes

/// The state as a property list, in the shape of an `.aupreset` file. Global; `CFDictionary`, which the reader
/// releases.
public let kAudioUnitProperty_ClassInfo: AudioUnitPropertyID = 0
/// Where an input comes from. Input; `AudioUnitConnection`, write only.
public let kAudioUnitProperty_MakeConnection: AudioUnitPropertyID = 1
/// Rate of a bus in Hz. Input and output; `Float64`.
public let kAudioUnitProperty_SampleRate: AudioUnitPropertyID = 2
/// Numbers of the parameters of an element. Any scope; array of `AudioUnitParameterID`, read only.
public let kAudioUnitProperty_ParameterList: AudioUnitPropertyID = 3
/// What a parameter is. Any scope, the parameter's number as element; `AudioUnitParameterInfo`, read only.
public let kAudioUnitProperty_ParameterInfo: AudioUnitPropertyID = 4
/// Function pointers of the unit. No unit here has it.
public let kAudioUnitProperty_FastDispatch: AudioUnitPropertyID = 5
/// Share of the processor the unit may use. No unit here has it.
public let kAudioUnitProperty_CPULoad: AudioUnitPropertyID = 6
/// Format of a bus. Input and output; `AudioStreamBasicDescription`, set while the unit is not initialised.
public let kAudioUnitProperty_StreamFormat: AudioUnitPropertyID = 8
/// Number of busses. Any scope; `UInt32`, set for the inputs of mixers.
public let kAudioUnitProperty_ElementCount: AudioUnitPropertyID = 11
/// Seconds by which what comes out lags behind what goes in. Global; `Float64`, read only.
public let kAudioUnitProperty_Latency: AudioUnitPropertyID = 12
/// Numbers of channels that go together. Global; array of `AUChannelInfo`, read only.
public let kAudioUnitProperty_SupportedNumChannels: AudioUnitPropertyID = 13
/// The most frames of a render call. Global; `UInt32`, set while the unit is not initialised. Default 1156.
public let kAudioUnitProperty_MaximumFramesPerSlice: AudioUnitPropertyID = 14
/// Memory for the unit. No unit here has it.
public let kAudioUnitProperty_SetExternalBuffer: AudioUnitPropertyID = 15
/// Names of a parameter's values. Any scope, the parameter's number as element; `CFArray` of `CFString`, which the
/// reader releases.
public let kAudioUnitProperty_ParameterValueStrings: AudioUnitPropertyID = 16
/// Components of views. No unit here has it.
public let kAudioUnitProperty_GetUIComponentList: AudioUnitPropertyID = 18
/// Layout of a bus. Input and output; `AudioChannelLayout`.
public let kAudioUnitProperty_AudioChannelLayout: AudioUnitPropertyID = 19
/// Seconds of its tail: how long it sounds after its input has fallen silent. Global; `Float64`, read only.
public let kAudioUnitProperty_TailTime: AudioUnitPropertyID = 20
/// Whether sound passes untouched. Global; `UInt32`. Effects only.
public let kAudioUnitProperty_BypassEffect: AudioUnitPropertyID = 21
/// The status of the last render call that failed, which reading it forgets. Global; `OSStatus`, read only.
public let kAudioUnitProperty_LastRenderError: AudioUnitPropertyID = 22
/// Who gives an input its sound. Input; `AURenderCallbackStruct`, write only.
public let kAudioUnitProperty_SetRenderCallback: AudioUnitPropertyID = 23
/// The maker's presets. Global; `CFArray` of `AUPreset`, which the reader releases; see `CFArrayGetValueAtIndex`.
public let kAudioUnitProperty_FactoryPresets: AudioUnitPropertyID = 24
/// Where the unit is used. Global; `CFString`.
public let kAudioUnitProperty_ContextName: AudioUnitPropertyID = 25
/// 0 to 127. Global; `UInt32`. Kept without effect.
public let kAudioUnitProperty_RenderQuality: AudioUnitPropertyID = 26
/// Who tells of tempo and transport. Global; `HostCallbackInfo`, write only.
public let kAudioUnitProperty_HostCallbacks: AudioUnitPropertyID = 27
/// Whether output lies where input lies. Global; `UInt32`, read only here.
public let kAudioUnitProperty_InPlaceProcessing: AudioUnitPropertyID = 29
/// Name of a bus. Input and output; `CFString`.
public let kAudioUnitProperty_ElementName: AudioUnitPropertyID = 30
/// The unit's view. No unit here has it.
public let kAudioUnitProperty_CocoaUI: AudioUnitPropertyID = 31
/// The layouts a bus takes. Input and output; array of `AudioChannelLayoutTag`, read only.
public let kAudioUnitProperty_SupportedChannelLayoutTags: AudioUnitPropertyID = 32
/// A value in words. Any scope; `AudioUnitParameterStringFromValue`, filled in where it lies.
public let kAudioUnitProperty_ParameterStringFromValue: AudioUnitPropertyID = 33
/// A parameter's name in a number of characters. Any scope; `AudioUnitParameterIDName`, filled in where it lies.
public let kAudioUnitProperty_ParameterIDName: AudioUnitPropertyID = 34
/// Name of a clump of parameters. No unit here has it.
public let kAudioUnitProperty_ParameterClumpName: AudioUnitPropertyID = 35
/// The preset last chosen. Global; `AUPreset`, whose name the reader releases.
public let kAudioUnitProperty_PresentPreset: AudioUnitPropertyID = 36
/// Whether there is no hurry. Global; `UInt32`.
public let kAudioUnitProperty_OfflineRender: AudioUnitPropertyID = 37
/// A value from words. Any scope; `AudioUnitParameterValueFromString`, filled in where it lies.
public let kAudioUnitProperty_ParameterValueFromString: AudioUnitPropertyID = 38
/// The unit's picture. No unit here has it.
public let kAudioUnitProperty_IconLocation: AudioUnitPropertyID = 39
/// Seconds from a bus to the listener, as the host says. Input and output; `Float64`.
public let kAudioUnitProperty_PresentationLatency: AudioUnitPropertyID = 40
/// The parameters that one changes. Any scope, the parameter's number as element; array of `AUDependentParameter`, read
/// only.
public let kAudioUnitProperty_DependentParameters: AudioUnitPropertyID = 45
/// Who the host is. No unit here has it.
public let kAudioUnitProperty_AUHostIdentifier: AudioUnitPropertyID = 46
/// Names of MIDI outputs. Global; `CFArray` of `CFString`.
public let kAudioUnitProperty_MIDIOutputCallbackInfo: AudioUnitPropertyID = 47
/// Who receives the unit's MIDI as bytes. Global; `AUMIDIOutputCallbackStruct`, write only, while the unit is not
/// initialised.
public let kAudioUnitProperty_MIDIOutputCallback: AudioUnitPropertyID = 48
/// Who asks how input and output frames belong together. No unit here has it.
public let kAudioUnitProperty_InputSamplesInOutput: AudioUnitPropertyID = 49
/// The state that a document keeps. Global; `CFDictionary`, which the reader releases.
public let kAudioUnitProperty_ClassInfoFromDocument: AudioUnitPropertyID = 50
/// Whether the unit brings memory for a bus. Input and output; `UInt32`.
public let kAudioUnitProperty_ShouldAllocateBuffer: AudioUnitPropertyID = 51
/// The response of a filter. No unit here has it.
public let kAudioUnitProperty_FrequencyResponse: AudioUnitPropertyID = 52
/// How a parameter's past is kept. No unit here has it.
public let kAudioUnitProperty_ParameterHistoryInfo: AudioUnitPropertyID = 53
/// A name for one instance. Global; `CFString`.
public let kAudioUnitProperty_NickName: AudioUnitPropertyID = 54
/// The unit's view. No unit here has it.
public let kAudioUnitProperty_RequestViewController: AudioUnitPropertyID = 56
/// The most important parameters. Global; array of `AudioUnitParameter`, read only.
public let kAudioUnitProperty_ParametersForOverview: AudioUnitPropertyID = 57
/// Whether it takes MIDI Polyphonic Expression. Global; `UInt32`, read only.
public let kAudioUnitProperty_SupportsMPE: AudioUnitPropertyID = 58
/// Called with the render thread. No unit here has it.
public let kAudioUnitProperty_RenderContextObserver: AudioUnitPropertyID = 60
/// Frame at which the last render call began. Global; `Float64`, read only.
public let kAudioUnitProperty_LastRenderSampleTime: AudioUnitPropertyID = 61
/// Whether it lives in another process, which none does. Global; `UInt32`, read only.
public let kAudioUnitProperty_LoadedOutOfProcess: AudioUnitPropertyID = 62
/// Who receives the unit's MIDI as Universal MIDI. Global; `AUMIDIEventListBlock`, write only, while the unit is not
/// initialised.
public let kAudioUnitProperty_MIDIOutputEventListCallback: AudioUnitPropertyID = 63
/// The MIDI protocol the unit speaks. Global; `Int32`, read only.
public let kAudioUnitProperty_AudioUnitMIDIProtocol: AudioUnitPropertyID = 64
/// The MIDI protocol the host wants. Global; `Int32`.
public let kAudioUnitProperty_HostMIDIProtocol: AudioUnitPropertyID = 65
/// Bytes of MIDI output expected. Global; `UInt32`.
public let kAudioUnitProperty_MIDIOutputBufferSizeHint: AudioUnitPropertyID = 66

/// Volumes of the matrix mixer: inputs + 1 rows of outputs + 1 `Float32`; last row outputs, last column inputs, the
/// corner is the master. Global.
public let kAudioUnitProperty_MatrixLevels: AudioUnitPropertyID = 3006
/// Whether the meters of a mixer's bus, or of a channel of the matrix mixer, measure. Input and output; `UInt32`, at
/// first 0.
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

/// The device: 1, the default one. Global; `AudioObjectID`.
public let kAudioOutputUnitProperty_CurrentDevice: AudioUnitPropertyID = 2000
/// Whether sound flows. Global; `UInt32`, read only.
public let kAudioOutputUnitProperty_IsRunning: AudioUnitPropertyID = 2001
/// Element 0: which channel of the sound goes to each channel of the device; element 1: which channel of the device
/// goes to each channel of what comes in; −1 for none. Array of `Int32`, set while the unit is not initialised.
public let kAudioOutputUnitProperty_ChannelMap: AudioUnitPropertyID = 2002
/// Whether a side of the unit is in use. Output of element 0, input of element 1; `UInt32`, set while the unit is not
/// initialised. At first the output alone.
public let kAudioOutputUnitProperty_EnableIO: AudioUnitPropertyID = 2003
/// When the output begins after the next start. Global; `AudioOutputUnitStartAtTimeParams`, of which the host time
/// counts, write only.
public let kAudioOutputUnitProperty_StartTime: AudioUnitPropertyID = 2004
/// Is called when sound has come in, without data: `AudioUnitRender` on bus 1 fetches it within the call. Global;
/// `AURenderCallbackStruct`, before the start.
public let kAudioOutputUnitProperty_SetInputCallback: AudioUnitPropertyID = 2005
/// Whether a side of the unit has a device. Output of element 0, input of element 1; `UInt32`, read only.
public let kAudioOutputUnitProperty_HasIO: AudioUnitPropertyID = 2006
/// Whether time begins at 0 with each start. No unit here has it.
public let kAudioOutputUnitProperty_StartTimestampsAtZero: AudioUnitPropertyID = 2007
/// The device's workgroup. No unit here has it.
public let kAudioOutputUnitProperty_OSWorkgroup: AudioUnitPropertyID = 2015

/// A device, stream or other object of the audio system; 0 is none.
public typealias AudioObjectID = UInt32
/// A device.
public typealias AudioDeviceID = AudioObjectID
/// No object.
public let kAudioObjectUnknown: AudioObjectID = 0
