import Foundation
import OssicleChannels
import OssicleCore
import OssicleDSP

/// What the channels of a file are, as far as directions go.
package enum DirectionMethod: Equatable, Sendable {
    case binaural
    case stereo
    case ambisonic(SoundFieldFormat)
    /// nil for an LFE.
    case loudspeakers([Vector?])

    /// What the user may call them.
    package enum Name: String, CaseIterable, Sendable {
        case binaural, stereo, ambisonic, surround, none
    }

    /// - Parameters:
    ///   - name: nil: by the labels, and without any two channels are ears, 4, 9, 16 and so on to 64 a sound field
    ///     (ACN, SN3D), and 5, 6, 8 and 12 the loudspeakers of 5.0, 5.1, 7.1 and 7.1.4.
    /// - Returns: nil where no direction is defined.
    package init?(_ name: Name?, channelCount count: Int, labels: [UInt32]?) {
        let isField = (1...AmbisonicLayout.greatestOrder).contains { HighOrderHarmonics.count(order: $0) == count }
        let field = labels.flatMap { SoundFieldFormat(labels: $0) } ?? (isField ? Self.plainField(count) : nil)
        let speakers = Self.speakers(count, labels)
        let known: Name? =
            switch name {
            case .some(let name): name
            case nil where count == 2: .binaural
            case nil where labels.flatMap { SoundFieldFormat(labels: $0) } != nil: .ambisonic
            case nil where labels.flatMap { SpeakerLayout.speakers(labels: $0) } != nil: .surround
            case nil: isField ? .ambisonic : .surround
            }
        switch known {
        case .binaural where count == 2: self = .binaural
        case .stereo where count == 2: self = .stereo
        case .ambisonic:
            guard let field, field.order >= 1 else { return nil }
            self = .ambisonic(field)
        case .surround:
            guard let speakers, count > 2 else { return nil }
            self = .loudspeakers(speakers)
        default: return nil
        }
    }

    private static func plainField(_ count: Int) -> SoundFieldFormat {
        SoundFieldFormat((0..<count).map { SoundFieldFormat.Channel(index: $0, gain: 1) })
    }

    private static func speakers(_ count: Int, _ labels: [UInt32]?) -> [Vector?]? {
        let usual: SpeakerLayout? =
            switch count {
            case 4: .quad
            case 5: SpeakerLayout(labels: [1, 2, 3, 5, 6])
            case 6: .surround5_1
            case 8: .surround7_1
            case 12: .surround7_1_4
            default: nil
            }
        let stated = labels.flatMap { SpeakerLayout.speakers(labels: $0) }.map(SpeakerLayout.init)
        return (stated ?? usual)?.speakers.map { $0.isLFE ? nil : $0.direction }
    }

    package var words: String {
        switch self {
        case .binaural: "by the time between the ears"
        case .stereo: "by the levels of two loudspeakers at ±30°"
        case .ambisonic: "by the intensity of the sound field"
        case .loudspeakers: "by the energies of the loudspeakers"
        }
    }
}

/// Where sound came from in one stretch of time.
package struct DirectionPoint: Encodable, Equatable, Sendable {
    /// Seconds, in the middle.
    package let time: Double
    /// Degrees: to the left of the front, and up; between the ears and of a pair only from −90 to 90.
    package let azimuth: Double
    package let elevation: Double?
    /// 0: all from there; 1: from everywhere.
    package let diffuseness: Double
    /// dB re full scale, mean square of all channels together.
    package let level: Double
    /// Of two ears: milliseconds by which the left is ahead, and dB by which it is louder.
    package var timeDifference: Double?
    package var levelDifference: Double?
}

