import CJack
import Foundation
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio
@testable import OssicleDevices
@testable import OssiclePHASE
@testable import PHASE

/// The server of `Scripts/with-jack-server`, which these tests kill and start again under its name.
private final class JackVictim {
    private static let environment = ProcessInfo.processInfo.environment
    static let isThere = environment["OSSICLE_JACK_SERVER"] == "1" && environment["OSSICLE_JACK_MAY_END"] == "1"
    /// The last one that was started; nil for the script's own.
    private static let successor = Mutex<pid_t?>(nil)

    private static var server: pid_t? {
        successor.withLock { $0 } ?? environment["OSSICLE_JACK_PROCESS"].flatMap { pid_t($0) }
    }

    /// A server that does not answer in time, as on a crowded machine, is none that has ended.
    static var hasEnded: Bool { server.map { Foundation.kill($0, 0) != 0 } ?? true }

    static func kill() {
        guard let server else { return }
        Foundation.kill(server, SIGKILL)
        // Another server takes the name only once the process is gone, also for the one that has started it.
        _ = SoundServer.eventually { (try? JackDirectory.list()) == nil && Foundation.kill(server, 0) != 0 }
    }

    /// Seconds for which threads of this process and the server were ready and had no processor.
    static var processorWait: Double {
        ProcessorWait.seconds(in: [getpid()] + [server].compactMap { $0 })
    }

    /// Returns when the server lets clients in.
    static func restart() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            (environment["OSSICLE_JACK_LAUNCHER"] ?? "jackd").split(separator: " ").map(String.init)
            + ["-n", environment["JACK_DEFAULT_SERVER"] ?? "", "-d", "dummy", "-r", "48000", "-p", "256"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        successor.withLock { $0 = process.processIdentifier }
        guard SoundServer.eventually({ (try? JackDirectory.list())?.outputs.isEmpty == false }) else {
            throw TestFailure(description: "The JACK server did not start again.")
        }
    }

    /// The last server ends in good order: a killed one would keep its place in JACK's table.
    static func end() {
        guard let last = successor.withLock({ $0 }) else { return }
        Foundation.kill(last, SIGTERM)
        _ = SoundServer.eventually { Foundation.kill(last, 0) != 0 || (try? JackDirectory.list()) == nil }
    }
}

/// Ports that count as hardware's: two loudspeakers that count what they get, and a microphone that hears a constant.
private final class Hardware: @unchecked Sendable {
    static let voice: Float = 0.25

    /// Frames since the beginning.
    struct Heard {
        /// All frames so far, and host times of the first cycle and the last one.
        var frames = 0
        var begin: UInt64?, end: UInt64 = 0
        /// Seconds by which the server's clock is behind the machine's.
        var lost: Double { begin.map { max(Double(end - $0) / 1e9 - Double(frames) / 48_000, 0) } ?? 0 }
        /// Silent ones before the first sound.
        var silent = 0
        /// Frames of the first channel from the first sound on, and of those the silent ones.
        var sound = 0, gaps = 0
        var last: [Float] = []
    }

    private let client: JackClient
    private let speakers: [OpaquePointer]
    private let microphone: OpaquePointer
    private let state = Mutex(Heard())
    private let firstWait = JackVictim.processorWait
    /// Seconds for which a crowded machine has held up this process and the server since the box was made.
    var processorWait: Double { max(JackVictim.processorWait - firstWait, 0) }

