import OssicleCore
import OssiclePHASE

/// What one sound event did over time, quarter second by quarter second; nil where it did not play.
public struct EventTrace: Sendable, Equatable {
    /// Its sound alone, where the take was made with stems.
    public internal(set) var stem: Sound?
    /// dB at 1 kHz with all factors: “direct”, “early” and “late” sound, and “geometry”: reflection and diffraction
    /// paths with the source at 1 m as reference. Of several voices their powers together.
    public private(set) var paths: [String: [Double?]] = [:]
    /// dB at 1 kHz of each factor of the direct sound's gain, by the factor's name.
    public private(set) var factors: [String: [Double?]] = [:]
    private var count = 0

    /// - Parameter steps: quarter seconds before there was such an event.
    init(after steps: Int = 0) { count = steps }

    /// - Parameter explanation: of the next quarter second; nil where there is no such event yet.
    mutating func add(_ explanation: PHASEExplanation?) {
        if let explanation, explanation.silentBecause.isEmpty {
            for (path, power) in Self.powers(explanation.voices) {
                append(Decibels.of(energy: power), to: path, of: \.paths)
            }
            for voice in explanation.voices {
                for factor in voice.factors {
                    let name = explanation.voices.count > 1 ? "\(voice.node): \(factor.name)" : factor.name
                    append(factor.decibels, to: name, of: \.factors)
                }
            }
        }
        count += 1
        for key in paths.keys where paths[key]!.count < count { paths[key]!.append(nil) }
        for key in factors.keys where factors[key]!.count < count { factors[key]!.append(nil) }
    }

    private mutating func append(
        _ level: Double, to name: String, of series: WritableKeyPath<EventTrace, [String: [Double?]]>
    ) {
        var values = self[keyPath: series][name] ?? Array(repeating: nil, count: count)
        // A factor that occurs twice counts twice.
        if values.count > count, let last = values[count] {
            values[count] = last + level
        } else {
            values.append(level.isFinite ? level : nil)
        }
        self[keyPath: series][name] = values
    }

    private static func powers(_ voices: [PHASEExplanation.Voice]) -> [(String, Double)] {
        var powers = ["direct": 0.0, "early": 0, "late": 0, "geometry": 0]
        for voice in voices {
            if voice.sends.isEmpty { powers["direct", default: 0] += voice.gain * voice.gain }
            for send in voice.sends {
                let name: String? =
                    switch send.category {
                    case .directPathTransmission: "direct"
                    case .earlyReflections: "early"
                    case .lateReverb: "late"
                    default: nil
                    }
                if let name { powers[name, default: 0] += send.gain * send.gain }
            }
            powers["geometry", default: 0] += voice.paths.reduce(0) { $0 + Decibels.energy($1.decibels) }
        }
        return powers.filter { $0.value > 0 }.sorted { $0.key < $1.key }
    }
}
