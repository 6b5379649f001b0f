import COssicle
import OssicleTestSupport
import Testing

/// The phase vocoder's loops in C against the plain loops they stand for, to the bit, at lengths that fill no vector.
@Suite("Loops of the phase vocoder")
struct StretchKernelTests {
    static let lengths = [1, 7, 8, 31, 64, 1025]

    private static func noise(_ count: Int, _ seed: UInt64) -> [Float] { Signal.noise(count: count, seed: seed) }

    /// With its types given, the compiler need not search for them.
    private static func expected(_ count: Int, _ value: (Int) -> Float) -> [Float] { (0..<count).map(value) }

    @Test("Windows are applied, added and divided by to the same bytes", arguments: lengths)
    func windows(count: Int) {
        let (a, b) = (Self.noise(count, 1), Self.noise(count, 2))
        var product = a
        ossicle_multiply(a, b, &product, count)
        #expect(product == Self.expected(count) { a[$0] * b[$0] })

        var sums = Self.noise(count, 3)
        let added = Self.expected(count) { [sums] in sums[$0] + a[$0] * 0.7 * b[$0] }
        ossicle_add_window(a, 0.7, b, &sums, count)
        #expect(sums == added)

        var (weights, powers) = (Self.noise(count, 4), Self.noise(count, 5))
        let expectedWeights = Self.expected(count) { [weights] in weights[$0] + a[$0] * b[$0] }
        let expectedPowers = Self.expected(count) { [powers] in powers[$0] + a[$0] * b[$0] * 0.3 }
        ossicle_add_weights(a, b, 0.3, &weights, &powers, count)
        #expect(weights == expectedWeights && powers == expectedPowers)

        var quotient = a
        ossicle_divide_by_weights(a, b, 0.25, &quotient, count)
        #expect(quotient == Self.expected(count) { a[$0] / (b[$0] > 0.25 ? b[$0] : 0.25) })
    }

    @Test("The energy is that of the signal, within the rounding of so many sums", arguments: [8, 64, 1024, 4096])
    func energy(count: Int) {
        let signal = Self.noise(count, 6)
        let exact = signal.reduce(0.0) { $0 + Double($1) * Double($1) }
        let rounding = Double(Float.ulpOfOne) * Double(count) / 8
        #expect(abs(Double(ossicle_energy(signal, count)) - exact) <= exact * rounding)
    }

    @Test("Bins are turned and their energies added over channels to the same bytes", arguments: lengths)
    func spectra(count: Int) {
        let channels = 3
        let stride = count + 5
        let (real, imaginary) = (Self.noise(channels * stride, 7), Self.noise(channels * stride, 8))
        let (cosines, sines) = (Self.noise(count, 9), Self.noise(count, 10))
        var (x, y) = (cosines, cosines)
        ossicle_turn_spectrum(real, imaginary, cosines, sines, &x, &y, count)
        #expect(x == Self.expected(count) { real[$0] * cosines[$0] - imaginary[$0] * sines[$0] })
        #expect(y == Self.expected(count) { real[$0] * sines[$0] + imaginary[$0] * cosines[$0] })

        var energies = [Float](repeating: .nan, count: count)
        ossicle_spectrum_energies(real, imaginary, channels, stride, &energies, count)
        for bin in 0..<count {
            let parts = Self.expected(channels) { channel in
                let place = channel * stride + bin
                return real[place] * real[place] + imaginary[place] * imaginary[place]
            }
            #expect(energies[bin] == parts.dropFirst().reduce(parts[0], +))
        }
    }

    @Test("Marked bins get the turns of the plain loop to the byte, where there is one", arguments: [10, 17, 31, 1025])
    func turns(count: Int) {
        let (channels, stride) = (2, count + 7)
        let size = channels * stride
        var last = (Self.noise(size, 12), Self.noise(size, 13))
        let (previous, rotation) = (
            (Self.noise(size, 14), Self.noise(size, 15)), (Self.noise(count, 16), Self.noise(count, 17))
        )
        // Nothing in the first bins, and what is no number above.
        for bin in 0..<5 {
            for place in [bin, stride + bin] { (last.0[place], last.1[place]) = (0, 0) }
        }
        last.0[count - 4] = .infinity
        var marks = [UInt8](repeating: 0, count: count + 8)
        for bin in 0..<count where bin % 5 == 2 || bin == count - 2 || bin == 1 { marks[bin] = 1 }
        var turned = (rotation.0, rotation.1)
        ossicle_find_turns(
            last.0, last.1, previous.0, previous.1, channels, stride, rotation.0, rotation.1, marks, &turned.0,
            &turned.1, count)
        for bin in 1..<(count - 1) where marks[bin] == 1 {
            var (re, im) = (Float.zero, Float.zero)
            for channel in 0..<channels {
                for place in (channel * stride + bin - 1)...(channel * stride + bin + 1) {
                    re += last.0[place] * previous.0[place] + last.1[place] * previous.1[place]
                    im += last.1[place] * previous.0[place] - last.0[place] * previous.1[place]
                }
            }
            let (x, y) = (rotation.0[bin], rotation.1[bin])
            let (a, b) = (x * re - y * im, x * im + y * re)
            let length = (a * a + b * b).squareRoot()
            let isTurn = length > 1e-30 && length.isFinite
            #expect(turned.0[bin] == (isTurn ? a / length : x) && turned.1[bin] == (isTurn ? b / length : y))
        }
    }

    @Test("A bin is a peak above the two before it and not below the two behind it", arguments: lengths)
    func peaks(count: Int) {
        // Few levels, so that neighbours are often equal.
        let levels = Self.noise(count + 4, 11).map { ($0 * 4).rounded() }
        var marks = [UInt8](repeating: 9, count: count)
        levels.withUnsafeBufferPointer { ossicle_mark_peaks($0.baseAddress! + 2, &marks, count) }
        for bin in 0..<count {
            let e = levels[bin..<(bin + 5)].map(\.self)
            let isPeak = e[2] > e[1] && e[2] > e[0] && e[2] >= e[3] && e[2] >= e[4]
            #expect(marks[bin] == (isPeak ? 1 : 0))
        }
    }
}
