import OssicleAudioToolbox
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio

@Suite("System sounds", .serialized) struct SystemSoundTests {
    private let folder: TemporaryFolder
    private let device: OfflineAudioDevice

    init() throws {
        folder = try TemporaryFolder()
        device = try OfflineAudioDevice(format: OfflineRig.format(48_000, 2))
    }

    /// A file of a constant.
    private func file(_ name: String, frames: Int, value: Float = 0.5) throws -> NSURL {
        let url = folder.url.appendingPathComponent(name), format = OfflineRig.format(48_000, 1)
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        let piece = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 48_000))
        piece.frameLength = 48_000
        piece.floatChannelData?[0].update(repeating: value, count: 48_000)
        for start in stride(from: 0, to: frames, by: 48_000) {
            piece.frameLength = AVAudioFrameCount(min(48_000, frames - start))
            try file.write(from: piece)
        }
        file.close()
        return url as NSURL
    }

    private func create(_ url: NSURL) throws -> SystemSoundID {
        var id: SystemSoundID = 0
        try #require(AudioServicesCreateSystemSoundID(url, &id) == kAudioServicesNoError)
        return id
    }

    private func render(_ frames: Int) throws -> [Float] {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: device.format, frameCapacity: AVAudioFrameCount(frames)))
        try device.render(AVAudioFrameCount(frames), to: buffer)
        return Array(UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: frames))
    }

    @Test("Sounds are heard from their first sample to their last, together, and tell when they are over")
    func heard() throws {
        let long = try create(file("a.wav", frames: 3000)), short = try create(file("b.caf", frames: 1000, value: 0.25))
        let isCalled = Flag()
        device.use {
            AudioServicesPlaySystemSoundWithCompletion(long) { isCalled.count.wrappingAdd(1, ordering: .relaxed) }
            AudioServicesPlayAlertSound(short)
        }
        let sound = try render(4000)
        #expect(sound[0] == 0.75 && sound[999] == 0.75 && sound[1000] == 0.5 && sound[2999] == 0.5 && sound[3000] == 0)
        #expect(isCalled.count.load(ordering: .relaxed) == 1)
        device.use { AudioServicesPlaySystemSound(kSystemSoundID_UserPreferredAlert) }
        #expect((Measure.rms(try render(4000)) - 0.13).magnitude < 0.05)
        #expect(AudioServicesDisposeSystemSoundID(long) == noErr && AudioServicesDisposeSystemSoundID(short) == noErr)
    }

    @Test("A disposed sound ends, and its completion is called; so is that of a sound there is not")
    func disposed() throws {
        let id = try create(file("a.wav", frames: 40_000)), flag = Flag()
        func play(_ id: SystemSoundID) {
            device.use {
                AudioServicesPlaySystemSoundWithCompletion(id) { flag.count.wrappingAdd(1, ordering: .relaxed) }
            }
        }
        play(id)
        #expect(try render(1000)[999] == 0.5)
        #expect(AudioServicesDisposeSystemSoundID(id) == noErr && AudioServicesDisposeSystemSoundID(id) != noErr)
        #expect(flag.count.load(ordering: .relaxed) == 1)
        _ = try render(1000)
        #expect(try render(1000)[999] == 0)
        play(id)
        play(kSystemSoundID_Vibrate)
        #expect(flag.count.load(ordering: .relaxed) == 3)
    }

    @Test("A completion function gets the sound and the client's data, until it is removed")
    func completionFunction() throws {
        let id = try create(file("a.wav", frames: 500)), flag = Flag(), loop = LoopThread()
        defer { loop.end() }
        let data = Unmanaged.passUnretained(flag).toOpaque()
        let status = AudioServicesAddSystemSoundCompletion(
            id, loop.loop, nil,
            { id, data in
                guard let data else { return }
                Unmanaged<Flag>.fromOpaque(data).takeUnretainedValue().count.store(Int(id), ordering: .relaxed)
            }, data)
        #expect(status == noErr)
        device.use { AudioServicesPlaySystemSound(id) }
        #expect(
            waitUntil {
                _ = try? render(100)
                return flag.count.load(ordering: .relaxed) == Int(id)
            })
        AudioServicesRemoveSystemSoundCompletion(id)
        flag.count.store(0, ordering: .relaxed)
        let second = Flag()
        device.use {
            AudioServicesPlaySystemSoundWithCompletion(id) { second.count.wrappingAdd(1, ordering: .relaxed) }
        }
        _ = try render(600)
        #expect(second.count.load(ordering: .relaxed) == 1 && flag.count.load(ordering: .relaxed) == 0)
        #expect(AudioServicesAddSystemSoundCompletion(1, nil, nil, { _, _ in }, nil) != noErr)
    }

    @Test("What is missing or longer than 30 s is refused by its status")
    func refusals() throws {
        var id: SystemSoundID = 7
        let missing = AudioServicesCreateSystemSoundID(NSURL(fileURLWithPath: "/nowhere/a.wav"), &id)
        #expect(missing == kAudioServicesSystemSoundUnspecifiedError && id == 0)
        let long = AudioServicesCreateSystemSoundID(try file("long.wav", frames: 48_000 * 30 + 1), &id)
        #expect(long == kAudioServicesSystemSoundExceededMaximumDurationError)
        #expect(AudioServicesDisposeSystemSoundID(kSystemSoundID_Vibrate) != noErr)
    }

    @Test("Properties are kept per sound, and wrong questions have their status")
    func properties() throws {
        var id = try create(file("a.wav", frames: 500)), value: UInt32 = 9, size: UInt32 = 4
        let ui = kAudioServicesPropertyIsUISound
        #expect(AudioServicesGetProperty(ui, 4, &id, &size, &value) == noErr && value == 1)
        value = 0
        #expect(AudioServicesSetProperty(ui, 4, &id, 4, &value) == noErr)
        value = 9
        #expect(AudioServicesGetProperty(ui, 4, &id, &size, &value) == noErr && value == 0)
        #expect(
            AudioServicesGetProperty(kAudioServicesPropertyCompletePlaybackIfAppDies, 4, &id, &size, &value) == noErr)
        var isWritable: DarwinBoolean = false
        #expect(
            AudioServicesGetPropertyInfo(ui, 4, &id, &size, &isWritable) == noErr && size == 4 && isWritable.boolValue)
        #expect(AudioServicesGetProperty(1, 4, &id, &size, &value) == kAudioServicesUnsupportedPropertyError)
        #expect(AudioServicesGetProperty(ui, 2, &id, &size, &value) == kAudioServicesBadSpecifierSizeError)
        #expect(AudioServicesSetProperty(ui, 4, &id, 2, &value) == kAudioServicesBadPropertySizeError)
        size = 1
        #expect(AudioServicesGetProperty(ui, 4, &id, &size, &value) == kAudioServicesBadPropertySizeError)
    }

    @Test(
        "Eight threads create, play, read, write and dispose of sounds while they are rendered; every completion comes")
    func threads() throws {
        let url = try file("a.wav", frames: 700), device = device, completed = Flag(), isOver = Atomic(false)
        let finished = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                for _ in 0..<40 {
                    var id: SystemSoundID = 0, value: UInt32 = 0, size: UInt32 = 4
                    guard AudioServicesCreateSystemSoundID(url, &id) == kAudioServicesNoError else { continue }
                    device.use {
                        for sound in [id, kSystemSoundID_UserPreferredAlert] {
                            AudioServicesPlaySystemSoundWithCompletion(sound) {
                                completed.count.wrappingAdd(1, ordering: .relaxed)
                            }
                        }
                    }
                    AudioServicesSetProperty(kAudioServicesPropertyIsUISound, 4, &id, 4, &value)
                    AudioServicesGetProperty(kAudioServicesPropertyIsUISound, 4, &id, &size, &value)
                    if id % 2 == 0 { AudioServicesDisposeSystemSoundID(id) }
                }
            }
            isOver.store(true, ordering: .relaxed)
            finished.signal()
        }
        while !isOver.load(ordering: .relaxed) { _ = try render(480) }
        finished.wait()
        // The alert lasts 7200 frames.
        _ = try render(10_000)
        let rest = try render(100)
        #expect(completed.count.load(ordering: .relaxed) == 8 * 40 * 2 && rest.allSatisfy { $0 == 0 })
    }

    private final class Flag: Sendable {
        let count = Atomic(0)
    }

    /// A thread that runs a run loop.
    private final class LoopThread: @unchecked Sendable {
        private(set) var loop = RunLoop.main
        private let isOver = Atomic(false)

        init() {
            let ready = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [self] in
                loop = .current
                ready.signal()
                while !isOver.load(ordering: .relaxed) {
                    _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
                    usleep(1000)
                }
            }
            ready.wait()
        }

        func end() { isOver.store(true, ordering: .relaxed) }
    }
}
