import Foundation
import OssicleCoreAudioTypes
import OssicleDevices
import OssicleTestKit
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioRecorder: what the input misses")
struct RecordedSpanTests {
    @Test("Missing frames become silence where they are missing, and count")
    func silence() {
        var span = RecordedSpan()
        span.begin(at: 0, limit: 1000)
        #expect(span.take(0..<100) == [.sound(0..<100)])
        span.miss(50, at: 150)
        #expect(span.take(100..<200) == [.sound(0..<50), .silence(50), .sound(50..<100)])
        #expect(span.count(before: 200) == 250)
        #expect(!span.isComplete(before: 949) && span.isComplete(before: 950))
        #expect(span.take(200..<1000) == [.sound(0..<750)] && span.count(before: 2000) == 1000)
    }

    @Test("A recording whose time is over ends in silence; a paused one misses nothing")
    func ends() {
        var span = RecordedSpan()
        span.begin(at: 0, limit: 300)
        span.miss(500, at: 100)
        #expect(span.take(0..<100) == [.sound(0..<100)])
        #expect(span.take(100..<200) == [.silence(200)])
        #expect(span.isComplete(before: 100) && span.count(before: 200) == 300)
        span = RecordedSpan()
        span.begin(at: 0, limit: nil)
        span.end(at: 100)
        span.miss(500, at: 120)
        #expect(span.take(0..<200) == [.sound(0..<100)] && span.count(before: 200) == 100)
    }
}

/// To be run alone: the whole process uses a server meanwhile that is killed.
@Suite("A player and a recorder whose server is killed", .serialized, .enabled(if: SoundServer.isRunning))
struct RecorderReturnTests {
    /// Gives what the sink plays as a microphone, and returns when it is the default input.
    private func addMicrophone(_ server: SoundServer.Victim) throws {
        try server.control(
            "load-module", "module-remap-source", "master=\(SoundServer.sink).monitor", "source_name=mic")
        let isThere = SoundServer.eventually {
            (try? DeviceList.current(server: server.address))?.default(.input)?.id == "mic"
        }
        try #require(isThere)
    }

    /// The tone has −6 dBFS; half of a window of 20 ms is enough to be heard.
    private func hears(_ samples: ArraySlice<Float>) -> Bool { Measure.level(samples) > -15 }

    /// What was recorded lasts as long as it took, within 0.25 s: two blocks of each device opened are rendered ahead.
    @Test("Killed twice: both go on by themselves within 0.5 s, in the same file, whose times stay true")
    func killedTwice() throws {
        let server = try SoundServer.Victim()
        try addMicrophone(server)
        let folder = try TemporaryFolder()
        try server.serve {
            let file = try waveFile(folder, "tone.wav", [tone(48_000)], rate: 48_000)
            let player = try AVAudioPlayer(contentsOf: file.url)
            player.numberOfLoops = -1
            #expect(player.play())
            let recorder = try AVAudioRecorder(url: folder.file("a.wav"), settings: RecorderRig.floats)
            #expect(recorder.record())
            let start = ContinuousClock.now
            var now: Double { (ContinuousClock.now - start) / .seconds(1) }
            var stretches = [(begin: 0.5, end: 0.0)]
            for _ in 0..<2 {
                Thread.sleep(forTimeInterval: 2)
                stretches[stretches.count - 1].end = now
                server.send(SIGKILL)
                Thread.sleep(forTimeInterval: 1)
                try server.restart()
                try addMicrophone(server)
                stretches.append((begin: now, end: 0))
            }
            Thread.sleep(forTimeInterval: 2)
            let end = now
            stretches[2].end = end
            #expect(recorder.isRecording && player.isPlaying && abs(recorder.currentTime - end) < 0.25)
            recorder.stop()
            player.stop()

            let samples = try RecorderRig.samples(folder.file("a.wav"))
            #expect(abs(Double(samples.count) / 48_000 - end) < 0.25)
            for stretch in stretches {
                let windows = stride(from: Int(stretch.begin * 48_000), to: Int(stretch.end * 48_000) - 9_600, by: 960)
                let first = windows.first { hears(samples[$0..<$0 + 960]) } ?? .max
                let delay = Double(first) / 48_000 - stretch.begin
                print("A recorder's tone is back \(Int(delay * 1000)) ms after the server")
                #expect(delay < 0.5)
                #expect(windows.allSatisfy { $0 < first || hears(samples[$0..<$0 + 960]) }, "nothing is lost behind it")
            }
        }
    }
}
