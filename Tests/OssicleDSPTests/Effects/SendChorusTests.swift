import OssicleCore
import OssicleTestSupport
import Testing
@testable import OssicleDSP

@Suite struct SendChorusTests {
    private let rate = 48_000.0

    private func render(
        _ input: [Float], _ parameters: SendChorus.Parameters, cuts: [Int] = [128], rate: Double = 48_000
    ) -> [[Float]] {
        var chorus = SendChorus(sampleRate: rate, parameters)
        var left = [Float](repeating: 0, count: input.count), right = left
        var done = 0, turn = 0
        while done < input.count {
            let count = min(cuts[turn % cuts.count], input.count - done)
            input.withUnsafeBufferPointer { input in
                left.withUnsafeMutableBufferPointer { left in
                    right.withUnsafeMutableBufferPointer { right in
                        chorus.process(
                            input.baseAddress! + done, left: left.baseAddress! + done, right: right.baseAddress! + done,
                            count)
                    }
                }
            }
            done += count
            turn += 1
        }
        return [left, right]
    }

    /// The delay of a tone of 1 kHz by frame, from its phase over windows of one millisecond.
    private func delays(_ sound: [Float], from start: Int) -> [Double] {
        let window = 48, omega = 2 * DeterministicMath.pi * 1000 / rate
        var last = 0.0, turns = 0.0
        return stride(from: start, to: sound.count - window, by: window).map { first in
            var (real, imaginary) = (0.0, 0.0)
            for frame in first..<first + window {
                let (sine, cosine) = DeterministicMath.sincos(omega * Double(frame))
                real += Double(sound[frame]) * sine
                imaginary += Double(sound[frame]) * cosine
            }
            // sin(ω(t − d)) = sin ωt cos ωd − cos ωt sin ωd.
            let phase = DeterministicMath.atan2(-imaginary, real)
            if first > start {
                turns -= ((phase - last) / (2 * DeterministicMath.pi)).rounded() * 2 * DeterministicMath.pi
            }
            last = phase
            return (phase + turns) / (2 * DeterministicMath.pi * 1000)
        }
    }

    @Test(arguments: [(1.1, 0.0063), (0.4, 0.0019), (3, 0.005)])
    func `the delay swings as a sine of its rate and depth`(hertz: Double, depth: Double) {
        let parameters = SendChorus.Parameters(rate: Float(hertz), depth: Float(depth), feedback: 0)
        let sound = render(Signal.sine(1000, count: 192_000), parameters)
        for (side, quarter) in [(0, 0.0), (1, 0.25)] {
            let found = delays(sound[side], from: 4800)
            // A phase does not count whole periods: what they leave is the same everywhere.
            let expected = found.indices.map { index in
                // The first step has its end at one step of the sine.
                let time = (4800 + Double(index * 48) + 24 + 32) / rate
                let (sine, _) = DeterministicMath.sincos(
                    2 * DeterministicMath.pi * (hertz * (time - 32 / rate) + quarter))
                return SendChorus.leastDelay + depth / 2 + depth / 2 * sine
            }
            let whole = ((expected[0] - found[0]) * 1000).rounded() / 1000
            let worst = zip(found, expected).map { abs($0 + whole - $1) }.max() ?? 1
            #expect(worst < 5e-6, "\(worst) s of \(depth) on side \(side)")
        }
    }

    @Test func `without depth each side is the sound of root one half, delayed`() {
        let noise = Signal.noise(count: 9600, seed: 4)
        let sound = render(noise, .init(rate: 1, depth: 0, feedback: 0))
        let delay = Int(SendChorus.leastDelay * rate)
        let expected = noise[..<9000].map { $0 * Float(0.5.squareRoot()) }
        for side in sound {
            #expect(Measure.largestDifference(Array(side[delay..<delay + 9000]), expected) < 1e-6)
            #expect(side[..<delay].allSatisfy { $0 == 0 })
        }
    }

    @Test func `echoes fall by the feedback`() {
        var impulse = [Float](repeating: 0, count: 4800)
        impulse[0] = 1
        let sound = render(impulse, .init(rate: 0, depth: 0, feedback: 0.6))[0]
        for echo in 0..<8 {
            var expected = 0.5.squareRoot()
            for _ in 0..<echo { expected *= 0.6 }
            #expect(abs(Double(sound[96 * (echo + 1)]) - expected) < 1e-6)
        }
    }

    @Test func `no cut changes a byte, and a reset begins anew`() {
        let input =
            Signal.noise(count: 12_000, seed: 9) + [Float](repeating: 0, count: 30_000)
            + Signal.noise(count: 4000, seed: 3)
        let parameters = SendChorus.Parameters(rate: 2, depth: 0.006, feedback: 0.3)
        for rate in [8000.0, 48_000, 192_000] {
            let whole = render(input, parameters, cuts: [128], rate: rate)
            for cuts in [[1], [64], [127, 3]] {
                let pieces = render(input, parameters, cuts: cuts, rate: rate)
                #expect(Measure.sameBytes(whole[0], pieces[0]) && Measure.sameBytes(whole[1], pieces[1]))
            }
        }
        var chorus = SendChorus(sampleRate: rate, parameters)
        var first = [Float](repeating: 0, count: 6000), second = first, spare = first
        chorus.process(input, left: &first, right: &spare, 6000)
        chorus.reset()
        chorus.process(input, left: &second, right: &spare, 6000)
        #expect(Measure.sameBytes(first, second))
    }
}
