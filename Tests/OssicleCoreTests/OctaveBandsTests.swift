import OssicleCore
import Testing

@Suite struct OctaveBandsTests {
    @Test("Centres run from 31.25 Hz to 16 kHz in octaves around 1 kHz")
    func centres() {
        #expect((0..<10).map(OctaveBands.centre) == [31.25, 62.5, 125, 250, 500, 1000, 2000, 4000, 8000, 16000])
    }

    @Test("Too few values continue with the last one, too many are cut, none is zero")
    func filling() {
        #expect(OctaveBands([1, 2, 3]).values == [1, 2, 3, 3, 3, 3, 3, 3, 3, 3])
        #expect(OctaveBands((0..<20).map(Float.init)).values == (0..<10).map(Float.init))
        #expect(OctaveBands([]).values == OctaveBands.zeros.values)
    }

    @Test("A table from 125 Hz to 8 kHz holds its end values outwards")
    func tabulated() {
        #expect(OctaveBands(from125HzTo8kHz: [1, 2, 3, 4, 5, 6, 7]).values == [1, 1, 1, 2, 3, 4, 5, 6, 7, 7])
    }

    @Test("Arithmetic goes band by band and leaves the padding zero")
    func arithmetic() {
        let bands = (OctaveBands([1, 2]) * OctaveBands([3, 5]) + .ones) * 2
        #expect(bands.values == [8, 22, 22, 22, 22, 22, 22, 22, 22, 22])
        #expect((10..<16).allSatisfy { bands.lanes[$0] == 0 })
        #expect(bands.map { $0 * 0.5 }.values.prefix(2) == [4, 11])
    }
}
