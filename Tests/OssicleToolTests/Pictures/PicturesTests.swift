import OssicleCore
import Testing
@testable import ossicle

@Suite("Pictures")
struct PicturesTests {
    @Test("a PNG of one white pixel is the known file")
    func png() {
        // Check values: CRC-32 of "IEND" and the Adler-32 of the two bytes 0, 0.
        let bytes = PNGImage(width: 1, height: 1, pixels: [0], palette: [Colour(0xFFFFFF)]).bytes
        #expect(Array(bytes.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(bytes.suffix(4)) == [0xAE, 0x42, 0x60, 0x82])
        #expect(Array(bytes.suffix(4 + 8 + 4 + 4).prefix(4)) == [0x00, 0x02, 0x00, 0x01])
    }

    @Test("a sine stands alone in its bin: half its amplitude squared times the length squared")
    func spectrum() {
        let frame = (0..<256).map { Float(0.5 * [0, 1, 0, -1][$0 % 4]) } // a quarter of the sample rate
        let power = PowerSpectrum(size: 256).power(of: frame)
        #expect(abs(power[64] - 4096) < 0.01)
        #expect((power[0..<64] + power[65...]).max() ?? 1 < 1e-6)
    }

    @Test("two real frames at once give the sum of their powers")
    func twoSpectra() {
        let first = (0..<256).map { Float(0.5 * [0, 1, 0, -1][$0 % 4]) },
            second = (0..<256).map { Float($0 % 2 == 0 ? 0.25 : -0.25) + 0.1 }
        let spectrum = PowerSpectrum(size: 256)
        let both = spectrum.power(of: first, and: second), one = spectrum.power(of: first),
            other = spectrum.power(of: second)
        for bin in 0...128 { #expect(abs(both[bin] - one[bin] - other[bin]) < 0.01) }
    }

    @Test("numbers read the same in every country")
    func numbers() {
        #expect(Text.number(-1.25, decimals: 1) == "−1.2")
        #expect(Text.number(-0.04, decimals: 1) == "0.0")
        #expect(Text.number(-.infinity, decimals: 1) == "−∞")
        #expect(Text.number(.nan, decimals: 1) == "–")
    }
}
