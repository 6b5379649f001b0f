import Foundation
import OssicleAVFAudio
import OssicleInspection
import OssiclePHASE
import Testing

struct PackedNumbersTests {
    @Test func numbersSurviveJSON() throws {
        let numbers: [Float] = [0, -0.5, 1e-30, 3.25, .infinity, 1234567]
        let data = try JSONEncoder().encode(PackedNumbers(numbers))
        #expect(String(decoding: data.prefix(9), as: UTF8.self) == "\"AAAAAAAA")
        #expect(try JSONDecoder().decode(PackedNumbers.self, from: data).values == numbers)
    }

    @Test(arguments: ["\"A\"", "\"AAA=\"", "\"!!!!\"", "3"])
    func whatIsNoNumbersIsRefused(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PackedNumbers.self, from: Data(text.utf8)) }
    }
}
