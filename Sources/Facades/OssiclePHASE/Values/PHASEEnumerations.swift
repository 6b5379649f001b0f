import OssicleDSP

/// Whether a sampler plays its sound once or over and over.
public enum PHASEPlaybackMode: Int, Sendable {
    /// Once. The default.
    case oneShot = 0
    /// From the start again at each end, until stopped.
    case looping = 1
}

/// What a sampler does while it is inaudible.
public enum PHASECullOption: Int, Sendable {
    /// It stops for good. The default.
    case terminate = 0
    /// It sleeps, and starts again from the beginning.
    case sleepWakeAtZero = 1
    /// It sleeps, and starts again at a random position.
    case sleepWakeAtRandomOffset = 2
    /// It sleeps, and continues where it would be had it kept playing.
    case sleepWakeAtRealtimeOffset = 3
    /// It keeps being rendered.
    case doNotCull = 4
}

/// What the level of a generator means.
public enum PHASECalibrationMode: Int, Sendable {
    /// A linear gain, 0…1. The default, at level 1.
    case none = 0
    /// dB relative to the asset's normalised level, −200…12.
    case relativeSpl = 1
    /// A sound pressure level in dB, 0…120, reached as far as the device can.
    case absoluteSpl = 2
}

/// Whether an asset is brought to a common loudness when it is registered.
public enum PHASENormalizationMode: Int, Sendable {
    /// Its samples are taken as they are.
    case none = 0
    /// To −23 LUFS, at most 24 dB up or down, and with true peaks up to −1 dBTP.
    case dynamic = 1
}

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

/// When a push stream reports that it is done with a buffer.
public enum PHASEPushStreamCompletionCallbackCondition: Int, Sendable {
    /// When the buffer has been rendered; what the output adds in latency is not counted.
    case dataRendered = 0
}

/// How the engine renders directions.
public enum PHASESpatializationMode: Int, Sendable {
    /// Binaural or channel based, whichever suits the output. The default.
    case automatic = 0
    /// HRTFs, on headphones and on loudspeakers.
    case alwaysUseBinaural = 1
    /// Panning between the channels of the output layout.
    case alwaysUseChannelBased = 2
}

/// Which parts of the tracked head's pose a listener follows.
public struct PHASEAutomaticHeadTrackingFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// How it is turned.
    public static var orientation: PHASEAutomaticHeadTrackingFlags { PHASEAutomaticHeadTrackingFlags(rawValue: 1 << 0) }
    /// Where it is.
    public static var position: PHASEAutomaticHeadTrackingFlags { PHASEAutomaticHeadTrackingFlags(rawValue: 1 << 1) }
}

/// The room that all late reverberation of an engine sounds in. The raw values are Apple's four-character codes.
public enum PHASEReverbPreset: Int, Sendable {
    /// No reverberation. The default.
    case none = 0x724e6f6e
    /// A small room.
    case smallRoom = 0x7253526d
    /// A room of middle size.
    case mediumRoom = 0x724d526d
    /// A large room.
    case largeRoom = 0x724c5231
    /// Another large room.
    case largeRoom2 = 0x724c5232
    /// A chamber of middle size.
    case mediumChamber = 0x724d4368
    /// A large chamber.
    case largeChamber = 0x724c4368
    /// A hall of middle size.
    case mediumHall = 0x724d4831
    /// Another hall of middle size.
    case mediumHall2 = 0x724d4832
    /// A third hall of middle size.
    case mediumHall3 = 0x724d4833
    /// A large hall.
    case largeHall = 0x724c4831
    /// Another large hall.
    case largeHall2 = 0x724c4832
    /// A cathedral.
    case cathedral = 0x72437468

    /// What the simulation works with; nil for none.
    var room: ReverbPreset? {
        switch self {
        case .none: nil
        case .smallRoom: .smallRoom
        case .mediumRoom: .mediumRoom
        case .largeRoom: .largeRoom
        case .largeRoom2: .largeRoom2
        case .mediumChamber: .mediumChamber
        case .largeChamber: .largeChamber
        case .mediumHall: .mediumHall
        case .mediumHall2: .mediumHall2
        case .mediumHall3: .mediumHall3
        case .largeHall: .largeHall
        case .largeHall2: .largeHall2
        case .cathedral: .cathedral
        }
    }
}
