import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDevices

/// What can be wrong with a version 3 unit.
enum AUFault {
    private static func error(
        _ status: OSStatus, _ object: String, _ value: String, _ rule: String, _ cure: String
    ) -> OssicleError {
        .avfaudio(status, object, value: value, rule: rule, cure: cure)
    }

    static func unknown(_ description: AudioComponentDescription) -> OssicleError {
        error(
            kAudioComponentErr_UnsupportedType, "AUAudioUnit", "no component \(UnitFault.text(description))",
            "A unit is made from a component that is built in or registered.",
            "Look for components with AVAudioUnitComponentManager." + PluginComponents.cure(for: description))
    }

    static func needsFactory(_ description: AudioComponentDescription) -> OssicleError {
        error(
            kAudioComponentErr_UnsupportedType, "AUAudioUnit", "the registered class of \(UnitFault.text(description))",
            "A registered class is found by instantiate(with:) and by init(componentDescription:).",
            "Leave the options out, or use one of these.")
    }

    static func notMade(_ description: AudioComponentDescription) -> OssicleError {
        error(
            kAudioComponentErr_UnsupportedType, "AUAudioUnit", "the factory of \(UnitFault.text(description))",
            "A factory gives a plug-in whose Open succeeds.", "Look at what AudioComponentRegister was given.")
    }

    static func notAUnit(_ type: AnyClass, _ description: AudioComponentDescription) -> OssicleError {
        error(
            kAudioComponentErr_UnsupportedType, "AUAudioUnit", "\(type) for \(UnitFault.text(description))",
            "A unit's class descends from AUAudioUnit.",
            "Register such a class.")
    }

