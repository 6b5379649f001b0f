import COssicle
import Foundation
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct FractionalDelayLineTests {
    /// Runs one tap over a signal; `change` may move it before each block.
    static func delayed(
        _ input: [Float], by delay: Double, blocks: [Int] = [128], isCoarse: Bool = false,
        change: (inout DelayTap, Int) -> Void = { _, _ in }
    ) -> [Float] {
        var line = FractionalDelayLine(maximumDelay: 20_000, maximumBlock: 1024)
        var tap = DelayTap(delay)
        var done = 0
        return render(input, blocks: blocks) { from, to, n in
            change(&tap, done)
            line.write(from, n)
            line.read(&tap, to: to, n, isCoarse: isCoarse)
            done += n
        }
    }

    @Test(
        "A moving tap reads the same bytes in C as in Swift",
        arguments: [(20, 300.7), (5000.25, 16), (0, 30_000), (100, 101), (1e300, -1e300)])
    func moving(from: Double, to: Double) {
        var line = FractionalDelayLine(maximumDelay: 20_000)
        let sound = Signal.noise(count: 30_000)
        for start in stride(from: 0, to: 29_952, by: 128) {
            sound.withUnsafeBufferPointer { if let base = $0.baseAddress { line.write(base + start, 128) } }
        }
        var tap = DelayTap(from)
        tap.setTarget(to, frames: 300)
        for (passed, isCoarse) in [(0, false), (17, false), (200, false), (0, true), (17, true), (200, true)] {
            var tap = tap
            tap.skip(passed)
            var c = [Float](repeating: .nan, count: 100), swift = c
            line.readPlainly(line.ramp(of: tap), 29_952 - 100, &swift, 100, isCoarse: isCoarse)
            line.read(&tap, to: &c, 100, isCoarse: isCoarse)
            #expect(Measure.sameBytes(c, swift) && Measure.isFinite(c), "after \(passed) frames")
        }
    }

    @Test(
        "Two moving taps read together give the bytes of each alone",
        arguments: [(300.25, 300.7), (20, 400), (16, 19_000)])
    func together(first: Double, second: Double) {
        var line = FractionalDelayLine(maximumDelay: 20_000)
        let sound = Signal.noise(count: 30_000)
        for start in stride(from: 0, to: 29_952, by: 128) {
            sound.withUnsafeBufferPointer { if let base = $0.baseAddress { line.write(base + start, 128) } }
        }
        var (a, b) = (DelayTap(first), DelayTap(second))
        a.setTarget(first + 7.3, frames: 256)
        b.setTarget(second - 90.1, frames: 192)
        for n in [1, 7, 128, 40] {
            var (x, y) = ([Float](repeating: .nan, count: n), [Float](repeating: .nan, count: n))
            var (left, right) = (x, y)
            var (c, d) = (a, b)
            line.read(&c, to: &x, n)
            line.read(&d, to: &y, n)
            line.read(&a, to: &left, &b, to: &right, n)
            #expect(Measure.sameBytes(x, left) && Measure.sameBytes(y, right) && Measure.isFinite(x + y))
            #expect(a.value == c.value && b.value == d.value)
        }
    }

    @Test("Whole delays copy bit for bit", arguments: [16, 17, 1000, 20_000])
    func wholeDelays(delay: Int) {
        let input = Signal.noise(count: 30_000)
        let output = Self.delayed(input, by: Double(delay))
        #expect(Measure.sameBytes(Array(output.dropFirst(delay)), Array(input.dropLast(delay))))
        #expect(Measure.peak(output.prefix(delay)) == 0)
    }

    @Test(
        "Fractional delays have over 80 dB of signal to noise up to 0.8 Nyquist, and the right phase",
        arguments: [0.1, 0.25, 0.5, 0.501, 0.77, 0.999])
    func fractionalDelays(fraction: Double) {
        let delay = 300 + fraction
        for frequency in [100.0, 1000, 5000, 12_000, 19_200] {
            let output = Self.delayed(Signal.sine(frequency, count: 8000), by: delay).dropFirst(1000)
            let expected = Signal.sine(frequency, count: 8000, phase: -2 * .pi * frequency * delay / 48000).dropFirst(
                1000)
            let error = Measure.rms(zip(output, expected).map { $0 - $1 })
            #expect(Measure.decibels(error * 2.0.squareRoot()) < -80, "\(frequency) Hz")
        }
    }

    @Test(
        "On the move the error stays 90 dB below a tone up to two thirds of Nyquist, and 75 dB up to three quarters",
        arguments: [(100.0, -90.0), (1000, -90), (5000, -90), (12_000, -90), (16_000, -90), (18_000, -75)],
        [0.001, -0.03])
    func movingAccuracy(tone: (frequency: Double, error: Double), speed: Double) {
        let input = Signal.sine(tone.frequency, count: 8064)
        let output = Self.delayed(input, by: 500) { tap, done in
            tap.setTarget(500 + speed * Double(done + 128), frames: 128)
        }
        let expected = (0..<8064).map { frame in
            let moment = Double(frame) - (500 + speed * Double(frame))
            return sin(2 * Double.pi * tone.frequency * moment / 48_000)
        }
        let error = zip(output, expected).dropFirst(1000).map { $0 - Float($1) }
        #expect(Measure.decibels(Measure.rms(error) * 2.0.squareRoot()) < tone.error)
    }

    @Test(
        "Read coarsely, the error stays 70 dB below a tone up to 10 kHz, and 60 dB at 12 kHz",
        arguments: [(100.0, -70.0), (1000, -70), (4000, -70), (8000, -70), (10_000, -70), (12_000, -60)],
        [0.001, -0.03])
    func coarseAccuracy(tone: (frequency: Double, error: Double), speed: Double) {
        let input = Signal.sine(tone.frequency, count: 8064)
        let output = Self.delayed(input, by: 500, isCoarse: true) { tap, done in
            tap.setTarget(500 + speed * Double(done + 128), frames: 128)
        }
        let expected = (0..<8064).map { frame in
            let moment = Double(frame) - (500 + speed * Double(frame))
            return sin(2 * Double.pi * tone.frequency * moment / 48_000)
        }
        let error = zip(output, expected).dropFirst(1000).map { $0 - Float($1) }
        #expect(Measure.decibels(Measure.rms(error) * 2.0.squareRoot()) < tone.error)
    }

    @Test(
        "A line that grows keeps what it has, and what is written then comes as late as in a long one",
        arguments: [50, 100, 4095, 4096, 5000, 9000], [64, 100, 128])
    func growth(start: Int, block: Int) {
        let input = Signal.noise(count: 20_000)
        func heard(grows: Bool) -> [Float] {
            var line = FractionalDelayLine(maximumDelay: 20_000, maximumBlock: 128, firstDelay: grows ? 200 : nil)
            var tap = DelayTap(150.5)
            var done = 0
            return render(input, blocks: [block]) { from, to, n in
                if done < start, done + n >= start {
                    line.reserve(180)
                    tap.setTarget(180.25, frames: 128)
                }
                if done < start + 300, done + n >= start + 300 {
                    if grows { line.reserve(7000.5) }
                    tap.setTarget(7000.5, frames: 6000)
                }
                line.write(from, n)
                line.read(&tap, to: to, n)
                done += n
            }
        }
        // The delay grows by more than a frame per frame: what sounds lies ever farther back, behind what a short line
        // has kept there is silence.
        let (short, long) = (heard(grows: true), heard(grows: false))
        #expect(Measure.sameBytes(Array(short.prefix(start + 300)), Array(long.prefix(start + 300))))
        let settled = start + 300 + 6000 + 7200
        #expect(Measure.sameBytes(Array(short.dropFirst(settled)), Array(long.dropFirst(settled))))
    }

    @Test("The delay of a noise is measured within a thousandth of a frame")
    func measuredDelay() {
        var filter = Biquad(.lowPass(5000, sampleRate: 48000))
        let input = render(Signal.noise(count: 4000)) { filter.process(from: $0, to: $1, $2) }
        #expect(abs(Measure.delay(of: Self.delayed(input, by: 57.3), after: input, range: 100) - 57.3) < 0.001)
    }

    @Test("A delay falling linearly has exactly the Doppler pitch")
    func doppler() {
        // 34.3 m/s towards the listener at c = 343 m/s: 0.1 frames per frame, f′ = 1.1 f.
        let output = Self.delayed(Signal.sine(1000, count: 48_000), by: 5000) { tap, done in
            if done == 6400 { tap.setTarget(5000 - 0.1 * 40_000, frames: 40_000) }
        }
        let tone = Measure.pitch(near: 1100, in: Array(output[12_000..<44_000]))
        #expect(abs(tone.frequency - 1100) < 1e-4)
        #expect(tone.signalToNoise > 80)
    }

    @Test("A motion in steps of a quantum shows no spurious component above −70 dB")
    func motion() {
        // 10 m/s away, a new target every 128 frames.
        let speed = 10.0 / 343 * 128
        let output = Self.delayed(Signal.sine(2000, count: 48_000), by: 100) { tap, done in
            tap.setTarget(100 + Double(done / 128 + 1) * speed, frames: 128)
        }
        #expect(Measure.pitch(near: 2000 * (1 - 10.0 / 343), in: Array(output.dropFirst(4000))).signalToNoise > 70)
    }

    @Test("A jump cross-fades: no click, and after a quantum only the new place sounds")
    func jump() {
        let input = Signal.sine(200, count: 9600)
        let output = Self.delayed(input, by: 100) { tap, done in if done == 4096 { tap.jump(to: 1300.5, frames: 128) } }
        #expect(Measure.largestKink(Array(output.dropFirst(600))) < 2e-3)
        #expect(
            Measure.sameBytes(
                Array(output.dropFirst(4096 + 128)), Array(Self.delayed(input, by: 1300.5).dropFirst(4096 + 128))))
    }

    @Test("Several taps read one line, and out-of-range or absurd delays are held")
    func manyTaps() {
        let input = Signal.noise(count: 1000)
        var line = FractionalDelayLine(maximumDelay: 500)
        var taps = [DelayTap(20), DelayTap(20.5), DelayTap(-5), DelayTap(1e30), DelayTap(.nan)]
        var last = [[Float]](repeating: [], count: taps.count)
        _ = render(input) { from, to, n in
            line.write(from, n)
            for index in taps.indices {
                line.read(&taps[index], to: to, n)
                last[index].append(contentsOf: UnsafeBufferPointer(start: to, count: n))
            }
        }
        #expect(Measure.sameBytes(Array(last[0].dropFirst(20)), Array(input.dropLast(20))))
        #expect(Measure.sameBytes(Array(last[2].dropFirst(16)), Array(input.dropLast(16))))
        #expect(Measure.sameBytes(Array(last[3].dropFirst(500)), Array(input.dropLast(500))))
        #expect(Measure.sameBytes(last[2], last[4]))
        #expect(Measure.isFinite(last[1]))
    }

    @Test("Moving and jumping give the same bytes however calls are cut")
    func cuts() {
        let input = Signal.noise(count: 8000)
        func run(_ blocks: [Int], isCoarse: Bool) -> [Float] {
            var line = FractionalDelayLine(maximumDelay: 2000, maximumBlock: 1024)
            var tap = DelayTap(40.2)
            tap.setTarget(1500.7, frames: 3001)
            tap.jump(to: 99.9, frames: 777)
            tap.setTarget(1800.1, frames: 4321)
            return render(input, blocks: blocks) { from, to, n in
                line.write(from, n)
                line.read(&tap, to: to, n, isCoarse: isCoarse)
            }
        }
        for isCoarse in [false, true] {
            let whole = run([128], isCoarse: isCoarse)
            for blocks in [[1], [7], [1024], awkwardCuts] {
                #expect(Measure.sameBytes(whole, run(blocks, isCoarse: isCoarse)))
            }
        }
    }
}
