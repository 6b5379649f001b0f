import COssicle
import OssicleTestSupport
import Testing

/// The kernel of meters against a plain maximum.
struct LargestMagnitudeTests {
    @Test("It is the largest magnitude, at any length and place") func largest() {
        for count in [0, 1, 3, 15, 16, 17, 31, 64, 127, 128, 1000] {
            for offset in 0..<3 {
                let samples = Signal.noise(count: count + offset, seed: 11)
                for before: Float in [0, 0.5, 2] {
                    let found = samples.withUnsafeBufferPointer { samples in
                        samples.baseAddress.map {
                            ossicle_largest_magnitude($0 + offset, count, before.bitPattern)
                        }
                    }
                    let expected = samples.dropFirst(offset).reduce(before) { max($0, $1.magnitude) }
                    if count + offset > 0 { #expect(found == expected.bitPattern) }
                }
            }
        }
    }

    @Test("A sign does not count, and what is not a number is above infinity") func special() {
        func largest(_ samples: [Float]) -> UInt32 { ossicle_largest_magnitude(samples, samples.count, 0) }
        let quiet = [Float](repeating: -0.0, count: 40)
        #expect(largest(quiet) == 0)
        for place in [0, 17, 39] {
            var samples = quiet
            samples[place] = -3
            #expect(largest(samples) == Float(3).bitPattern)
            samples[place] = -.infinity
            #expect(largest(samples) == Float.infinity.bitPattern)
            samples[place] = .nan
            #expect(largest(samples) > Float.infinity.bitPattern)
            samples[place] = -.leastNonzeroMagnitude
            #expect(largest(samples) == 1)
        }
    }
}
