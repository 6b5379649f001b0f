@testable import OssicleDevices
import Foundation
import OssicleCore
import OssicleTestSupport
import Testing

/// How the blocks of two devices come, in frames: what the program gets or gives at once, the cycle of the device's own
/// in which it does so, and by how many seconds it is late at most.
struct Pace {
    var quantum = 512
    var cycle = 512
    var lateness = 0.0

    /// JACK calls once a cycle.
    static let jack = Pace(quantum: 1024, cycle: 1024)
    /// PipeWire gives and takes blocks of 40 ms in its own cycles, long or short.
    static let pipewire = Pace(quantum: 1920, cycle: 1024)
    static let longPipewire = Pace(quantum: 1920, cycle: 2048)

    func late(by seconds: Double) -> Pace {
        var pace = self
        pace.lateness = seconds
        return pace
    }
}

/// An input and an output whose clocks drift apart, in simulated time: the input plays a tone of 1 kHz by its own
/// clock.
private final class Drifting {
    let buffer: CaptureBuffer
    private static let room = 2048
    private let block: UnsafeMutablePointer<Float> = .allocate(capacity: Drifting.room)
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>> = .allocate(capacity: 1)
    private let period = Signal.sine(1000, count: 48, amplitude: 0.5)
    private let random: CounterRandom
    private let (input, output): (Pace, Pace)
    private let inputRate: Double
    private let wander: Double
    /// Of either device: cycles that have begun.
    private var cycles = (input: 0, output: 0)
    private var frames = (written: 0, read: 0)

    /// - Parameters:
    ///   - ppm: by how many millionths the input's clock is faster.
    ///   - wander: seconds by which the times of its blocks err, to and fro in two minutes.
    ///   - seed: of the lateness, and of when in the output's cycle the input's begins.
    init(
        ppm: Double, wander: Double = 0, from input: Pace = Pace(lateness: 0.001), to output: Pace = Pace(),
        seed: UInt64 = 1
    ) {
        (self.input, self.output, self.wander) = (input, output, wander)
        random = CounterRandom(seed: seed, object: 0)
        inputRate = 48000 * (1 + ppm * 1e-6)
        buffer = CaptureBuffer(
            channelCount: 1, sampleRate: 48000, inputQuantum: input.quantum, outputQuantum: output.quantum)
        channels.initialize(to: block)
    }

    deinit {
        block.deallocate()
        channels.deallocate()
    }

    /// Lets so many seconds pass by the output's clock.
    /// - Returns: what the output got.
    func run(seconds: Double, from start: Double) -> [Float] {
        var heard: [Float] = []
        while Double(cycles.output * output.cycle) / 48000 < start + seconds {
            let begin = Double(cycles.output * output.cycle) / 48000
            let now = begin + output.lateness * random.unit(UInt64(2 * cycles.output))
            while writeCycle(until: now) {}
            cycles.output += 1
            while frames.read + output.quantum <= cycles.output * output.cycle { read(at: now, &heard) }
        }
        return heard
    }

    /// - Returns: whether the input's next cycle has ended by then.
    private func writeCycle(until now: Double) -> Bool {
        let phase = Double(input.cycle) / 48000 * random.unit(1)
        let end = phase + Double((cycles.input + 1) * input.cycle) / inputRate
        let there = end + input.lateness * random.unit(UInt64(2 * cycles.input + 3))
        guard there <= now else { return false }
        cycles.input += 1
        while frames.written + input.quantum <= cycles.input * input.cycle { write(at: there, phase) }
        return true
    }

    private func write(at now: Double, _ phase: Double) {
        for frame in 0..<input.quantum { block[frame] = period[(frames.written + frame) % 48] }
        let begin = phase + Double(frames.written) / inputRate
        let time = begin + wander * sin(2 * .pi * begin / 120)
        buffer.write(
            InputBlock(
                channels: channels, channelCount: 1, frameCount: input.quantum, hostTime: Drifting.time(of: time)),
            at: Drifting.time(of: now))
        frames.written += input.quantum
    }

