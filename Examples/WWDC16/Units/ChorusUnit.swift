import AVFoundation

/// An effect as one writes it by hand: each channel is delayed by a time that swings, and added to itself.
///
///     in ─┬──────────────────────────── dry ─┐
///         └─▶ delay of 8 ms ± depth ─── wet ─┴─▶ out
///
/// Parameters take effect at the frame of their events and follow ramps.
public final class ChorusUnit: AUAudioUnit {
    public static let component = AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: 0x6368_6F72, componentManufacturer: 0x4F73_6963,
        componentFlags: 0, componentFlagsMask: 0)
    /// Addresses of the parameters.
    public enum Parameter: AUParameterAddress, CaseIterable { case rate, depth, mix }

    private let lines = ChorusLines()
    private var inputs: AUAudioUnitBusArray?
    private var outputs: AUAudioUnitBusArray?

    /// Makes the class known, so that `AVAudioUnitEffect` finds it.
    public static func register() {
        AUAudioUnit.registerSubclass(self, as: component, name: "Ossicle: Chorus", version: 1)
    }

    public override init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else {
            throw CocoaError(.featureUnsupported)
        }
        inputs = AUAudioUnitBusArray(audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
        outputs = AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
        let parameters = [
            Self.parameter("rate", "Rate", .rate, 0.05...5, .hertz),
            Self.parameter("depth", "Depth", .depth, 0...5, .milliseconds),
            Self.parameter("mix", "Mix", .mix, 0...1, .ratio),
        ]
        let tree = AUParameterTree.createTree(withChildren: parameters)
        tree.implementorValueObserver = { [lines] in lines.set($0.address, to: $1) }
        tree.implementorValueProvider = { [lines] in lines.value($0.address) }
        for (parameter, value) in zip(parameters, [0.6, 2, 0.5] as [Float]) { parameter.value = value }
        parameterTree = tree
    }

    private static func parameter(
        _ identifier: String, _ name: String, _ address: Parameter, _ range: ClosedRange<Float>,
        _ unit: AudioUnitParameterUnit
    ) -> AUParameter {
        AUParameterTree.createParameter(
            withIdentifier: identifier, name: name, address: address.rawValue, min: range.lowerBound,
            max: range.upperBound, unit: unit, unitName: nil,
            flags: [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp], valueStrings: nil, dependentParameters: nil)
    }

    public override var inputBusses: AUAudioUnitBusArray { inputs ?? super.inputBusses }
    public override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }
    public override var channelCapabilities: [NSNumber]? { [-1, -1] }
    public override var tailTime: TimeInterval { shouldBypassEffect ? 0 : 0.013 }

    public override var shouldBypassEffect: Bool {
        get { super.shouldBypassEffect }
        set {
            super.shouldBypassEffect = newValue
            lines.isBypassed = newValue
        }
    }

    public override func allocateRenderResources() throws {
        try super.allocateRenderResources()
        let format = outputBusses[0].format
        guard format.isEqual(inputBusses[0].format) else {
            setRenderResourcesAllocated(false)
            throw CocoaError(.featureUnsupported)
        }
        lines.prepare(sampleRate: format.sampleRate, channels: Int(format.channelCount))
    }

    public override func reset() {
        super.reset()
        lines.forget()
    }

    public override var internalRenderBlock: AUInternalRenderBlock {
        let lines = lines
        return { flags, time, frames, _, list, events, pull in
            guard let status = pull?(flags, time, frames, 0, list) else { return kAudioUnitErr_NoConnection }
            guard status == noErr else { return status }
            let start = Int64(time.pointee.mSampleTime), end = Int(frames)
            var next = events, done = 0
            while let event = next {
                let frame = min(max(Int(event.pointee.head.eventSampleTime - start), done), end)
                lines.render(done..<frame, in: list)
                lines.take(event)
                (done, next) = (frame, UnsafePointer(event.pointee.head.next))
            }
            lines.render(done..<end, in: list)
            return noErr
        }
    }
}
