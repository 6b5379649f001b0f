// How an environment renders its sources.

import OssicleNodes

/// How an environment places a sound between outputs.
public enum AVAudio3DMixingRenderingAlgorithm: Int, Sendable {
    /// Panned between channels 1 and 2 at equal power. The cheapest.
    case equalPowerPanning = 0
    /// Delay and shadow of a spherical head; for headphones.
    case sphericalHead = 1
    /// A measured head that all such sounds share: encoded into a sound field of order 3, which is decoded once. For
    /// headphones; cheap, with directions less sharp above 2 kHz.
    case HRTF = 2
    /// All loudspeakers of the output, weighted for the direction.
    case soundField = 3
    /// Channels 1 and 2 as they are, without a place.
    case stereoPassThrough = 5
    /// A measured head with filters of its own for each sound; for headphones.
    case HRTFHQ = 6
    /// What suits the output: as `HRTFHQ` for headphones, else all loudspeakers.
    case auto = 7

    init(_ algorithm: SourceMixing.Algorithm) { self = Self(rawValue: algorithm.rawValue) ?? .equalPowerPanning }
}

extension SourceMixing.Algorithm {
    init(_ algorithm: AVAudio3DMixingRenderingAlgorithm) {
        self = Self(rawValue: algorithm.rawValue) ?? .equalPowerPanning
    }
}

/// What an environment takes the channels of a source to be.
public enum AVAudio3DMixingSourceMode: Int, Sendable {
    /// Mono is a point, more channels are bypassed.
    case spatializeIfMono = 0
    /// Channels into channels: no place, distance, occlusion, obstruction or reverb.
    case bypass = 1
    /// All channels sound from the source's position.
    case pointSource = 2
    /// The channels surround the listener from far away and stay where they are in the world while the head turns.
    case ambienceBed = 3

    init(_ mode: SourceMixing.Mode) { self = Self(rawValue: mode.rawValue) ?? .spatializeIfMono }
}

extension SourceMixing.Mode {
    init(_ mode: AVAudio3DMixingSourceMode) { self = Self(rawValue: mode.rawValue) ?? .spatializeIfMono }
}

/// What becomes of a point source that comes into the listener's head; for `.pointSource` with `.auto`.
public enum AVAudio3DMixingPointSourceInHeadMode: Int, Sendable {
    /// Both ears hear it alike.
    case mono = 0
    /// Its channels go to the output's channels.
    case bypass = 1
}

/// What an environment's two output channels are heard from.
public enum AVAudioEnvironmentOutputType: Int, Sendable {
    /// Headphones at a device; loudspeakers in manual rendering.
    case auto = 0
    /// Headphones: directions are rendered for two ears.
    case headphones = 1
    /// Loudspeakers of a device.
    case builtInSpeakers = 2
    /// Loudspeakers of their own.
    case externalSpeakers = 3
}

/// How level falls with distance d; r is the reference distance, k the rolloff factor, M the maximum distance.
public enum AVAudioEnvironmentDistanceAttenuationModel: Int, Sendable {
    /// (d / r)^(−k)
    case exponential = 1
    /// r / (r + k (d − r))
    case inverse = 2
    /// 1 − k (d − r) / (M − r), d up to M
    case linear = 3
}
