import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("Audio units in the C interface: rendering")
struct AudioUnitRenderTests {
    @Test("Every effect made by the C interface renders the same bytes as by its render block")
    func sameAsBlock() throws {
        for component in builtInEffects() {
            let host = try UnitHost(AUAudioUnit(componentDescription: component), input: OfflineRig.noise)
            let handle = try UnitHandle(component.componentSubType)
            handle.format(48000, 2)
            handle.feed(0, OfflineRig.noise)
            #expect(AudioUnitInitialize(handle.unit) == noErr && AudioUnitInitialize(handle.unit) == noErr)
            #expect(handle.render(2000) == host.render(2000), "\(host.unit.audioUnitName ?? "")")
        }
    }

    @Test("Wrong calls get their status, and nothing traps")
    func misuse() throws {
        let handle = try UnitHandle(kAudioUnitSubType_SampleDelay)
        #expect(handle.cycle(64).status == kAudioUnitErr_Uninitialized)
        #expect(AudioUnitInitialize(handle.unit) == noErr)
        #expect(handle.cycle(64).status == kAudioUnitErr_NoConnection)
        #expect(
            handle.get(kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0, noErr).1
                == kAudioUnitErr_NoConnection)
        #expect(handle.get(kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0, noErr).1 == noErr)
        let source = handle.feed { frame, _ in Float(frame) }
        #expect(
            handle.cycle(1157).status == kAudioUnitErr_TooManyFramesToProcess
                && handle.cycle(64, bus: 1).status == kAudioUnitErr_InvalidElement)
        #expect(
            handle.cycle(64, bus: .max).status == kAudioUnitErr_InvalidElement
                && handle.cycle(64, channels: 1).status == kAudio_ParamError)
        #expect(handle.cycle(64).sound[0] == (0..<64).map { Float($0) })
        source.status = -50
        #expect(handle.cycle(64).status == -50)
        #expect(
            AudioUnitReset(handle.unit, 99, 0) == kAudioUnitErr_InvalidScope
                && AudioUnitReset(handle.unit, kAudioUnitScope_Global, 0) == noErr)
        #expect(
            AudioOutputUnitStart(handle.unit) == kAudioUnitErr_CannotDoInCurrentContext
                && AudioOutputUnitStop(handle.unit) == kAudioUnitErr_CannotDoInCurrentContext)
        #expect(
            handle.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, AURenderCallbackStruct())
                == noErr)
        #expect(handle.cycle(64).status == kAudioUnitErr_NoConnection)
        #expect(AudioUnitUninitialize(handle.unit) == noErr && handle.cycle(64).status == kAudioUnitErr_Uninitialized)
    }

    @Test("A disposed unit is found out by every call", arguments: [1, 0x10_0000_0000, UInt.max, 0])
    func gone(bits: UInt) throws {
        var made: AudioUnit?,
            wanted = AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Delay)
        #expect(AudioComponentInstanceNew(try #require(AudioComponentFindNext(nil, &wanted)), &made) == noErr)
        let disposed = try #require(made)
        #expect(AudioComponentInstanceCanDo(disposed, 14) && AudioComponentInstanceDispose(disposed) == noErr)
        let handle = OpaquePointer(bitPattern: bits) ?? disposed
        var stamp = AudioTimeStamp(), value: Float = 1, size: UInt32 = 4, list = AudioBufferList(),
            event = AudioUnitParameterEvent()
        let expected = kAudioUnitErr_InvalidElement
        #expect(
            AudioComponentInstanceDispose(handle) == expected && AudioUnitInitialize(handle) == expected
                && AudioUnitUninitialize(handle) == expected)
        #expect(
            AudioUnitRender(handle, nil, &stamp, 0, 64, &list) == expected
                && AudioUnitProcess(handle, nil, &stamp, 64, &list) == expected)
        #expect(
            AudioUnitSetParameter(handle, 0, 0, 0, 0, 0) == expected
                && AudioUnitGetParameter(handle, 0, 0, 0, &value) == expected && value == 1)
        #expect(
            AudioUnitSetProperty(handle, 0, 0, 0, nil, 0) == expected
                && AudioUnitGetProperty(handle, 0, 0, 0, &value, &size) == expected)
        #expect(
            AudioUnitGetPropertyInfo(handle, 0, 0, 0, &size, nil) == expected
                && AudioUnitScheduleParameters(handle, &event, 1) == expected)
        #expect(
            AudioOutputUnitStart(handle) == expected && AudioUnitReset(handle, 0, 0) == expected
                && !AudioComponentInstanceCanDo(handle, 14))
        #expect(AudioUnitAddRenderNotify(handle, UnitHandle.callback, nil) == expected)
    }

    @Test("Units feed each other through connections, in the format of the source")
    func connections() throws {
        let first = try UnitHandle(kAudioUnitSubType_SampleDelay),
            second = try UnitHandle(kAudioUnitSubType_SampleDelay)
        first.format(32000, 1)
        first.feed { frame, _ in Float(frame + 1) }
        #expect(
            AudioUnitSetParameter(first.unit, kSampleDelayParam_DelayFrames, kAudioUnitScope_Global, 0, 3, 0) == noErr)
        #expect(
            AudioUnitSetParameter(second.unit, kSampleDelayParam_DelayFrames, kAudioUnitScope_Global, 0, 4, 0) == noErr)
        let connection = AudioUnitConnection(sourceAudioUnit: first.unit, sourceOutputNumber: 0, destInputNumber: 0)
        #expect(second.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, connection) == noErr)
        let format = second.get(
            kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, AudioStreamBasicDescription()
        ).1
        #expect(format.mSampleRate == 32000 && format.mChannelsPerFrame == 1)
        #expect(second.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, format) == noErr)
        #expect(AudioUnitInitialize(first.unit) == noErr && AudioUnitInitialize(second.unit) == noErr)
        let delayed = (0..<20).map { (frame: Int) -> Float in max(Float(frame) - 6, 0) }
        #expect(second.render(20, channels: 1)[0] == delayed)
        let broken = AudioUnitConnection(sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 0)
        #expect(second.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, broken) == noErr)
        #expect(second.cycle(8, channels: 1).status == kAudioUnitErr_NoConnection)
        let wrong = AudioUnitConnection(sourceAudioUnit: first.unit, sourceOutputNumber: 3, destInputNumber: 0)
        #expect(
            second.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, wrong)
                == kAudioUnitErr_InvalidElement)
    }

    @Test("Two units that feed each other end in a status, not in an endless descent")
    func circle() throws {
        let units = try [UnitHandle(kAudioUnitSubType_Delay), UnitHandle(kAudioUnitSubType_Delay)]
        for (unit, other) in [(units[0], units[1]), (units[1], units[0])] {
            let connection = AudioUnitConnection(sourceAudioUnit: other.unit, sourceOutputNumber: 0, destInputNumber: 0)
            #expect(
                unit.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, connection) == noErr
                    && AudioUnitInitialize(unit.unit) == noErr)
        }
        withExtendedLifetime(units) {
            #expect(units[0].cycle(64).status == kAudioUnitErr_CannotDoInCurrentContext)
        }
    }

    @Test("A source that was disposed of is no connection")
    func orphaned() throws {
        let unit = try UnitHandle(kAudioUnitSubType_Delay)
        var source: UnitHandle? = try UnitHandle(kAudioUnitSubType_Delay)
        let connection = AudioUnitConnection(
            sourceAudioUnit: try #require(source?.unit), sourceOutputNumber: 0, destInputNumber: 0)
        #expect(
            unit.set(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, connection) == noErr
                && AudioUnitInitialize(unit.unit) == noErr)
        source = nil
        #expect(unit.cycle(64).status == kAudioUnitErr_NoConnection)
    }

    @Test("AudioUnitProcess works in place, with the delay and nothing else")
    func process() throws {
        let handle = try UnitHandle(kAudioUnitSubType_SampleDelay)
        #expect(
            AudioUnitSetParameter(handle.unit, kSampleDelayParam_DelayFrames, kAudioUnitScope_Global, 0, 5, 0) == noErr
                && AudioUnitInitialize(handle.unit) == noErr)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: OfflineRig.format(44100, 2), frameCapacity: 64))
        buffer.frameLength = 64
        let left = try #require(buffer.floatChannelData)[0]
        for frame in 0..<64 { left[frame] = Float(frame + 1) }
        var stamp = AudioTimeStamp()
        #expect(AudioUnitProcess(handle.unit, nil, &stamp, 64, buffer.mutableAudioBufferList) == noErr)
        #expect((0..<64).allSatisfy { left[$0] == max(Float($0) - 4, 0) })
        #expect(AudioUnitProcess(handle.unit, nil, &stamp, 128, buffer.mutableAudioBufferList) == kAudio_ParamError)
        #expect(handle.cycle(64).status == kAudioUnitErr_NoConnection)
        var inputs = [UnsafePointer(buffer.audioBufferList)], outputs = [buffer.mutableAudioBufferList]
        #expect(AudioUnitProcessMultiple(handle.unit, nil, &stamp, 64, 1, &inputs, 1, &outputs) == noErr)
        #expect(AudioUnitProcessMultiple(handle.unit, nil, &stamp, 64, 1, &inputs, 2, &outputs) == kAudio_ParamError)
    }

    @Test("Notifies hear of each cycle before and after it with their reference, until they are removed")
    func notifies() throws {
        final class Heard { var all: [AudioUnitRenderActionFlags] = [] }
        let heard = Heard(), handle = try UnitHandle(kAudioUnitSubType_Delay)
        let notify: AURenderCallback = { reference, flags, _, _, _, _ in
            Unmanaged<Heard>.fromOpaque(reference).takeUnretainedValue().all.append(flags.pointee)
            return noErr
        }
        let reference = Unmanaged.passUnretained(heard).toOpaque()
        handle.feed { _, _ in 0 }
        #expect(
            AudioUnitInitialize(handle.unit) == noErr
                && AudioUnitAddRenderNotify(handle.unit, notify, reference) == noErr)
        _ = handle.cycle(64)
        #expect(heard.all == [.unitRenderAction_PreRender, .unitRenderAction_PostRender])
        #expect(AudioUnitRemoveRenderNotify(handle.unit, notify, nil) == noErr)
        _ = handle.cycle(64)
        #expect(heard.all.count == 4 && AudioUnitRemoveRenderNotify(handle.unit, notify, reference) == noErr)
        _ = handle.cycle(64)
        #expect(heard.all.count == 4)
        withExtendedLifetime(heard) {}
    }

    @Test("A unit may be disposed of by its own callback")
    func suicide() throws {
        var made: AudioUnit?,
            wanted = AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Delay)
        #expect(AudioComponentInstanceNew(try #require(AudioComponentFindNext(nil, &wanted)), &made) == noErr)
        let unit = try #require(made)
        let callback: AURenderCallback = { reference, _, _, _, _, _ in
            AudioComponentInstanceDispose(OpaquePointer(reference))
        }
        var data = AURenderCallbackStruct(inputProc: callback, inputProcRefCon: UnsafeMutableRawPointer(unit))
        #expect(
            AudioUnitSetProperty(
                unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &data,
                UInt32(MemoryLayout.size(ofValue: data))) == noErr)
        #expect(AudioUnitInitialize(unit) == noErr)
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        var stamp = AudioTimeStamp()
        #expect(AudioUnitRender(unit, nil, &stamp, 0, 64, list.unsafeMutablePointer) == noErr)
        #expect(AudioUnitRender(unit, nil, &stamp, 0, 64, list.unsafeMutablePointer) == kAudioUnitErr_InvalidElement)
    }

    @Test("Scheduled steps and ramps happen at their frames of the next call")
    func schedule() throws {
        let handle = try UnitHandle(kAudioUnitSubType_SampleDelay)
        handle.feed { frame, _ in Float(frame) }
        #expect(AudioUnitInitialize(handle.unit) == noErr)
        var event = AudioUnitParameterEvent(), value: Float = -1
        event.parameter = kSampleDelayParam_DelayFrames
        event.eventValues.immediate = .init(bufferOffset: 100, value: 5)
        #expect(AudioUnitScheduleParameters(handle.unit, &event, 1) == noErr)
        #expect(Array(handle.render(256)[0][..<100]) == (0..<100).map { Float($0) })
        #expect(
            AudioUnitGetParameter(handle.unit, event.parameter, kAudioUnitScope_Global, 0, &value) == noErr
                && value == 5)
        event.parameter = 77
        #expect(AudioUnitScheduleParameters(handle.unit, &event, 1) == kAudioUnitErr_InvalidParameter)

        let equalizer = try UnitHandle(kAudioUnitSubType_NBandEQ)
        equalizer.feed { _, _ in 1 }
        #expect(AudioUnitInitialize(equalizer.unit) == noErr)
        var ramp = AudioUnitParameterEvent()
        (ramp.parameter, ramp.eventType) = (kAUNBandEQParam_GlobalGain, .parameterEvent_Ramped)
        ramp.eventValues.ramp = .init(startBufferOffset: -640, durationInFrames: 1280, startValue: 0, endValue: -20)
        #expect(AudioUnitScheduleParameters(equalizer.unit, &ramp, 1) == noErr)
        for step in 1...6 {
            _ = equalizer.cycle(128)
            #expect(
                AudioUnitGetParameter(equalizer.unit, kAUNBandEQParam_GlobalGain, kAudioUnitScope_Global, 0, &value)
                    == noErr)
            #expect(abs(value + min(10 + 2 * Float(step), 20)) < 1e-4)
        }
        ramp.eventValues.ramp.endValue = .nan
        #expect(AudioUnitScheduleParameters(equalizer.unit, &ramp, 1) == kAudioUnitErr_InvalidParameterValue)
    }
}
