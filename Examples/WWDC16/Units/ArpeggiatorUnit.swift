import AVFoundation

/// A MIDI processor as one writes it by hand: keys that are held become a run of single notes, in time with the host.
///
///     keys held ─▶ steps on the host's beats ─▶ notes, from the lowest key up, octave by octave
///
/// Where the host knows no beats, or its transport stands, it counts 120 beats a minute from the first key on.
public final class ArpeggiatorUnit: AUAudioUnit {
    public static let component = AudioComponentDescription(
        componentType: kAudioUnitType_MIDIProcessor, componentSubType: 0x6172_7067, componentManufacturer: 0x4F73_6963,
        componentFlags: 0, componentFlagsMask: 0)
    /// Addresses of the parameters.
    public enum Parameter: AUParameterAddress { case stepsPerBeat, gate, octaves }

    private let steps = ArpeggioSteps()

    /// Makes the class known, so that `AVAudioUnit.instantiate` finds it.
    public static func register() {
        AUAudioUnit.registerSubclass(self, as: component, name: "Ossicle: Arpeggiator", version: 1)
    }

    public override init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        let parameters = [
            Self.parameter("stepsPerBeat", "Steps per Beat", .stepsPerBeat, 1...8, .indexed),
            Self.parameter("gate", "Gate", .gate, 0.05...1, .ratio),
            Self.parameter("octaves", "Octaves", .octaves, 1...4, .indexed),
        ]
        let tree = AUParameterTree.createTree(withChildren: parameters)
        tree.implementorValueObserver = { [steps] in steps.set($0.address, $1) }
        tree.implementorValueProvider = { [steps] in steps.value($0.address) }
        for (parameter, value) in zip(parameters, [4, 0.5, 1] as [Float]) { parameter.value = value }
        parameterTree = tree
    }

    private static func parameter(
        _ identifier: String, _ name: String, _ address: Parameter, _ range: ClosedRange<Float>,
        _ unit: AudioUnitParameterUnit
    ) -> AUParameter {
        AUParameterTree.createParameter(
            withIdentifier: identifier, name: name, address: address.rawValue, min: range.lowerBound,
            max: range.upperBound, unit: unit, unitName: nil, flags: [.flag_IsReadable, .flag_IsWritable],
            valueStrings: nil, dependentParameters: nil)
    }

    public override var midiOutputNames: [String] { ["Steps"] }

    public override func reset() {
        super.reset()
        steps.forget()
    }

    public override var internalRenderBlock: AUInternalRenderBlock {
        let (steps, send) = (steps, midiOutputEventBlock)
        let (context, transport) = (musicalContextBlock, transportStateBlock)
        let rate = outputBusses.count > 0 ? outputBusses[0].format.sampleRate : 48_000
        return { _, time, frames, _, list, events, _ in
            var (tempo, beat, flags) = (120.0, 0.0, AUHostTransportStateFlags())
            var isInTime = context?(&tempo, nil, nil, &beat, nil, nil) ?? false
            if isInTime, let transport { isInTime = transport(&flags, nil, nil, nil) && flags.contains(.moving) }
            steps.begin(at: Int64(time.pointee.mSampleTime), beat: isInTime ? beat : nil, tempo: tempo, rate: rate)
            let end = Int64(time.pointee.mSampleTime) + Int64(frames)
            var next = events
            while let event = next {
                steps.run(to: event.pointee.head.eventSampleTime, send)
                steps.take(event, send)
                next = UnsafePointer(event.pointee.head.next)
            }
            steps.run(to: end, send)
            return noErr
        }
    }
}
