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
        private let samples = Mutex<[Float]>([])
        private let input: PortInput

        init(_ client: String, seconds: Int) throws {
            input = try PortInput(.jack(client), FormatWishes(channelCount: 2))
            samples.withLock { $0.reserveCapacity(seconds * 48_000) }
            try input.start { [weak self] block in self?.samples.withLock { $0.append(contentsOf: block[0]) } }
        }

        func end() -> [Float] {
            input.stop()
            return samples.withLock { $0 }
        }
    }

    @Test("No frame is lost or repeated between the clocks, either way, and the pitch is that of the source")
    func fiveMinutes() throws {
        DevicePreferences.current.bufferDuration = 0.04
        defer { DevicePreferences.current = DevicePreferences() }
        try SoundServer.control(
            "load-module", "module-remap-source", "master=\(SoundServer.sink).monitor", "source_name=mic")
        let second = try SinkWitness("second", map: ["front-left", "front-right"])
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
        // The program that records writes what it has every two seconds.
        let isLong = SoundServer.eventually { second.frameCount >= Self.seconds * 48_000 }
        try #require(isLong, "\(second.frameCount) frames")
        let up = Array(ears.end().suffix(Self.frames))
        let (down, hasLost) = try second.end(from: second.frameCount - Self.frames, count: Self.frames)
        #expect(!hasLost)
        for engine in [slow, fast, upward, downward] { engine.stop() }

        // A server whose clock is faster by this counts more frames a second.
        let ratio = try Double(
            #require(ProcessInfo.processInfo.environment["OSSICLE_CLOCK_RATIO"].flatMap(Double.init)))
        expectTone(1000 / ratio, in: up, "to the fast clock")
        expectTone(1000 * ratio, in: down[0], "to the slow clock")
    }

    /// One tone from the first block of 10 ms to the last, with each phase where the one before leads: a frame more or
    /// less would turn it by 0.13. The pitch is right within a cent in every second, also while the capture buffer
    /// begins to follow the clocks.
    private func expectTone(_ frequency: Double, in samples: [Float], _ name: String) {
        let block = 480
        #expect(samples.count == Self.frames, "\(name): \(samples.count) frames")
        let runs = SteadyTones([1000], in: samples, block: block).runs(amplitude: Self.amplitude)
        let blocks = samples.count / block
        #expect(runs == [0..<blocks], "\(name): whole in these blocks of 10 ms: \(runs)")
        let seconds = stride(from: 0, to: blocks, by: 100).map { Array(samples[$0 * block..<($0 + 100) * block]) }
        let pitches = seconds.map {
            1200 * log2(SteadyTones([1000], in: $0, block: block).tones[0].frequency / frequency)
        }
        print(
            "Two clocks, \(name): \(runs.count - 1) breaks, "
                + "\(pitches.min() ?? .nan) to \(pitches.max() ?? .nan) cents beside the source's pitch")
        #expect(pitches.allSatisfy { abs($0) < 1 }, "\(name): \(pitches)")
    }
}
