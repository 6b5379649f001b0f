// What a status means, in words.

extension OssicleError {
    /// Name and meaning of a status, such as `kAudioUnitErr_NoConnection (-10876): Nothing is connected to this input.`
    ///
    /// A number that several services share is described by the first of them; an unknown one by its value and, where
    /// it is one, its four-character code.
    public static func describe(status: OSStatus) -> String {
        let value = printable(status)
        guard let entry = StatusTable.byCode[status] else { return "unknown status (\(value))" }
        return "\(entry.name) (\(value)): \(entry.meaning)"
    }
}

/// `'fmt?'` where all four bytes can be printed, else the decimal number.
private func printable(_ status: OSStatus) -> String {
    let bits = UInt32(bitPattern: status)
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return "\(status)" }
    return "'" + String(decoding: bytes, as: UTF8.self) + "'"
}

enum StatusTable {
    static let byCode = Dictionary(
        (general + services).map { ($0.code, (name: $0.name, meaning: $0.meaning)) },
        uniquingKeysWith: { first, _ in first })

    private static let general: [(code: OSStatus, name: String, meaning: String)] = [
        (kAudioUnitErr_InvalidProperty, "kAudioUnitErr_InvalidProperty", "The unit does not have this property."),
        (kAudioUnitErr_InvalidParameter, "kAudioUnitErr_InvalidParameter", "The unit does not have this parameter."),
        (
            kAudioUnitErr_InvalidElement, "kAudioUnitErr_InvalidElement",
            "The unit has no bus or element of this number."
        ),
        (kAudioUnitErr_NoConnection, "kAudioUnitErr_NoConnection", "Nothing is connected to this input."),
        (
            kAudioUnitErr_FailedInitialization, "kAudioUnitErr_FailedInitialization",
            "The unit could not be initialised."
        ),
        (
            kAudioUnitErr_TooManyFramesToProcess, "kAudioUnitErr_TooManyFramesToProcess",
            "More frames were asked for than the unit was prepared for."
        ),
        (kAudioUnitErr_InvalidFile, "kAudioUnitErr_InvalidFile", "The file given to the unit is not usable."),
        (
            kAudioUnitErr_UnknownFileType, "kAudioUnitErr_UnknownFileType",
            "The type of the file given to the unit is unknown."
        ),
        (kAudioUnitErr_FileNotSpecified, "kAudioUnitErr_FileNotSpecified", "The unit needs a file and was given none."),
        (
            kAudioUnitErr_FormatNotSupported, "kAudioUnitErr_FormatNotSupported",
            "The unit cannot work with this stream format."
        ),
        (kAudioUnitErr_Uninitialized, "kAudioUnitErr_Uninitialized", "The unit must be initialised first."),
        (kAudioUnitErr_InvalidScope, "kAudioUnitErr_InvalidScope", "The unit has no such scope."),
        (kAudioUnitErr_PropertyNotWritable, "kAudioUnitErr_PropertyNotWritable", "The property can only be read."),
        (
            kAudioUnitErr_CannotDoInCurrentContext, "kAudioUnitErr_CannotDoInCurrentContext",
            "Not possible at this moment; try again later."
        ),
        (
            kAudioUnitErr_InvalidPropertyValue, "kAudioUnitErr_InvalidPropertyValue",
            "The value does not fit the property."
        ),
        (kAudioUnitErr_PropertyNotInUse, "kAudioUnitErr_PropertyNotInUse", "The property has no value at this moment."),
        (kAudioUnitErr_Initialized, "kAudioUnitErr_Initialized", "Only possible while the unit is not initialised."),
        (
            kAudioUnitErr_InvalidOfflineRender, "kAudioUnitErr_InvalidOfflineRender",
            "The offline request does not fit the unit’s state."
        ),
        (kAudioUnitErr_Unauthorized, "kAudioUnitErr_Unauthorized", "The unit is not authorised for use."),
        (
            kAudioUnitErr_MIDIOutputBufferFull, "kAudioUnitErr_MIDIOutputBufferFull",
            "The buffer for outgoing MIDI is full."
        ),
        (kAudioUnitErr_RenderTimeout, "kAudioUnitErr_RenderTimeout", "The unit did not render in time."),
        (
            kAudioUnitErr_ExtensionNotFound, "kAudioUnitErr_ExtensionNotFound",
            "The extension that holds the unit was not found."
        ),
        (
            kAudioUnitErr_InvalidParameterValue, "kAudioUnitErr_InvalidParameterValue",
            "The value does not fit the parameter."
        ),
        (kAudioUnitErr_InvalidFilePath, "kAudioUnitErr_InvalidFilePath", "The path given to the unit leads nowhere."),
        (kAudioUnitErr_MissingKey, "kAudioUnitErr_MissingKey", "The dictionary lacks a required key."),
        (
            kAudioUnitErr_ComponentManagerNotSupported, "kAudioUnitErr_ComponentManagerNotSupported",
            "Old-style components are not supported."
        ),
        (kAudioUnitErr_IllegalInstrument, "kAudioUnitErr_IllegalInstrument", "The instrument is not usable."),
        (
            kAudioUnitErr_InstrumentTypeNotFound, "kAudioUnitErr_InstrumentTypeNotFound",
            "There is no instrument of this type."
        ),
        (
            kAudioUnitErr_MultipleVoiceProcessors, "kAudioUnitErr_MultipleVoiceProcessors",
            "Only one voice processor may run at a time."
        ),
        (
            kAudioComponentErr_InstanceTimedOut, "kAudioComponentErr_InstanceTimedOut",
            "The component’s process did not answer in time."
        ),
        (
            kAudioComponentErr_InstanceInvalidated, "kAudioComponentErr_InstanceInvalidated",
            "The component’s process has ended."
        ),
        (
            kAudioComponentErr_DuplicateDescription, "kAudioComponentErr_DuplicateDescription",
            "A component of this description is already registered."
        ),
        (
            kAudioComponentErr_UnsupportedType, "kAudioComponentErr_UnsupportedType",
            "Components of this type cannot be used here."
        ),
        (
            kAudioComponentErr_TooManyInstances, "kAudioComponentErr_TooManyInstances",
            "No more instances of this component can be made."
        ),
        (
            kAudioComponentErr_NotPermitted, "kAudioComponentErr_NotPermitted",
            "The component may not be used by this process."
        ),
        (
            kAudioComponentErr_InitializationTimedOut, "kAudioComponentErr_InitializationTimedOut",
            "The component did not initialise in time."
        ),
        (
            kAudioComponentErr_InvalidFormat, "kAudioComponentErr_InvalidFormat",
            "The component cannot take this stream format."
        ),
        (kAudio_NoError, "kAudio_NoError", "No error."),
        (kAudio_UnimplementedError, "kAudio_UnimplementedError", "This function is not implemented."),
        (kAudio_FileNotFoundError, "kAudio_FileNotFoundError", "The file does not exist or is no longer open."),
        (kAudio_FilePermissionError, "kAudio_FilePermissionError", "The file may not be opened in this way."),
        (kAudio_TooManyFilesOpenError, "kAudio_TooManyFilesOpenError", "Too many files are open."),
        (kAudio_BadFilePathError, "kAudio_BadFilePathError", "The path is not a usable file path."),
        (kAudio_ParamError, "kAudio_ParamError", "An argument is out of its range."),
        (kAudio_MemFullError, "kAudio_MemFullError", "There is not enough memory."),
        (kAudioFileUnspecifiedError, "kAudioFileUnspecifiedError", "Something went wrong with the file."),
        (
            kAudioFileUnsupportedFileTypeError, "kAudioFileUnsupportedFileTypeError",
            "Files of this type are not supported."
        ),
        (
            kAudioFileUnsupportedDataFormatError, "kAudioFileUnsupportedDataFormatError",
            "This data format is not supported in this type of file."
        ),
        (
            kAudioFileUnsupportedPropertyError, "kAudioFileUnsupportedPropertyError",
            "The file does not have this property."
        ),
        (kAudioFileBadPropertySizeError, "kAudioFileBadPropertySizeError", "The property has another size."),
        (kAudioFilePermissionsError, "kAudioFilePermissionsError", "The operation is not permitted on this file."),
        (
            kAudioFileNotOptimizedError, "kAudioFileNotOptimizedError",
            "The file must be optimised before audio can be appended."
        ),
        (kAudioFileInvalidChunkError, "kAudioFileInvalidChunkError", "The chunk does not exist or is not usable."),
        (
            kAudioFileDoesNotAllow64BitDataSizeError, "kAudioFileDoesNotAllow64BitDataSizeError",
            "This type of file cannot grow so large."
        ),
        (
            kAudioFileInvalidPacketOffsetError, "kAudioFileInvalidPacketOffsetError",
            "A packet offset in the file is wrong."
        ),
        (
            kAudioFileInvalidPacketDependencyError, "kAudioFileInvalidPacketDependencyError",
            "A packet dependency in the file is wrong."
        ),
        (kAudioFileInvalidFileError, "kAudioFileInvalidFileError", "The file is malformed or of another type."),
        (
            kAudioFileOperationNotSupportedError, "kAudioFileOperationNotSupportedError",
            "The operation is not supported for this file."
        ),
        (kAudioFileNotOpenError, "kAudioFileNotOpenError", "The file is closed."),
        (kAudioFileEndOfFileError, "kAudioFileEndOfFileError", "The end of the file has been reached."),
        (kAudioFilePositionError, "kAudioFilePositionError", "The position lies outside the file."),
        (kAudioFileFileNotFoundError, "kAudioFileFileNotFoundError", "The file does not exist."),
        (kAudioFileStreamError_ValueUnknown, "kAudioFileStreamError_ValueUnknown", "The property has no value yet."),
        (
            kAudioFileStreamError_DataUnavailable, "kAudioFileStreamError_DataUnavailable",
            "There is not enough data yet."
        ),
        (
            kAudioFileStreamError_IllegalOperation, "kAudioFileStreamError_IllegalOperation",
            "The operation is not possible now."
        ),
        (
            kAudioFileStreamError_DiscontinuityCantRecover, "kAudioFileStreamError_DiscontinuityCantRecover",
            "After a gap no packet could be found."
        ),
        (
            kExtAudioFileError_InvalidProperty, "kExtAudioFileError_InvalidProperty",
            "The file object does not have this property."
        ),
        (
            kExtAudioFileError_InvalidPropertySize, "kExtAudioFileError_InvalidPropertySize",
            "The property has another size."
        ),
        (
            kExtAudioFileError_NonPCMClientFormat, "kExtAudioFileError_NonPCMClientFormat",
            "The client format must be linear PCM."
        ),
        (
            kExtAudioFileError_InvalidChannelMap, "kExtAudioFileError_InvalidChannelMap",
            "The channel map does not fit the formats."
        ),
        (
            kExtAudioFileError_InvalidOperationOrder, "kExtAudioFileError_InvalidOperationOrder",
            "The calls came in an order that is not possible."
        ),
        (
            kExtAudioFileError_InvalidDataFormat, "kExtAudioFileError_InvalidDataFormat",
            "The file’s data format is not usable."
        ),
        (
            kExtAudioFileError_MaxPacketSizeUnknown, "kExtAudioFileError_MaxPacketSizeUnknown",
            "The largest packet size of the file is unknown."
        ),
        (
            kExtAudioFileError_InvalidSeek, "kExtAudioFileError_InvalidSeek",
            "The position lies outside the file, or the file is being written."
        ),
        (
            kExtAudioFileError_AsyncWriteTooLarge, "kExtAudioFileError_AsyncWriteTooLarge",
            "The write is larger than the writer’s buffer."
        ),
        (
            kExtAudioFileError_AsyncWriteBufferOverflow, "kExtAudioFileError_AsyncWriteBufferOverflow",
            "Writing cannot keep up."
        ),
        (
            kExtAudioFileError_CodecUnavailableInputConsumed, "kExtAudioFileError_CodecUnavailableInputConsumed",
            "The codec went away after taking the input."
        ),
        (
            kExtAudioFileError_CodecUnavailableInputNotConsumed, "kExtAudioFileError_CodecUnavailableInputNotConsumed",
            "The codec went away before taking the input."
        ),
        (
            kAudioConverterErr_FormatNotSupported, "kAudioConverterErr_FormatNotSupported",
            "The converter cannot convert between these formats."
        ),
        (
            kAudioConverterErr_OperationNotSupported, "kAudioConverterErr_OperationNotSupported",
            "The converter does not support this operation."
        ),
        (
            kAudioConverterErr_PropertyNotSupported, "kAudioConverterErr_PropertyNotSupported",
            "The converter does not have this property."
        ),
        (
            kAudioConverterErr_InvalidInputSize, "kAudioConverterErr_InvalidInputSize",
            "The input is not a whole number of packets."
        ),
        (
            kAudioConverterErr_InvalidOutputSize, "kAudioConverterErr_InvalidOutputSize",
            "The output is too small for one packet."
        ),
        (
            kAudioConverterErr_UnspecifiedError, "kAudioConverterErr_UnspecifiedError",
            "Something went wrong in the converter."
        ),
        (
            kAudioConverterErr_BadPropertySizeError, "kAudioConverterErr_BadPropertySizeError",
            "The property has another size."
        ),
        (
            kAudioConverterErr_RequiresPacketDescriptionsError, "kAudioConverterErr_RequiresPacketDescriptionsError",
            "The format needs packet descriptions."
        ),
        (
            kAudioConverterErr_InputSampleRateOutOfRange, "kAudioConverterErr_InputSampleRateOutOfRange",
            "The input sample rate is out of range."
        ),
        (
            kAudioConverterErr_OutputSampleRateOutOfRange, "kAudioConverterErr_OutputSampleRateOutOfRange",
            "The output sample rate is out of range."
        ),
        (kAudioConverterErr_HardwareInUse, "kAudioConverterErr_HardwareInUse", "The hardware codec is in use."),
        (
            kAudioConverterErr_NoHardwarePermission, "kAudioConverterErr_NoHardwarePermission",
            "The hardware codec may not be used now."
        ),
        (kAudioFormatUnspecifiedError, "kAudioFormatUnspecifiedError", "Something went wrong with the format."),
        (
            kAudioFormatUnsupportedPropertyError, "kAudioFormatUnsupportedPropertyError",
            "The format does not have this property."
        ),
        (kAudioFormatBadPropertySizeError, "kAudioFormatBadPropertySizeError", "The property has another size."),
        (kAudioFormatBadSpecifierSizeError, "kAudioFormatBadSpecifierSizeError", "The specifier has another size."),
        (
            kAudioFormatUnsupportedDataFormatError, "kAudioFormatUnsupportedDataFormatError",
            "The data format is not supported."
        ),
        (kAudioFormatUnknownFormatError, "kAudioFormatUnknownFormatError", "The format is unknown."),
    ]