    static func shape(_ name: String, _ shape: UnitShape, _ rule: String) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, name, "\(shape.inputs) in, \(shape.outputs) out", rule,
            "Set the formats of both sides, then allocate.")
    }

    static func maximumFrames(_ frames: AUAudioFrameCount) -> OssicleError {
        error(
            kAudio_ParamError, "AUAudioUnit", "maximumFramesToRender \(frames)", "A cycle has 1 to 1,048,576 frames.",
            "4096 is usual.")
    }

    static func samples(_ shape: UnitShape) -> OssicleError {
        error(
            kAudio_MemFullError, "AUAudioUnit",
            "\(shape.maximumFrames) frames on \(shape.inputs.count + shape.outputs.count) busses, \(shape.sampleCount) samples",
            "A cycle has at most \(UnitShape.mostSamples) samples on all busses together.",
            "Lower maximumFramesToRender: 4096 is usual.")
    }

    static func notPCM(_ format: AVAudioFormat) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, "AUAudioUnitBus", "\(format)",
            "A bus carries linear PCM in 1 to 64 channels at 1 to 768,000 Hz.",
            "Use AVAudioFormat(standardFormatWithSampleRate:channels:).")
    }

    static func channels(_ format: AVAudioFormat, _ allowed: String) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, "AUAudioUnitBus", "\(format.channelCount) channels",
            "This bus takes \(allowed).", "Choose one of these.")
    }

    static func refused(_ format: AVAudioFormat) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, "AUAudioUnitBus", "\(format)", "The unit has refused this format.",
            "Ask for another.")
    }

    static let formatWhileAllocated = error(
        kAudioUnitErr_Initialized, "AUAudioUnitBus", "a format while render resources are allocated",
        "Formats stay as long as resources are allocated.", "Call deallocateRenderResources() first.")

    static let formatOfEngine = error(
        kAudioUnitErr_PropertyNotWritable, "AUAudioUnitBus", "a format on a bus of a node",
        "The connections of the node set its formats.", "Connect the node in this format.")

    static let formatOfDevice = error(
        kAudioUnitErr_PropertyNotWritable, "AUAudioUnitBus", "a format on the device's side",
        "The device has the format it has.",
        "Set the client's side: inputBusses[0] for the output, outputBusses[1] for the input.")

    static func noBus(_ index: Int, of count: Int) -> OssicleError {
        error(
            kAudioUnitErr_InvalidElement, "AUAudioUnitBusArray", "bus \(index)",
            "There \(count == 1 ? "is 1 bus" : "are \(count) busses"), counted from 0.",
            "Use one of them.")
    }

    static let fixedCount = error(
        kAudioUnitErr_PropertyNotWritable, "AUAudioUnitBusArray", "another number of busses",
        "This unit's number of busses is fixed.",
        "Use the busses there are.")

    static func count(_ count: Int) -> OssicleError {
        error(
            kAudioUnitErr_InvalidPropertyValue, "AUAudioUnitBusArray", "\(count) busses",
            "A mixer has 1 to \(UnitInputs.capacity) inputs.", "Choose such a number.")
    }

    static let ofEngine = error(
        kAudioUnitErr_CannotDoInCurrentContext, "AUAudioUnit", "allocateRenderResources() on the unit of a node",
        "The engine renders its nodes' units.", "Make a unit of your own with AUAudioUnit(componentDescription:).")

    static func notAllocated(_ call: String) -> OssicleError {
        error(
            kAudioUnitErr_Uninitialized, "AUAudioUnit", "\(call) before allocateRenderResources()",
            "Resources come first.", "Call allocateRenderResources().")
    }

    static func noUserPreset(_ unit: String, _ name: String, _ number: Int) -> OssicleError {
        error(
            kAudio_FileNotFoundError, unit, "the user preset \"\(name)\", number \(number)",
            "It has to be one of userPresets.", "Save it first.")
    }

    static func presetName(_ unit: String, _ name: String) -> OssicleError {
        error(
            kAudio_ParamError, unit, "a user preset named \"\(name.prefix(40))\"",
            "A name has 1 to 200 letters or digits; other characters count for three or more.",
            "Choose another name.")
    }

    static func unwrittenPreset(_ unit: String, _ name: String, _ failure: any Error) -> OssicleError {
        error(
            kAudio_FilePermissionError, unit, "the user preset \"\(name)\": \(failure)",
            "Its folder, under XDG_DATA_HOME, has to be writable, and the state a property list.",
            "Look after the folder \(UserData.folder.path).")
    }

    static func slice(_ slice: ScheduledAudioSlice, _ format: AVAudioFormat) -> OssicleError {
        error(
            kAudioUnitErr_InvalidPropertyValue, "AUScheduledSoundPlayer", "a slice of \(slice.mNumberFrames) frames",
            "Its buffers hold as many frames, in the format of the output bus: \(format).",
            "Lay out the buffer list in that format.")
    }

    static func noText(_ unit: String, _ value: String) -> OssicleError {
        error(
            kAudio_ParamError, unit, "a text for \"\(value)\"",
            "A text of less than 4,096 bytes goes to a property that is one of pluginTextProperties, and a URI to one that takes URIs.",
            "Ask the unit for those.")
    }

    static func noPath(_ unit: String, _ value: String) -> OssicleError {
        error(
            kAudio_ParamError, unit, "a path for \"\(value)\"",
            "A file URL goes to a property that is one of pluginPathProperties.", "Ask the unit for those.")
    }

    static func noSynthesiser(_ unit: String) -> OssicleError {
        error(
            kAudio_UnimplementedError, unit, "another synthesiser",
            "Banks of AUMIDISynth and DLSMusicDevice can be played by FluidSynth.", "Make one of those.")
    }

    static let noProvider = error(
        kAudioUnitErr_NoConnection, "AUAudioUnit", "startHardware() without outputProvider",
        "With the output enabled there has to be a provider of sound.",
        "Set outputProvider first, or isOutputEnabled to false.")

    static let noInput = error(
        kAudioUnitErr_CannotDoInCurrentContext, "AUAudioUnit", "startHardware() with isInputEnabled",
        "The default output has no input side.", "Use kAudioUnitSubType_HALOutput or RemoteIO.")

    static func rates(_ rates: (output: Double, input: Double)) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, "AUAudioUnit", "\(rates.output) Hz out, \(rates.input) Hz in",
            "With input and output enabled, the client's two formats have one sample rate.",
            "Set inputBusses[0] and outputBusses[1] to the same rate.")
    }

    static func voiceRate(_ rate: Double) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, "AUVoiceIO", "\(rate) Hz",
            "Voice processing works at 8,000 to 48,000 Hz.", "Set inputBusses[0] and outputBusses[1] to such a rate.")
    }

    static let noHardware = error(
        kAudioUnitErr_CannotDoInCurrentContext, "AUAudioUnit", "startHardware() on a unit without a device",
        "Only output units have one.", "Use kAudioUnitType_Output with RemoteIO, HALOutput or DefaultOutput.")

    static func device(_ failure: DeviceError) -> OssicleError {
        error(
            kAudioUnitErr_FailedInitialization, "AUAudioUnit", "\(failure)", "The device has to start.",
            "Look after the sound server.")
    }

    static func notMIDI(_ node: AVAudioNode) -> OssicleError {
        error(
            kAudio_ParamError, node.title, "as the source of a MIDI connection", "MIDI comes from units of type aumi.",
            "Use AVAudioUnit.instantiate with a component of kAudioUnitType_MIDIProcessor.")
    }

    static func noMIDIInput(_ node: AVAudioNode) -> OssicleError {
        error(
            kAudio_ParamError, node.title, "as the destination of a MIDI connection",
            "MIDI goes to units of type aumu, aumf or aumi.",
            "Connect to an instrument or a music effect.")
    }
}
