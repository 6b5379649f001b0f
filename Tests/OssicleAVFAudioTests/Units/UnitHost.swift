import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
@testable import OssicleAVFAudio

/// Hosts one unit: sets formats, allocates, and renders what a function gives.
final class UnitHost {
    let unit: AUAudioUnit
    let format: AVAudioFormat
    private let block: AURenderBlock
    private let pull: AURenderPullInputBlock
    /// Frames pulled so far.
    private final class Counter { var frames = 0 }
    private let pulled = Counter()
    private(set) var time = 0

    init(
        _ unit: AUAudioUnit, rate: Double = 48000, channels: AVAudioChannelCount = 2, maximum: AUAudioFrameCount = 4096,
        input: @escaping (Int, Int) -> Float
    ) throws {
        (self.unit, format) = (unit, OfflineRig.format(rate, channels))
        for bus in unit.inputBusses { try bus.setFormat(format) }
        for bus in unit.outputBusses { try bus.setFormat(format) }
        unit.maximumFramesToRender = maximum
        try unit.allocateRenderResources()
        block = unit.renderBlock
        let pulled = self.pulled
        pull = { _, _, frames, _, list in
            for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { return kAudio_ParamError }
                for frame in 0..<Int(frames) { samples[frame] = input(pulled.frames + frame, channel) }
            }
            pulled.frames += Int(frames)
            return noErr
        }
    }

    convenience init(
        _ subtype: OSType, _ type: OSType = kAudioUnitType_Effect, input: @escaping (Int, Int) -> Float
    ) throws {
        try self.init(
            AUAudioUnit(componentDescription: AudioComponentDescription(builtIn: type, subtype)), input: input)
    }

    var framesPulled: Int { pulled.frames }

    func set(_ id: AudioUnitParameterID, _ value: Float) {
        unit.parameterTree?.parameter(withAddress: AUParameterAddress(id))?.value = value
    }

    /// One cycle with memory of the unit's; the status, and what was rendered.
    func cycle(_ frames: Int, bus: Int = 0, pulling: Bool = true) -> (status: OSStatus, sound: [[Float]]) {
        let list = AudioBufferList.allocate(maximumBuffers: Int(format.channelCount))
        defer { free(list.unsafeMutablePointer) }
        var flags = AudioUnitRenderActionFlags()
        var stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mFlags) = (Double(time), .sampleTimeValid)
        let status = block(
            &flags, &stamp, AUAudioFrameCount(frames), bus, list.unsafeMutablePointer, pulling ? pull : nil)
        guard status == noErr else { return (status, []) }
        time += frames
        return (
            status,
            list.map { Array(UnsafeBufferPointer(start: $0.mData?.assumingMemoryBound(to: Float.self), count: frames)) }
        )
    }

    func render(_ frames: Int, callsOf size: Int = 512) -> [[Float]] {
        var sound = Array(repeating: [Float](), count: Int(format.channelCount))
        var left = frames
        while left > 0 {
            let piece = cycle(min(left, size)).sound
            guard !piece.isEmpty else { return sound }
            for channel in sound.indices { sound[channel] += piece[channel] }
            left -= min(left, size)
        }
        return sound
    }
}

/// A unit of the client's: scales by a parameter that its events change.
final class ScalingUnit: PassingUnit {
    final class Kernel {
        var gain: Float = 0.5
        var events: [(type: AURenderEventType, time: Int64, value: Float, bytes: [UInt8])] = []
    }

    static let component = AudioComponentDescription(
        componentType: kAudioUnitType_MusicEffect, componentSubType: 0x73636C65, componentManufacturer: 0x74657374,
        componentFlags: 0, componentFlagsMask: 0)
    let kernel = Kernel()
    var resets = 0

    override init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        let gain = AUParameterTree.createParameter(
            withIdentifier: "gain", name: "Gain", address: 7, min: 0, max: 2, unit: .linearGain, unitName: nil,
            flags: [.flag_IsReadable, .flag_IsWritable], valueStrings: nil, dependentParameters: nil)
        parameterTree = AUParameterTree.createTree(withChildren: [gain])
        gain.value = 0.5
        parameterTree?.implementorValueObserver = { [kernel] _, value in kernel.gain = value }
    }

    override var latency: TimeInterval { 0.01 }
    override func reset() {
        super.reset()
        resets += 1
    }

    override var internalRenderBlock: AUInternalRenderBlock {
        let kernel = self.kernel
        return { flags, time, frames, _, list, events, pull in
            guard let pull else { return kAudioUnitErr_NoConnection }
            let status = pull(flags, time, frames, 0, list)
            guard status == noErr else { return status }
            var next = events
            var done = 0
            func scale(to end: Int) {
                for buffer in UnsafeMutableAudioBufferListPointer(list) {
                    guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                    for frame in done..<max(end, done) { samples[frame] *= kernel.gain }
                }
                done = max(end, done)
            }
            while let event = next {
                let head = event.pointee.head
                scale(to: Int(head.eventSampleTime - Int64(time.pointee.mSampleTime)))
                let isParameter = head.eventType == .parameter
                let data = event.pointee.MIDI.data
                kernel.events.append(
                    (
                        head.eventType, head.eventSampleTime, isParameter ? event.pointee.parameter.value : 0,
                        [data.0, data.1, data.2]
                    ))
                if isParameter { kernel.gain = event.pointee.parameter.value }
                next = UnsafePointer(head.next)
            }
            scale(to: Int(frames))
            return noErr
        }
    }
}
