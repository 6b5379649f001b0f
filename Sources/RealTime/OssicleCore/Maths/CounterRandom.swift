/// Random numbers without a state to share: each is a pure function of (seed, object, index).
///
/// The same key gives the same number in any order of draws and on any thread. The mixing is the finaliser of
/// SplitMix64 (Steele, Lea and Flood 2014), applied once per key part.
package struct CounterRandom: Sendable, Hashable {
    package let key: UInt64

    /// - Parameters:
    ///   - seed: the engine's seed. - object: a stable number of the object that draws.
    package init(seed: UInt64, object: UInt64) {
        key = CounterRandom.mix(CounterRandom.mix(seed) ^ object)
    }

    /// 64 random bits for draw number `index`.
    package func bits(_ index: UInt64) -> UInt64 { CounterRandom.mix(key ^ (index &* 0xD1B5_4A32_D192_ED03)) }

    /// Uniform in [0, 1), 53 bits.
    package func unit(_ index: UInt64) -> Double { Double(bits(index) >> 11) * 0x1p-53 }

    @inlinable package static func mix(_ x: UInt64) -> UInt64 {
        var z = x &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A stable number for a name (FNV-1a), because `Hasher` differs from run to run.
    package static func number(of name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
