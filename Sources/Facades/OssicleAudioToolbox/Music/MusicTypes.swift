// The scalar types and numbers of sequences and players.

import OssicleCoreAudioTypes

/// A time in beats. In sequences of seconds, seconds.
public typealias MusicTimeStamp = Float64
/// A player of a sequence. A handle: nothing lies at its address.
public typealias MusicPlayer = OpaquePointer
/// A sequence. A handle.
public typealias MusicSequence = OpaquePointer
/// A track of a sequence. A handle.
public typealias MusicTrack = OpaquePointer
/// A place in a track. A handle.
public typealias MusicEventIterator = OpaquePointer
/// Kind of an event, one of `kMusicEventType_`….
public typealias MusicEventType = UInt32

/// Called with a user event when it is played: client data, sequence, track, beat of the event, the event, and the
/// beats between which is played. On a queue of Ossicle's own, after the fact.
public typealias MusicSequenceUserCallback = (
    UnsafeMutableRawPointer?, MusicSequence, MusicTrack, MusicTimeStamp, UnsafePointer<MusicEventUserData>,
    MusicTimeStamp, MusicTimeStamp
) -> Void

/// What beats of a sequence are.
public enum MusicSequenceType: UInt32, Sendable {
    /// Quarter notes, as long as the tempo track says. (`beat`)
    case beats = 0x6265_6174
    /// Seconds; the tempo track is not followed. (`secs`)
    case seconds = 0x7365_6373
    /// Seconds, of music for sampled sound. (`samp`)
    case samples = 0x7361_6D70
}

/// Kind of a file.
public enum MusicSequenceFileTypeID: UInt32, Sendable {
    /// Whatever it is.
    case anyType = 0
    /// A standard MIDI file. (`midi`)
    case midiType = 0x6D69_6469
    /// An iMelody file. (`imel`) Not read.
    case iMelodyType = 0x696D_656C
}

/// How a file is read.
public struct MusicSequenceLoadFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A track for each channel, and a last one for what has none.
    public static let smf_ChannelsToTracks = MusicSequenceLoadFlags(rawValue: 1)
}

/// How a file is written.
public struct MusicSequenceFileFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A file that is there is replaced.
    public static let eraseFile = MusicSequenceFileFlags(rawValue: 1)
}

/// Behind every event.
public let kMusicTimeStamp_EndOfTrack = Double.greatestFiniteMagnitude

/// No event.
public let kMusicEventType_NULL: UInt32 = 0
/// `ExtendedNoteOnEvent`.
public let kMusicEventType_ExtendedNote: UInt32 = 1
/// `ExtendedTempoEvent`.
public let kMusicEventType_ExtendedTempo: UInt32 = 3
/// `MusicEventUserData`.
public let kMusicEventType_User: UInt32 = 4
/// `MIDIMetaEvent`.
public let kMusicEventType_Meta: UInt32 = 5
/// `MIDINoteMessage`.
public let kMusicEventType_MIDINoteMessage: UInt32 = 6
/// `MIDIChannelMessage`.
public let kMusicEventType_MIDIChannelMessage: UInt32 = 7
/// `MIDIRawData`.
public let kMusicEventType_MIDIRawData: UInt32 = 8
/// `ParameterEvent`.
public let kMusicEventType_Parameter: UInt32 = 9
/// `AUPresetEvent`.
public let kMusicEventType_AUPreset: UInt32 = 10

/// How often the end of a track is repeated; `MusicTrackLoopInfo`.
public let kSequenceTrackProperty_LoopInfo: UInt32 = 0
/// Beats by which a track begins later; `MusicTimeStamp`.
public let kSequenceTrackProperty_OffsetTime: UInt32 = 1
/// Whether a track is silent; `Boolean`.
public let kSequenceTrackProperty_MuteStatus: UInt32 = 2
/// Whether only this track and others with it on are heard; `Boolean`.
public let kSequenceTrackProperty_SoloStatus: UInt32 = 3
/// Whether a track holds parameters that glide; `UInt32`.
public let kSequenceTrackProperty_AutomatedParameters: UInt32 = 4
/// Length of a track, at least to the end of its last event; `MusicTimeStamp`.
public let kSequenceTrackProperty_TrackLength: UInt32 = 5
/// Ticks of a beat in a file; `Int16`, of the tempo track, read only.
public let kSequenceTrackProperty_TimeResolution: UInt32 = 6

// MARK: Errors

/// There is no such node in the graph.
public let kAUGraphErr_NodeNotFound: OSStatus = -10860
/// The connection is not possible.
public let kAUGraphErr_InvalidConnection: OSStatus = -10861
/// The graph has no single output.
public let kAUGraphErr_OutputNodeErr: OSStatus = -10862
/// Not possible at this moment; try again later.
public let kAUGraphErr_CannotDoInCurrentContext: OSStatus = -10863
/// The unit does not fit the graph.
public let kAUGraphErr_InvalidAudioUnit: OSStatus = -10864
/// A file of no known kind, or a sequence of the wrong type.
public let kAudioToolboxErr_InvalidSequenceType: OSStatus = -10846
/// The player plays, or does not.
public let kAudioToolboxErr_InvalidPlayerState: OSStatus = -10852
/// The track cannot have such an event.
public let kAudioToolboxErr_InvalidEventType: OSStatus = -10853
/// The player has no sequence.
public let kAudioToolboxErr_NoSequence: OSStatus = -10854
/// The track cannot be played there.
public let kAudioToolboxErr_IllegalTrackDestination: OSStatus = -10855
/// The iterator stands at the first event.
public let kAudioToolboxErr_StartOfTrack: OSStatus = -10856
/// The iterator stands behind the last event.
public let kAudioToolboxErr_EndOfTrack: OSStatus = -10857
/// There is no such track.
public let kAudioToolboxErr_TrackNotFound: OSStatus = -10858
/// There is no track of this number.
public let kAudioToolboxErr_TrackIndexError: OSStatus = -10859
/// Not possible at this moment; try again later.
public let kAudioToolboxErr_CannotDoInCurrentContext: OSStatus = -10863
/// The track has no destination.
public let kAudioToolboxError_NoTrackDestination: OSStatus = -66720
