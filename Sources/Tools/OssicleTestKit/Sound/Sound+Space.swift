import OssicleAnalysis
import OssicleCore

/// Where it comes from.
extension Sound {
    /// What the channels are, as far as directions go.
    public enum Receiver: String, Sendable, Equatable, CaseIterable {
        /// Two ears: by the time between them, on Woodworth's sphere (1938), from −90° to 90°.
        case binaural
        /// Two loudspeakers at ±30°: by the tangent law.
        case stereo
        /// A sound field, by its labels, or 4, 9 or 16 channels in ACN order and SN3D weights: by its intensity
        /// (Merimaa and Pulkki 2005).
        case ambisonic
        /// Loudspeakers, by their labels, or 5.0, 5.1, 7.1 and 7.1.4 in WAVE's order: by their energies.
        case surround
    }

    /// Where sound comes from.
    public struct Direction: Sendable, Equatable {
        /// Degrees to the left of the front, −180 to 180; of ears and of two loudspeakers −90 to 90.
        public let azimuth: Double
        /// Degrees up; nil of ears and of two loudspeakers.
        public let elevation: Double?
        /// 0: all comes from there; 1: it comes from everywhere.
        public let diffuseness: Double
        /// Of ears: milliseconds by which the left is ahead, and dB by which it is louder.
        public let interauralTime, interauralLevel: Double?
    }

    /// The direction of all that sounds in a window.
    /// - Parameters:
    ///   - receiver: nil: by the labels; without any, two channels are ears, 4, 9 and 16 a sound field, and others
    ///     loudspeakers.
    ///   - window: seconds.
    /// - Returns: nil below −80 dB re full scale, and where the channels are no such receiver.
    public func direction(as receiver: Receiver? = nil, during window: Range<Double>? = nil) -> Direction? {
        let name = receiver.flatMap { DirectionMethod.Name(rawValue: $0.rawValue) }
        guard let method = DirectionMethod(name, channelCount: channels.count, labels: channelLabels),
            let point = DirectionAnalysis(receiver: method, sampleRate: sampleRate).point(
                allSamples(frames(window)), at: 0)
        else { return nil }
        return Direction(
            azimuth: point.azimuth, elevation: point.elevation, diffuseness: point.diffuseness,
            interauralTime: point.timeDifference, interauralLevel: point.levelDifference)
    }
}

/// What is in which channel.
extension Sound {
    /// The channel with the most energy, from 0 on; nil for silence.
    public func loudestChannel(during window: Range<Double>? = nil) -> Int? {
        let levels = channels.indices.map { level(during: window, channel: $0) }
        return levels.indices.max { levels[$0] < levels[$1] }.flatMap { levels[$0] > -.infinity ? $0 : nil }
    }

    /// What a channel is called, as L, Rs or LFE: by its label, else as one of a stereo pair, else by its number from 1
    /// on.
    public func name(ofChannel index: Int) -> String {
        ChannelWords.short(index, of: channels.count, labels: channelLabels)
    }

    /// For each channel the one of `reference` that it is most like: [1, 0] where left and right are swapped.
    ///
    /// Likeness is the correlation of the samples without delay; below 0.5 a channel is like none, which is nil.
    /// Silence is like silence of the same number.
    public func channelOrder(against reference: Sound) -> [Int?] {
        let count = min(frameCount, reference.frameCount)
        let (mine, others) = (allSamples(0..<count), reference.allSamples(0..<count))
        let energies = others.map { $0.reduce(0) { $0 + $1 * $1 } }
        return mine.enumerated().map { index, sound in
            let energy = sound.reduce(0) { $0 + $1 * $1 }
            guard energy > 0 else { return index < energies.count && energies[index] == 0 ? index : nil }
            let likeness = others.indices.map { other in
                guard energies[other] > 0 else { return 0.0 }
                return zip(sound, others[other]).reduce(0) { $0 + $1.0 * $1.1 }
                    / (energy * energies[other]).squareRoot()
            }
            // Of equals the one of the same number.
            let best = likeness.indices.max {
                (likeness[$0], $0 == index ? 1 : 0) < (likeness[$1], $1 == index ? 1 : 0)
            }
            return best.flatMap { likeness[$0] > 0.5 ? $0 : nil }
        }
    }
}
