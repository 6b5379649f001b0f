import COssicle
import OssicleDSP
import Testing

@Suite("The head's convolution") struct HRTFConvolutionTests {
    private typealias Kernel = (UnsafePointer<Float>, UnsafePointer<Float>, Int, UnsafeMutablePointer<Float>, Int) ->
        Void

    private func run(_ taps: [Float], _ frames: Int, _ kernel: Kernel) -> [Float] {
        let signal = noise(taps.count - 1 + frames + 16)
        var output = [Float](repeating: 0, count: frames + 16)
        kernel(signal, taps, taps.count, &output, frames)
        return Array(output.prefix(frames))
    }

    @Test("gives the same bytes in C and in Swift", arguments: [1, 15, 16, 17, 48, 49, 63, 64, 65, 100, 127, 128])
    func sameBytes(frames: Int) {
        for tapCount in [1, 2, 16, 128, 144, 256] {
            let taps = noise(tapCount, seed: 7)
            let c = run(taps, frames) { ossicle_fir($0, $1, $2, $3, $4) }
            let swift = run(taps, frames) { HRTFConvolution.plain($0, $1, $2, into: $3, $4) }
            #expect(c.map(\.bitPattern) == swift.map(\.bitPattern), "\(tapCount) taps")
        }
    }

    @Test("sums tap by tap without fused multiply-add")
    func definition() {
        let taps = noise(128, seed: 3), signal = noise(127 + 128 + 16)
        let expected = (0..<128).map { i in
            (0..<128).reduce(Float(0)) { sum, k in
                let product = taps[k] * signal[i + 127 - k]
                return sum + product
            }
        }
        #expect(run(taps, 128) { HRTFConvolution.run($0, $1, $2, into: $3, $4) } == expected)
    }
}

@Suite("The floating-point state") struct FloatStateTests {
    @Test("flushes denormals until it is restored")
    func flush() {
        #expect(product(1e-30, 1e-10) != 0)
        let saved = ossicle_flush_denormals()
        let flushed = product(1e-30, 1e-10)
        ossicle_restore_float_state(saved)
        #expect(flushed == 0)
        #expect(product(1e-30, 1e-10) != 0)
    }

    /// Through the C kernel, because the optimiser may move plain arithmetic past the change of state.
    private func product(_ a: Float, _ b: Float) -> Float {
        var output = [Float](repeating: .nan, count: 16)
        ossicle_fir([Float](repeating: a, count: 16), [b], 1, &output, 1)
        return output[0]
    }

    @Test("the sanitizer's brackets do nothing where it is not linked in")
    func brackets() {
        ossicle_rtsan_ensure_initialized()
        ossicle_rtsan_enter()
        let bytes = ossicle_kemar_size()
        ossicle_rtsan_exit()
        #expect(bytes > 0)
    }
}
