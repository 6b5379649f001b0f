import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct LimiterTests {
    /// Limits a stereo signal in blocks of the given sizes.
    static func limit(
        _ left: [Float], _ right: [Float], blocks: [Int] = [128]
    ) -> (left: [Float], right: [Float], limited: Int, nonFinite: Int) {
        var limiter = Limiter(sampleRate: 48000)
        var other = right
        var offset = 0
        let first = render(left, blocks: blocks) { from, to, n in
            to.update(from: from, count: n)
            other.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 2) { channels in
                    channels.initialize(fromContentsOf: [to, base + offset])
                    if let list = channels.baseAddress { limiter.process(list, channelCount: 2, n) }
                }
            }
            offset += n
        }
        return (first, other, limiter.limitedFrames, limiter.nonFiniteFrames)
    }

    @Test("Below the ceiling nothing changes, bit for bit")
    func transparent() {
        let (a, b) = (Signal.noise(count: 5000, amplitude: 0.89), Signal.noise(count: 5000, seed: 2, amplitude: 0.89))
        let result = Self.limit(a, b)
        #expect(Measure.sameBytes(result.left, a) && Measure.sameBytes(result.right, b) && result.limited == 0)
    }

    @Test("The ceiling is never exceeded, whatever comes in")
    func ceiling() {
        for amplitude in [1.0, 3, 1e6, 3e38] {
            let result = Self.limit(
                Signal.noise(count: 5000, amplitude: amplitude),
                Signal.noise(count: 5000, seed: 2, amplitude: amplitude))
            #expect(max(Measure.peak(result.left), Measure.peak(result.right)) <= Limiter.defaultCeiling)
            #expect(result.limited > 0)
        }
    }

    @Test("Channels keep their balance")
    func linked() {
        let loud = Signal.sine(100, count: 4800, amplitude: 4)
        let result = Self.limit(loud, loud.map { $0 * 0.25 })
        for (l, r) in zip(result.left, result.right) { #expect(abs(l * 0.25 - r) < 1e-6) }
    }

    @Test("After a burst the gain returns to unity with a time constant of 100 ms, then to transparency")
    func release() {
        var signal = [Float](repeating: 0.1, count: 96000)
        signal[100] = 8.91250938
        let result = Self.limit(signal, signal)
        #expect(abs(result.left[100] - Limiter.defaultCeiling) < 1e-6)
        #expect(abs(result.left[101] - 0.01) < 1e-4)
        let expected: Float = 0.1 * (1 - 0.9 * 0.36788)
        #expect(abs(result.left[100 + 4800] - expected) < 1e-4)
        #expect(Measure.sameBytes(Array(result.left.suffix(20000)), Array(signal.suffix(20000))))
    }

    @Test("A non-finite frame becomes silence, is counted, and leaves no trace")
    func nonFinite() {
        var signal = Signal.sine(300, count: 1000, amplitude: 0.5)
        signal[10] = .nan
        signal[20] = -.infinity
        let result = Self.limit(signal, Signal.silence(count: 1000))
        #expect(result.left[10] == 0 && result.left[20] == 0 && result.nonFinite == 2)
        #expect(Measure.sameBytes(Array(result.left.suffix(900)), Array(signal.suffix(900))))
    }

    @Test("The limiter gives the same bytes however its calls are cut")
    func cuts() {
        let (a, b) = (Signal.noise(count: 5000, amplitude: 2), Signal.noise(count: 5000, seed: 2, amplitude: 1))
        let (whole, awkward) = (Self.limit(a, b), Self.limit(a, b, blocks: awkwardCuts))
        #expect(Measure.sameBytes(whole.left, awkward.left) && Measure.sameBytes(whole.right, awkward.right))
    }
}