    private func read(at now: Double, _ heard: inout [Float]) {
        let time = Drifting.time(of: Double(frames.read) / 48000)
        buffer.read(
            into: channels, channelCount: 1, frameCount: output.quantum, hostTime: time, at: Drifting.time(of: now))
        heard.append(contentsOf: UnsafeBufferPointer(start: block, count: output.quantum))
        frames.read += output.quantum
    }

    /// The host's clock begins a second before the devices.
    private static func time(of seconds: Double) -> UInt64 { UInt64((1 + seconds) * 1e9) }
}

@Suite struct DriftTests {
    /// A cent is 578 millionths. What is left beside the tone: 60 dB below it, as the interpolation's images lie at
    /// least 80 dB down and the speed glides by less than a millionth per block.
    @Test(
        "Two clocks 200 millionths apart for five minutes: no frame is lost, none is silent, the pitch stays within a cent",
        arguments: [-200.0, 200])
    func clocks(ppm: Double) {
        let drifting = Drifting(ppm: ppm)
        _ = drifting.run(seconds: 2, from: 0)
        let silentAtFirst = drifting.buffer.report.silentFrames
        var worst = (cents: 0.0, noise: Double.infinity)
        for second in stride(from: 2.0, to: 300, by: 1) {
            let heard = drifting.run(seconds: 1, from: second)
            // A quarter of a second, in every tenth second.
            guard Int(second) % 10 == 2 else { continue }
            let tone = Measure.pitch(near: 1000, in: Array(heard.prefix(12000)))
            worst.cents = max(worst.cents, abs(1200 * log2(tone.frequency / 1000)))
            worst.noise = min(worst.noise, tone.signalToNoise)
            #expect(abs(Measure.decibels(tone.amplitude / 0.5)) < 0.05)
        }
        let report = drifting.buffer.report
        #expect(worst.cents < 1 && worst.noise > 60)
        #expect(report.droppedFrames == 0 && report.resyncs == 0 && report.overflows == 0 && report.underflows == 0)
        #expect(report.silentFrames == silentAtFirst)
    }

    /// Whatever the phase: the clocks overtake each other by a cycle in 105 s. Late by 15 ms at most, as on a busy
    /// machine.
    @Test(
        "Two servers with cycles of their own, which are late now and then: no frame is lost in five minutes",
        arguments: [
            (Pace.jack, Pace.pipewire, 203.0), (.jack, .longPipewire, 203), (.pipewire, .jack, -203),
            (.longPipewire, .jack, -203),
        ])
    func servers(from input: Pace, to output: Pace, ppm: Double) {
        for seed in UInt64(1)...4 {
            let drifting = Drifting(
                ppm: ppm, from: input.late(by: 0.015), to: output.late(by: 0.015), seed: seed)
            _ = drifting.run(seconds: 2, from: 0)
            let silentAtFirst = drifting.buffer.report.silentFrames
            _ = drifting.run(seconds: 310, from: 2)
            let report = drifting.buffer.report
            #expect(report.underflows == 0 && report.droppedFrames == 0, "seed \(seed)")
            #expect(report.silentFrames == silentAtFirst, "seed \(seed)")
        }
    }

    /// Times that wander by 2 ms seem to drift by up to 105 millionths for half a minute.
    @Test("Two readings of one clock pass every frame as it is, also where their times err", arguments: [0, 0.002])
    func oneClock(wander: Double) {
        let drifting = Drifting(ppm: 0, wander: wander)
        let heard = drifting.run(seconds: 60, from: 0).drop { $0 == 0 }
        let period = Signal.sine(1000, count: 48, amplitude: 0.5)
        // The first frame of a period is zero, and was dropped with the silence.
        #expect(zip(heard, 1...).allSatisfy { $0 == period[$1 % 48] })
        #expect(heard.count > 58 * 48000)
    }
}
