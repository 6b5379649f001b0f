import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssiclePlayback

/// A room of the scene that was measured: what sends are convolved with, and what it is among other late fields.
///
/// Under the engine's lock, but for `init`.
package final class MeasuredRoom {
    /// Energy of the octaves of 500 Hz and 1 kHz re the direct sound at 1 m, in dB, before the client's level: between
    /// a large room's (−2.9) and a medium hall's (−11.1).
    package static let level = -6.0
    /// Metres between two surfaces, which a response does not tell: a hall's.
    private static let meanFreePath = 6.0

    package let name: String
    /// Decay and energy of the response, octave by octave.
    package let field: LateField
    private let source: ImpulseResponse
    private let gain: Float
    private var prepared: (sampleRate: Double, response: ConvolutionResponse)?

    /// Takes about a tenth of a second for two channels of 2 s. Any thread.
    /// - Parameter level: dB added.
    package init(_ source: ImpulseResponse, level: Double) {
        self.source = source
        name = source.name
        gain = Float(Decibels.amplitude(Self.level + level))
        let ears = Self.ears(source.samples(sampleRate: source.sampleRate), gain)
        field = Self.field(of: ears, sampleRate: source.sampleRate)
    }

    /// For convolvers at a rate; made if it is not there.
    package func response(sampleRate: Double) -> ConvolutionResponse {
        if let prepared, prepared.sampleRate == sampleRate { return prepared.response }
        let made = ConvolutionResponse(Self.ears(source.samples(sampleRate: sampleRate), gain))
        prepared = (sampleRate, made)
        return made
    }

    /// Sends are mono: both loudspeakers of a response of four channels play at once.
    private static func ears(_ channels: [[Float]], _ gain: Float) -> [[Float]] {
        let heard =
            channels.count < 4
            ? channels : (0..<2).map { ear in zip(channels[ear], channels[ear + 2]).map { $0 + $1 } }
        return heard.map { $0.map { $0 * gain } }
    }

    /// By the decay of octaves, as rays' echograms are read.
    private static func field(of channels: [[Float]], sampleRate: Double) -> LateField {
        let bin = max(Int(0.004 * sampleRate), 1)
        let frames = channels[0].count
        var echogram = EnergyResponse(binWidth: Double(bin) / sampleRate, binCount: (frames + bin - 1) / bin)
        let impulse = [1] + [Float](repeating: 0, count: 8191)
        for band in 0..<OctaveBands.count where OctaveBands.centre(band) * 1.42 < sampleRate / 2 {
            // Re what the filter leaves of the direct sound.
            let direct = octave(band, of: impulse, sampleRate: sampleRate).reduce(0) { $0 + $1 * $1 }
            for channel in channels {
                let heard = octave(band, of: channel, sampleRate: sampleRate)
                for frame in 0..<frames {
                    echogram.bins[frame / bin][band] += heard[frame] * heard[frame] / (direct * Float(channels.count))
                }
            }
        }
        return LateField(
            echogram, survey: RaySurvey(meanFreePath: meanFreePath, escapedShare: 0), speedOfSound: 343.2,
            hasEarlyPart: true)
    }

    private static func octave(_ band: Int, of signal: [Float], sampleRate: Double) -> [Float] {
        var filter = Biquad(.bandPass(OctaveBands.centre(band), q: 1.414, sampleRate: sampleRate))
        var filtered = signal
        filter.process(from: signal, to: &filtered, signal.count)
        return filtered
    }
}

/// A measured room in use: around all, or around one listener, and how far.
package struct RoomResponse {
    let room: MeasuredRoom
    /// nil for all.
    let listener: UInt64?
    /// Amplitude.
    let gain: Float
}
