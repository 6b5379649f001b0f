import Foundation
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio
@testable import OssicleDevices

/// Five minutes between two servers whose clocks differ, as those of two sound cards do: PipeWire, whose null sinks
/// follow the system's clock, and a JACK server that `Scripts/with-two-clocks` lets run about 200 millionths too fast.
///
/// To be run alone: the whole process uses both servers meanwhile.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["OSSICLE_TWO_CLOCKS"] == "1"))
struct TwoClockTests {
    private static let seconds = 310
    private static let amplitude = 0.25
    /// Five minutes, behind ten seconds in which the capture buffers learn the rates.
    private static let frames = 300 * 48_000

    /// Makes the engines that `body` opens play and hear there.
    private func at<Result>(
        _ output: String, from input: String = "none", _ body: () throws -> Result
    ) rethrows -> Result {
        setenv("OSSICLE_DEVICE", output, 1)
        setenv("OSSICLE_INPUT_DEVICE", input, 1)
        defer {
            unsetenv("OSSICLE_DEVICE")
            unsetenv("OSSICLE_INPUT_DEVICE")
        }
        return try body()
    }

    /// An engine that plays what it hears.
    private func through() throws -> AVAudioEngine {
        let engine = AVAudioEngine()
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
        try engine.start()
        return engine
    }

    /// The left channel of a program at the JACK server, in the server's frames.
    private final class JackWitness: Sendable {
        private let sound = Mutex(TimedSound(channelCount: 1))
        private let input: PortInput

        init(_ client: String, seconds: Int) throws {
            input = try PortInput(.jack(client), FormatWishes(channelCount: 2))
            sound.withLock {
                $0.channels[0].reserveCapacity(seconds * 48_000)
                $0.arrivals.reserveCapacity(seconds * 50)
            }
            try input.start { [weak self] block in
                self?.sound.withLock {
                    $0.channels[0].append(contentsOf: block[0])
                    $0.noteArrival()
                }
            }
        }

        func end() -> TimedSound {
            input.stop()
            return sound.withLock { $0 }
        }
    }

    /// PipeWire between two programs of PulseAudio's, at a sink of their own: one plays the tone, the other hears it.
    /// What is missing there the server left out.
    private final class Control {
        private let player = Process()
        private let witness: SourceWitness
        private let folder: TemporaryFolder

        init() throws {
            _ = try SoundServer.addSink("control")
            folder = try TemporaryFolder()
            let tone = Signal.sine(
                1000, count: (TwoClockTests.seconds + 120) * 48_000, amplitude: TwoClockTests.amplitude)
            let bytes = tone.map { Int16(($0 * 32_767).rounded()) }.withUnsafeBytes { Data($0) }
            try bytes.write(to: URL(fileURLWithPath: folder.path("tone")))
            // In real time where the server is.
            let launcher = ProcessInfo.processInfo.environment["OSSICLE_SOUND_LAUNCHER"] ?? ""
            player.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            player.arguments =
                launcher.split(separator: " ").map(String.init) + [
                    "pacat", "--device=control", "--format=s16le", "--rate=48000", "--channels=1",
                    "--latency-msec=160", folder.path("tone"),
                ]
            player.standardError = FileHandle.nullDevice
            try player.run()
            witness = SourceWitness("control.monitor")
        }

        func end() -> TimedSound {
            defer { player.waitUntilExit() }
            kill(player.processIdentifier, SIGKILL)
            return witness.end()
        }
    }

    /// What the servers left out, by witnesses that are no part of what is tested.
    private struct Omissions {
        /// At what time of the steady clock, and of how long, in seconds.
        private let all: [(time: Double, duration: Double)]
        let words: String

        /// - Parameters:
        ///   - control: a tone between two other programs at PipeWire: its breaks count as one of PipeWire's cycles.
        ///   - cycles: when JACK's cycles began: the dummy server's clock stands still until a late one.
        init(control: TimedSound, cycles: [(frameCount: Int, time: Double)]) {
            // The first run begins with the tone.
            let breaks = TwoClockTests.runs(in: control.channels[0]).dropFirst().map {
                (time: control.time(of: $0.lowerBound * TwoClockTests.block), duration: 0.0427)
            }
            let late = zip(cycles, cycles.dropFirst()).compactMap { cycle, next -> (time: Double, duration: Double)? in
                let lateness = next.time - cycle.time - Double(next.frameCount - cycle.frameCount) / 48_000
                return lateness > 0.01 ? (next.time, lateness) : nil
            }
            all = breaks + late
            words =
                "breaks between two other programs at PipeWire: \(TwoClockTests.list(breaks.map(\.time))); "
                + "late cycles of JACK's: \(TwoClockTests.list(late.map(\.time))), "
                + "by \((1000 * late.reduce(0) { $0 + $1.duration }).rounded()) ms"
        }

        /// Whether the servers left out in the minute before what a capture buffer has to spare: its third block, less
        /// what the clocks' cycles need of it. It is made up for by 0.3 ms a second. A second more, as sound of two
        /// streams takes times of its own through pipes.
        func explain(_ time: Double) -> Bool {
            all.filter { $0.time - 1 < time && time < $0.time + 60 }.reduce(0) { $0 + $1.duration } > 0.02
        }
    }

