import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

/// A unit made by the C interface, disposed of with this object, with functions that are its inputs.
final class UnitHandle {
    let unit: AudioUnit
    private var sources: [Source] = []

    /// What a callback gives: `value` of frame and channel, counted from the first frame asked for.
    final class Source {
        let value: (Int, Int) -> Float
        var frames = 0
        var status = noErr

        init(_ value: @escaping (Int, Int) -> Float) { self.value = value }
    }

    init(_ subtype: OSType, _ type: OSType = kAudioUnitType_Effect) throws {
        var wanted = AudioComponentDescription(builtIn: type, subtype), made: AudioUnit?
        let component = try #require(AudioComponentFindNext(nil, &wanted))
        #expect(AudioComponentInstanceNew(component, &made) == noErr)
        unit = try #require(made)
    }

    deinit { AudioComponentInstanceDispose(unit) }

    static let callback: AURenderCallback = { reference, _, _, _, frames, list in
        let source = Unmanaged<Source>.fromOpaque(reference).takeUnretainedValue()
        guard let list, source.status == noErr else { return source.status }
        for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
            guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { return kAudio_ParamError }
            for frame in 0..<Int(frames) { samples[frame] = source.value(source.frames + frame, channel) }
        }
        source.frames += Int(frames)
        return noErr
    }

    @discardableResult
    func feed(_ bus: UInt32 = 0, _ value: @escaping (Int, Int) -> Float) -> Source {
        let source = Source(value)
        sources.append(source)
        let data = AURenderCallbackStruct(
            inputProc: Self.callback, inputProcRefCon: Unmanaged.passUnretained(source).toOpaque())
        #expect(set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, data) == noErr)
        return source
    }

    func set<Value>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: UInt32 = 0,
        _ value: Value
    ) -> OSStatus {
        withUnsafeBytes(of: value) { AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32($0.count)) }
    }

    /// The value and what the call said.
    func get<Value>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: UInt32 = 0,
        _ value: Value
    ) -> (OSStatus, Value) {
        var value = value, size = UInt32(MemoryLayout<Value>.size)
        return (AudioUnitGetProperty(unit, id, scope, element, &value, &size), value)
    }

    /// An object the caller owns.
    func object<Object: NSObject>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: UInt32 = 0,
        as type: Object.Type
    ) -> Object? {
        let (status, object) = get(id, scope, element, Unmanaged<NSObject>?.none)
        return status == noErr ? object?.takeRetainedValue() as? Object : nil
    }

    func list<Element>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: UInt32 = 0,
        of zero: Element
    ) -> [Element] {
        var size: UInt32 = 0
        guard AudioUnitGetPropertyInfo(unit, id, scope, element, &size, nil) == noErr else { return [] }
        var values = Array(repeating: zero, count: Int(size) / MemoryLayout<Element>.stride)
        return AudioUnitGetProperty(unit, id, scope, element, &values, &size) == noErr ? values : []
    }

    func format(_ rate: Double, _ channels: UInt32) {
        let format = OfflineRig.format(rate, channels).streamDescription.pointee
        for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
            let count = get(kAudioUnitProperty_ElementCount, scope, 0, UInt32(0)).1
            for bus in 0..<count { #expect(set(kAudioUnitProperty_StreamFormat, scope, bus, format) == noErr) }
        }
    }

    private var time = 0

    func cycle(_ frames: Int, bus: UInt32 = 0, channels: Int = 2) -> (status: OSStatus, sound: [[Float]]) {
        let list = AudioBufferList.allocate(maximumBuffers: channels)
        defer { free(list.unsafeMutablePointer) }
        var flags = AudioUnitRenderActionFlags(), stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mFlags) = (Double(time), .sampleTimeValid)
        let status = AudioUnitRender(unit, &flags, &stamp, bus, UInt32(frames), list.unsafeMutablePointer)
        guard status == noErr else { return (status, []) }
        time += frames
        return (
            status,
            list.map { Array(UnsafeBufferPointer(start: $0.mData?.assumingMemoryBound(to: Float.self), count: frames)) }
        )
    }

    func render(_ frames: Int, callsOf size: Int = 512, channels: Int = 2) -> [[Float]] {
        var sound = Array(repeating: [Float](), count: channels), left = frames
        while left > 0 {
            let piece = cycle(min(left, size), channels: channels).sound
            guard !piece.isEmpty else { return sound }
            for channel in sound.indices { sound[channel] += piece[channel] }
            left -= min(left, size)
        }
        return sound
    }
}
