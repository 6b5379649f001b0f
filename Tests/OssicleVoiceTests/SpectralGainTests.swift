import Foundation
import OssicleDSP
import Testing

@Suite("The log-spectral gain")
struct SpectralGainTests {
    /// Abramowitz and Stegun, table 5.1.
    @Test(
        "the exponential integral has the values of the table",
        arguments: [(0.1, 1.822_923_958), (0.5, 0.559_773_595), (1.0, 0.219_383_934), (2.0, 0.048_900_511)])
    func integral(x: Double, value: Double) {
        #expect(abs(SpectralGain.exponentialIntegral(x) - value) < 1e-8)
    }

    @Test("the table of gains is within 0.1 dB of the formula, and 1 where there is only speech")
    func table() {
        let gains = SpectralGain()
        for prior in [0.01, 0.1, 1, 10, 100] {
            for posterior in [0.1, 0.7, 1.9, 13, 300] {
                let wiener = prior / (1 + prior)
                let exact = min(wiener * exp(0.5 * SpectralGain.exponentialIntegral(posterior * wiener)), 1)
                let found = Double(gains.gain(prior: Float(prior), posterior: Float(posterior)))
                #expect(abs(20 * log10(found / exact)) < 0.1)
            }
        }
        #expect(gains.gain(prior: 1e6, posterior: 1e6) > 0.9999)
    }
}
