import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct GainRampTests {
    @Test("A ramp is a straight line from the old to the new gain")
    func line() {
        var ramp = GainRamp(0.5)
        ramp.setTarget(1.5, frames: 100)
        let output = render([Float](repeating: 1, count: 150), blocks: awkwardCuts) {
            ramp.process(from: $0, to: $1, $2)
        }
        for i in 0..<150 { #expect(abs(output[i] - min(0.5 + Float(i) / 100, 1.5)) < 1e-6) }
        #expect(ramp.isIdle && ramp.value == 1.5)
    }

    @Test("Unity at rest copies bit for bit, zero at rest is silence even for NaN")
    func rest() {
        let input: [Float] = [-0.0, .nan, Float.leastNonzeroMagnitude, -3]
        var (unity, zero) = (GainRamp(1), GainRamp(0))
        #expect(Measure.sameBytes(render(input) { unity.process(from: $0, to: $1, $2) }, input))
        #expect(Measure.sameBytes(render(input) { zero.process(from: $0, to: $1, $2) }, [0, 0, 0, 0]))
        #expect(Measure.sameBytes(render(input) { zero.add(from: $0, to: $1, $2) }, [0, 0, 0, 0]))
    }

    @Test("A new target during a ramp starts from the value reached")
    func retarget() {
        var ramp = GainRamp(0)
        ramp.setTarget(1, frames: 100)
        let ones = [Float](repeating: 1, count: 50)
        _ = render(ones) { ramp.process(from: $0, to: $1, $2) }
        #expect(ramp.value == 0.5)
        ramp.setTarget(0, frames: 50)
        let output = render(ones) { ramp.process(from: $0, to: $1, $2) }
        #expect(output[0] == 0.5 && abs(output[25] - 0.25) < 1e-6)
        ramp.setTarget(2, frames: 0)
        #expect(ramp.isIdle && ramp.value == 2)
        ramp.setTarget(.nan, frames: 0)
        #expect(ramp.value == 0)
    }

    @Test("Process and add give the same bytes however calls are cut")
    func cuts() {
        let input = Signal.noise(count: 3000)
        func run(_ blocks: [Int]) -> ([Float], [Float]) {
            var (a, b) = (GainRamp(0.2), GainRamp(0.2))
            a.setTarget(0.9, frames: 1234)
            b.setTarget(0.9, frames: 1234)
            return (
                render(input, blocks: blocks) { a.process(from: $0, to: $1, $2) },
                render(input, blocks: blocks) { b.add(from: $0, to: $1, $2) }
            )
        }
        let (whole, single, awkward) = (run([128]), run([1]), run(awkwardCuts))
        #expect(Measure.sameBytes(whole.0, single.0) && Measure.sameBytes(whole.0, awkward.0))
        #expect(Measure.sameBytes(whole.0, whole.1) && Measure.sameBytes(whole.1, awkward.1))
    }
}
