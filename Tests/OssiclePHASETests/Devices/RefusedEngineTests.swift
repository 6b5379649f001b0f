import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio
@testable import OssiclePHASE
@testable import PHASE

/// What a client of the facades hears of a server that does not let it in, or opens no stream.
///
/// To be run alone: the whole process uses the refusing server meanwhile.
@Suite(.serialized, .enabled(if: SoundServer.isRunning)) struct RefusedEngineTests {
    /// A refusal, and what the error says to do.
    static let cases: [(RefusingServer.Request, RefusingServer.Answer, String)] = [
        (.connection, .error(1), "PULSE_COOKIE"), (.playbackStream, .error(26), "end the program that holds it"),
        (.playbackStream, .error(19), "check the format"),
    ]

    /// Runs `body` while PULSE_SERVER leads to a server that refuses.
    private func refused(
        _ request: RefusingServer.Request, _ answer: RefusingServer.Answer, _ body: (RefusingServer) throws -> Void
    ) throws {
        let real = try #require(ProcessInfo.processInfo.environment["PULSE_SERVER"])
        let server = try RefusingServer(request, answer, before: real)
        setenv("PULSE_SERVER", server.address, 1)
        defer { setenv("PULSE_SERVER", real, 1) }
        try body(server)
    }

    /// Whether nothing is tried again behind the caller's back, in half a second.
    private func rests(_ server: RefusingServer) -> Bool {
        let before = server.refusals
        Thread.sleep(forTimeInterval: 0.5)
        return before > 0 && server.refusals == before
    }

    @Test("AVAudioEngine throws the reason and the cure, once, and starts when the server lets it in", arguments: cases)
    func audioEngine(_ request: RefusingServer.Request, _ answer: RefusingServer.Answer, cure: String) throws {
        let engine = AVAudioEngine(), errors = Heard<String>()
        engine.errorHandler = { errors.note("\($0)") }
        let source = AVAudioSourceNode { _, _, _, _ in noErr }
        engine.attach(source)
        try refused(request, answer) { server in
            engine.connect(source, to: engine.mainMixerNode, format: nil)
            let error = try TestFailure.unwrap(#expect(throws: (any Error).self) { try engine.start() })
            #expect("\(error)".contains(cure) && !engine.isRunning, "\(error)")
            #expect(rests(server) && errors.values.isEmpty, "\(errors.values)")
        }
        try engine.start()
        #expect(engine.isRunning)
        engine.stop()
    }

    @Test("PHASEEngine throws the reason and the cure, once, and starts when the server lets it in", arguments: cases)
    func spatialEngine(_ request: RefusingServer.Request, _ answer: RefusingServer.Answer, cure: String) throws {
        let engine = PHASEEngine(updateMode: .automatic), errors = Heard<String>()
        engine.errorHandler = { errors.note("\($0)") }
        try refused(request, answer) { server in
            let error = try TestFailure.unwrap(#expect(throws: (any Error).self) { try engine.start() })
            #expect("\(error)".contains(cure), "\(error)")
            #expect(rests(server) && errors.values.isEmpty, "\(errors.values)")
        }
        try engine.start()
        engine.stop()
    }

    @Test("AVAudioRecorder answers with false and keeps the reason, and records when the server lets it in")
    func recorder() throws {
        let folder = try TemporaryFolder()
        let module = try SoundServer.control(
            "load-module", "module-remap-source", "source_name=refused_mic", "master=\(SoundServer.sink).monitor")
        setenv("OSSICLE_INPUT_DEVICE", "pulse:refused_mic", 1)
        defer {
            unsetenv("OSSICLE_INPUT_DEVICE")
            _ = try? SoundServer.control("unload-module", module)
        }
        let url = folder.url.appendingPathComponent("take.wav")
        let recorder = try AVAudioRecorder(url: url, settings: [AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
        try refused(.recordStream, .error(26)) { server in
            #expect(!recorder.record() && !recorder.isRecording)
            let error = try TestFailure.unwrap(recorder.lastError)
            #expect("\(error)".contains("end the program that holds it"), "\(error)")
            #expect(rests(server) && !FileManager.default.fileExists(atPath: url.path))
        }
        #expect(recorder.record() && SoundServer.eventually { recorder.currentTime > 0.5 })
        recorder.stop()
        #expect(try AVAudioFile(forReading: url).length > 20_000)
    }

    @Test(
        "AVAudioPlayer answers with false and keeps the reason, and plays when the server lets it in", arguments: cases)
    func player(_ request: RefusingServer.Request, _ answer: RefusingServer.Answer, cure: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("silence.wav")
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        try AVAudioFile(forWriting: url, settings: format.settings).write(
            from: AVAudioPCMBuffer.make([[Float]](repeating: [Float](repeating: 0, count: 48_000), count: 2), format))
        let player = try AVAudioPlayer(contentsOf: url)
        try refused(request, answer) { server in
            #expect(!player.play() && !player.isPlaying)
            let error = try TestFailure.unwrap(player.lastError)
            #expect("\(error)".contains(cure), "\(error)")
            #expect(rests(server))
        }
        #expect(player.play() && player.isPlaying)
        player.stop()
    }
}
