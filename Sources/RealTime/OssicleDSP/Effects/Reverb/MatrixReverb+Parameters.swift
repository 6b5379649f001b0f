import OssicleCore

extension MatrixReverb {
    /// What the numbers do here:
    ///
    ///     dryWetMix, smallLargeMix    equal-power balances
    ///     smallSize                   decay of the small part: T60 = 20 · smallSize, 0.1 … 0.4 s (a room's T60 is some twenty times the way across)
    ///     largeSize                   decay of the large part: its T60
    ///     preDelay                    delay of both parts; largeDelay comes on top for the large one
    ///     densities                   gain of two allpasses before each part, 0.75 · density: how soon single echoes become a wash
    ///     brightnesses                T60 at 16 kHz over that at 1 kHz; evenly over the octaves between, below 1 kHz there is no change
    ///     modulation                  delay of the input swings as a sine of this rate by depth · 1 ms: tails beat instead of ringing on
    ///     filter                      one second-order filter on what goes into the reverb
    ///
    /// The vendor's delay ranges (how widely the delays inside a part are spread) have no counterpart: the networks' delays are laid out for the
    /// most even decay, and stay.
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// Percent, 0 … 100.
        package var dryWetMix: Float = 100
        package var smallLargeMix: Float = 50
        /// Seconds, 0.005 … 0.02 and 0.4 … 10.
        package var smallSize: Float = 0.02
        package var largeSize: Float = 3.07
        /// Seconds, 0.001 … 0.03 and 0.001 … 0.1.
        package var preDelay: Float = 0.025
        package var largeDelay: Float = 0.035
        /// 0 … 1.
        package var smallDensity: Float = 0.28
        package var largeDensity: Float = 0.82
        /// 0.1 … 1.
        package var smallBrightness: Float = 0.96
        package var largeBrightness: Float = 0.49
        /// Hz, 0.001 … 2, and 0 … 1.
        package var modulationRate: Float = 1
        package var modulationDepth: Float = 0.2
        package var filter = ReverbFilter()

        package init() {}

        var smallSeconds: Float { smallSize.held(0.005...0.02, otherwise: 0.02) * 20 }
        var largeSeconds: Float { largeSize.held(0.4...10, otherwise: 3.07) }
        var before: Float { preDelay.held(0.001...0.03, otherwise: 0.025) }
        var beforeLarge: Float { before + largeDelay.held(0.001...0.1, otherwise: 0.035) }
        var rate: Double { Double(modulationRate.held(0.001...2, otherwise: 1)) }
        var depth: Double { Double(modulationDepth.held(0...1, otherwise: 0)) }
        static func diffusion(_ density: Float) -> Float { 0.75 * density.held(0...1, otherwise: 0.5) }

        var smallField: FeedbackDelayNetwork.Parameters { Self.field(smallSeconds, smallBrightness.held(0.1...1, otherwise: 0.96)) }
        var largeField: FeedbackDelayNetwork.Parameters { Self.field(largeSeconds, largeBrightness.held(0.1...1, otherwise: 0.49)) }

        /// As loud as the input, like `ReverbEffect`'s.
        private static func field(_ seconds: Float, _ brightness: Float) -> FeedbackDelayNetwork.Parameters {
            var t60 = OctaveBands(repeating: seconds)
            let octave = DeterministicMath.log(Double(brightness)) / 4
            for band in 6..<OctaveBands.count { t60[band] *= Float(DeterministicMath.exp(octave * Double(band - 5))) }
            return .init(t60: t60, lateLevel: 9.0309, start: 0)
        }
    }
}
