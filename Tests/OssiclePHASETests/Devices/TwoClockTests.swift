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
    /// Five minutes, and what pipes hold back.
    private static let seconds = 302.0
    /// Seconds ahead of these.
    private static let learning = 10.0
    private static let amplitude = 0.25

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
        private let tone: ForeignTone
        private let witness: SourceWitness

        init() throws {
            _ = try SoundServer.addSink("control")
            tone = try ForeignTone(
                1000, amplitude: TwoClockTests.amplitude, seconds: Int(TwoClockTests.seconds) + 120, at: "control")
            witness = SourceWitness("control.monitor")
        }

        func end() -> TimedSound { witness.end() }
    }

    /// What broke on its way to the clocks or behind them, by witnesses that are no part of what is tested.
    private struct Omissions {
        /// At what times of the steady clock another tone broke, in seconds.
        private let breaks: [Double]
        /// When a cycle of JACK's came late, and by how much, in seconds: the dummy server's clock stands still
        /// meanwhile.
        private let late: [(time: Double, duration: Double)]

        /// - Parameters:
        ///   - tones: between two other programs at PipeWire, and the source's own at its server.
        ///   - cycles: how many frames there were at JACK, and when.
        init(tones: [TimedSound], cycles: [(frameCount: Int, time: Double)]) {
            breaks = tones.flatMap { tone in
                // The first run begins with the tone.
                TwoClockTests.runs(in: tone.channels[0]).dropFirst().map {
                    tone.time(of: $0.lowerBound * TwoClockTests.block)
                }
            }
            late = zip(cycles, cycles.dropFirst()).compactMap { cycle, next in
                let lateness = next.time - cycle.time - Double(next.frameCount - cycle.frameCount) / 48_000
                return lateness > 0.01 ? (next.time, lateness) : nil
            }
        }

        var words: String {
            "breaks of other tones: \(TwoClockTests.list(breaks)); "
                + "late cycles of JACK's: \(TwoClockTests.list(late.map(\.time))), "
                + "by \((1000 * late.reduce(0) { $0 + $1.duration }).rounded()) ms"
        }

        /// Whether another tone broke, too, as near as times through pipes tell; or whether JACK was late
        /// in the minute before by more than a capture buffer has to spare: its third block, less what the clocks'
        /// cycles need of it. That is made up for by 0.3 ms a second.
        func explain(_ time: Double) -> Bool {
            breaks.contains { abs($0 - time) < 1 }
                || late.filter { $0.time - 1 < time && time < $0.time + 60 }.reduce(0) { $0 + $1.duration } > 0.02
        }
    }

    /// An engine between the clocks, and where its sound is heard.
    private struct Direction {
        let name: String
        let engine: AVAudioEngine
        /// Hz.
        let frequency: Double
        /// How often its capture buffer had too few frames or too many, from `begin()` on.
        private(set) var faults = 0
        private var start: State?

        private struct State {
            let report: CaptureReport
            let dropoutCount: Int
        }

        init(_ name: String, _ engine: AVAudioEngine, _ frequency: Double) {
            (self.name, self.engine, self.frequency) = (name, engine, frequency)
        }

        /// Counts from here on.
        mutating func begin() throws { start = try state() }

        mutating func end() throws {
            let (start, end) = try (#require(start), state())
            let (before, after) = (start.report, end.report)
            faults =
                after.underflows - before.underflows + after.overflows - before.overflows
                + after.resyncs - before.resyncs
            let dropouts = end.dropoutCount - start.dropoutCount
            print("Two clocks, \(name): \(faults) faults, \(dropouts) dropouts; \(after)")
        }

        private func state() throws -> State {
            let device = engine.machine.locked { engine.machine.session.device }
            return try State(
                report: #require(device?.capture?.report, "\(name): no capture"),
                dropoutCount: #require(device).dropoutCount)
        }
    }

    @Test("No frame is lost or repeated between the clocks, either way, and the pitch is that of the source")
    func fiveMinutes() throws {
        DevicePreferences.current.bufferDuration = 0.04
        defer { DevicePreferences.current = DevicePreferences() }
        try SoundServer.control(
            "load-module", "module-remap-source", "master=\(SoundServer.sink).monitor", "source_name=mic")
        _ = try SoundServer.addSink("second")
        let second = SourceWitness("second.monitor")
        let first = SourceWitness(SoundServer.sink + ".monitor")
        let control = try Control()
        let slow = try at("pulse:" + SoundServer.sink) {
            try ToneEngines.audioEngine([1000, 1000], amplitude: Self.amplitude)
        }
        try at("pulse:" + SoundServer.sink) { try slow.start() }
        let fast = try at("jack") { try ToneEngines.audioEngine([1000, 1000], amplitude: Self.amplitude) }
        try at("jack") { try fast.start() }
        // The second client of this name, and the first.
        let upward = try at("jack", from: "pulse:mic") { try through() }
        let downward = try at("pulse:second", from: "jack:Ossicle") { try through() }
        let ears = try JackWitness("Ossicle-01", seconds: Int(Self.seconds) + 60)
        let origin = try JackWitness("Ossicle", seconds: Int(Self.seconds) + 60)
        // A server whose clock is faster by this counts more frames a second.
        let ratio = try Double(
            #require(ProcessInfo.processInfo.environment["OSSICLE_CLOCK_RATIO"].flatMap(Double.init)))
        var directions = [
            Direction("to the fast clock", upward, 1000 / ratio),
            Direction("to the slow clock", downward, 1000 * ratio),
        ]
        // A client that joins or leaves holds up JACK's other clients, and the buffers learn the rates.
        Thread.sleep(forTimeInterval: Self.learning)
        for index in directions.indices { try directions[index].begin() }
        let begin = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
        Thread.sleep(forTimeInterval: Self.seconds)
        let isLong = SoundServer.eventually { second.frameCount >= Int(Self.learning + Self.seconds) * 48_000 }
        try #require(isLong, "\(second.frameCount) frames")
        for index in directions.indices { try directions[index].end() }
        let (down, slowTone) = (second.end(), first.end())
        let (up, fastTone) = (ears.end(), origin.end())
        for engine in [slow, fast, upward, downward] { engine.stop() }

        let other = control.end()
        for (direction, sound, source) in [(directions[0], up, slowTone), (directions[1], down, fastTone)] {
            let omissions = Omissions(tones: [other, source], cycles: up.arrivals)
            print("Two clocks, \(direction.name): \(omissions.words)")
            try expectTone(direction, in: sound, from: begin, omissions)
        }
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
    /// something out, and what the capture buffer counts only as often. The pitch is right within a cent in every
    /// second without a break, also while the capture buffer begins to follow the clocks.
    private func expectTone(
        _ direction: Direction, in sound: TimedSound, from time: Double, _ omissions: Omissions
    ) throws {
        let name = direction.name
        let begin = try #require(sound.arrivals.first { $0.time > time }, "\(name): no sound").frameCount
        let samples = Array(sound.channels[0].dropFirst(begin))
        try #require(samples.count >= 300 * 48_000, "\(name): \(samples.count) frames")
        let blocks = samples.count / Self.block
        let breaks = Self.breaks(between: Self.runs(in: samples), blocks)
        let times = breaks.map { sound.time(of: begin + $0.lowerBound * Self.block) }
        let ours = zip(breaks, times).filter { !omissions.explain($1) }.map(\.0)
        #expect(ours.isEmpty, "\(name): broken in these blocks of 10 ms, and no server left anything out: \(ours)")
        let excused = breaks.count - ours.count
        #expect(direction.faults <= excused, "\(name): the buffer counts \(direction.faults), heard were \(excused)")
        let whole = (0..<blocks / 100).filter { second in
            !breaks.contains { $0.lowerBound <= 100 * (second + 1) && 100 * second <= $0.upperBound }
        }
        #expect(whole.count >= 240, "\(name): in \(whole.count) seconds of 300 alone the pitch can be measured")
        let pitches = whole.map { second in
            let part = Array(samples[100 * second * Self.block..<100 * (second + 1) * Self.block])
            let frequency = SteadyTones([1000], in: part, block: Self.block).tones[0].frequency
            return 1200 * log2(frequency / direction.frequency)
        }
        print(
            "Two clocks, \(name): breaks: \(Self.list(times)), \(excused) of them the servers'; "
                + "\(pitches.min() ?? .nan) to \(pitches.max() ?? .nan) cents beside the source's pitch in "
                + "\(whole.count) whole seconds")
        #expect(pitches.allSatisfy { abs($0) < 1 }, "\(name): \(pitches)")
    }
}
