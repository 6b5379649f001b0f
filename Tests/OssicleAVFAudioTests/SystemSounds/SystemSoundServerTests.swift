import OssicleAudioToolbox
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio

/// At a private sound server: what its monitor records.
@Suite("System sounds at a sound server", .serialized, .enabled(if: SoundServer.isRunning))
struct SystemSoundServerTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func sound(_ frequency: Double, seconds: Int) throws -> SystemSoundID {
        let url = folder.url.appendingPathComponent("\(frequency).wav"), format = OfflineRig.format(48_000, 1)
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        let samples = Signal.sine(frequency, count: seconds * 48_000, amplitude: 0.25)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)))
        buffer.frameLength = buffer.frameCapacity
        buffer.floatChannelData?[0].update(from: samples, count: samples.count)
        try file.write(from: buffer)
        file.close()
        var id: SystemSoundID = 0
        try #require(AudioServicesCreateSystemSoundID(url as NSURL, &id) == kAudioServicesNoError)
        return id
    }

    @Test("A sound and an alert are heard at their level, and their completions follow their ends")
    func heard() throws {
        let level = Measure.decibels(0.25), completed = Atomic(0)
        let (sound, alert) = (try sound(440, seconds: 2), try sound(880, seconds: 2))
        let recording = try SinkRecording()
        AudioServicesPlaySystemSoundWithCompletion(sound) { completed.wrappingAdd(1, ordering: .relaxed) }
        #expect(recording.hasTone(440, level: level) && completed.load(ordering: .relaxed) == 0)
        #expect(waitUntil { completed.load(ordering: .relaxed) == 1 } && recording.isSilent())
        let frames = recording.sound.count { $0 != 0 }
        // Every frame of it, but for the zeros of the sine.
        #expect(frames > 95_000 && frames <= 96_000)
        AudioServicesPlayAlertSoundWithCompletion(alert) { completed.wrappingAdd(1, ordering: .relaxed) }
        #expect(recording.hasTone(880, level: level) && waitUntil { completed.load(ordering: .relaxed) == 2 })
        AudioServicesDisposeSystemSoundID(sound)
        AudioServicesDisposeSystemSoundID(alert)
    }

    @Test("A sound that is disposed of while it plays ends, and its completion is called")
    func disposed() throws {
        let sound = try sound(440, seconds: 25), isCompleted = Atomic(false), recording = try SinkRecording()
        AudioServicesPlaySystemSoundWithCompletion(sound) { isCompleted.store(true, ordering: .relaxed) }
        #expect(recording.hasTone(440, level: Measure.decibels(0.25)))
        #expect(AudioServicesDisposeSystemSoundID(sound) == noErr)
        #expect(waitUntil { isCompleted.load(ordering: .relaxed) } && recording.isSilent())
    }
}
