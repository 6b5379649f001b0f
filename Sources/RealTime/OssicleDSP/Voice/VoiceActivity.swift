/// Whether somebody speaks near the microphone, with hysteresis: it begins above one ratio of speech to disturbance,
/// and ends when the ratio has stayed under a lower one for a while. Audio thread.
package struct VoiceActivity: BitwiseCopyable, Sendable {
    /// Power ratios, about 8 and 3 dB, smoothed over some 20 ms.
    private static let begins: Float = 6
    private static let ends: Float = 2
    private static let holdSeconds = 0.2

    private let holdHops: Int
    private var smoothed: Float = 0
    private var quietHops = 0
    package private(set) var isActive = false

    package init(grid: VoiceGrid) { holdHops = grid.hops(Self.holdSeconds) }

    package mutating func reset() { (smoothed, quietHops, isActive) = (0, 0, false) }

    /// - Parameter ratio: power of speech over that of noise and residual echo in one hop.
    package mutating func take(ratio: Float) {
        smoothed += 0.2 * (min(ratio, 100) - smoothed)
        quietHops = smoothed < Self.ends ? quietHops + 1 : 0
        if smoothed > Self.begins { isActive = true } else if quietHops >= holdHops { isActive = false }
    }
}
