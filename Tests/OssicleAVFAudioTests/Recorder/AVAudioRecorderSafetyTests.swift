import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioRecorder: crashes, full disks and misuse")
struct AVAudioRecorderSafetyTests {
    /// In a process of its own, which records 3.5 s to each kind of file and is killed.
    @Test("What a killed process has recorded plays to its last second, in every kind of file")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let sine = tone(100)
            let rig = try RecorderRig { frame, _ in sine[frame % 100] }
            var recorders: [AVAudioRecorder] = []
            for (index, kind) in (FileKind.linear + FileKind.compressed).enumerated() {
                let url = URL(fileURLWithPath: path).appendingPathComponent("\(index)\(kind.name)")
                let recorder = try rig.device.use { try AVAudioRecorder(url: url, settings: kind.settings()) }
                try #require(recorder.record())
                recorders.append(recorder)
            }
            try rig.run(168_000)
            try #require(recorders.allSatisfy { $0.isRecording })
            kill(getpid(), SIGKILL)
            while true { sleep(1) }
        }
        for (index, kind) in (FileKind.linear + FileKind.compressed).enumerated() {
            let samples = try RecorderRig.samples(folder.file("\(index)\(kind.name)"))
            #expect(samples.count >= 168_000 - 48_000, "\(kind.testDescription): \(samples.count) frames")
            guard samples.count > 110_000 else { continue }
            #expect(abs(Measure.level(samples[10_000..<110_000]) + 9.03) < 0.5, "\(kind.testDescription)")
        }
    }

    /// In a process of its own, whose files cannot grow beyond 64 KiB.
    @Test("A full disk ends the recording with an encode error, and what was written stays")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let rig = try RecorderRig()
            let listener = RecorderListener()
            let recorders = try ["a.wav", "a.caf", "a.aifc"].map { try rig.recorder($0) }
            for recorder in recorders {
                recorder.delegate = listener
                try #require(recorder.record())
            }
            var limit = rlimit(rlim_cur: 65_536, rlim_max: 65_536)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            try rig.run(48_000)
            try #require(
                listener.diary.lines == Array(repeating: ["error", "finished false"], count: 3).flatMap { $0 })
            for recorder in recorders {
                try #require(!recorder.isRecording && recorder.lastError != nil)
                let samples = try RecorderRig.samples(recorder.url)
                // 64 KiB are 16,384 frames of 32 bits, but for the header and one block of 20 ms.
                try #require(samples.count > 14_000)
                try #require(samples == RecorderRig.noise(0..<samples.count))
            }
        }
    }

    @Test("Settings and places that cannot be are refused before a file is there")
    func refused() throws {
        let rig = try RecorderRig()
        for (name, settings) in [
            ("a.wav", [AVFormatIDKey: kAudioFormatMPEG4AAC]), ("a.xyz", [:]), ("a.wav", [AVSampleRateKey: -1]),
            ("a.wav", [AVNumberOfChannelsKey: 6]), ("a.wav", [AVSampleRateKey: "x"]),
        ] as [(String, [String: Any])] {
            #expect(avfaudioCode { _ = try rig.recorder(name, settings) } != nil)
        }
        let remote = try #require(URL(string: "https://example.org/a.wav"))
        #expect(avfaudioCode { _ = try AVAudioRecorder(url: remote, settings: RecorderRig.floats) } != nil)
        let nowhere = try rig.recorder("missing/a.wav")
        #expect(!nowhere.prepareToRecord() && !nowhere.record() && !nowhere.isRecording && nowhere.lastError != nil)
    }

    @Test("Without an input nothing is recorded, and the error says so")
    func noInput() throws {
        let rig = try PlayerRig()
        let recorder = try rig.device.use {
            try AVAudioRecorder(url: rig.folder.file("a.wav"), settings: RecorderRig.floats)
        }
        #expect(!recorder.record() && !recorder.isRecording)
        #expect("\(try #require(recorder.lastError))".contains("input"))
        #expect(!FileManager.default.fileExists(atPath: recorder.url.path))
    }

    @Test("Times that are none are refused")
    func oddTimes() throws {
        let rig = try RecorderRig()
        let recorder = try rig.recorder()
        for time in [Double.nan, .infinity, -.infinity] {
            #expect(!recorder.record(atTime: time) && !recorder.record(forDuration: time))
        }
        #expect(!recorder.record(forDuration: -1) && !recorder.isRecording)
        #expect(recorder.record(atTime: -1e300, forDuration: 1e300))
        try rig.run(1000)
        #expect(recorder.currentTime == 1000.0 / 48_000)
    }

    @Test("A recorder that is let go closes its file")
    func letGo() throws {
        let rig = try RecorderRig()
        var recorder: AVAudioRecorder? = try rig.recorder()
        recorder?.record()
        try rig.run(1500)
        recorder = nil
        #expect(try RecorderRig.samples(rig.folder.file("a.wav")) == RecorderRig.noise(0..<1500))
    }

    @Test("/dev/null keeps nothing and tells the levels")
    func levelsOnly() throws {
        let rig = try RecorderRig { _, _ in 1 }
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
            AVEncoderAudioQualityKey: AVAudioQuality.max.rawValue,
        ]
        let recorder = try rig.device.use {
            try AVAudioRecorder(url: URL(fileURLWithPath: "/dev/null"), settings: settings)
        }
        recorder.isMeteringEnabled = true
        #expect(recorder.prepareToRecord() && recorder.record())
        try rig.run(9600)
        recorder.updateMeters()
        #expect(recorder.averagePower(forChannel: 0) == 0)
        recorder.stop()
        #expect(recorder.lastError == nil)
    }

    @Test("Calls in any order from several threads, while it records, break nothing")
    func threads() throws {
        let rig = try RecorderRig()
        let recorder = try rig.recorder()
        let group = DispatchGroup()
        for index in 0..<4 {
            DispatchQueue.global().async(group: group) {
                for turn in 0..<100 {
                    switch (turn * 3 + index) % 6 {
                    case 0, 1: recorder.record()
                    case 2: recorder.pause()
                    case 3: recorder.record(forDuration: 0.01)
                    case 4: _ = (recorder.currentTime, recorder.settings)
                    default: recorder.stop()
                    }
                }
            }
        }
        for _ in 0..<100 { try rig.run(256) }
        group.wait()
        recorder.stop()
        #expect(!recorder.isRecording)
        recorder.record()
        try rig.run(1000)
        recorder.stop()
        #expect(try RecorderRig.samples(recorder.url).count == 1000)
    }
}
