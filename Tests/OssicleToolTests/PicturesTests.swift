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
        let frame = (0..<256).map { Float(0.5 * [0, 1, 0, -1][$0 % 4]) }           // a quarter of the sample rate
        let power = PowerSpectrum(size: 256).power(of: frame)
        #expect(abs(power[64] - 4096) < 0.01)
        #expect((power[0..<64] + power[65...]).max() ?? 1 < 1e-6)
    }

    @Test("the spectrogram is brightest where the tone is")
    func spectrogram() {
        let tone = (0..<48_000).map { [Float(0), 1, 0, -1][$0 / 12 % 4] }            // a square-like wave at 1 kHz
        let picture = Spectrogram(of: tone, sampleRate: 48_000, columns: 10, rows: 90)
        let column = (0..<90).map { picture.levels[$0 * 10 + 5] }
        let brightest = column.indices.max { column[$0] < column[$1] } ?? 0
        let place = Double(brightest) / 90
        #expect(abs(Spectrogram.highest * DeterministicMath.pow(Spectrogram.lowest / Spectrogram.highest, place) - 1000) < 100)
    }

    @Test("numbers read the same in every country")
    func numbers() {
        #expect(Text.number(-1.25, decimals: 1) == "−1.2")
        #expect(Text.number(-0.04, decimals: 1) == "0.0")
        #expect(Text.number(-.infinity, decimals: 1) == "−∞")
        #expect(Text.number(.nan, decimals: 1) == "–")
    }
}
