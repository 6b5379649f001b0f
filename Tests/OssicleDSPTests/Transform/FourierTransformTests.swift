import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct FourierTransformTests {
    /// Largest difference from the test kit's double-precision transform, re the largest magnitude.
    static func error(count: Int) -> Double {
        var (re, im) = (Signal.noise(count: count, seed: 1), Signal.noise(count: count, seed: 2))
        var (a, b) = (re.map(Double.init), im.map(Double.init))
        OssicleTestSupport.Spectrum.transform(&a, &b)
        FourierTransform(count: count).forward(&re, &im)
        let largest = zip(a, b).reduce(0) { max($0, abs($1.0), abs($1.1)) }
        return (0..<count).reduce(0) { max($0, abs(a[$1] - Double(re[$1])), abs(b[$1] - Double(im[$1]))) } / largest
    }

    @Test(
        "The transform agrees with double precision within 10⁻⁶ of its peak",
        arguments: [1, 2, 4, 8, 16, 32, 64, 1024, 65536])
    func agrees(count: Int) { #expect(Self.error(count: count) < 1e-6) }

    /// Cooley and Tukey's loops as they are written in textbooks.
    static func plain(_ re: inout [Float], _ im: inout [Float]) {
        let count = re.count
        let bits = count.trailingZeroBitCount
        let places = (0..<count).map { place in (0..<bits).reduce(0) { $0 | (place >> $1 & 1) << (bits - 1 - $1) } }
        (re, im) = (places.map { re[$0] }, places.map { im[$0] })
        var half = 1
        while half < count {
            for start in stride(from: 0, to: count, by: 2 * half) {
                for k in 0..<half {
                    let turn = DeterministicMath.sincos(-DeterministicMath.pi * Double(k) / Double(half))
                    let (c, s) = (Float(turn.cos), Float(turn.sin))
                    let (a, b) = (start + k, start + k + half)
                    let turned = (re[b] * c - im[b] * s, re[b] * s + im[b] * c)
                    (re[b], im[b]) = (re[a] - turned.0, im[a] - turned.1)
                    (re[a], im[a]) = (re[a] + turned.0, im[a] + turned.1)
                }
            }
            half *= 2
        }
    }

    @Test("The bytes are those of the plain radix-2 algorithm", arguments: [1, 2, 16, 32, 64, 128, 256, 512, 2048])
    func plainBytes(count: Int) {
        var (re, im) = (Signal.noise(count: count, seed: 4), Signal.noise(count: count, seed: 5))
        var (a, b) = (re, im)
        Self.plain(&a, &b)
        var (elsewhereRe, elsewhereIm) = (re, im)
        FourierTransform(count: count).forward(fromReal: re, imaginary: im, real: &elsewhereRe, imaginary: &elsewhereIm)
        FourierTransform(count: count).forward(&re, &im)
        #expect(re.map(\.bitPattern) == a.map(\.bitPattern) && im.map(\.bitPattern) == b.map(\.bitPattern))
        #expect(Measure.sameBytes(elsewhereRe, re) && Measure.sameBytes(elsewhereIm, im))
    }

    @Test("A signal that begins within a ring has the bytes of one at its start", arguments: [8, 64, 256, 512])
    func ring(count: Int) {
        let (re, im) = (Signal.noise(count: count, seed: 6), Signal.noise(count: count, seed: 7))
        let transform = FourierTransform(count: count)
        var (a, b) = (re, im)
        transform.forward(&a, &b)
        for begin in stride(from: 0, to: count, by: 8) {
            func rotated(_ signal: [Float]) -> [Float] { (0..<count).map { signal[($0 + count - begin) % count] } }
            var (real, imaginary) = (re, im)
            transform.forward(
                fromReal: rotated(re), imaginary: rotated(im), begin: begin, real: &real, imaginary: &imaginary)
            #expect(Measure.sameBytes(real, a) && Measure.sameBytes(imaginary, b))
        }
    }

    @Test("Forward and inverse give the signal back within 10⁻⁶", arguments: [1, 2, 8, 16, 4096])
    func roundTrip(count: Int) {
        let (re, im) = (Signal.noise(count: count, seed: 1), Signal.noise(count: count, seed: 2))
        var (a, b) = (re, im)
        let transform = FourierTransform(count: count)
        transform.forward(&a, &b)
        transform.inverse(&a, &b)
        #expect(Measure.largestDifference(a, re) < 1e-6 && Measure.largestDifference(b, im) < 1e-6)
    }

    @Test(
        "The real transform is the first half of the complex one, and comes back", arguments: [2, 4, 8, 16, 256, 65536])
    func real(count: Int) {
        let signal = Signal.noise(count: count, seed: 3)
        var (a, b) = (signal.map(Double.init), [Double](repeating: 0, count: count))
        OssicleTestSupport.Spectrum.transform(&a, &b)
        let transform = RealFourierTransform(count: count)
        let bins = transform.binCount
        #expect(bins == count / 2 + 1)
        var (re, im, back) = (
            [Float](repeating: 0, count: bins), [Float](repeating: 0, count: bins), signal.map { _ in Float.nan }
        )
        transform.forward(signal, real: &re, imaginary: &im)
        let largest = zip(a, b).reduce(0) { max($0, abs($1.0), abs($1.1)) }
        let error = (0..<bins).reduce(0) { max($0, abs(a[$1] - Double(re[$1])), abs(b[$1] - Double(im[$1]))) } / largest
        #expect(error < 1e-6)
        transform.inverse(real: &re, imaginary: &im, signal: &back)
        #expect(Measure.largestDifference(back, signal) < 2e-6)
    }

    @Test("Counts are rounded up to a power of two and held within 65 536")
    func counts() {
        let complex = [0, 1, 3, 1000, 1 << 20].map { FourierTransform(count: $0).count }
        #expect(complex == [1, 1, 4, 1024, 65536])
        let real = [0, 2, 3, 5, 1000, 1 << 20].map { RealFourierTransform(count: $0).count }
        #expect(real == [2, 2, 4, 8, 1024, 65536])
    }
}
