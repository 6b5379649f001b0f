import OssicleCore

/// One path's sound, from the common delay line to where it is heard. Audio thread.
protocol PathVoice: ~Copyable {
    associatedtype Target: PathTarget

    /// Nothing of it is left to be heard: it costs nothing, and may become another path's.
    var isSilent: Bool { get }

    /// Another path, which fades in over `frames` frames (0: is there at once). Only of a silent one.
    mutating func begin(_ target: Target, frames: Int)
    /// The same path elsewhere, which it glides to.
    mutating func move(_ target: Target, frames: Int)
    /// Towards silence (0) or back (1).
    mutating func fade(to weight: Float, frames: Int)
    /// As if it had never sounded.
    mutating func silence()
}

/// What a slot of the parameters says.
protocol PathTarget: BitwiseCopyable {
    var way: PathsRenderer.Way { get }
    var isSilent: Bool { get }
}

extension PathsRenderer.Sharp: PathTarget {
    var isSilent: Bool { gain == 0 }
}

extension PathsRenderer.Soft: PathTarget {
    var isSilent: Bool { corners == .zero }
}
