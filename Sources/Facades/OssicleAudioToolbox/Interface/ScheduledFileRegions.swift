// The audio file player: properties, and the regions of files that it plays.

import OssicleCoreAudioTypes

/// The files that are to be played, before regions of them are scheduled. Global; an array of `AudioFileID`.
public let kAudioUnitProperty_ScheduledFileIDs: AudioUnitPropertyID = 3310
/// A region to play. Global; `ScheduledAudioFileRegion`, write only. It stays where it is until its completion.
public let kAudioUnitProperty_ScheduledFileRegion: AudioUnitPropertyID = 3311
/// Reads that many frames of what is scheduled before it returns, 0 for half a second. Global; `UInt32`, write only.
public let kAudioUnitProperty_ScheduledFilePrime: AudioUnitPropertyID = 3312
/// Frames of a buffer of files; held, and nothing follows it. Global; `UInt32`.
public let kAudioUnitProperty_ScheduledFileBufferSizeFrames: AudioUnitPropertyID = 3313
/// Buffers of files; held, and nothing follows it. Global; `UInt32`.
public let kAudioUnitProperty_ScheduledFileNumberBuffers: AudioUnitPropertyID = 3314

/// Called when a region is done with, on a queue of the player's own: reference, region, and why it was not played to
/// its end. A Swift function, because `@convention(c)` does not take pointers to Swift's structures.
public typealias ScheduledAudioFileRegionCompletionProc =
    @Sendable (UnsafeMutableRawPointer?, UnsafeMutablePointer<ScheduledAudioFileRegion>, OSStatus) -> Void

/// A region of a file to play; data of `kAudioUnitProperty_ScheduledFileRegion`.
public struct ScheduledAudioFileRegion: @unchecked Sendable {
    /// The sample time of the player at which it begins; without a valid one, or below 0, it begins behind what is
    /// scheduled.
    public var mTimeStamp: AudioTimeStamp
    /// Called when it is done with.
    public var mCompletionProc: ScheduledAudioFileRegionCompletionProc?
    /// The function's first argument.
    public var mCompletionProcUserData: UnsafeMutableRawPointer?
    /// One of the files of `kAudioUnitProperty_ScheduledFileIDs`. It may be closed once the region is scheduled.
    public var mAudioFile: AudioFileID
    /// How often the region follows itself; `UInt32.max` for ever.
    public var mLoopCount: UInt32
    /// The first frame, counted at the file's rate.
    public var mStartFrame: Int64
    /// Frames, counted at the file's rate; what lies behind the file's end is left out.
    public var mFramesToPlay: UInt32

    /// All fields.
    public init(
        mTimeStamp: AudioTimeStamp, mCompletionProc: ScheduledAudioFileRegionCompletionProc?,
        mCompletionProcUserData: UnsafeMutableRawPointer?, mAudioFile: AudioFileID, mLoopCount: UInt32,
        mStartFrame: Int64, mFramesToPlay: UInt32
    ) {
        self.mTimeStamp = mTimeStamp
        self.mCompletionProc = mCompletionProc
        self.mCompletionProcUserData = mCompletionProcUserData
        self.mAudioFile = mAudioFile
        self.mLoopCount = mLoopCount
        self.mStartFrame = mStartFrame
        self.mFramesToPlay = mFramesToPlay
    }
}
