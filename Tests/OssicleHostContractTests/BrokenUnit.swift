import Foundation
import OssicleAVFAudio
import OssicleAudioToolbox
import OssicleCoreAudioTypes

/// A gain that clicks at notes, and does one thing wrong.
final class BrokenUnit: AUAudioUnit {
    enum Fault: CaseIterable {
        case none, writesBeyond, followsBlocks, remembers, dropsState, notANumber, hisses, rings, isLate, keepsNaN
        case ignoresBypass, roundsEvents, roundsNotes, doublesAddress, refusesRate, losesMessages

        /// The check that finds it.
        var check: String? {
            switch self {
            case .none: nil
            case .writesBeyond: "block sizes"
            case .followsBlocks: "cuts"
            case .remembers: "reset"
            case .dropsState: "state"
            case .notANumber: "parameter values"
            case .hisses: "silence"
            case .rings: "tail"
            case .isLate: "latency"
            case .keepsNaN: "not finite"
            case .ignoresBypass: "bypass"
            case .roundsEvents: "parameter events"
            case .roundsNotes: "MIDI events"
            case .doublesAddress: "parameter list"
            case .refusesRate: "sample rates"
            case .losesMessages: "sound"
            }
        }
    }

    /// What the render block works with.
    private final class Kernel: @unchecked Sendable {
        var gain: Float = 1
        var last: Float = 0
        var line = [Float](repeating: 0, count: 64)
        var position = 0
        var isBypassed = false
    }

    private let kernel = Kernel()
    private let fault: Fault
    private var sides: [AUAudioUnitBusArray] = []

    init(_ fault: Fault) throws {
        self.fault = fault
        try super.init(
            componentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_MusicEffect, componentSubType: 0x6272_6F6B,
                componentManufacturer: 0x7465_7374, componentFlags: 0, componentFlagsMask: 0), options: [])
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1) else { return }
        sides = try [.input, .output].map {
            AUAudioUnitBusArray(audioUnit: self, busType: $0, busses: [try AUAudioUnitBus(format: format)])
        }
        let tree = AUParameterTree.createTree(
            withChildren: (fault == .doublesAddress ? [0, 0] : [0]).enumerated().map {
                AUParameterTree.createParameter(
                    withIdentifier: "gain\($0)", name: "Gain", address: $1, min: 0, max: 2, unit: .linearGain,
                    unitName: nil, flags: [.flag_IsReadable, .flag_IsWritable], valueStrings: nil,
                    dependentParameters: nil)
            })
        tree.implementorValueObserver = { [kernel] _, value in kernel.gain = value }
        tree.implementorValueProvider = { [kernel] _ in kernel.gain }
        parameterTree = tree
    }

    required convenience init(registered componentDescription: AudioComponentDescription) throws {
        try self.init(.none)
    }

    override var inputBusses: AUAudioUnitBusArray { sides.isEmpty ? super.inputBusses : sides[0] }
    override var outputBusses: AUAudioUnitBusArray { sides.isEmpty ? super.outputBusses : sides[1] }

    override func shouldChange(to format: AVAudioFormat, for bus: AUAudioUnitBus) -> Bool {
        !renderResourcesAllocated && !(fault == .refusesRate && format.sampleRate == 44_100)
    }

    override var shouldBypassEffect: Bool {
        get { super.shouldBypassEffect }
        set {
            super.shouldBypassEffect = newValue
            kernel.isBypassed = newValue && fault != .ignoresBypass
        }
    }

    override var fullState: [String: Any]? {
        get { fault == .dropsState ? ["version": 0] : super.fullState }
        set { super.fullState = newValue }
    }

    override func reset() {
        super.reset()
        kernel.last = 0
        if fault != .remembers { kernel.line = kernel.line.map { _ in 0 } }
    }

    override var internalRenderBlock: AUInternalRenderBlock {
        let (kernel, fault) = (kernel, fault)
        return { flags, time, frames, _, list, events, pull in
            guard pull?(flags, time, frames, 0, list) == noErr,
                let samples = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)
            else { return kAudioUnitErr_NoConnection }
            let start = Int64(time.pointee.mSampleTime), rounds = [.roundsEvents, .roundsNotes].contains(fault)
            var next = events
            for frame in 0..<Int(frames) {
                var click: Float = 0
                while let event = next,
                    rounds || event.pointee.head.eventSampleTime <= start + Int64(frame)
                {
                    let isNote = event.pointee.head.eventType == .MIDI && event.pointee.MIDI.data.0 & 0xF0 == 0x90
                    if isNote, fault != .losesMessages { click = 1 }
                    if event.pointee.head.eventType == .parameter { kernel.gain = event.pointee.parameter.value }
                    next = UnsafePointer(event.pointee.head.next)
                }
                samples[frame] = process(samples[frame], click, kernel, Int(frames))
            }
            if fault == .writesBeyond { samples[Int(frames)] = 0 }
            return noErr
        }

        func process(_ input: Float, _ click: Float, _ kernel: Kernel, _ frames: Int) -> Float {
            if kernel.isBypassed { return input }
            let old = kernel.line[kernel.position]
            kernel.line[kernel.position] = input
            kernel.position = (kernel.position + 1) % kernel.line.count
            var output = input * kernel.gain + click
            switch fault {
            case .followsBlocks: output *= frames == 1 ? 0.5 : 1
            case .remembers, .isLate: output = old
            case .notANumber: output = kernel.gain > 1.9 ? .nan : output
            case .hisses: output += 0.001
            case .rings, .keepsNaN:
                kernel.last = kernel.last * (fault == .rings ? 0.9999 : 0.5) + input
                output = kernel.last
                if fault == .keepsNaN, !input.isFinite { kernel.gain = .nan }
                if fault == .keepsNaN { output *= kernel.gain }
            case .losesMessages: output = 0
            default: break
            }
            return output
        }
    }
}
