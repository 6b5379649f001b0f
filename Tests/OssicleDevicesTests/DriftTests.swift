@testable import OssicleDevices
import Foundation
import OssicleCore
import OssicleTestSupport
import Testing

/// An input and an output whose clocks drift apart, in simulated time: the input plays a tone of 1 kHz by its own
/// clock.
private final class Drifting {
    let buffer = CaptureBuffer(channelCount: 1, sampleRate: 48000, inputQuantum: 512, outputQuantum: 512)
    private let block: UnsafeMutablePointer<Float> = .allocate(capacity: 512)
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>> = .allocate(capacity: 1)
    private let period = Signal.sine(1000, count: 48, amplitude: 0.5)
    private let inputRate: Double
    private let wander: Double
    private var blocks = (written: 0, read: 0)

    /// - Parameters:
    ///   - ppm: by how many millionths the input's clock is faster.
    ///   - wander: seconds by which the times of its blocks err, to and fro in two minutes.
    init(ppm: Double, wander: Double = 0) {
        inputRate = 48000 * (1 + ppm * 1e-6)
        self.wander = wander
        channels.initialize(to: block)
    }

    deinit {
        block.deallocate()
        channels.deallocate()
    }

    /// Lets so many seconds pass by the output's clock, with up to a millisecond of jitter of the input's blocks.
    /// - Returns: what the output got.
    func run(seconds: Double, from start: Double) -> [Float] {
        let random = CounterRandom(seed: 1, object: 0)
        var heard: [Float] = []
        while Double(blocks.read) * 512 / 48000 < start + seconds {
            let now = Double(blocks.read) * 512 / 48000
            while true {
                let there = Double(blocks.written + 1) * 512 / inputRate + 0.001 * random.unit(UInt64(blocks.written))
                guard there <= now else { break }
                for frame in 0..<512 { block[frame] = period[(blocks.written * 512 + frame) % 48] }
                let begin = Double(blocks.written) * 512 / inputRate
                let time = (1 + begin + wander * sin(2 * .pi * begin / 120)) * 1e9
                buffer.write(
                    InputBlock(channels: channels, channelCount: 1, frameCount: 512, hostTime: UInt64(time)))
                blocks.written += 1
            }
            buffer.read(into: channels, channelCount: 1, frameCount: 512, hostTime: UInt64(1e9 + now * 1e9))
            heard.append(contentsOf: UnsafeBufferPointer(start: block, count: 512))
            blocks.read += 1
        }
        return heard
    }
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
