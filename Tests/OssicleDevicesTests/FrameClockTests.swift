import OssicleCore
import Testing
@testable import OssicleDevices

@Suite struct FrameClockTests {
    /// A device 50 millionths fast whose blocks are stamped up to 1 ms late. The loop's own bandwidth of 0.1 Hz lets
    /// through √(2π·0.1·√2·10.7 ms) ≈ 0.1 of jitter of 0.29 ms standard deviation: 0.12 ms is four of these.
    @Test(
        "Jitter of a millisecond becomes a tenth, the rate is the device's, and no step is longer or shorter than that")
    func smooths() {
        let (random, rate) = (CounterRandom(seed: 1, object: 0), 48000 * (1 + 50e-6))
        var clock = FrameClock(sampleRate: 48000)
        var (errors, last): ([Double], UInt64) = ([], 0)
        for block in 0..<6000 {
            let exact = 1e9 + Double(block) * 512 / rate * 1e9
            clock.note(block * 512, at: UInt64(exact + 1e6 * random.unit(UInt64(block))))
            let time = clock.time(of: block * 512, orElse: 0)
            #expect(time >= last)
            // From the second half minute on.
            if block > 3000 {
                errors.append((Double(time) - exact - 0.5e6) * 1e-6)
                #expect(abs(Double(time - last) - 512 / rate * 1e9) < 0.05e6)
            }
            last = time
        }
        #expect(errors.allSatisfy { abs($0) < 0.12 })
    }

    @Test(
        "One measurement far off is passed over, and so are seven scattered ones; a step is followed with the third that agrees; time does not run backwards"
    )
    func breaks() {
        var clock = FrameClock(sampleRate: 48000)
        func exact(_ block: Int) -> UInt64 { 1_000_000_000 + UInt64(block) * 10_000_000 }
        for block in 0..<100 { clock.note(block * 480, at: exact(block)) }
        // 10, 30, 10 … ms late: each 20 ms off the one before.
        for block in 100..<107 {
            clock.note(block * 480, at: exact(block) + (block % 2 == 0 ? 10_000_000 : 30_000_000))
        }
        #expect(clock.time(of: 107 * 480, orElse: 0) == exact(107))
        clock.note(107 * 480, at: exact(107))
        for block in 108..<110 { clock.note(block * 480, at: exact(block) + 40_000_000) }
        #expect(clock.time(of: 110 * 480, orElse: 0) == exact(110))
        clock.note(110 * 480, at: exact(110) + 40_000_000)
        #expect(clock.time(of: 111 * 480, orElse: 0) == exact(111) + 40_000_000)
        clock.restart()
        clock.note(112 * 480, at: 1_000_000_000)
        #expect(clock.time(of: 112 * 480, orElse: 0) == exact(111) + 40_000_000)
        #expect(clock.time(of: 480 * 272, orElse: 0) == 2_600_000_000)
    }

    @Test("Eight scattered measurements in a row are a break")
    func scattered() {
        var clock = FrameClock(sampleRate: 48000)
        for block in 0..<100 { clock.note(block * 480, at: 1_000_000_000 + UInt64(block) * 10_000_000) }
        for block in 100..<108 {
            clock.note(block * 480, at: 1_000_000_000 + UInt64(block) * 10_000_000 + UInt64(block - 99) * 10_000_000)
        }
        #expect(clock.time(of: 108 * 480, orElse: 0) == 1_000_000_000 + 116 * 10_000_000)
    }

    @Test("Before anything is measured a line begins at the guess, and the first measurement replaces it")
    func guess() {
        var clock = FrameClock(sampleRate: 48000)
        #expect(clock.time(of: 0, orElse: 5_000_000) == 5_000_000 && clock.time(of: 480, orElse: 0) == 15_000_000)
        clock.note(960, at: 40_000_000)
        #expect(clock.time(of: 960, orElse: 0) == 40_000_000)
    }
}