/// Finds directions in stretches of sound.
package struct DirectionAnalysis {
    package let receiver: DirectionMethod
    package let sampleRate: Double

    package init(receiver: DirectionMethod, sampleRate: Double) {
        self.receiver = receiver
        self.sampleRate = sampleRate
    }

    /// nil for silence: below −80 dB.
    package func point(_ channels: [[Double]], at time: Double) -> DirectionPoint? {
        let power =
            channels.reduce(0) { $0 + $1.reduce(0) { $0 + $1 * $1 } } / Double(max(channels.first?.count ?? 0, 1))
        guard power > 1e-8 else { return nil }
        let level = 10 * log10(power)
        switch receiver {
        case .binaural: return interaural(channels, time, level)
        case .stereo:
            let gains = channels.map { $0.reduce(0) { $0 + $1 * $1 }.squareRoot() }
            let ratio = (gains[0] - gains[1]) / max(gains[0] + gains[1], 1e-12)
            let product = zip(channels[0], channels[1]).reduce(0) { $0 + $1.0 * $1.1 }
            let coherence = gains[0] * gains[1] > 1e-12 ? abs(product) / (gains[0] * gains[1]) : 1
            return DirectionPoint(
                time: time, azimuth: atan(ratio * tan(.pi / 6)) * 180 / .pi, elevation: nil, diffuseness: 1 - coherence,
                level: level)
        case .ambisonic(let field): return intensity(channels, field, time, level)
        case .loudspeakers(let directions):
            let energies = channels.map { $0.reduce(0) { $0 + $1 * $1 } }
            var (sum, total) = (Vector.zero, 0.0)
            for (direction, energy) in zip(directions, energies) {
                guard let direction else { continue }
                (sum, total) = (sum + direction * energy, total + energy)
            }
            return total > 0 ? Self.point(sum / total, time, level) : nil
        }
    }

    /// - Parameter arrow: towards the sound (x right, y up, z back), as long as the share of it that comes from there.
    private static func point(_ arrow: Vector, _ time: Double, _ level: Double) -> DirectionPoint {
        DirectionPoint(
            time: time, azimuth: atan2(-arrow.x, -arrow.z) * 180 / .pi,
            elevation: atan2(arrow.y, (arrow.x * arrow.x + arrow.z * arrow.z).squareRoot()) * 180 / .pi,
            diffuseness: min(max(1 - arrow.magnitude, 0), 1), level: level)
    }

    /// I = ⟨W·(X, Y, Z)⟩ over E = ⟨W² + X² + Y² + Z²⟩/2 (Merimaa and Pulkki 2005).
    private func intensity(
        _ channels: [[Double]], _ field: SoundFieldFormat, _ time: Double, _ level: Double
    ) -> DirectionPoint? {
        var first = Array(repeating: [Double](), count: 4)
        for (stream, channel) in field.channels.enumerated() where stream < channels.count {
            if let channel, channel.index < 4 { first[channel.index] = channels[stream].map { $0 * channel.gain } }
        }
        guard first.allSatisfy({ !$0.isEmpty }) else { return nil }
        func product(_ a: Int, _ b: Int) -> Double { zip(first[a], first[b]).reduce(0) { $0 + $1.0 * $1.1 } }
        let energy = (0..<4).reduce(0) { $0 + product($1, $1) } / 2
        // ACN: Y to the left, Z up, X ahead.
        let arrow = Vector(-product(0, 1), product(0, 2), -product(0, 3))
        return energy > 0 ? Self.point(arrow / energy, time, level) : nil
    }

    /// The lag within ±1 ms at which the ears are most alike, as a direction by Woodworth's sphere (1938): τ = a/c·(θ +
    /// sin θ).
    private func interaural(_ ears: [[Double]], _ time: Double, _ level: Double) -> DirectionPoint? {
        let (left, right) = (ears[0], ears[1]), most = Int((sampleRate / 1000).rounded())
        let energies = (left.reduce(0) { $0 + $1 * $1 }, right.reduce(0) { $0 + $1 * $1 })
        guard left.count > 4 * most, energies.0 > 0, energies.1 > 0 else { return nil }
        // Positive lags: the right ear hears later.
        let similar = (-most...most).map { lag in
            (max(0, -lag)..<min(left.count, left.count - lag)).reduce(0.0) { $0 + left[$1] * right[$1 + lag] }
        }
        guard let best = similar.indices.max(by: { similar[$0] < similar[$1] }) else { return nil }
        var lag = Double(best - most)
        if best > 0, best + 1 < similar.count {
            let (a, b, c) = (similar[best - 1], similar[best], similar[best + 1])
            if a - 2 * b + c < 0 { lag += (a - c) / (2 * (a - 2 * b + c)) }
        }
        let coherence = similar[best] / (energies.0 * energies.1).squareRoot()
        return DirectionPoint(
            time: time, azimuth: Self.woodworth(lag / sampleRate) * 180 / .pi, elevation: nil,
            diffuseness: min(max(1 - coherence, 0), 1), level: level, timeDifference: lag / sampleRate * 1000,
            levelDifference: 10 * log10(energies.0 / energies.1))
    }

    private static let radiusOverSpeed = 0.0875 / 343

    /// Radians to the left.
    private static func woodworth(_ delay: Double) -> Double {
        let wanted = min(abs(delay) / radiusOverSpeed, .pi / 2 + 1)
        var angle = wanted / 2
        for _ in 0..<20 { angle -= (angle + sin(angle) - wanted) / (1 + cos(angle)) }
        return delay < 0 ? -angle : angle
    }
}
