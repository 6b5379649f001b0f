import Foundation
import OssicleAnalysis

/// What it is and how it decays.
extension Sound {
    /// The pitch of a periodic sound.
    public struct Pitch: Sendable, Equatable {
        /// Hz.
        public let frequency: Double
        /// 1 for a periodic sound, 0 for noise.
        public let clarity: Double

        /// Cents above (positive) or below another frequency in Hz: 1200·log₂.
        public func cents(above other: Double) -> Double { 1200 * log2(frequency / other) }
    }

    /// The pitch of all channels' mean, by YIN (de Cheveigné and Kawahara 2002): the median of what is found in
    /// stretches of two of the longest periods; a steady sound's to a cent. Of several notes at once it is a common
    /// fundamental, if anything.
    /// - Parameters:
    ///   - window: seconds; at least two periods of the lowest pitch.
    ///   - range: Hz of the pitches that are looked for; a pitch below it may be found as its multiple.
    /// - Returns: nil where less than half of the stretches that sound have a pitch.
    public func pitch(during window: Range<Double>? = nil, range: ClosedRange<Double> = 50...5000) -> Pitch? {
        let frames = frames(window), sound = allSamples(frames)
        let analysis = PitchAnalysis(range: range, sampleRate: sampleRate), length = analysis.frames
        let mean = (0..<frames.count).map { frame in sound.reduce(0) { $0 + $1[frame] } / Double(sound.count) }
        let loudest = mean.reduce(0) { max($0, abs($1)) }
        guard loudest > 0 else { return nil }
        // A hundred stretches tell as much as more would.
        let hop = max(length / 2, (mean.count - length) / 100, 1)
        var found: [PitchAnalysis.Pitch] = [], sounding = 0
        for start in stride(from: 0, through: mean.count - length, by: hop) {
            let stretch = mean[start..<start + length]
            guard stretch.contains(where: { abs($0) > 0.01 * loudest }) else { continue }
            sounding += 1
            if let pitch = analysis.pitch(of: stretch) { found.append(pitch) }
        }
        guard !found.isEmpty, 2 * found.count >= sounding else { return nil }
        let middle = found.sorted { $0.frequency < $1.frequency }[found.count / 2]
        return Pitch(frequency: middle.frequency, clarity: middle.clarity)
    }

    /// How an impulse response decays in an octave band, by ISO 3382-1.
    public struct Decay: Sendable, Equatable {
        /// The band's nominal centre, Hz.
        public let frequency: Double
        /// Seconds to fall by 60 dB, by lines through the backwards integrated energy from 0 to −10, −5 to −25 and −5
        /// to −35 dB; nil where too little is above the noise.
        public let earlyDecayTime, t20, t30: Double?
        /// dB, energy of the first 80 ms to that of the rest; nil without sound.
        public let clarity: Double?
        /// The share of the energy in the first 50 ms, 0 to 1; nil without sound.
        public let definition: Double?

        /// T60: by T30 where that is known, else by T20, else by the early decay.
        public var reverberationTime: Double? { t30 ?? t20 ?? earlyDecayTime }
    }

    /// Takes the sound for an impulse response, from its first sample within 20 dB of the peak on; all channels' energy
    /// together. Where the decay meets the noise behind it, it ends (Lundeby et al. 1995). The first minute only.
    /// - Returns: one for each octave band from 31.5 Hz on that lies below half the sample rate; none for silence.
    public func decays() -> [Decay] {
        let frames = frames(0..<ResponseDecay.longest)
        guard let decay = ResponseDecay(allSamples(frames), sampleRate: sampleRate, isSure: true) else { return [] }
        return decay.bands.map {
            Decay(
                frequency: $0.frequency, earlyDecayTime: $0.edt, t20: $0.t20, t30: $0.t30, clarity: $0.c80,
                definition: $0.d50)
        }
    }

    /// T60 of an impulse response in an octave band, seconds; see `decays()`.
    /// - Parameter frequency: in the band, Hz.
    public func reverberationTime(at frequency: Double) -> Double? {
        decays().first { $0.frequency / 2.0.squareRoot() <= frequency && frequency < $0.frequency * 2.0.squareRoot() }?
            .reverberationTime
    }
}