    init() throws {
        client = try JackClient(name: "Box", device: "test")
        speakers = try [1, 2].map { [client] in
            try client.register("playback_\($0)", .input, isPhysical: true)
        }
        microphone = try client.register("capture_1", .output, isPhysical: true)
        jack_set_process_callback(
            client.handle,
            { frames, me in
                if let me { Unmanaged<Hardware>.fromOpaque(me).takeUnretainedValue().process(Int(frames)) }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
        jack_activate(client.handle)
    }

    deinit { jack_deactivate(client.handle) }

    var heard: Heard { state.withLock { $0 } }

    private func process(_ frames: Int) {
        let memory = jack_port_get_buffer(microphone, UInt32(frames))?.assumingMemoryBound(to: Float.self)
        for frame in 0..<frames { memory?[frame] = Hardware.voice }
        let now = HostClock.now
        state.withLock { heard in
            if heard.begin == nil { heard.begin = now } else { heard.frames += frames }
            heard.end = now
        }
        let inputs = speakers.compactMap {
            jack_port_get_buffer($0, UInt32(frames))?.assumingMemoryBound(to: Float.self)
        }
        guard inputs.count == 2 else { return }
        state.withLock { heard in
            for frame in 0..<frames {
                let isSilent = inputs[0][frame] == 0
                if heard.sound == 0 && isSilent {
                    heard.silent += 1
                } else {
                    heard.sound += 1
                    if isSilent { heard.gaps += 1 }
                }
            }
            heard.last = inputs.map { $0[frames - 1] }
        }
    }
}

/// To be run alone, at a server that may end.
@Suite(.serialized, .enabled(if: JackVictim.isThere)) struct JackReturnTests {
    /// Makes programs use the box while `body` runs.
    private func serve(_ body: () throws -> Void) rethrows {
        setenv("OSSICLE_DEVICE", "jack:Box", 1)
        setenv("OSSICLE_INPUT_DEVICE", "jack:Box", 1)
        defer {
            unsetenv("OSSICLE_DEVICE")
            unsetenv("OSSICLE_INPUT_DEVICE")
        }
        try body()
    }

    /// Half a second of the server's own frames, from when the box is there, is the most that may pass in silence, and
    /// what the machine made our threads and the server's wait for a processor meanwhile; from then on there is no gap.
    private func expectSound(at box: Hardware, _ samples: [Float]) {
        let begins = SoundServer.eventually { box.heard.sound > 0 }
        let wait = box.processorWait
        #expect(begins && SoundServer.eventually { box.heard.sound > 24_000 })
        let heard = box.heard
        print("JACK: sound after \(heard.silent / 48) ms of frames, \(Int(wait * 1000)) ms of waiting for a processor")
        #expect(Double(heard.silent) < 24_000 + wait * 48_000 && heard.gaps == 0 && heard.last == samples)
    }

    /// Kills the server and starts it again, twice.
    private func killTwice(start: () throws -> Void, isAway: () -> Bool) throws {
        var box: Hardware? = try Hardware()
        try start()
        for kills in 0...2 {
            if let box { expectSound(at: box, [0.5, -0.5]) }
            if kills == 2 { return }
            JackVictim.kill()
            let wentAway = SoundServer.eventually(isAway)
            #expect(wentAway)
            box = nil
            try JackVictim.restart()
            box = try Hardware()
        }
    }

    /// Whether an engine that was at the server plays to a silent clock.
    private func isSilent(_ engine: AVAudioEngine) -> Bool {
        engine.isRunning && engine.machine.locked { engine.machine.session.device?.isSilent == true }
    }

    @Test("PHASE: the server is killed and started again twice; sound goes on each time")
    func phase() throws {
        try restartIfDead()
        try serve {
            let constants = [0.5, -0.5].map { [Float](repeating: $0, count: 480) }
            let (stage, event) = try ToneEngines.phase(
                constants, try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo)))
            let control = stage.engine.control
            try killTwice {
                try stage.start()
                event.start(completion: nil)
            } isAway: {
                control.locked { control.session.device?.isSilent == true }
            }
            #expect(event.renderingState == .started)
            stage.engine.stop()
        }
    }

    private func engine() throws -> AVAudioEngine {
        try ToneEngines.audioEngine(channelCount: 2) { channel, _ in channel == 0 ? 0.5 : -0.5 }
    }

