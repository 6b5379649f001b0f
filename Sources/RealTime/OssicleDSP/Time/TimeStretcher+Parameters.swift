import OssicleCore

extension TimeStretcher {
    /// Speed and pitch, each on its own. Made on the control side.
    package struct Parameters: BitwiseCopyable {
        package static let rates = 1.0 / 32...32.0
        package static let cents = -2400.0...2400.0
        package static let overlaps = 3.0...32.0
        /// Analysis frames are never closer in output time than this asks for.
        private static let leastOverlap = 4.0

        /// Input frames per output frame.
        package let rate: Double
        /// Windows that overlap at any time.
        package let overlap: Double
        /// What follows the stretch: reads it faster by the pitch ratio.
        let resampling: RateConverter.Parameters

        /// - Parameters:
        ///   - rate: 1/32 … 32 input frames per output frame; NaN is 1.
        ///   - cents: −2400 … 2400; NaN is 0.
        ///   - overlap: 3 … 32 windows; NaN is 8.
        package init(rate: Double = 1, cents: Double = 0, overlap: Double = 8) {
            func held(_ value: Double, _ range: ClosedRange<Double>, _ fallback: Double) -> Double {
                value.isNaN ? fallback : min(max(value, range.lowerBound), range.upperBound)
            }
            self.rate = held(rate, Parameters.rates, 1)
            self.overlap = held(overlap, Parameters.overlaps, 8)
            resampling = RateConverter.Parameters(rate: DeterministicMath.exp2(held(cents, Parameters.cents, 0) / 1200))
        }

        /// Ratio of the frequencies, in steps of 2⁻³².
        package var pitch: Double { resampling.ratio }

        /// Input frames per stretched frame. Exactly 1 where stretching has nothing to do.
        var slope: Double { rate / pitch }

        /// Stretched frames from one window to the next. Where pitch goes up, several stretched frames become one output frame, and the
        /// windows move apart by as much: the work stays that of the output's overlap.
        func hop(window: Int) -> Int {
            let dense = pitch > 1 ? max(overlap / pitch, min(overlap, Parameters.leastOverlap)) : overlap
            return Int(Double(window) / dense)
        }
    }
}
