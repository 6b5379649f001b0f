// The scheduled sound player: properties, and the slices it plays.

import OssicleCoreAudioTypes

/// A stretch of memory to play. Global; `ScheduledAudioSlice`, write only. It stays where it is until its completion.
public let kAudioUnitProperty_ScheduleAudioSlice: AudioUnitPropertyID = 3300
/// When the player's time 0 is: a sample time of the render calls, −1 for the next one. Global; `AudioTimeStamp`, write
/// only.
public let kAudioUnitProperty_ScheduleStartTimeStamp: AudioUnitPropertyID = 3301
/// The player's time; a sample time of −1 before it has started. Global; `AudioTimeStamp`, read only.
public let kAudioUnitProperty_CurrentPlayTime: AudioUnitPropertyID = 3302

/// What is wanted of a slice, and what has become of it.
public struct AUScheduledAudioSliceFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Done with: played, interrupted or dropped.
    public static let scheduledAudioSliceFlag_Complete = AUScheduledAudioSliceFlags(rawValue: 1)
    /// Its first frame was rendered.
    public static let scheduledAudioSliceFlag_BeganToRender = AUScheduledAudioSliceFlags(rawValue: 2)
    /// Its first frame was rendered too late.
    public static let scheduledAudioSliceFlag_BeganToRenderLate = AUScheduledAudioSliceFlags(rawValue: 4)
    /// Plays over and over.
    public static let scheduledAudioSliceFlag_Loop = AUScheduledAudioSliceFlags(rawValue: 8)
    /// Takes the place of what plays and waits.
    public static let scheduledAudioSliceFlag_Interrupt = AUScheduledAudioSliceFlags(rawValue: 0x10)
    /// Ends the loop that plays with the pass it is in.
    public static let scheduledAudioSliceFlag_InterruptAtLoop = AUScheduledAudioSliceFlags(rawValue: 0x20)
}

/// Called when a slice is done with, on a queue of the player's own: reference, slice. A Swift function, because
/// `@convention(c)` does not take pointers to Swift's structures.
public typealias ScheduledAudioSliceCompletionProc =
    @Sendable (UnsafeMutableRawPointer?, UnsafeMutablePointer<ScheduledAudioSlice>) -> Void

/// A stretch of memory to play; data of `kAudioUnitProperty_ScheduleAudioSlice`.
public struct ScheduledAudioSlice: @unchecked Sendable {
    /// The sample time of the player at which it begins; without a valid one it begins behind what is scheduled.
    public var mTimeStamp: AudioTimeStamp
    /// Called when it is done with.
    public var mCompletionProc: ScheduledAudioSliceCompletionProc?
    /// The function's first argument.
    public var mCompletionProcUserData: UnsafeMutableRawPointer?
    /// What is wanted, and what has become of it.
    public var mFlags: AUScheduledAudioSliceFlags
    /// Not used.
    public var mReserved: UInt32
    /// Not used.
    public var mReserved2: UnsafeMutableRawPointer?
    /// Frames.
    public var mNumberFrames: UInt32
    /// The sound, in the format of the output bus.
    public var mBufferList: UnsafeMutablePointer<AudioBufferList>

    /// All fields.
    public init(
        mTimeStamp: AudioTimeStamp, mCompletionProc: ScheduledAudioSliceCompletionProc?,
        mCompletionProcUserData: UnsafeMutableRawPointer?, mFlags: AUScheduledAudioSliceFlags, mReserved: UInt32,
        mReserved2: UnsafeMutableRawPointer?, mNumberFrames: UInt32, mBufferList: UnsafeMutablePointer<AudioBufferList>
    ) {
        self.mTimeStamp = mTimeStamp
        self.mCompletionProc = mCompletionProc
        self.mCompletionProcUserData = mCompletionProcUserData
        self.mFlags = mFlags
        self.mReserved = mReserved
        self.mReserved2 = mReserved2
        self.mNumberFrames = mNumberFrames
        self.mBufferList = mBufferList
    }
}
