import COssicle
import OssicleDSP
import Testing

@Suite("Head data") struct HRTFDataTests {
    private let intact = Array(UnsafeBufferPointer(start: ossicle_kemar(), count: ossicle_kemar_size()))

    private func read(_ bytes: [UInt8]) throws(HRTFDataError) -> HRTFData {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        return try HRTFData(resource: UnsafeRawBufferPointer(copy), for: 48_000)
    }

    /// The checksum made right again, so that the check behind it is reached.
    private func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let sum = bytes.dropLast(8).reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        return Array(bytes.dropLast(8)) + (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
    }

    @Test("holds the left half of the sphere at the rate asked for, or one of its family")
    func intactResource() throws {
        let data = try read(intact)
        #expect(data.sampleRate == 48_000 && data.tapCount == 128 && data.directions.count == 370 && data.isLeftHalf)
        #expect(try HRTFData.kemar(for: 88_200).sampleRate == 44_100)
        #expect(try HRTFData.kemar(for: 32_000).sampleRate == 48_000)
    }

    @Test("cut short or overlong is refused", arguments: [0, 7, 23, 24, 100, 392_239])
    func cut(length: Int) {
        #expect(throws: HRTFDataError.self) { try read(Array(intact.prefix(length))) }
        #expect(throws: HRTFDataError.wrongSize(bytes: intact.count + 1, expected: intact.count)) {
            try read(intact + [0])
        }
    }

    @Test("with one wrong byte anywhere is refused", arguments: [0, 8, 12, 16, 20, 25, 1000, 200_000, 392_239])
    func flipped(at index: Int) {
        var bytes = intact
        bytes[index] ^= 0x55
        #expect(throws: HRTFDataError.self) { try read(bytes) }
    }

    @Test(
        "with implausible content under a right checksum is refused and says why",
        arguments: [
            (26, "sample rate"), (32 + 3, "direction"), (32 + 12 * 370 + 3, "delay"),
            (32 + 20 * 370 + 370 * 2 * 260 + 3, "scale"),
        ])
    func implausible(at index: Int, word: String) {
        var bytes = intact
        bytes[index] = 0x7F
        let error = #expect(throws: HRTFDataError.self) { try read(sealed(bytes)) }
        #expect(error?.description.contains(word) == true)
    }

    @Test("any random change yields a head or an error, never a trap")
    func fuzz() {
        var read = 0
        for seed in 0..<200 as Range<UInt64> {
            var bytes = intact
            for (step, value) in noise(4, seed: seed).enumerated() {
                bytes[Int((value + 1) * 20) + step] = UInt8(truncatingIfNeeded: Int(value * 127))
            }
            if (try? self.read(sealed(bytes))) != nil { read += 1 }
        }
        #expect(read < 200)
    }
}
