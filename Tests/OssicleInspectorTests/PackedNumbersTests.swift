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

    /// What an encoder with a place for them puts there.
    @Test func numbersGoBesideTheJSON() throws {
        let encoder = JSONEncoder(), beside = NumbersBeside()
        encoder.userInfo[NumbersBeside.key] = beside
        let data = try encoder.encode([PackedNumbers([1, 2, 3]), PackedNumbers([]), PackedNumbers([.infinity])])
        #expect(String(decoding: data, as: UTF8.self) == "[[0,3],[3,0],[3,1]]")
        #expect(beside.values == [1, 2, 3, .infinity])
    }

    @Test(arguments: ["\"A\"", "\"AAA=\"", "\"!!!!\"", "3"])
    func whatIsNoNumbersIsRefused(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PackedNumbers.self, from: Data(text.utf8)) }
    }
}
