import Testing
import OssicleFiles

@Suite("The WAVE file")
struct WaveFileTests {
    @Test("states its own sizes and format")
    func header() {
        let bytes = WaveFile(left: [0, 0, 0], right: [0, 0, 0], sampleRate: 48_000).bytes
        func number(at place: Int, size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        #expect(bytes.count == 44 + 18)
        #expect(number(at: 4, size: 4) == bytes.count - 8)
        #expect(number(at: 22, size: 2) == 2)
        #expect(number(at: 24, size: 4) == 48_000)
        #expect(number(at: 34, size: 2) == 24)
        #expect(number(at: 40, size: 4) == 18)
    }

    @Test("rounds to nearest, limits to full scale and writes silence for NaN")
    func samples() {
        let left: [Float] = [1, -1, 2, .nan]
        let right: [Float] = [0.5, 1 / 8_388_607, 0, -.infinity]
        let data = WaveFile(left: left, right: right, sampleRate: 48_000).bytes
        let values: [Int] = stride(from: 44, to: data.count, by: 3).map { place in
            let unsigned = Int(data[place]) + 256 * Int(data[place + 1]) + 65_536 * Int(data[place + 2])
            return unsigned < 8_388_608 ? unsigned : unsigned - 16_777_216
        }
        #expect(values == [8_388_607, 4_194_304, -8_388_607, 1, 8_388_607, 0, 0, -8_388_607])
    }
}
