import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleTestSupport
@testable import OssicleAVFAudio

/// An instrument of a client's: each note-on is one sample as high as its velocity in the first channel, each note-off
/// one in the second, so that the sound says at which frame a note began. What is not a note is kept.
final class ClickInstrument: AUAudioUnit {
    final class Kernel {
        var others: [(frame: Int64, bytes: [UInt8])] = []
        var parameters: [(frame: Int64, address: UInt64, value: Float, frames: UInt32)] = []
    }

    static let component = AudioComponentDescription(
        componentType: kAudioUnitType_RemoteInstrument, componentSubType: 0x636C_696B,
        componentManufacturer: 0x7465_7374,
        componentFlags: 0, componentFlagsMask: 0)
    let kernel = Kernel()
    private var outputs: AUAudioUnitBusArray!

    static func node() -> AVAudioUnitMIDIInstrument {
        AUAudioUnit.registerSubclass(ClickInstrument.self, as: component, name: "Tests: Clicks", version: 1)
        return AVAudioUnitMIDIInstrument(audioComponentDescription: component)
    }

    override init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        outputs = AUAudioUnitBusArray(
            audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: OfflineRig.format(44_100, 2))])
    }

    override var outputBusses: AUAudioUnitBusArray { outputs }

    override var internalRenderBlock: AUInternalRenderBlock {
        let kernel = kernel
        return { _, time, frames, _, list, events, _ in
            let planes = UnsafeMutableAudioBufferListPointer(list).map { $0.mData?.assumingMemoryBound(to: Float.self) }
            for plane in planes { plane?.update(repeating: 0, count: Int(frames)) }
            var next = events
            while let event = next {
                defer { next = UnsafePointer(event.pointee.head.next) }
                let head = event.pointee.head
                let frame = Int(head.eventSampleTime - Int64(time.pointee.mSampleTime))
                if head.eventType == .parameter || head.eventType == .parameterRamp {
                    let change = event.pointee.parameter
                    kernel.parameters.append(
                        (head.eventSampleTime, change.parameterAddress, change.value, change.rampDurationSampleFrames))
                    continue
                }
                let midi = event.pointee.MIDI
                let bytes = (UnsafeRawPointer(event) + 21).assumingMemoryBound(to: UInt8.self)
                switch bytes[0] & 0xF0 {
                case 0x90: planes[0]?[frame] += Float(bytes[2])
                case 0x80: planes[1]?[frame] += 1
                default: kernel.others.append((head.eventSampleTime, (0..<Int(midi.length)).map { bytes[$0] }))
                }
            }
            return noErr
        }
    }
}

/// An engine with one click instrument, offline, at 48 kHz.
struct ClickRig {
    let engine = AVAudioEngine()
    let instrument = ClickInstrument.node()
    let format = OfflineRig.format(48_000, 2)

    var kernel: ClickInstrument.Kernel? { (instrument.auAudioUnit as? ClickInstrument)?.kernel }

    init() throws {
        engine.errorHandler = { _ in }
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        engine.attach(instrument)
        try engine.connectNode(instrument, to: engine.mainMixerNode, format: format)
        try engine.start()
    }

    /// Both channels of so many frames, rendered so many at a time.
    func render(_ frames: Int, callsOf size: Int = 1024) throws -> [[Float]] {
        var sound: [[Float]] = [[], []], left = frames
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096) else { return sound }
        while left > 0 {
            let count = min(size, left)
            guard try engine.renderOffline(AVAudioFrameCount(count), to: buffer) == .success,
                let planes = buffer.floatChannelData
            else { return sound }
            for channel in 0..<2 { sound[channel] += UnsafeBufferPointer(start: planes[channel], count: count) }
            left -= count
        }
        return sound
    }

    /// Frames with something in them.
    static func onsets(_ sound: [Float]) -> [Int] { Measure.nonzero(sound) }
}