    @Test("AVAudioEngine that stays on: the same")
    func staysOn() throws {
        try restartIfDead()
        try serve {
            let engine = try engine()
            engine.staysOnWhenDevicesChange = true
            try killTwice(start: { try engine.start() }, isAway: { isSilent(engine) })
            #expect(engine.isRunning)
            engine.stop()
        }
    }

    @Test("AVAudioEngine as Apple's: stopped and notified when the server goes and when it is back")
    func stopsAndNotifies() throws {
        try restartIfDead()
        try serve {
            let engine = try engine()
            let notes = Mutex<[Bool]>([])
            let token = NotificationCenter.default.addObserver(
                forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
            ) { note in
                let engine = note.object as? AVAudioEngine
                notes.withLock { $0.append(engine?.isRunning == true) }
                try? engine?.start()
            }
            defer { NotificationCenter.default.removeObserver(token) }
            try killTwice(start: { try engine.start() }, isAway: { isSilent(engine) })
            // Twice away and twice back, and it had stopped each time.
            #expect(notes.withLock { $0 } == [false, false, false, false])
            engine.stop()
        }
    }

    /// What was recorded lasts as long as it took, within 0.5 s, as a device that opens is two blocks ahead, and but
    /// for what jackd's clock is behind on a busy machine, and what threads wait there for a processor.
    @Test("A recorder: killed twice, it goes on in the same file, whose times stay true")
    func recorder() throws {
        try restartIfDead()
        let folder = try TemporaryFolder()
        try serve {
            var box: Hardware? = try Hardware()
            let url = URL(fileURLWithPath: folder.path("a.wav"))
            let recorder = try AVAudioRecorder(
                url: url,
                settings: [
                    AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 1,
                    AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
                ])
            #expect(recorder.record())
            let start = ContinuousClock.now
            var now: Double { (ContinuousClock.now - start) / .seconds(1) }
            var ends: [Double] = [], begins: [Double] = [0.5]
            var (lost, waits) = (0.0, [Double]())
            for _ in 0..<2 {
                Thread.sleep(forTimeInterval: 1)
                waits.append(box?.processorWait ?? 0)
                Thread.sleep(forTimeInterval: 1)
                ends.append(now)
                lost += box?.heard.lost ?? 0
                JackVictim.kill()
                box = nil
                Thread.sleep(forTimeInterval: 1)
                try JackVictim.restart()
                box = try Hardware()
                begins.append(now)
            }
            Thread.sleep(forTimeInterval: 1)
            waits.append(box?.processorWait ?? 0)
            Thread.sleep(forTimeInterval: 2)
            ends.append(now)
            let time = recorder.currentTime
            #expect(recorder.isRecording)
            recorder.stop()
            let file = try AVAudioFile(forReading: url)
            let behind = lost + (box?.heard.lost ?? 0) + waits.reduce(0, +)
            print(
                "JACK: a recording of \(Double(file.length) / 48_000) s, \(ends[2]) s of time, \(behind) s of them the machine's"
            )
            #expect(abs(time - ends[2]) < 0.5 + behind)
            #expect(abs(Double(file.length) / 48_000 - ends[2]) < 0.5 + behind)
            let buffer = try TestFailure.unwrap(
                AVAudioPCMBuffer(
                    pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)))
            try file.read(into: buffer)
            let samples = buffer.samples(0)
            for ((begin, end), wait) in zip(zip(begins, ends), waits) {
                // The voice is there a second later at most, without a gap until half a second before the server goes.
                let first = Int((begin + 1 + wait) * 48_000), last = Int((end - 0.5 - behind) * 48_000)
                #expect(samples[min(first, last)..<min(last, samples.count)].allSatisfy { $0 == Hardware.voice })
            }
            withExtendedLifetime(box) {}
        }
        JackVictim.end()
    }

    /// The server of the test before may be gone; one that has just been started may not let clients in yet.
    private func restartIfDead() throws {
        if JackVictim.hasEnded { try JackVictim.restart() }
        try #require(SoundServer.eventually { (try? JackDirectory.list()) != nil })
    }
}
