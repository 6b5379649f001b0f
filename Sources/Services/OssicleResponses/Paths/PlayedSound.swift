import OssicleCore

/// A dry sound through responses: mixed to one channel, at the responses' rate, all with one gain, so that levels
/// between the responses remain.
package struct PlayedSound: Sendable {
    /// Channels by response.
    package let sounds: [[[Float]]]
    /// dB; what brings the highest peak to −1 dBFS.
    package let gain: Double

    private static let peak: Float = 0.891_250_9

    /// - Throws: where nothing is heard.
    package init(_ dry: [Float], through responses: [ImpulseResponse]) throws(ResponseError) {
        var sounds = responses.map { FastConvolution($0.channels).apply(to: dry) }
        var highest: Float = 0
        for sound in sounds {
            for channel in sound { for sample in channel { highest = max(highest, sample.magnitude) } }
        }
        guard highest > 0, highest.isFinite else {
            throw ResponseError("The dry sound is silent, or is so through the responses: give another.")
        }
        let scale = Self.peak / highest
        for sound in sounds.indices {
            for channel in sounds[sound].indices {
                for index in sounds[sound][channel].indices { sounds[sound][channel][index] *= scale }
            }
        }
        (self.sounds, gain) = (sounds, Decibels.of(amplitude: Double(scale)))
    }
}
