/// How a buffer joins those a push stream already has.
public struct PHASEPushStreamBufferOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Behind the earlier buffers.
    public static var `default`: PHASEPushStreamBufferOptions { PHASEPushStreamBufferOptions(rawValue: 1 << 0) }
    /// Over and over.
    public static var loops: PHASEPushStreamBufferOptions { PHASEPushStreamBufferOptions(rawValue: 1 << 1) }
    /// In place of the playing buffer, at once.
    public static var interrupts: PHASEPushStreamBufferOptions { PHASEPushStreamBufferOptions(rawValue: 1 << 2) }
    /// In place of the playing buffer, when that reaches its end.
    public static var interruptsAtLoop: PHASEPushStreamBufferOptions { PHASEPushStreamBufferOptions(rawValue: 1 << 3) }
}
