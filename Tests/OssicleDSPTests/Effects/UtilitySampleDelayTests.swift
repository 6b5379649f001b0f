import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct SampleDelayTests {
    static func parameters(_ frames: Float) -> SampleDelay.Parameters {
        var parameters = SampleDelay.Parameters()
        parameters.delayFrames = frames
        return parameters
    }

    @Test("The sample delay keeps the laws")
    func laws() { KernelLaws.hold(SampleDelay.self, from: Self.parameters(1000), to: Self.parameters(77)) }

    @Test(
        "The output is the input some whole frames later, bit for bit",
        arguments: [0, 1, 127, 128, 129, 47_999, 48_000])
    func copy(frames: Int) {
        let noise = [Signal.noise(count: 96_000, seed: 1), Signal.noise(count: 96_000, seed: 2)]
        let output = KernelLaws.run(SampleDelay.self, Self.parameters(Float(frames)), noise)
        for channel in 0..<2 {
            #expect(Measure.sameBytes(Array(output[channel].dropFirst(frames)), Array(noise[channel].dropLast(frames))))
            #expect(Measure.peak(output[channel].prefix(frames)) == 0)
        }
    }

    @Test("Changes cross-fade without a click, one after the other, and end on the last")
    func change() {
        let tone = Signal.sine(200, count: 24_000, amplitude: 0.9)
        var kernel = SampleDelay(sampleRate: 48000, channelCount: 1, parameters: Self.parameters(0))
        var heard = KernelLaws.run(&kernel, [tone])[0]
        for frames in [100, 20_000, 3] { kernel.take(Self.parameters(Float(frames)), atOnce: false) }
        heard += KernelLaws.run(&kernel, [tone])[0]
        // A sine of 200 Hz bends by 6.2e-4 at this amplitude.
        #expect(Measure.largestKink(heard) < 1.2e-3)
        #expect(Measure.sameBytes(Array(heard.suffix(10_000)), Array(tone.dropLast(3).suffix(10_000))))
    }

    @Test("Absurd delays are held within a second")
    func absurd() {
        for frames in [Float.nan, .infinity, -5, 1e9] {
            let output = KernelLaws.run(SampleDelay.self, Self.parameters(frames), [Signal.noise(count: 9600)])[0]
            #expect(Measure.isFinite(output))
        }
    }
}