    @Test("No frame is lost or repeated between the clocks, either way, and the pitch is that of the source")
    func fiveMinutes() throws {
        DevicePreferences.current.bufferDuration = 0.04
        defer { DevicePreferences.current = DevicePreferences() }
        try SoundServer.control(
            "load-module", "module-remap-source", "master=\(SoundServer.sink).monitor", "source_name=mic")
        _ = try SoundServer.addSink("second")
        let (second, control) = (SourceWitness("second.monitor"), try Control())
        let slow = try at("pulse:" + SoundServer.sink) {
            try ToneEngines.audioEngine([1000, 1000], amplitude: Self.amplitude)
        }
        try at("pulse:" + SoundServer.sink) { try slow.start() }
        let fast = try at("jack") { try ToneEngines.audioEngine([1000, 1000], amplitude: Self.amplitude) }
        try at("jack") { try fast.start() }
        // The second client of this name, and the first.
        let upward = try at("jack", from: "pulse:mic") { try through() }
        let downward = try at("pulse:second", from: "jack:Ossicle") { try through() }
        let ears = try JackWitness("Ossicle-01", seconds: Self.seconds + 60)
        Thread.sleep(forTimeInterval: Double(Self.seconds))
        let isLong = SoundServer.eventually { second.frameCount >= Self.seconds * 48_000 }
        try #require(isLong, "\(second.frameCount) frames")
        for (engine, name) in [(upward, "to the fast clock"), (downward, "to the slow clock")] {
            let (report, dropouts) = engine.machine.locked {
                (engine.machine.session.device?.capture?.report, engine.machine.session.device?.dropoutCount)
            }
            print("Two clocks, \(name): \(dropouts ?? -1) dropouts; \(report.map { "\($0)" } ?? "no capture")")
        }
        // A client that leaves holds up JACK's other clients.
        let down = second.end()
        let up = ears.end()
        for engine in [slow, fast, upward, downward] { engine.stop() }

        let omissions = Omissions(control: control.end(), cycles: up.arrivals)
        print("Two clocks: \(omissions.words)")
        // A server whose clock is faster by this counts more frames a second.
        let ratio = try Double(
            #require(ProcessInfo.processInfo.environment["OSSICLE_CLOCK_RATIO"].flatMap(Double.init)))
        try expectTone(1000 / ratio, in: up, "to the fast clock", omissions)
        try expectTone(1000 * ratio, in: down, "to the slow clock", omissions)
    }

    private static let block = 480

    /// Blocks in which the tone is whole, with each phase where the one before leads: a frame more or less would turn
    /// it by 0.13.
    private static func runs(in samples: [Float]) -> [Range<Int>] {
        SteadyTones([1000], in: samples, block: block).runs(amplitude: amplitude)
    }

    /// Blocks ahead of the first run, between two, and behind the last one; empty where only the phase steps.
    private static func breaks(between runs: [Range<Int>], _ blocks: Int) -> [Range<Int>] {
        let (ends, begins) = ([0] + runs.map(\.upperBound), runs.map(\.lowerBound) + [blocks])
        return zip(ends, begins).enumerated().filter { index, edges in
            edges.0 < edges.1 || (index > 0 && index < runs.count)
        }.map { $1.0..<$1.1 }
    }

    /// Times of the machine's clock, for messages.
    private static func list(_ times: [Double]) -> String {
        "\(times.count)" + (times.isEmpty ? "" : " at \(times.map { Int($0 * 1000) }) ms")
    }

    /// One tone from the first block of 10 ms to the last; a break is let pass only where the servers have left
    /// something out. The pitch is right within a cent in every second without a break, also while the capture buffer
    /// begins to follow the clocks.
    private func expectTone(
        _ frequency: Double, in sound: TimedSound, _ name: String, _ omissions: Omissions
    ) throws {
        let begin = sound.channels[0].count - Self.frames
        try #require(begin >= 0, "\(name): \(sound.channels[0].count) frames")
        let samples = Array(sound.channels[0].dropFirst(begin))
        let blocks = samples.count / Self.block
        let breaks = Self.breaks(between: Self.runs(in: samples), blocks)
        let times = breaks.map { sound.time(of: begin + $0.lowerBound * Self.block) }
        let ours = zip(breaks, times).filter { !omissions.explain($1) }.map(\.0)
        #expect(ours.isEmpty, "\(name): broken in these blocks of 10 ms, and no server left anything out: \(ours)")
        let whole = (0..<blocks / 100).filter { second in
            !breaks.contains { $0.lowerBound <= 100 * (second + 1) && 100 * second <= $0.upperBound }
        }
        #expect(whole.count >= 100, "\(name): in \(whole.count) seconds of 300 alone the pitch can be measured")
        let pitches = whole.map { second in
            let part = Array(samples[100 * second * Self.block..<100 * (second + 1) * Self.block])
            return 1200 * log2(SteadyTones([1000], in: part, block: Self.block).tones[0].frequency / frequency)
        }
        print(
            "Two clocks, \(name): breaks: \(Self.list(times)), \(breaks.count - ours.count) of them the servers'; "
                + "\(pitches.min() ?? .nan) to \(pitches.max() ?? .nan) cents beside the source's pitch in "
                + "\(whole.count) whole seconds")
        #expect(pitches.allSatisfy { abs($0) < 1 }, "\(name): \(pitches)")
    }
}
