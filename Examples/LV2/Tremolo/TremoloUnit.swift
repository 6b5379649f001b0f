import AVFoundation

/// A tremolo, as any program may use it and as an LV2 bundle has it: gain = 1 − depth · (1 − cos 2π f t) / 2.
public final class TremoloUnit: AUAudioUnit {
    public static let component = AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: 0x74726D6F, componentManufacturer: 0x45786D70,
        componentFlags: 0, componentFlagsMask: 0)

    /// Makes the class known to this process.
    public static func register() {
        AUAudioUnit.registerSubclass(
            TremoloUnit.self, as: component, name: "Ossicle Examples: Tremolo", version: 0x0001_0002)
    }

    private let kernel = Kernel()
    private var busses: (input: AUAudioUnitBusArray, output: AUAudioUnitBusArray)?

    public override init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else { return }
        busses = (
            AUAudioUnitBusArray(audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)]),
            AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
        )
        parameterTree = Self.makeTree(kernel)
    }

    private static func makeTree(_ kernel: Kernel) -> AUParameterTree {
        let rate = AUParameterTree.createParameter(
            withIdentifier: "rate", name: "Rate", address: 0, min: 0.1, max: 20, unit: .hertz, unitName: nil,
            flags: [.flag_IsReadable, .flag_IsWritable], valueStrings: nil, dependentParameters: nil)
        let depth = AUParameterTree.createParameter(
            withIdentifier: "depth", name: "Depth", address: 1, min: 0, max: 100, unit: .percent, unitName: nil,
            flags: [.flag_IsReadable, .flag_IsWritable], valueStrings: nil, dependentParameters: nil)
        (rate.value, depth.value) = (5, 50)
        let tree = AUParameterTree.createTree(withChildren: [rate, depth])
        tree.implementorValueObserver = { kernel.set($0.address, $1) }
        return tree
    }

    public override var inputBusses: AUAudioUnitBusArray { busses?.input ?? super.inputBusses }
    public override var outputBusses: AUAudioUnitBusArray { busses?.output ?? super.outputBusses }

    public override func allocateRenderResources() throws {
        try super.allocateRenderResources()
        kernel.begin(outputBusses[0].format.sampleRate)
    }

    public override func reset() {
        super.reset()
        kernel.begin(outputBusses[0].format.sampleRate)
    }

    public override var internalRenderBlock: AUInternalRenderBlock {
        { [kernel] flags, time, frames, _, list, events, pull in
            guard let pull else { return kAudioUnitErr_NoConnection }
            let status = pull(&flags.pointee, time, frames, 0, list)
            if status == noErr { kernel.render(list, Int(frames), Int64(time.pointee.mSampleTime), events) }
            return status
        }
    }

    /// Render side, but for `begin` and `set`.
    private final class Kernel: @unchecked Sendable {
        private var sampleRate = 48_000.0
        private var phase = 0.0
        // Read and written as wholes: a value that comes in the middle of a cycle takes effect there.
        private var rate: Float = 5
        private var depth: Float = 50

        func begin(_ sampleRate: Double) { (self.sampleRate, phase) = (sampleRate, 0) }

        func set(_ address: AUParameterAddress, _ value: Float) {
            if address == 0 { rate = value } else { depth = value }
        }

        func render(
            _ list: UnsafeMutablePointer<AudioBufferList>, _ frames: Int, _ start: Int64,
            _ events: UnsafePointer<AURenderEvent>?
        ) {
            var next = events
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            for frame in 0..<frames {
                while let event = next, event.pointee.head.eventSampleTime <= start + Int64(frame) {
                    let parameter = event.pointee.parameter
                    if event.pointee.head.eventType == .parameter { set(parameter.parameterAddress, parameter.value) }
                    next = event.pointee.head.next.map { UnsafePointer($0) }
                }
                let gain = 1 - depth / 100 * Float(1 - cos(2 * .pi * phase)) / 2
                for buffer in buffers { buffer.mData?.assumingMemoryBound(to: Float.self)[frame] *= gain }
                phase += Double(rate) / sampleRate
                phase -= phase.rounded(.down)
            }
        }
    }
}
