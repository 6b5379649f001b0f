import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioRecorder: what it records")
struct AVAudioRecorderTests {
    @Test("Every frame from record to stop, however the calls are cut", arguments: [[4096], [1, 333, 1024]])
    func frames(cuts: [Int]) throws {
        let rig = try RecorderRig()
        let recorder = try rig.recorder(), listener = RecorderListener()
        recorder.delegate = listener
        try rig.run(700, cuts: cuts)
        #expect(recorder.record() && recorder.isRecording && recorder.record())
        try rig.run(5000, cuts: cuts)
        #expect(recorder.currentTime == 5000.0 / 48_000)
        recorder.stop()
        #expect(!recorder.isRecording && recorder.currentTime == 0)
        // Without a recorder the input rests.
        #expect(try RecorderRig.samples(recorder.url) == RecorderRig.noise(0..<5000))
        #expect(listener.diary.lines == ["finished true"])
        recorder.stop()
        #expect(listener.diary.lines.count == 1)
    }

    @Test("A duration ends it on its frame, and pauses do not count")
    func duration() throws {
        let rig = try RecorderRig()
        let recorder = try rig.recorder(), listener = RecorderListener()
        recorder.delegate = listener
        #expect(recorder.record(forDuration: 0.1))
        try rig.run(1000)
        recorder.pause()
        #expect(!recorder.isRecording && recorder.currentTime == 1000.0 / 48_000)
        try rig.run(500)
        #expect(recorder.currentTime == 1000.0 / 48_000)
        recorder.record()
        try rig.run(10_000)
        #expect(!recorder.isRecording && listener.diary.lines == ["finished true"])
        #expect(
            try RecorderRig.samples(recorder.url) == RecorderRig.noise(0..<1000) + RecorderRig.noise(1500..<5300))
    }

    @Test("It begins at a time of the device, on its frame")
    func atTime() throws {
        let rig = try RecorderRig()
        let (one, two) = (try rig.recorder("a.wav"), try rig.recorder("b.wav"))
        #expect(one.record())
        try rig.run(100)
        let time = two.deviceCurrentTime + 0.05
        #expect(one.deviceCurrentTime == two.deviceCurrentTime)
        #expect(two.record(atTime: time, forDuration: 0.02) && two.isRecording && two.currentTime == 0)
        try rig.run(5000)
        #expect(!two.isRecording && one.isRecording)
        one.stop()
        #expect(try RecorderRig.samples(two.url) == RecorderRig.noise(2500..<3460))
        #expect(try RecorderRig.samples(one.url) == RecorderRig.noise(0..<5100))
    }

    @Test("record behind stop begins the file anew; deleteRecording removes it")
    func anew() throws {
        let rig = try RecorderRig()
        let recorder = try rig.recorder()
        #expect(!recorder.deleteRecording())
        recorder.record()
        try rig.run(1000)
        #expect(!recorder.deleteRecording())
        recorder.stop()
        recorder.record()
        try rig.run(600)
        recorder.stop()
        #expect(try RecorderRig.samples(recorder.url).count == 600)
        #expect(recorder.deleteRecording() && !FileManager.default.fileExists(atPath: recorder.url.path))
        #expect(!recorder.deleteRecording())
    }

    @Test("prepareToRecord creates the file; settings and format are final then")
    func prepared() throws {
        let rig = try RecorderRig()
        let recorder = try rig.recorder("a.wav", [AVNumberOfChannelsKey: 2])
        #expect(!FileManager.default.fileExists(atPath: recorder.url.path))
        #expect(recorder.format.sampleRate == 44_100 && recorder.format.channelCount == 2)
        #expect(recorder.prepareToRecord() && FileManager.default.fileExists(atPath: recorder.url.path))
        #expect((recorder.settings[AVLinearPCMBitDepthKey] as? NSNumber) == 16)
        #expect(!recorder.isRecording && recorder.currentTime == 0)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 32_000, channels: 1))
        let other = try rig.device.use { try AVAudioRecorder(url: rig.folder.file("b.caf"), format: format) }
        other.record()
        try rig.run(4800)
        other.stop()
        let file = try AVAudioFile(forReading: other.url)
        #expect(file.processingFormat.sampleRate == 32_000 && abs(file.length - 3200) <= 1)
    }

    @Test(
        "Every kind of file holds the input's tone, whole, at its own rate and channels",
        arguments: FileKind.linear + FileKind.compressed)
    func kinds(kind: FileKind) throws {
        let sine = tone(48_000)
        let rig = try RecorderRig { frame, _ in sine[frame % 100] }
        for rate in [48_000.0, 44_100] where kind.id != kAudioFormatOpus || rate == 48_000 {
            let recorder = try rig.recorder("\(Int(rate))\(kind.name)", kind.settings(rate: rate))
            #expect(recorder.record(forDuration: 1))
            try rig.run(50_000)
            #expect(!recorder.isRecording && recorder.lastError == nil)
            for channel in 0..<2 {
                let samples = try RecorderRig.samples(recorder.url, channel: channel)
                // Streams that do not tell their length are longer by the encoder's padding, less than 3000 frames.
                #expect(abs(samples.count - Int(rate)) <= (kind.tellsLength ? 1 : 3000))
                // A tone of 0.5 has −9.03 dB; lossy coders may be half a decibel off.
                #expect(abs(Measure.level(samples[8000..<40_000]) + 9.03) < 0.5)
            }
        }
    }

    @Test("A stereo input fills a mono file with both sides, and its meters tell each")
    func downmix() throws {
        let rig = try RecorderRig(channels: 2) { _, channel in channel == 0 ? 0.5 : 0.25 }
        let recorder = try rig.recorder()
        recorder.isMeteringEnabled = true
        recorder.record()
        try rig.run(9600)
        recorder.updateMeters()
        #expect(abs(recorder.averagePower(forChannel: 0) + 6.02) < 0.01)
        #expect(abs(recorder.peakPower(forChannel: 1) + 12.04) < 0.01)
        recorder.stop()
        let samples = try RecorderRig.samples(recorder.url)
        #expect(samples.count == 9600 && samples.allSatisfy { $0 > 0.3 })
    }

    @Test("A player can be recorded's neighbour: both run on one device")
    func withPlayer() throws {
        let rig = try RecorderRig()
        let file = try waveFile(rig.folder, "p.wav", [tone(4800)], rate: 48_000)
        let player = try rig.device.use { try AVAudioPlayer(contentsOf: file.url) }
        let recorder = try rig.recorder()
        let start = recorder.deviceCurrentTime + 0.01
        #expect(recorder.deviceCurrentTime == player.deviceCurrentTime)
        #expect(recorder.record(atTime: start) && player.play(atTime: start))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: rig.device.format, frameCapacity: 4800))
        try rig.device.render(4800, to: buffer)
        recorder.stop()
        #expect(try RecorderRig.samples(recorder.url) == RecorderRig.noise(480..<4800))
        let sound = Array(UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: 4800))
        #expect(sound == silence(480) + tone(4800)[..<4320])
    }

    @Test("Channel assignments choose the input's channels")
    func assignments() throws {
        let rig = try RecorderRig(channels: 2)
        let recorder = try rig.recorder()
        recorder.channelAssignments = []
        #expect(recorder.channelAssignments == nil && recorder.lastError != nil)
        recorder.channelAssignments = [AVAudioSessionChannelDescription(name: "", owner: "", number: 2, label: 0)]
        recorder.record()
        try rig.run(1000)
        recorder.stop()
        #expect(try RecorderRig.samples(recorder.url) == (0..<1000).map { OfflineRig.noise($0, 1) })
    }

    @Test("An interrupted recorder pauses, and goes on when it is told to")
    func interruption() throws {
        let rig = try RecorderRig()
        let recorder = try rig.recorder()
        recorder.record()
        try rig.run(1000)
        recorder.take.input.pauseForSession()
        #expect(!recorder.isRecording)
        try rig.run(500)
        recorder.record()
        try rig.run(1000)
        recorder.stop()
        #expect(
            try RecorderRig.samples(recorder.url) == RecorderRig.noise(0..<1000) + RecorderRig.noise(1500..<2500))
    }
}
