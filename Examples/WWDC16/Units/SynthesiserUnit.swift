import AVFoundation

/// A polyphonic synthesiser as an audio unit: sixteen voices of two detuned saw waves behind a low pass each.
///
///     MIDI ─▶ voices: saws ─▶ low pass ─▶ envelope ─▶ sum ─▶ gain ─▶ out
///
/// It sounds from the frame of each event on, and allocates nothing while it renders.
public final class SynthesiserUnit: AUAudioUnit {
    public static let component = AudioComponentDescription(
        componentType: kAudioUnitType_MusicDevice, componentSubType: 0x7361_7773, componentManufacturer: 0x4F73_6963,
        componentFlags: 0, componentFlagsMask: 0)
    /// Addresses of the parameters.
    enum Parameter: AUParameterAddress { case gain, brightness }

    private let voices = Voices()
    private var busses: AUAudioUnitBusArray?

    /// Makes the class known, so that `AVAudioUnitMIDIInstrument` finds it.
    public static func register() {
        AUAudioUnit.registerSubclass(self, as: component, name: "Ossicle: Saws", version: 1)
    }

    public override init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else {
            throw CocoaError(.featureUnsupported)
        }
        busses = AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
        let gain = Self.parameter("gain", "Gain", .gain, 0...1, .linearGain)
        let brightness = Self.parameter("brightness", "Brightness", .brightness, 1...32, .ratio)
        let tree = AUParameterTree.createTree(withChildren: [gain, brightness])
        tree.implementorValueObserver = { [voices] in voices.set($0.address, $1) }
        (gain.value, brightness.value) = (0.2, 6)
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

    public override var outputBusses: AUAudioUnitBusArray { busses ?? super.outputBusses }

    public override func allocateRenderResources() throws {
        try super.allocateRenderResources()
        voices.prepare(sampleRate: outputBusses[0].format.sampleRate)
    }

    public override func reset() {
        super.reset()
        voices.silence()
    }

    public override var internalRenderBlock: AUInternalRenderBlock {
        let voices = voices
        return { _, time, frames, _, list, events, _ in
            let start = Int64(time.pointee.mSampleTime), end = Int(frames)
            var next = events, done = 0
            while let event = next {
                let frame = min(max(Int(event.pointee.head.eventSampleTime - start), done), end)
                voices.render(done..<frame, into: list)
                voices.take(event)
                (done, next) = (frame, UnsafePointer(event.pointee.head.next))
            }
            voices.render(done..<end, into: list)
            return noErr
        }
    }
}
