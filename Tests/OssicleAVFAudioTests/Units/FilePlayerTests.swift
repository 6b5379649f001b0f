import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// A region in memory of its own.
private final class Region: @unchecked Sendable {
    let pointer = UnsafeMutablePointer<ScheduledAudioFileRegion>.allocate(capacity: 1)
    let done = DispatchSemaphore(value: 0)
    private(set) var status = noErr

    init(_ file: AudioFileID, from start: Int64, _ frames: UInt32, at time: Double? = nil, loops: UInt32 = 0) {
        var stamp = AudioTimeStamp()
        if let time { (stamp.mSampleTime, stamp.mFlags) = (time, .sampleTimeValid) }
        pointer.initialize(
            to: ScheduledAudioFileRegion(
                mTimeStamp: stamp,
                mCompletionProc: { reference, _, status in
                    guard let reference else { return }
                    let region = Unmanaged<Region>.fromOpaque(reference).takeUnretainedValue()
                    region.status = status
                    region.done.signal()
                }, mCompletionProcUserData: nil, mAudioFile: file, mLoopCount: loops, mStartFrame: start,
                mFramesToPlay: frames))
        pointer.pointee.mCompletionProcUserData = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { pointer.deallocate() }

    func schedule(_ unit: AudioUnit) -> OSStatus {
        AudioUnitSetProperty(
            unit, kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, 0, pointer,
            UInt32(MemoryLayout<ScheduledAudioFileRegion>.size))
    }
}

@Suite("The player of files by itself") struct FilePlayerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ sound: [[Float]], rate: Double = 48_000) throws -> AudioFileID {
        let file = try waveFile(folder, "\(UUID().uuidString).wav", sound, rate: rate)
        var id: AudioFileID?
        #expect(AudioFileOpenURL(file.url as CFURL, .readPermission, 0, &id) == noErr)
        return try #require(id)
    }

    private func player(_ files: [AudioFileID]) throws -> UnitHandle {
        let player = try UnitHandle(kAudioUnitSubType_AudioFilePlayer, kAudioUnitType_Generator)
        let format = OfflineRig.format(48_000, 2).streamDescription.pointee
        #expect(player.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, format) == noErr)
        #expect(player.set(kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, UInt32(1)) == noErr)
        #expect(AudioUnitInitialize(player.unit) == noErr)
        #expect(announce(files, to: player.unit) == noErr)
        return player
    }

    private func announce(_ files: [AudioFileID], to unit: AudioUnit) -> OSStatus {
        files.withUnsafeBytes {
            guard let address = $0.baseAddress else { return kAudio_ParamError }
            return AudioUnitSetProperty(
                unit, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, address, UInt32($0.count))
        }
    }

    private func start(_ unit: AudioUnit) {
        var stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mFlags) = (-1, .sampleTimeValid)
        #expect(
            AudioUnitSetProperty(
                unit, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, &stamp,
                UInt32(MemoryLayout<AudioTimeStamp>.size)) == noErr)
    }

    private func ramp(_ count: Int, _ first: Float) -> [Float] { (0..<count).map { (first + Float($0)) / 1024 } }

    @Test("Regions begin on their frames, repeat, and end where their files do", arguments: [512, 1, 97])
    func places(size: Int) throws {
        let file = try open([ramp(200, 100), ramp(200, 300)]), mono = try open([ramp(50, 600)])
        let player = try player([file, mono])
        let regions = [
            Region(file, from: 20, 30, at: 100), Region(mono, from: 40, .max, loops: 2),
            Region(file, from: 190, 50, at: 300),
        ]
        for region in regions { #expect(region.schedule(player.unit) == noErr) }
        // A region keeps its file.
        AudioFileClose(mono)
        #expect(player.set(kAudioUnitProperty_ScheduledFilePrime, kAudioUnitScope_Global, 0, UInt32(0)) == noErr)
        start(player.unit)
        let sound = player.render(400, callsOf: size)
        var expected = [[Float]](repeating: [Float](repeating: 0, count: 400), count: 2)
        for (channel, first) in [(0, Float(100)), (1, 300)] {
            expected[channel].replaceSubrange(100..<130, with: ramp(30, first + 20))
            for pass in 0..<3 {
                expected[channel].replaceSubrange(130 + 10 * pass..<140 + 10 * pass, with: ramp(10, 640))
            }
            expected[channel].replaceSubrange(300..<310, with: ramp(10, first + 190))
        }
        #expect(sound == expected)
        for region in regions {
            #expect(region.done.wait(timeout: .now() + 10) == .success)
            #expect(region.status == noErr)
        }
        AudioFileClose(file)
    }

    @Test("A file of another rate keeps its pitch")
    func rate() throws {
        let file = try open([Signal.sine(1000, sampleRate: 44_100, count: 22_050)], rate: 44_100)
        let player = try player([file]), region = Region(file, from: 0, .max)
        #expect(region.schedule(player.unit) == noErr)
        start(player.unit)
        let sound = player.render(24_100)
        #expect(abs(Measure.pitch(near: 1000, in: Array(sound[0][2000..<22_000])).frequency - 1000) < 0.05)
        #expect(abs(Measure.level(sound[0][2000..<22_000]) + 3.01) < 0.02)
        #expect(sound[0][24_010...].allSatisfy { abs($0) < 1e-4 })
        AudioFileClose(file)
    }

    @Test("Files that were not announced, and starts outside a file, give a status")
    func misuse() throws {
        let file = try open([ramp(10, 0)]), other = try open([ramp(10, 0)])
        let player = try player([file])
        #expect(Region(other, from: 0, 5).schedule(player.unit) == kAudioUnitErr_FileNotSpecified)
        #expect(Region(file, from: -1, 5).schedule(player.unit) == kAudioUnitErr_InvalidPropertyValue)
        #expect(Region(file, from: 11, 5).schedule(player.unit) == kAudioUnitErr_InvalidPropertyValue)
        AudioFileClose(file)
        #expect(Region(file, from: 0, 5).schedule(player.unit) != noErr)
        let slices = try UnitHandle(kAudioUnitSubType_ScheduledSoundPlayer, kAudioUnitType_Generator)
        #expect(announce([other], to: slices.unit) == kAudioUnitErr_InvalidProperty)
        AudioFileClose(other)
    }

    @Test("In an engine a generator node plays regions, too")
    func node() throws {
        let generator = AVAudioUnitGenerator(
            audioComponentDescription: AudioComponentDescription(
                builtIn: kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer))
        let rig = try OfflineRig(), file = try open([ramp(20, 5)])
        rig.engine.attach(generator)
        rig.engine.connect(generator, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        _ = try rig.render(100)
        #expect(announce([file], to: generator.audioUnit) == noErr)
        let region = Region(file, from: 0, 20)
        #expect(region.schedule(generator.audioUnit) == noErr)
        start(generator.audioUnit)
        #expect(try rig.render(30)[0] == ramp(20, 5) + Array(repeating: 0, count: 10))
        #expect(region.done.wait(timeout: .now() + 10) == .success)
        AudioFileClose(file)
    }
}
