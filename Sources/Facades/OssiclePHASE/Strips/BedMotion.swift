import OssicleCore
import OssicleRender

/// How a bed turns from one update to the next.
///
/// A head that turns at a steady pace should be heard to, whatever its pace and the engine's have to do with each other: each step is
/// spread over the time since the one before, as `PathMotion` does with sources.
struct BedMotion {
    /// The bed's axes as the head sees them.
    struct Axes: Equatable {
        var right = SIMD3<Float>(1, 0, 0)
        var up = SIMD3<Float>(0, 1, 0)
        var back = SIMD3<Float>(0, 0, 1)
    }

    private(set) var axes = Axes()
    /// Engine time of the last step.
    private var since: Int64?

    /// Steps further apart than this are not one motion.
    private static let longestPause: Int64 = 4096

    /// - Parameter rampFrames: frames since the last update: what a step that continues nothing is spread over.
    /// - Returns: frames to spread this one over.
    mutating func step(_ next: Axes, at position: Int64, rampFrames: Int) -> Int {
        guard next != axes || since == nil else { return rampFrames }
        let pause = since.map { position - $0 } ?? .max
        (axes, since) = (next, position)
        return pause <= Self.longestPause ? max(Int(pause), Grid.quantum) : rampFrames
    }
}