    private static let services: [(code: OSStatus, name: String, meaning: String)] = [
        (0x6D737276, "AVAudioSession.ErrorCode.mediaServicesFailed", "The audio services have stopped."),
        (0x21616374, "AVAudioSession.ErrorCode.isBusy", "The session is in use and cannot change now."),
        (0x21636174, "AVAudioSession.ErrorCode.incompatibleCategory", "The category does not fit the request."),
        (0x21696E74, "AVAudioSession.ErrorCode.cannotInterruptOthers", "Other audio may not be interrupted."),
        (0x656E743F, "AVAudioSession.ErrorCode.missingEntitlement", "The process lacks an entitlement."),
        (0x73697269, "AVAudioSession.ErrorCode.siriIsRecording", "An assistant is recording."),
        (0x21706C61, "AVAudioSession.ErrorCode.cannotStartPlaying", "Playing may not start now."),
        (0x21726563, "AVAudioSession.ErrorCode.cannotStartRecording", "Recording may not start now."),
        (0x21707269, "AVAudioSession.ErrorCode.insufficientPriority", "Audio of higher priority is playing."),
        (0x21726573, "AVAudioSession.ErrorCode.resourceNotAvailable", "A needed resource is not available."),
        (0x21736573, "AVAudioSession.ErrorCode.expiredSession", "The session no longer exists."),
        (0x696E6163, "AVAudioSession.ErrorCode.sessionNotActive", "The session must be activated first."),
        (
            -80800, "AVAudioEngineManualRenderingError.invalidMode",
            "The engine is not in the manual rendering mode this call needs."
        ),
        (-80801, "AVAudioEngineManualRenderingError.initialized", "The engine must be stopped first."),
        (-80802, "AVAudioEngineManualRenderingError.notRunning", "The engine must be started first."),
        (-10830, "kMIDIInvalidClient", "The MIDI client does not exist."),
        (-10831, "kMIDIInvalidPort", "The MIDI port does not exist."),
        (-10832, "kMIDIWrongEndpointType", "The endpoint is a source where a destination is needed, or the reverse."),
        (-10833, "kMIDINoConnection", "There is no such MIDI connection."),
        (-10834, "kMIDIUnknownEndpoint", "The MIDI endpoint does not exist."),
        (-10835, "kMIDIUnknownProperty", "The MIDI object does not have this property."),
        (-10836, "kMIDIWrongPropertyType", "The property has another type."),
        (-10837, "kMIDINoCurrentSetup", "There is no MIDI setup."),
        (-10838, "kMIDIMessageSendErr", "The MIDI message could not be sent."),
        (-10839, "kMIDIServerStartErr", "The MIDI server could not be started."),
        (-10840, "kMIDISetupFormatErr", "The MIDI setup file is malformed."),
        (-10841, "kMIDIWrongThread", "The call came on another thread than the first one."),
        (-10842, "kMIDIObjectNotFound", "The MIDI object does not exist."),
        (-10843, "kMIDIIDNotUnique", "The unique ID is already taken."),
        (-10844, "kMIDINotPermitted", "The process may not use MIDI in this way."),
        (-10845, "kMIDIUnknownError", "Something went wrong in MIDI."),
        (-10846, "kAudioToolboxErr_InvalidSequenceType", "The file or sequence is of no known kind."),
        (-10852, "kAudioToolboxErr_InvalidPlayerState", "The player plays, or does not."),
        (-10853, "kAudioToolboxErr_InvalidEventType", "The track cannot have such an event."),
        (-10854, "kAudioToolboxErr_NoSequence", "The player has no sequence."),
        (-10855, "kAudioToolboxErr_IllegalTrackDestination", "The track cannot be played there."),
        (-10856, "kAudioToolboxErr_StartOfTrack", "The iterator stands at the first event."),
        (-10857, "kAudioToolboxErr_EndOfTrack", "The iterator stands behind the last event."),
        (-10858, "kAudioToolboxErr_TrackNotFound", "There is no such track."),
        (-10859, "kAudioToolboxErr_TrackIndexError", "There is no track of this number."),
        (-10860, "kAUGraphErr_NodeNotFound", "There is no such node in the graph."),
        (-10861, "kAUGraphErr_InvalidConnection", "The connection is not possible."),
        (-10862, "kAUGraphErr_OutputNodeErr", "The graph has no single output."),
        (-10864, "kAUGraphErr_InvalidAudioUnit", "The unit does not fit the graph."),
        (-66720, "kAudioToolboxError_NoTrackDestination", "The track has no destination."),
    ]
}
