import Foundation
import OssicleCoreAudioTypes
import OssicleDevices
import OssicleTestSupport
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
@Suite("A player and a recorder whose devices go and come", .serialized, .enabled(if: SoundServer.isRunning))
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

    /// What happens to devices while a recorder hears a tone of 1 kHz, and when it was over, in seconds of the recording.
    private struct Change {
        let name: String
        var begin = 0.0, end = 0.0
        let carryOut: () throws -> Void

        init(_ name: String, _ carryOut: @escaping () throws -> Void) { (self.name, self.carryOut) = (name, carryOut) }
    }

    /// Plays and records while the changes happen, two seconds apart.
    /// - Parameter sink: that the player is at; nil for the default.
    private func expectTone(through changes: [Change], from sink: String? = nil) throws {
        let folder = try TemporaryFolder()
        let player = try AVAudioPlayer(
            contentsOf: waveFile(folder, "tone.wav", [tone(48_000, frequency: 1000)], rate: 48_000).url)
        player.currentDevice = sink
        player.numberOfLoops = -1
        #expect(player.play())
        let recorder = try AVAudioRecorder(url: folder.file("a.wav"), settings: RecorderRig.floats)
        let listener = RecorderListener()
        recorder.delegate = listener
        #expect(recorder.record())
        let start = ContinuousClock.now
        var now: Double { (ContinuousClock.now - start) / .seconds(1) }
        var changes = changes
        for index in changes.indices {
            Thread.sleep(forTimeInterval: 2)
            changes[index].begin = now
            try changes[index].carryOut()
            changes[index].end = now
        }
        Thread.sleep(forTimeInterval: 2)
        let end = now
        #expect(recorder.isRecording && player.isPlaying && abs(recorder.currentTime - end) < 0.25)
        recorder.stop()
        player.stop()
        let isOver = SoundServer.eventually {
            RunLoop.main.run(until: Date().addingTimeInterval(0.01))
            return listener.diary.lines == ["finished true"]
        }
        #expect(isOver, "\(listener.diary.lines)")

        try expectTone(in: RecorderRig.samples(folder.file("a.wav")), end, through: changes)
    }

    /// The file is as long as it took, within 0.25 s as devices render ahead. The tone is there from the first frame to the
    /// last, and its phase knows of no frame missing or repeated, but at the changes: there it may pause for as long as the
    /// change took and half a second, all in all, once where the server moves the stream and again where the recorder follows, within a second.
    private func expectTone(in samples: [Float], _ end: Double, through changes: [Change]) throws {
        #expect(abs(Double(samples.count) / 48_000 - end) < 0.25)
        let runs = SteadyTones([1000], in: samples, block: 480).runs(amplitude: 0.5).map {
            (begin: Double($0.lowerBound) / 100, end: Double($0.upperBound) / 100)
        }
        let (first, last) = (try #require(runs.first), try #require(runs.last))
        #expect(first.begin < 0.5 && Double(samples.count) / 48_000 - last.end < 0.025)
        var pauses = changes.map { _ in [Double]() }
        // On a busy machine the server misses a cycle now and then.
        var missed = 0.0
        for (run, next) in zip(runs, runs.dropFirst()) {
            if let index = changes.lastIndex(where: { $0.begin - 0.25 < run.end && run.end < $0.end + 1.25 }) {
                pauses[index] += [run.end, next.begin]
            } else {
                missed += next.begin - run.end
            }
        }
        print("A recorder far from all changes: \(Int(missed * 1000)) ms missed")
        #expect(missed < 0.05)
        for (change, edges) in zip(changes, pauses) {
            let parts = stride(from: 0, to: edges.count, by: 2).map { edges[$0 + 1] - edges[$0] }
            let pause = parts.reduce(0, +)
            print("A recorder at \(change.name): a pause of \(Int(pause * 1000)) ms in \(parts.count) parts")
            #expect(pause < change.end - change.begin + 0.5, "\(change.name): \(edges)")
            #expect((edges.last ?? 0) < change.end + 1.25, "\(change.name): \(edges)")
        }
    }

    private func twice(_ changes: [Change]) -> [Change] { changes + changes }

    @Test("Its source goes and comes back, twice")
    func sourceGoes() throws {
        let server = try SoundServer.Victim()
        try addMicrophone(server)
        try server.serve {
            try expectTone(
                through: twice([
                    Change("the source's end") { try server.control("unload-module", "module-remap-source") },
                    Change("its return") { try addMicrophone(server) },
                ]))
        }
    }

    @Test("A second source of another rate is plugged, becomes the default and goes, twice")
    func secondSource() throws {
        let server = try SoundServer.Victim()
        try addMicrophone(server)
        try server.serve {
            var module = ""
            try expectTone(
                through: twice([
                    Change("another source") {
                        module = try server.control(
                            "load-module", "module-remap-source", "master=\(SoundServer.sink).monitor",
                            "source_name=boom",
                            "rate=44100")
                        try server.control("set-default-source", "boom")
                    },
                    Change("its end") { try server.control("unload-module", module) },
                ]))
        }
    }

    /// The player is at a sink that stays, which the microphone hears.
    @Test("The sink of the recorder's clock changes its rate and goes, twice")
    func sinkGoes() throws {
        let server = try SoundServer.Victim()
        try server.control(
            "load-module", "module-null-sink", "sink_name=studio", "rate=48000", "channels=2", "format=float32le")
        try server.control("load-module", "module-remap-source", "master=studio.monitor", "source_name=mic")
        try server.control("set-default-source", "mic")
        try server.serve {
            var module = ""
            try expectTone(
                through: twice([
                    Change("a default sink of 44.1 kHz") {
                        module = try server.control(
                            "load-module", "module-null-sink", "sink_name=second", "rate=44100", "channels=2",
                            "format=float32le")
                        try server.control("set-default-sink", "second")
                    },
                    Change("its end") { try server.control("unload-module", module) },
                ]), from: "studio")
        }
    }

    @Test("Killed twice: both go on by themselves within 0.5 s, in the same file, whose times stay true")
    func killedTwice() throws {
        let server = try SoundServer.Victim()
        try addMicrophone(server)
        let end = Change("the server's end") {
            server.send(SIGKILL)
            Thread.sleep(forTimeInterval: 1)
            try server.restart()
            try addMicrophone(server)
        }
        try server.serve { try expectTone(through: [end, end]) }
    }
}
