import Foundation
import OssicleAudioToolbox
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// The blocks that a graph calls, in formats of their own: a source of 16-bit integers through a unit of a class of the
/// client's, manual input at another rate, and a sink. What lays out their buffers and takes on their sound is under
/// watch, what they do themselves is not.
struct CheckClientBlocks {
    private let format: AVAudioFormat
    private let integers: AVAudioFormat
    private let slow: AVAudioFormat

    init() throws {
        AUAudioUnit.registerSubclass(
            HalvingUnit.self, as: HalvingUnit.component, name: "Ossicle: Halve", version: 1)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let integers = AVAudioFormat(
                commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 1, interleaved: true),
            let slow = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true)
        else { throw CheckError("no format") }
        (self.format, self.integers, self.slow) = (format, integers, slow)
    }

    /// - Returns: seconds rendered.
    func run() throws -> Double {
        let frames = try render { engine in
            try addInput(of: slow, to: engine, into: engine.mainMixerNode, format: nil)
            try addSource(to: engine)
        }
        let received = try render { engine in
            let sink = AVAudioSinkNode { _, _, _ in noErr }
            engine.attach(sink)
            try addInput(of: format, to: engine, into: sink, format: format)
        }
        return (Double(frames + received) / 480).rounded() / 100
    }

    private func addInput(
        of blockFormat: AVAudioFormat, to engine: AVAudioEngine, into target: AVAudioNode, format: AVAudioFormat?
    ) throws {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: blockFormat, frameCapacity: 1 << 15) else {
            throw CheckError("no buffer")
        }
        let isSet = engine.inputNode.setManualRenderingInputPCMFormat(blockFormat) { frames in
            buffer.frameLength = min(frames, buffer.frameCapacity)
            return UnsafePointer(buffer.mutableAudioBufferList)
        }
        guard isSet else { throw CheckError("no input: \(engine.lastError.map { "\($0)" } ?? "")") }
        try engine.connectNode(engine.inputNode, to: target, format: format)
    }

    private func addSource(to engine: AVAudioEngine) throws {
        let source = AVAudioSourceNode(format: integers) { isSilent, stamp, frames, list in
            isSilent.pointee = ObjCBool(Int(stamp.pointee.mSampleTime) % 9600 < 480)
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Int16.self) else { continue }
                for frame in 0..<Int(frames) { samples[frame] = Int16(frame * 31 & 0xFFF) }
            }
            return noErr
        }
        let hosted = AVAudioUnitEffect(audioComponentDescription: HalvingUnit.component)
        for node in [source, hosted] { engine.attach(node) }
        try engine.connectNode(source, to: hosted, format: format)
        try engine.connectNode(hosted, to: engine.mainMixerNode, format: format)
    }

    /// Builds a graph and renders it for two seconds, the second of them under watch.
    private func render(_ build: (AVAudioEngine) throws -> Void) throws -> Int {
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 1024)
        try build(engine)
        try engine.start()
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1024) else {
            throw CheckError("no buffer")
        }
        // The runtime makes metadata when it is first needed: one second unwatched.
        engine.watchesRealTime = false
        var position = 0
        for turn in 0..<2 {
            var call = 1
            while position < (turn + 1) * 48_000 {
                _ = try engine.renderOffline(AVAudioFrameCount(call), to: buffer)
                position += call
                call = call % 1000 + 23
            }
            engine.watchesRealTime = true
        }
        engine.stop()
        if let error = engine.lastError { throw CheckError("the engine recorded: \(error)") }
        return position
    }
}

/// A unit as a client writes one: asks for its input and halves it.
final class HalvingUnit: AUAudioUnit {
    static let component = AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: 0x6861_6C76, componentManufacturer: 0x6F73_7369,
        componentFlags: 0, componentFlagsMask: 0)
    private var busses: [AUAudioUnitBus] = []
    private lazy var inputs = AUAudioUnitBusArray(audioUnit: self, busType: .input, busses: Array(busses.prefix(1)))
    private lazy var outputs = AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: Array(busses.suffix(1)))

    override init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else { return }
        busses = [try AUAudioUnitBus(format: format), try AUAudioUnitBus(format: format)]
    }

    override var inputBusses: AUAudioUnitBusArray { inputs }
    override var outputBusses: AUAudioUnitBusArray { outputs }

    override var internalRenderBlock: AUInternalRenderBlock {
        { flags, time, frames, _, list, _, pull in
            guard let pull else { return kAudioUnitErr_NoConnection }
            let status = pull(flags, time, frames, 0, list)
            guard status == noErr else { return status }
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                for frame in 0..<Int(frames) { samples[frame] *= 0.5 }
            }
            return noErr
        }
    }
}
