// What the ear makes of a channel before its power is measured.

import OssicleCore

/// The two filters of ITU-R BS.1770-4, annex 1: a high shelf of 4 dB for the head, and a high-pass for the ear's
/// deafness to lows. The standard has coefficients for 48 kHz; those of other rates come from the same analogue filters
/// by the bilinear transform, with the constants of De Man, "Evaluation of implementations of the EBU R 128 loudness
/// measurement", AES 145 (2018). Two channels at a time, in double precision.
struct KWeighting {
    private let shelf: Biquad
    private let highPass: Biquad
    private var shelfState = State()
    private var highPassState = State()

    init(sampleRate: Double) {
        shelf = .shelf(sampleRate)
        highPass = .highPass(sampleRate)
    }

    /// The next frame of both channels, weighted.
    @inline(__always)
    mutating func next(_ frame: SIMD2<Double>) -> SIMD2<Double> {
        highPass.next(shelf.next(frame, &shelfState), &highPassState)
    }

    /// Ends what rings on far below hearing, because numbers that are too small for the usual form are slow, and what
    /// is no number. Called now and then.
    mutating func settle() {
        shelfState.settle()
        highPassState.settle()
    }

    private struct State {
        var first = SIMD2<Double>.zero, second = SIMD2<Double>.zero

        private static func isUsual(_ number: Double) -> Bool {
            number == 0 || (1e-100..<1e100).contains(number.magnitude)
        }

        mutating func settle() {
            for channel in 0..<2 where !State.isUsual(first[channel]) || !State.isUsual(second[channel]) {
                (first[channel], second[channel]) = (0, 0)
            }
        }
    }

    /// Transposed direct form II.
    private struct Biquad {
        let b0, b1, b2, a1, a2: Double

        @inline(__always)
        func next(_ input: SIMD2<Double>, _ state: inout State) -> SIMD2<Double> {
            let output = input * b0 + state.first
            state.first = input * b1 - output * a1 + state.second
            state.second = input * b2 - output * a2
            return output
        }

        /// A frequency as the bilinear transform needs it; below half of rates that are too low for it.
        private static func warped(_ frequency: Double, _ sampleRate: Double) -> Double {
            DeterministicMath.tan(.pi * min(frequency / sampleRate, 0.45))
        }

        static func shelf(_ sampleRate: Double) -> Biquad {
            let k = warped(1681.974450955533, sampleRate), q = 0.7071752369554196
            let high = DeterministicMath.pow(10, 3.999843853973347 / 20),
                band = DeterministicMath.pow(high, 0.4996667741545416)
            let scale = 1 / (1 + k / q + k * k)
            return Biquad(
                b0: (high + band * k / q + k * k) * scale, b1: 2 * (k * k - high) * scale,
                b2: (high - band * k / q + k * k) * scale, a1: 2 * (k * k - 1) * scale,
                a2: (1 - k / q + k * k) * scale)
        }

        static func highPass(_ sampleRate: Double) -> Biquad {
            let k = warped(38.13547087602444, sampleRate), q = 0.5003270373238773
            let scale = 1 / (1 + k / q + k * k)
            return Biquad(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) * scale, a2: (1 - k / q + k * k) * scale)
        }
    }
}
