import Foundation
import OssicleChannels
import OssicleSpatial
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio
@testable import OssiclePHASE
@testable import PHASE

/// Another sink comes and goes, and the server dies under a recording. Each has a server of its own. To be run alone:
/// the whole process uses that server meanwhile.
@Suite(.serialized, .enabled(if: SoundServer.isRunning)) struct DeviceChangeTests {
    /// Seconds in which a device that is there must sound, counted in its own frames, which the machine's load does not
    /// stretch.
    private static let limit = 0.5

    private func expectSound(at sink: String, _ occasion: String) throws {
        let silence = try #require(try SinkWitness.silence(at: sink), "\(occasion): \(sink) stays silent")
        #expect(silence < Self.limit, "\(occasion): \(sink) is silent for \(silence) s")
    }

    /// Plugs a sink of 44.1 kHz, makes it the default and unplugs it, twice; it must sound, and then the first again.
    private func plugTwice(_ server: SoundServer.Victim) throws {
        try expectSound(at: SoundServer.sink, "first")
        for _ in 0..<2 {
            let module = try server.control(
                "load-module", "module-null-sink", "sink_name=second", "rate=44100", "channels=2", "format=float32le")
            try server.setDefault(.sink, "second")
            try expectSound(at: "second", "plugged")
            try server.control("unload-module", module)
            try expectSound(at: SoundServer.sink, "unplugged")
        }
    }

    /// The rates before and after, as the notifications of an engine say; each starts it again, as clients do.
    private final class Changes: @unchecked Sendable {
        private let rates = Mutex<[[Double]]>([])
        private var token: (any NSObjectProtocol)?

        init(of engine: AVAudioEngine) {
            token = NotificationCenter.default.addObserver(
                forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
            ) { [weak self] note in
                guard let engine = note.object as? AVAudioEngine else { return }
                let formats = [AVAudioEngine.oldFormatKey, AVAudioEngine.newFormatKey].map {
                    (note.userInfo?[$0] as? AVAudioFormat)?.sampleRate ?? 0
                }
                self?.rates.withLock { $0.append(formats) }
                if !engine.isRunning { try? engine.start() }
            }
        }

        var all: [[Double]] { rates.withLock { $0 } }
        deinit { if let token { NotificationCenter.default.removeObserver(token) } }
    }

    @Test(
        "AVAudioEngine: a sink of another rate is plugged and goes, twice; heard at once, notified in order",
        arguments: [false, true])
    func audioEngine(staysOn: Bool) throws {
        let server = try SoundServer.Victim()
        try server.serve {
            let engine = try ToneEngines.audioEngine([440, 440], amplitude: 0.5)
            engine.staysOnWhenDevicesChange = staysOn
            let changes = Changes(of: engine)
            try engine.start()
            try plugTwice(server)
            #expect(engine.isRunning)
            // What stays on renders in the format it has, and the device's is only reported.
            let (there, back) = ([48000.0, 44100], staysOn ? [48000.0, 48000] : [44100.0, 48000])
            #expect(changes.all == [there, back, there, back])
            engine.stop()
        }
    }

    @Test("PHASE: a sink of another rate is plugged and goes, twice; heard at once")
    func phase() throws {
        let server = try SoundServer.Victim()
        try server.serve {
            let (stage, event) = try ToneEngines.phase([440], amplitude: 0.5, layout: kAudioChannelLayoutTag_Mono)
            try stage.start()
            event.start(completion: nil)
            try plugTwice(server)
            #expect(event.renderingState == .started)
            stage.engine.stop()
        }
    }

    private static let wide = (
        map: [
            "front-left", "front-right", "front-center", "lfe", "side-left", "side-right", "rear-left", "rear-right",
        ],
        labels: ChannelOrder.labels(named: "L R C LFE Ls Rs Rls Rrs")
    )

    /// Of each channel, the level of its tone in dB, in that of the last three half seconds that has the least beside
    /// it; and the longest silence since the first sound.
    private func tones(_ frequencies: [Double], at sink: SinkWitness) throws -> (levels: [Double], silence: Int) {
        let count = sink.frameCount, (channels, _) = try sink.end(from: 0, count: count)
        let levels = zip(frequencies, channels).map { frequency, samples -> Double in
            let tones = (1...3).map { half in
                Measure.pitch(near: frequency, in: Array(samples.suffix(half * 24_000).prefix(24_000)))
            }
            let tone = tones.max { $0.signalToNoise < $1.signalToNoise }
            guard let tone, tone.signalToNoise > 40 else { return -.infinity }
            return Measure.decibels(tone.amplitude)
        }
        var (run, longest) = (0, 0)
        for frame in channels[0].drop(while: { $0 == 0 }) {
            run = frame == 0 ? run + 1 : 0
            longest = max(longest, run)
        }
        return (levels, longest)
    }

    @Test(
        "PHASE: a sink of 7.1 becomes the default, then headphones, twice: it renders for each, without a break beyond the change"
    )
    func phaseFollows() throws {
        let server = try SoundServer.Victim()
        try server.serve {
            let frequencies = (0..<8).map { 310 + 200 * Double($0) }
            let (stage, event) = try ToneEngines.phase(frequencies, amplitude: 0.1, labels: Self.wide.labels)
            stage.engine.outputSpatializationMode = .automatic
            let control = stage.engine.control
            func renders(_ isSo: (OutputStage) -> Bool) -> Bool {
                SoundServer.eventually { control.locked { control.spatial.output.map(isSo) ?? false } }
            }
            try stage.start()
            event.start(completion: nil)
            try expectSound(at: SoundServer.sink, "first")
            for _ in 0..<2 {
                let wide = try SinkWitness("wide", map: Self.wide.map)
                try server.setDefault(.sink, "wide")
                try expectSound(at: "wide", "7.1")
                #expect(renders { $0.labels == Self.wide.labels && $0.hrtf == nil })
                Thread.sleep(forTimeInterval: 1.5)
                let heard = try tones(frequencies, at: wide)
                print("PHASE at another layout: a break of \(heard.silence / 48) ms")
                #expect(heard.levels.allSatisfy { abs($0 + 20) < 0.1 } && Double(heard.silence) < Self.limit * 48_000)
                let buds = try server.control(
                    "load-module", "module-null-sink", "sink_name=buds", "rate=48000", "channels=2", "format=float32le",
                    "sink_properties=device.form_factor=headphone")
                try server.setDefault(.sink, "buds")
                try expectSound(at: "buds", "headphones")
                #expect(renders { $0.hrtf != nil })
                try server.control("unload-module", buds)
            }
            #expect(event.renderingState == .started)
            stage.engine.stop()
        }
    }

    /// Frames that a tap wrote to a file.
    private final class Recording: @unchecked Sendable {
        private let file: AVAudioFile
        private let delivered = Atomic(0)

        init(_ url: URL, _ format: AVAudioFormat) throws {
            file = try AVAudioFile(forWriting: url, settings: format.settings)
        }

        /// The tap's thread.
        func write(_ buffer: AVAudioPCMBuffer) {
            try? file.write(from: buffer)
            delivered.wrappingAdd(Int(buffer.frameLength), ordering: .relaxed)
        }

        var frameCount: Int { delivered.load(ordering: .relaxed) }
        func close() { file.close() }
    }

    /// A microphone that hears what the sink plays.
    private func addMicrophone(_ server: SoundServer.Victim) throws {
        try server.control(
            "load-module", "module-remap-source", "source_name=microphone", "master=\(SoundServer.sink).monitor",
            "remix=no")
    }

    /// The engine plays frames that count up, so that the file says which of them it holds.
    @Test(
        "A tap writes the input to a file while the server is killed and started again, twice: no frame that came is missing"
    )
    func recording() throws {
        let (server, folder) = (try SoundServer.Victim(), try TemporaryFolder())
        setenv("OSSICLE_INPUT_DEVICE", "pulse:microphone", 1)
        defer { unsetenv("OSSICLE_INPUT_DEVICE") }
        try server.serve {
            try addMicrophone(server)
            let engine = try ToneEngines.audioEngine(channelCount: 2) { _, frame in Float(frame + 1) / 0x1p23 }
            engine.staysOnWhenDevicesChange = true
            let format = engine.inputNode.outputFormat(forBus: 0)
            let url = folder.url.appendingPathComponent("take.caf")
            let recording = try Recording(url, format)
            engine.inputNode.installTap(onBus: 0, bufferSize: 4800, format: format) { buffer, _ in
                recording.write(buffer)
            }
            try engine.start()
            Thread.sleep(forTimeInterval: 1.5)
            for _ in 0..<2 {
                server.send(SIGKILL)
                try server.restart()
                try addMicrophone(server)
                try expectSound(at: SoundServer.sink, "server back")
                Thread.sleep(forTimeInterval: 2)
            }
            engine.stop()
            recording.close()
            let runs = try Self.runs(of: url, frameCount: recording.frameCount)
            // One at first, and one after each return. Where the machine is busy the server leaves out a cycle now and
            // then, which cuts a run in two and is no frame that came.
            #expect(runs.sorted().suffix(3).allSatisfy { $0 > 24000 } && runs.count >= 3, "\(runs)")
        }
    }

    /// Lengths of the runs in which each frame is the one before plus one, without silence; the file has to be as long
    /// as what the tap was given.
    private static func runs(of url: URL, frameCount: Int) throws -> [Int] {
        let file = try AVAudioFile(forReading: url)
        #expect(Int(file.length) == frameCount)
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)))
        try file.read(into: buffer)
        let samples = try #require(buffer.floatChannelData)[0]
        var (runs, last) = ([Int](), -1)
        for frame in 0..<Int(buffer.frameLength) where samples[frame] != 0 {
            let number = Int((samples[frame] * 0x1p23).rounded())
            if number == last + 1 { runs[runs.count - 1] += 1 } else { runs.append(1) }
            last = number
        }
        return runs
    }
}
