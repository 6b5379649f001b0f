import Foundation
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import PHASE
import Testing

/// A head that turns once a second, told every 10 ms, in a tone of 1 kHz: what is heard beside the tone.
///
/// A turn of one a second modulates every output with a function of the angle: what that function has at k periods per
/// turn is heard k Hz beside the tone.
@Suite struct BedTurnTests {
    /// Energy more than `band` Hz away from the tone over all, in dB, in the output where it is greatest.
    private func besides(
        _ band: Double, _ channels: [[Float]], _ tag: AudioChannelLayoutTag, output: AudioChannelLayoutTag? = nil
    ) throws -> Double {
        let stage = try Stage(layout: output)
        try stage.start()
        try stage.startBed(channels, tag)
        var out = [[Float]](repeating: [], count: Int(stage.format.channelCount))
        for step in 0..<150 {
            stage.turnHead(Bed.yaw(3.6 * Double(step)))
            let part = try stage.render(480, call: 480)
            for channel in out.indices { out[channel] += part[channel] }
        }
        let worst = out.map { Array($0.suffix(65_536)) }.filter { rms($0[...]) > 1e-4 }.map {
            Measure.energyOutside(1000 - band, 1000 + band, in: $0)
        }.max()
        return try TestFailure.unwrap(worst)
    }

    private let tone = Signal.sine(1000, count: 4800, amplitude: 0.1)
    private static let field = kAudioChannelLayoutTag_HOA_ACN_SN3D | 16

    /// Harmonics of order 3 have at most 3 periods per turn and the decoder stands still: 3 Hz, and 2 Hz for the window
    /// of the measurement, is all there may be.
    @Test func `a sound field turns without a click, for ears`() throws {
        let wave = Bed.wave(tone, from: HeadDirection.vector(azimuth: 90, elevation: 20))
        let rest = try besides(20, wave, Self.field)
        #expect(rest <= -70)
    }

    @Test func `a sound field turns without a click, on loudspeakers`() throws {
        let wave = Bed.wave(tone, from: HeadDirection.vector(azimuth: 90, elevation: 20))
        let rest = try besides(20, wave, Self.field, output: kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(rest <= -70)
    }

    /// The gain of one of four loudspeakers is cos φ within 90° of it, else 0: two kinks of slope 1. Its Fourier series
    /// falls as 1/(2πk²) per kink, so that beyond k Hz there is 2·2/(4π²·3k³) of energy against a mean of 1/4: −81 dB
    /// beyond 250 Hz.
    @Test func `a channel turns without a click, on loudspeakers`() throws {
        let rest = try besides(
            250, Bed.only(0, of: 4, tone), kAudioChannelLayoutTag_Quadraphonic,
            output: kAudioChannelLayoutTag_Quadraphonic)
        #expect(rest <= -70)
    }

    /// The head was measured every 5°, which tells no more than 36 periods per turn. They modulate the phase, where two
    /// of them add up: 72 Hz, and 2 Hz for the window of the measurement. Straight lines between the measurements would
    /// have corners 72 times a second and be heard at multiples of that.
    @Test func `a channel turns without a click, for ears`() throws {
        let rest = try besides(74, Bed.only(0, of: 4, tone), kAudioChannelLayoutTag_Quadraphonic)
        #expect(rest <= -70)
    }
}
