import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleResponses

/// How an impulse response decays in the octave bands, by ISO 3382-1: all channels' energy together.
package struct ResponseDecay: Sendable {
    package struct Band: Encodable, Equatable, Sendable {
        /// Hz.
        package let frequency: Double
        /// Seconds by which it decays by 60 dB, from 0 to −10, −5 to −25 and −5 to −35 dB; nil where there is too little above the
        /// noise.
        package let edt, t20, t30: Double?
        /// dB, energy of the first 80 ms to that of the rest, and the share of the first 50 ms; nil without sound.
        package let c80, d50: Double?
    }

    package let bands: [Band]

    /// Seconds of a file that are looked at, and of a step.
    package static let longest = 60.0
    private static let step = 0.001

    /// nil where the sound is none: what is louder than 1 % of the peak has to begin near the start and fall in a straight line.
    /// - Parameter isSure: whether the user says that it is a response.
    package init?(_ channels: [[Double]], sampleRate: Double, isSure: Bool) {
        let energies = Self.energies(channels, sampleRate)
        guard let onset = Self.onset(channels), isSure || Self.looksLikeResponse(energies) else { return nil }
        let cut = channels.map { Array($0[min(onset, $0.count)...]) }
        bands = (0..<OctaveBands.count).compactMap { band in
            let centre = OctaveBands.centre(band)
            guard centre * 2.0.squareRoot() < 0.49 * sampleRate else { return nil }
            let filtered = cut.map { Self.filtered($0, centre, sampleRate) }
            return Band(Self.energies(filtered, sampleRate), frequency: RirFacts.nominal[band])
        }
    }

    /// The first frame within 20 dB of the peak.
    private static func onset(_ channels: [[Double]]) -> Int? {
        let peak = channels.reduce(0) { $1.reduce($0) { max($0, abs($1)) } }
        guard peak > 0 else { return nil }
        return channels.compactMap { $0.firstIndex { abs($0) >= 0.1 * peak } }.min()
    }

    /// Of each millisecond.
    private static func energies(_ channels: [[Double]], _ sampleRate: Double) -> [Double] {
        let count = channels.map(\.count).max() ?? 0, bins = Int((Double(count) / sampleRate / step).rounded(.up))
        var energies = [Double](repeating: 0, count: max(bins, 1))
        for channel in channels {
            for (frame, sample) in channel.enumerated() {
                energies[min(Int(Double(frame) / sampleRate / step), energies.count - 1)] += sample * sample
            }
        }
        return energies
    }

    /// Levels of stretches of 10 ms from the loudest on, as far as they are within 40 dB of it, correlate with time by −0.8 at least,
    /// fall by 15 dB and do not come back, and the loudest comes in the first third.
    private static func looksLikeResponse(_ energies: [Double]) -> Bool {
        let stretches = stride(from: 0, to: energies.count, by: 10).map { start in
            energies[start..<min(start + 10, energies.count)].reduce(0, +)
        }
        guard let top = stretches.indices.max(by: { stretches[$0] < stretches[$1] }), stretches[top] > 0,
            top * 3 <= stretches.count
        else { return false }
        let levels = stretches[top...].map { 10 * log10(max($0 / stretches[top], 1e-12)) }.prefix { $0 > -40 }
        guard stretches[(top + levels.count)...].allSatisfy({ $0 < 1e-3 * stretches[top] }) else { return false }
        guard levels.count >= 3 else { return stretches[top...].dropFirst(3).allSatisfy { $0 < 1e-3 * stretches[top] } }
        let n = Double(levels.count), mx = (n - 1) / 2, my = levels.reduce(0, +) / n
        var (sxx, syy, sxy) = (0.0, 0.0, 0.0)
        for (x, y) in levels.enumerated() {
            let (dx, dy) = (Double(x) - mx, y - my)
            (sxx, syy, sxy) = (sxx + dx * dx, syy + dy * dy, sxy + dx * dy)
        }
        return syy > 0 && sxy / (sxx * syy).squareRoot() < -0.8 && (levels.min() ?? 0) < -15
    }

    /// Through two Butterworth sections on each side of the octave, backwards, so that they ring before the decay and not in it.
    private static func filtered(_ samples: [Double], _ centre: Double, _ sampleRate: Double) -> [Double] {
        let (low, high) = (centre / 2.0.squareRoot(), centre * 2.0.squareRoot())
        var backwards = Array(samples.reversed())
        for _ in 0..<2 {
            ButterworthSection(.highPass, at: low / sampleRate).process(&backwards)
            ButterworthSection(.lowPass, at: high / sampleRate).process(&backwards)
        }
        return backwards.reversed()
    }
}

extension ResponseDecay.Band {
    /// - Parameter energies: of each millisecond from the first sound on.
    fileprivate init(_ energies: [Double], frequency: Double) {
        // The last tenth is taken for noise, and the decay ends where a mean over 30 ms is twice as loud.
        let tail = energies.suffix(max(energies.count / 10, 1)), noise = tail.reduce(0, +) / Double(tail.count)
        let smooth = stride(from: 0, to: energies.count, by: 10).map { start in
            let stretch = energies[start..<min(start + 30, energies.count)]
            return stretch.reduce(0, +) / Double(stretch.count)
        }
        let end = min((smooth.lastIndex { $0 > 2 * noise } ?? smooth.count) * 10 + 10, energies.count)
        let kept = Array(energies.prefix(end)), total = kept.reduce(0, +)
        let range = noise > 0 ? 10 * log10(max((smooth.max() ?? 0) / noise, 1e-12)) : 200
        let curve = DecayCurve(energies: kept, binWidth: 0.001)
        func time(_ upper: Double, _ lower: Double) -> Double? {
            range > 10 - lower ? curve.time(from: upper, to: lower) : nil
        }
        let early = { (count: Int) in kept.prefix(count).reduce(0, +) }
        self.init(
            frequency: frequency, edt: time(0, -10), t20: time(-5, -25), t30: time(-5, -35),
            c80: total > early(80) && early(80) > 0 ? 10 * log10(early(80) / (total - early(80))) : nil,
            d50: total > 0 ? early(50) / total : nil)
    }
}
