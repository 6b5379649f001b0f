// The small types of sequencers.

import OssicleAudioToolbox

/// How a MIDI file is read.
public struct AVMusicSequenceLoadOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// The set with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A track for each track of the file.
    public static let smf_PreserveTracks: AVMusicSequenceLoadOptions = []
    /// A track for each channel, and a last one for what has none.
    public static let smf_ChannelsToTracks = AVMusicSequenceLoadOptions(rawValue: 1)
}

/// Beats from one on, so many.
public struct _AVBeatRange: Hashable, Sendable {
    /// The first beat.
    public var start: AVMusicTimeStamp
    /// Number of beats; `AVMusicTimeStampEndOfTrack` for all there are.
    public var length: AVMusicTimeStamp

    /// No beats.
    public init() { (start, length) = (0, 0) }

    /// Beats from one on.
    public init(start: AVMusicTimeStamp, length: AVMusicTimeStamp) { (self.start, self.length) = (start, length) }
}

/// Beats from one on, so many.
public typealias AVBeatRange = _AVBeatRange

/// Beats from `startBeat` on, `lengthInBeats` many.
public func AVMakeBeatRange(_ startBeat: AVMusicTimeStamp, _ lengthInBeats: AVMusicTimeStamp) -> AVBeatRange {
    AVBeatRange(start: startBeat, length: lengthInBeats)
}

/// Behind every event.
public let AVMusicTimeStampEndOfTrack = Double.greatestFiniteMagnitude

/// Called with a user event that was played: its track, bytes and beat. On a queue of Ossicle's own, after the fact.
public typealias AVAudioSequencerUserCallback = (AVMusicTrack, Data, AVMusicTimeStamp) -> Void

/// Gets one event after the other, with its beat and a flag to have it removed. What it changes in the event and the
/// beat is taken over.
public typealias AVMusicEventEnumerationBlock = (
    AVMusicEvent, UnsafeMutablePointer<AVMusicTimeStamp>, UnsafeMutablePointer<ObjCBool>
) -> Void

/// How often a loop is played.
public enum AVMusicTrackLoopCount: Int, Sendable {
    /// Without an end.
    case forever = -1
}
