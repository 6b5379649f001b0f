import OssicleCore
import Testing

@Suite struct CounterRandomTests {
    @Test(
        "Numbers are uniform: chi-squared over 256 cells lies within its 99.99 % band", arguments: [UInt64(0), 1, .max])
    func uniform(seed: UInt64) {
        let random = CounterRandom(seed: seed, object: 3)
        var cells = [Int](repeating: 0, count: 256)
        let count = 256_000
        for index in 0..<count { cells[Int(random.unit(UInt64(index)) * 256)] += 1 }
        let expected = Double(count) / 256
        let chiSquared = cells.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        // 255 degrees of freedom: mean 255, deviation √510 = 22.6.
        #expect(chiSquared > 170 && chiSquared < 350)
    }

    @Test("Neighbours in index, object and seed are uncorrelated")
    func independent() {
        func correlation(_ a: CounterRandom, _ b: CounterRandom, shift: UInt64) -> Double {
            let n: UInt64 = 20_000
            let sum = (0..<n).reduce(0.0) { (sum: Double, index: UInt64) -> Double in
                sum + (a.unit(index) - 0.5) * (b.unit(index + shift) - 0.5)
            }
            return sum * 12 / Double(n)
        }
        let base = CounterRandom(seed: 9, object: 1)
        // Standard error 1/√20000 = 0.007.
        #expect(abs(correlation(base, base, shift: 1)) < 0.03)
        #expect(abs(correlation(base, CounterRandom(seed: 9, object: 2), shift: 0)) < 0.03)
        #expect(abs(correlation(base, CounterRandom(seed: 10, object: 1), shift: 0)) < 0.03)
    }

    @Test("The same key gives the same number for ever")
    func pinned() {
        #expect(CounterRandom.mix(0) == 0xE220_A839_7B1D_CDAF) // first output of SplitMix64 seeded with 0
        #expect(CounterRandom.number(of: "a") == 0xAF63_DC4C_8601_EC8C) // FNV-1a's published test vector
        #expect(CounterRandom(seed: 1, object: 2).bits(3) == CounterRandom(seed: 1, object: 2).bits(3))
        #expect(CounterRandom(seed: 1, object: 2).bits(3) != CounterRandom(seed: 2, object: 1).bits(3))
    }
}
