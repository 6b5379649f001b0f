import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleResponses

/// An impulse response that was found in a file, and its quantities by ISO 3382-1 in the octave bands.
package struct ResponseDecay: Sendable {
    package typealias Band = ResponseMetrics.Band

    package let bands: [Band]
    /// Speech transmission index, 0…1; nil where not all of its bands are below half the sample rate.
    package let speechTransmission: Double?

    /// Seconds of a file that are looked at, and of a step.
    package static let longest = 60.0
    private static let step = 0.001

    /// nil where the sound is none: what is louder than 1 % of the peak has to begin near the start and fall in a
    /// straight line.
    /// - Parameters:
    ///   - isSure: whether the user says that it is a response.
    ///   - kind, reference, speech: as of `ResponseMetrics`.
    package init?(
        _ channels: [[Double]], sampleRate: Double, isSure: Bool, kind: ResponseMetrics.Kind = .microphones,
        reference: Double? = nil, speech: SpeechConditions? = nil
    ) {
        guard isSure || Self.looksLikeResponse(Self.energies(channels, sampleRate)),
            let metrics = ResponseMetrics(
                channels, sampleRate: sampleRate, kind: kind, reference: reference, speech: speech)
        else { return nil }
        (bands, speechTransmission) = (metrics.bands, metrics.speechTransmission)
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

    /// Levels of stretches of 10 ms from the loudest on, as far as they are within 40 dB of it, correlate with time by
    /// −0.8 at least, fall by 15 dB and do not come back, and the loudest comes in the first third.
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
}
