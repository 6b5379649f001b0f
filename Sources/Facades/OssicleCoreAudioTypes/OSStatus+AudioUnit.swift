// Status codes of audio units and components.

/// The unit does not have this property.
public let kAudioUnitErr_InvalidProperty: OSStatus = -10879
/// The unit does not have this parameter.
public let kAudioUnitErr_InvalidParameter: OSStatus = -10878
/// The unit has no bus or element of this number.
public let kAudioUnitErr_InvalidElement: OSStatus = -10877
/// Nothing is connected to this input.
public let kAudioUnitErr_NoConnection: OSStatus = -10876
/// The unit could not be initialised.
public let kAudioUnitErr_FailedInitialization: OSStatus = -10875
/// More frames were asked for than the unit was prepared for.
public let kAudioUnitErr_TooManyFramesToProcess: OSStatus = -10874
/// The file given to the unit is not usable.
public let kAudioUnitErr_InvalidFile: OSStatus = -10871
/// The type of the file given to the unit is unknown.
public let kAudioUnitErr_UnknownFileType: OSStatus = -10870
/// The unit needs a file and was given none.
public let kAudioUnitErr_FileNotSpecified: OSStatus = -10869
/// The unit cannot work with this stream format.
public let kAudioUnitErr_FormatNotSupported: OSStatus = -10868
/// The unit must be initialised first.
public let kAudioUnitErr_Uninitialized: OSStatus = -10867
/// The unit has no such scope.
public let kAudioUnitErr_InvalidScope: OSStatus = -10866
/// The property can only be read.
public let kAudioUnitErr_PropertyNotWritable: OSStatus = -10865
/// Not possible at this moment; try again later.
public let kAudioUnitErr_CannotDoInCurrentContext: OSStatus = -10863
/// The value does not fit the property.
public let kAudioUnitErr_InvalidPropertyValue: OSStatus = -10851
/// The property has no value at this moment.
public let kAudioUnitErr_PropertyNotInUse: OSStatus = -10850
/// Only possible while the unit is not initialised.
public let kAudioUnitErr_Initialized: OSStatus = -10849
/// The offline request does not fit the unit’s state.
public let kAudioUnitErr_InvalidOfflineRender: OSStatus = -10848
/// The unit is not authorised for use.
public let kAudioUnitErr_Unauthorized: OSStatus = -10847
/// The buffer for outgoing MIDI is full.
public let kAudioUnitErr_MIDIOutputBufferFull: OSStatus = -66753
/// The unit did not render in time.
public let kAudioUnitErr_RenderTimeout: OSStatus = -66745
/// The extension that holds the unit was not found.
public let kAudioUnitErr_ExtensionNotFound: OSStatus = -66744
/// The value does not fit the parameter.
public let kAudioUnitErr_InvalidParameterValue: OSStatus = -66743
/// The path given to the unit leads nowhere.
public let kAudioUnitErr_InvalidFilePath: OSStatus = -66742
/// The dictionary lacks a required key.
public let kAudioUnitErr_MissingKey: OSStatus = -66741
/// Old-style components are not supported.
public let kAudioUnitErr_ComponentManagerNotSupported: OSStatus = -66740
/// The instrument is not usable.
public let kAudioUnitErr_IllegalInstrument: OSStatus = -10873
/// There is no instrument of this type.
public let kAudioUnitErr_InstrumentTypeNotFound: OSStatus = -10872
/// Only one voice processor may run at a time.
public let kAudioUnitErr_MultipleVoiceProcessors: OSStatus = -66635
/// The component’s process did not answer in time.
public let kAudioComponentErr_InstanceTimedOut: OSStatus = -66754
/// The component’s process has ended.
public let kAudioComponentErr_InstanceInvalidated: OSStatus = -66749
/// A component of this description is already registered.
public let kAudioComponentErr_DuplicateDescription: OSStatus = -66752
/// Components of this type cannot be used here.
public let kAudioComponentErr_UnsupportedType: OSStatus = -66751
/// No more instances of this component can be made.
public let kAudioComponentErr_TooManyInstances: OSStatus = -66750
/// The component may not be used by this process.
public let kAudioComponentErr_NotPermitted: OSStatus = -66748
/// The component did not initialise in time.
public let kAudioComponentErr_InitializationTimedOut: OSStatus = -66747
/// The component cannot take this stream format.
public let kAudioComponentErr_InvalidFormat: OSStatus = -66746
