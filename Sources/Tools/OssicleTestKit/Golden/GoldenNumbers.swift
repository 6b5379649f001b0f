import Foundation
import OssicleAnalysis
import OssicleCore
import OssicleResponses

/// What is kept of a golden rendering: numbers over time, not sound. A file of them is what a review shows.
struct GoldenNumbers: Codable, Equatable {
    /// Of the file's form.
    static let version = 1
    /// Seconds of a step.
    static let step = 0.25

    var version = GoldenNumbers.version
    var seconds: Double
    var sampleRate: Double
    var mix: SoundNumbers
    /// By name.
    var events: [String: EventNumbers]

    init(_ sound: Sound, events: [String: EventTrace] = [:]) {
        (seconds, sampleRate) = (Self.rounded(sound.duration, 1000), sound.sampleRate)
        mix = SoundNumbers(sound)
        self.events = events.mapValues(EventNumbers.init)
    }

    static func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }

    /// dB to the hundredth; nil for silence, below −120 dB.
    static func level(_ decibels: Double) -> Double? { decibels > -120 ? rounded(decibels, 100) : nil }
}

/// Of one sound; levels in dB re full scale, one for each step, null for silence.
struct SoundNumbers: Codable, Equatable {
    /// By channel.
    var levels: [[Double?]]
    /// By octave band, mean of the channels; bands by their nominal centre in Hz.
    var bands: [String: [Double?]]
    /// Seconds.
    var onsets: [Double]
    /// Of each step with a direction.
    var directions: [DirectionNumbers?]
    /// Hz of each step with a pitch.
    var pitches: [Double?]
    /// LUFS and dBTP.
    var loudness, truePeak: Double?

    struct DirectionNumbers: Codable, Equatable {
        /// Degrees to the left and up; 0 to 1.
        var azimuth: Double
        var elevation: Double?
        var diffuseness: Double
    }

    init(_ sound: Sound) {
        let steps = Self.steps(of: sound)
        levels = sound.channels.indices.map { channel in
            steps.map { GoldenNumbers.level(sound.level(during: $0, channel: channel)) }
        }
        bands = Self.bands(of: sound)
        onsets = sound.onsets().map { GoldenNumbers.rounded($0, 10_000) }
        directions = steps.map { step in
            sound.direction(during: step).map {
                DirectionNumbers(
                    azimuth: GoldenNumbers.rounded($0.azimuth, 10),
                    elevation: $0.elevation.map { GoldenNumbers.rounded($0, 10) },
                    diffuseness: GoldenNumbers.rounded($0.diffuseness, 100))
            }
        }
        pitches = steps.map { sound.pitch(during: $0).map { GoldenNumbers.rounded($0.frequency, 100) } }
        let measured = sound.loudness()
        loudness = measured.flatMap { GoldenNumbers.level($0.integrated) }
        truePeak = measured.flatMap { GoldenNumbers.level($0.truePeak) }
    }

    private static func steps(of sound: Sound) -> [Range<Double>] {
        let count = max(Int((sound.duration / GoldenNumbers.step).rounded(.up)), 1)
        return (0..<count).map { Double($0) * GoldenNumbers.step..<Double($0 + 1) * GoldenNumbers.step }
    }

    static func bands(of sound: Sound) -> [String: [Double?]] {
        var size = 256
        while Double(size) < 0.08 * sound.sampleRate, size < 65_536 { size *= 2 }
        let edges = (0..<OctaveBands.count).map {
            OctaveBands.centre($0) / 2.0.squareRoot()...OctaveBands.centre($0) * 2.0.squareRoot()
        }
        let spectrum = BandSpectrum(
            bands: edges, size: size, step: max(Int((GoldenNumbers.step * sound.sampleRate).rounded()), 1),
            channelCount: sound.channels.count, sampleRate: sound.sampleRate)
        Sound.withPlanes(sound.allSamples(0..<sound.frameCount)) { spectrum.add($0, frames: sound.frameCount) }
        let steps = spectrum.finish()
        return Dictionary(
            uniqueKeysWithValues: RirFacts.nominal.enumerated().compactMap { band, nominal in
                guard steps.contains(where: { $0[band] != nil }) else { return nil }
                return (
                    nominal == nominal.rounded() ? String(Int(nominal)) : String(nominal),
                    steps.map { $0[band].flatMap { GoldenNumbers.level(Decibels.of(energy: $0)) } }
                )
            })
    }
}

/// Of one sound event, step by step; null where it does not play.
struct EventNumbers: Codable, Equatable {
    /// dB re full scale of the event alone, by rendering everything else at level 0; nil where that was not done.
    var levels: [Double?]?
    var bands: [String: [Double?]]?
    /// dB at 1 kHz with all factors, of direct, early and late sound, as the engine explains them.
    var paths: [String: [Double?]]
    /// dB at 1 kHz of each factor.
    var factors: [String: [Double?]]

    init(_ trace: EventTrace) {
        levels = trace.stem.map { SoundNumbers.levels(of: $0) }
        bands = trace.stem.map { SoundNumbers.bands(of: $0) }
        paths = trace.paths.mapValues { $0.map { $0.flatMap(GoldenNumbers.level) } }
        factors = trace.factors.mapValues { $0.map { $0.flatMap(GoldenNumbers.level) } }
    }
}

extension SoundNumbers {
    /// Of all channels together.
    fileprivate static func levels(of sound: Sound) -> [Double?] {
        steps(of: sound).map { GoldenNumbers.level(sound.level(during: $0)) }
    }
}
