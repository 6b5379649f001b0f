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

    /// What is played: on the left a tone of 1 kHz, whose phase shows where frames are missing, and on the right a ramp
    /// of four seconds, whose every sample says which frame it is, and so how many are missing.
    private enum Programme {
        static let amplitude: Float = 0.5
        private static let frames = 192_000

        static var samples: [[Float]] {
            [
                tone(frames, frequency: 1000, amplitude: Double(amplitude)),
                (0..<frames).map { amplitude * (Float($0) / Float(frames) - 0.5) },
            ]
        }

        /// Where the ramp is interrupted between two frames with a pause between: its last place ahead of the pause,
        /// its first behind it, in frames of the programme, and how many are missing.
        static func gap(_ ramp: [Float], from begin: Int, to end: Int) -> (last: Double, first: Double, missing: Int) {
            let step = amplitude / Float(frames)
            var (begin, end) = (begin, end)
            func follows(_ frame: Int) -> Bool { abs(ramp[frame + 1] - ramp[frame] - step) < step / 2 }
            while begin < end, follows(begin) { begin += 1 }
            while begin < end, follows(end - 1) { end -= 1 }
            func place(_ frame: Int) -> Double { (Double(ramp[frame] / amplitude) + 0.5) * Double(frames) }
            let (last, first) = (place(begin), place(end))
            let missing = Int((first - last).rounded()) - 1
            return (last, first, begin == end ? 0 : missing < -1 ? missing + frames : max(missing, 0))
        }

        /// Whether two places are within a cycle of the server and a block of the measurement; the programme is
        /// repeated.
        static func isNear(_ a: Double, _ b: Double) -> Bool {
            abs((a - b).remainder(dividingBy: Double(frames))) < 1024 + 480
        }
    }

    /// A pause in what was heard, in seconds, and where the programme is interrupted, in its frames.
    private struct Pause {
        let begin: Double, end: Double
        let gap: (last: Double, first: Double, missing: Int)

        /// Whether the other one is at the same frames.
        func isAt(_ other: Pause) -> Bool {
            Programme.isNear(gap.last, other.gap.last) && Programme.isNear(gap.first, other.gap.first)
        }

        var words: String { "a pause from \(begin) to \(end) s, \(gap.missing) frames of the sound are missing" }
    }

    /// Blocks of 10 ms in which the tone is whole, and the pauses between them. Two pauses with less than 30 ms between
    /// them are one: of several cycles that a server leaves out in a row, one program gets some that another does not.
    private static func runs(_ channels: [[Float]]) -> (whole: [Range<Int>], pauses: [Pause]) {
        let block = 480
        let runs = SteadyTones([1000], in: channels[0], block: block).runs(amplitude: Double(Programme.amplitude))
        let long = runs.indices.filter { $0 == 0 || $0 == runs.count - 1 || runs[$0].count >= 3 }.map { runs[$0] }
        let pauses = zip(long, long.dropFirst()).map { run, next in
            Pause(
                begin: Double(run.upperBound) / 100, end: Double(next.lowerBound) / 100,
                gap: Programme.gap(channels[1], from: run.upperBound * block - 1, to: next.lowerBound * block))
        }
        return (runs, pauses)
    }

    /// Two seconds in which nothing happens to devices, from a second of the recording on.
    private struct Rest {
        var begin = 0.0
        /// Seconds that the machine's host took of its processors.
        var stolen = 0.0
        /// Seconds for which threads of this process had no processor, all together, those included.
        var wait = 0.0

        /// Whether a pause in which no frame is missing can be what the host made late: real time is no help then.
        func explains(_ pause: Pause) -> Bool {
            pause.gap.missing == 0 && pause.begin > begin - 0.05 && pause.end < begin + 2.05
                && pause.end - pause.begin < stolen
        }
    }

    /// What happens to devices while a recorder hears the programme, and when it was over, in seconds of the recording.
    private struct Change {
        let name: String
        /// Whether the recorder's source is another one then. The server gives a stream that it moves some frames less.
        var isOfSource = true
        var begin = 0.0, end = 0.0
        var rest = Rest()
        let carryOut: () throws -> Void

        init(_ name: String, isOfSource: Bool = true, _ carryOut: @escaping () throws -> Void) {
            (self.name, self.isOfSource, self.carryOut) = (name, isOfSource, carryOut)
        }
    }

    /// Plays and records while the changes happen, two seconds apart.
    /// - Parameter sink: that the player is at; nil for the default.
    private func expectAll(through changes: [Change], from sink: String? = nil) throws {
        let folder = try TemporaryFolder()
        let player = try AVAudioPlayer(contentsOf: waveFile(folder, "a.wav", Programme.samples, rate: 48_000).url)
        player.currentDevice = sink
        player.numberOfLoops = -1
        #expect(player.play())
        let settings = RecorderRig.floats.merging([AVNumberOfChannelsKey: 2]) { $1 }
        let recorder = try AVAudioRecorder(url: folder.file("b.wav"), settings: settings)
        let listener = RecorderListener()
        recorder.delegate = listener
        let witness = SourceWitness()
        #expect(recorder.record())
        let start = ContinuousClock.now
        var now: Double { (ContinuousClock.now - start) / .seconds(1) }
        var changes = changes
        let first = rest(from: now)
        for index in changes.indices {
            expectNothingDropped()
            changes[index].begin = now
            try changes[index].carryOut()
            changes[index].end = now
            changes[index].rest = rest(from: changes[index].end)
        }
        expectNothingDropped()
        let end = now
        let wait = changes.reduce(0) { $0 + $1.rest.wait }
        #expect(recorder.isRecording && player.isPlaying && abs(recorder.currentTime - end) < 0.25 + wait)
        recorder.stop()
        player.stop()
        let heard = witness.end()
        let isOver = SoundServer.eventually {
            RunLoop.main.run(until: Date().addingTimeInterval(0.01))
            return listener.diary.lines == ["finished true"]
        }
        #expect(isOver, "\(listener.diary.lines)")

        let channels = try (0..<2).map { try RecorderRig.samples(folder.file("b.wav"), channel: $0) }
        try expectAll(in: channels, end, through: changes, besides: Self.runs(heard.channels).pauses, first)
    }

    private func rest(from begin: Double) -> Rest {
        let (before, stolenBefore) = (ProcessorWait.seconds(), ProcessorWait.stolenSeconds())
        Thread.sleep(forTimeInterval: 2)
        let stolen = ProcessorWait.stolenSeconds() - stolenBefore
        return Rest(begin: begin, stolen: stolen, wait: max(ProcessorWait.seconds() - before, 0) + stolen)
    }

    /// What the server gave is all there.
    private func expectNothingDropped() {
        let report = SharedEngine.input.withEngine { engine in
            engine.machine.locked { engine.machine.session.device?.capture?.report }
        }
        #expect(report??.droppedFrames == 0, "\(String(describing: report))")
    }

    /// The file is as long as it took, within 0.25 s as devices render ahead. The programme is there from the first
    /// frame to the last without a frame missing or repeated, but once at each change of the source: from its begin
    /// until half a second after its end, when there is a source again; later by how long a crowded machine leaves our
    /// threads without a processor. A busy machine's server may besides leave out a cycle of its own: then another
    /// program that records beside ours misses the same frames, and what follows may be earlier in the file by as many.
    /// Where the machine's host takes its processors frames come late: then there is a pause no longer than that, and all
    /// frames behind it.
    private func expectAll(
        in channels: [[Float]], _ end: Double, through changes: [Change], besides witnessed: [Pause], _ first: Rest
    ) throws {
        let seconds = Double(channels[0].count) / 48_000
        #expect(abs(seconds - end) < 0.25 + changes.reduce(0) { $0 + $1.rest.wait })
        let (runs, pauses) = Self.runs(channels)
        let (head, last) = (try #require(runs.first), try #require(runs.last))
        #expect(head.lowerBound < 50 && (seconds - Double(last.upperBound) / 100 < 0.025 || !Self.isRealTime))
        var counts = changes.map { _ in 0 }
        var (ofServer, late, ofOurs) = (0, 0, 0)
        var leftOut = 0.0
        let rests = [first] + changes.map(\.rest)
        for pause in pauses {
            let index = changes.lastIndex {
                $0.isOfSource && $0.begin - 0.05 - leftOut < pause.begin && pause.end < $0.end + 0.5 + $0.rest.wait
            }
            if let index, counts[index] == 0 {
                counts[index] = 1
                print("A recorder at \(changes[index].name): \(pause.words)")
            } else if witnessed.contains(where: pause.isAt) {
                ofServer += 1
                leftOut += Double(pause.gap.missing) / 48_000
                print("A recorder, by the server: \(pause.words)")
            } else if rests.contains(where: { $0.explains(pause) }) {
                late += 1
                print("A recorder on a host that took processors: \(pause.words)")
            } else {
                ofOurs += 1
                print("A recorder alone: \(pause.words)")
            }
        }
        print(
            "A recorder: \(pauses.count) pauses, \(counts.reduce(0, +)) at \(changes.count) changes, \(ofServer) of the server's own, \(late) late, \(ofOurs) of ours"
        )
        #expect(
            ofOurs == 0 || !Self.isRealTime,
            "\(pauses.map(\.words)); another program: \(witnessed.map(\.words)); \(changes.map { ($0.name, $0.begin, $0.end) })"
        )
    }

    /// Without real time a crowded machine's server breaks up some ten times a second, in the middle of what it gives
    /// us, and what is whose cannot be told.
    private static let isRealTime = ProcessInfo.processInfo.environment["OSSICLE_SOUND_LAUNCHER"]?.isEmpty == false

    private func twice(_ changes: [Change]) -> [Change] { changes + changes }

    @Test("Its source goes and comes back, twice")
    func sourceGoes() throws {
        let server = try SoundServer.Victim()
        try addMicrophone(server)
        try server.serve {
            try expectAll(
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
            try expectAll(
                through: twice([
                    Change("another source") {
                        module = try server.control(
                            "load-module", "module-remap-source", "master=\(SoundServer.sink).monitor",
                            "source_name=boom",
                            "rate=44100")
                        try server.setDefault(.source, "boom")
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
        try server.setDefault(.source, "mic")
        try server.serve {
            var module = ""
            try expectAll(
                through: twice([
                    Change("a default sink of 44.1 kHz", isOfSource: false) {
                        module = try server.control(
                            "load-module", "module-null-sink", "sink_name=second", "rate=44100", "channels=2",
                            "format=float32le")
                        try server.setDefault(.sink, "second")
                    },
                    Change("its end", isOfSource: false) { try server.control("unload-module", module) },
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
        try server.serve { try expectAll(through: [end, end]) }
    }
}
