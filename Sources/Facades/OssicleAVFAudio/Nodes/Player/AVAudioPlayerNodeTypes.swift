// What scheduling is told, and what tells back.

/// How a scheduled buffer takes its place.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
    /// Bits of the options.
    public let rawValue: UInt

    /// Options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Plays over and over, until it is interrupted or stopped.
    public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1)
    /// Takes the place of everything scheduled before it, at its time or at once: what plays is cut, what waits is
    /// dropped.
    public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 2)
    /// Ends the loop that plays with the pass it is in, at its time or as soon as possible. Nothing is dropped. Goes
    /// before `interrupts`.
    public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 4)
}

/// Which moment a completion handler tells of.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The player has taken the last frame. Here that is when it renders it.
    case dataConsumed = 0
    /// The last frame has been rendered.
    case dataRendered = 1
    /// The last frame has been heard: the latency downstream and of the device later. In manual rendering, as
    /// `dataRendered`.
    case dataPlayedBack = 2
}

/// Told the moment it was asked for; on a queue of the player's own.
public typealias AVAudioPlayerNodeCompletionHandler = @Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void
