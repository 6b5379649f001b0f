import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Synchronization
import Testing
@testable import OssicleAVFAudio

/// A slice in memory of its own, whose frame n is `first + n` in every channel.
private final class Slice: @unchecked Sendable {
    let pointer = UnsafeMutablePointer<ScheduledAudioSlice>.allocate(capacity: 1)
    let done = DispatchSemaphore(value: 0)
    private let list: UnsafeMutableAudioBufferListPointer
    private let memory: UnsafeMutablePointer<Float>

    init(_ frames: Int, first: Float, at time: Double? = nil, flags: AUScheduledAudioSliceFlags = []) {
        memory = .allocate(capacity: 2 * frames)
        list = AudioBufferList.allocate(maximumBuffers: 2)
        for channel in 0..<2 {
            for frame in 0..<frames { memory[channel * frames + frame] = first + Float(frame) }
            list[channel] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: memory + channel * frames)
        }
        var stamp = AudioTimeStamp()
        if let time { (stamp.mSampleTime, stamp.mFlags) = (time, .sampleTimeValid) }
        pointer.initialize(
            to: ScheduledAudioSlice(
                mTimeStamp: stamp,
                mCompletionProc: { reference, _ in
                    guard let reference else { return }
                    Unmanaged<Slice>.fromOpaque(reference).takeUnretainedValue().done.signal()
                }, mCompletionProcUserData: nil, mFlags: flags, mReserved: 0, mReserved2: nil,
                mNumberFrames: UInt32(frames), mBufferList: list.unsafeMutablePointer))
        pointer.pointee.mCompletionProcUserData = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        free(list.unsafeMutablePointer)
        memory.deallocate()
        pointer.deallocate()
    }

    func schedule(_ unit: AudioUnit) -> OSStatus {
        AudioUnitSetProperty(
            unit, kAudioUnitProperty_ScheduleAudioSlice, kAudioUnitScope_Global, 0, pointer,
            UInt32(MemoryLayout<ScheduledAudioSlice>.size))
    }
}

@Suite("The player of slices by itself") struct SoundPlayerTests {
    private func player() throws -> UnitHandle {
        let player = try UnitHandle(kAudioUnitSubType_ScheduledSoundPlayer, kAudioUnitType_Generator)
        let format = OfflineRig.format(48_000, 2).streamDescription.pointee
        #expect(player.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, format) == noErr)
        #expect(AudioUnitInitialize(player.unit) == noErr)
        return player
    }

    private func start(_ player: UnitHandle, at time: Double = -1) {
        var stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mFlags) = (time, .sampleTimeValid)
        #expect(player.set(kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, stamp) == noErr)
    }

    @Test("Slices begin on their frames, one behind the other, however cycles are cut", arguments: [512, 1, 97])
    func places(size: Int) throws {
        let player = try player()
        let slices = [Slice(100, first: 1000, at: 50), Slice(30, first: 2000), Slice(10, first: 3000, at: 400)]
        for slice in slices { #expect(slice.schedule(player.unit) == noErr) }
        #expect(player.render(200, callsOf: size)[0].allSatisfy { $0 == 0 })
        start(player, at: 300)
        let sound = player.render(600, callsOf: size)
        var expected = Array(repeating: Float(0), count: 600)
        for frame in 0..<100 { expected[150 + frame] = 1000 + Float(frame) }
        for frame in 0..<30 { expected[250 + frame] = 2000 + Float(frame) }
        for frame in 0..<10 { expected[500 + frame] = 3000 + Float(frame) }
        #expect(sound[0] == expected && sound[1] == expected)
        let time = player.get(kAudioUnitProperty_CurrentPlayTime, kAudioUnitScope_Global, 0, AudioTimeStamp()).1
        #expect(time.mSampleTime == 500)
        for slice in slices {
            #expect(slice.done.wait(timeout: .now() + 10) == .success)
            #expect(
                slice.pointer.pointee.mFlags.isSuperset(of: [
                    .scheduledAudioSliceFlag_Complete, .scheduledAudioSliceFlag_BeganToRender,
                ]))
        }
    }

    @Test("A loop goes on until a slice interrupts it, and a reset drops what waits")
    func loops() throws {
        let player = try player()
        let loop = Slice(10, first: 1, flags: .scheduledAudioSliceFlag_Loop)
        #expect(loop.schedule(player.unit) == noErr)
        start(player)
        let rounds = (0..<35).map { (frame: Int) -> Float in 1 + Float(frame % 10) }
        #expect(player.render(35)[0] == rounds)
        let cut = Slice(5, first: 100, flags: .scheduledAudioSliceFlag_Interrupt)
        #expect(cut.schedule(player.unit) == noErr)
        #expect(player.render(10)[0] == [100, 101, 102, 103, 104, 0, 0, 0, 0, 0])
        #expect(loop.done.wait(timeout: .now() + 10) == .success && cut.done.wait(timeout: .now() + 10) == .success)
        let waiting = Slice(10, first: 7, at: 5000)
        #expect(waiting.schedule(player.unit) == noErr)
        #expect(AudioUnitReset(player.unit, kAudioUnitScope_Global, 0) == noErr)
        #expect(waiting.done.wait(timeout: .now() + 10) == .success)
        #expect(waiting.pointer.pointee.mFlags.contains(.scheduledAudioSliceFlag_Complete))
        #expect(!waiting.pointer.pointee.mFlags.contains(.scheduledAudioSliceFlag_BeganToRender))
        let time = player.get(kAudioUnitProperty_CurrentPlayTime, kAudioUnitScope_Global, 0, AudioTimeStamp()).1
        #expect(time.mSampleTime == -1)
    }

    @Test("Slices that do not fit, and players without resources, give a status")
    func misuse() throws {
        let player = try player(), slice = Slice(10, first: 1)
        slice.pointer.pointee.mNumberFrames = 11
        #expect(slice.schedule(player.unit) == kAudioUnitErr_InvalidPropertyValue)
        #expect(
            AudioUnitSetProperty(
                player.unit, kAudioUnitProperty_ScheduleAudioSlice, kAudioUnitScope_Global, 0, slice.pointer, 8)
                == kAudioUnitErr_InvalidPropertyValue)
        #expect(AudioUnitUninitialize(player.unit) == noErr)
        slice.pointer.pointee.mNumberFrames = 10
        #expect(slice.schedule(player.unit) == kAudioUnitErr_Uninitialized)
        let delay = try UnitHandle(kAudioUnitSubType_Delay)
        #expect(slice.schedule(delay.unit) == kAudioUnitErr_InvalidProperty)
    }

    @Test("In an engine a generator node plays slices, too")
    func node() throws {
        let generator = AVAudioUnitGenerator(
            audioComponentDescription: AudioComponentDescription(
                builtIn: kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer))
        let rig = try OfflineRig()
        rig.engine.attach(generator)
        rig.engine.connect(generator, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        _ = try rig.render(100)
        let slice = Slice(20, first: 1)
        #expect(slice.schedule(generator.audioUnit) == noErr)
        var stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mFlags) = (-1, .sampleTimeValid)
        #expect(
            AudioUnitSetProperty(
                generator.audioUnit, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, &stamp,
                UInt32(MemoryLayout<AudioTimeStamp>.size)) == noErr)
        #expect(try rig.render(30)[0] == (1...20).map { Float($0) } + Array(repeating: 0, count: 10))
        #expect(slice.done.wait(timeout: .now() + 10) == .success)
    }
}
