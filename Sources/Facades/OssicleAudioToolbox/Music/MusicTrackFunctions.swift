// Tracks: settings, ranges, new events, in the C interface's spelling. Any thread but the audio thread.

import OssicleMIDI
import OssicleProperties

/// Writes the handle of a track's sequence.
@discardableResult
public func MusicTrackGetSequence(
    _ inTrack: MusicTrack, _ outSequence: UnsafeMutablePointer<MusicSequence?>
) -> OSStatus {
    outSequence.pointee = nil
    return withTrack(inTrack) { track throws(StatusError) in
        guard let sequence = SequenceHandles.sequence(of: track) else {
            throw StatusError(kAudioToolboxErr_TrackNotFound)
        }
        outSequence.pointee = sequence
    }
}

/// Has a track played at a MIDI endpoint, and not elsewhere.
@discardableResult
public func MusicTrackSetDestMIDIEndpoint(_ inTrack: MusicTrack, _ inEndpoint: MIDIEndpointRef) -> OSStatus {
    withTrack(inTrack) { $0.set(\.destination, .endpoint(inEndpoint)) }
}

/// Writes the endpoint of a track. `kAudioToolboxErr_IllegalTrackDestination` where it is played elsewhere.
@discardableResult
public func MusicTrackGetDestMIDIEndpoint(
    _ inTrack: MusicTrack, _ outEndpoint: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
    withTrack(inTrack) { track throws(StatusError) in
        guard case .endpoint(let endpoint) = track.settings.destination else {
            throw StatusError(kAudioToolboxErr_IllegalTrackDestination)
        }
        outEndpoint.pointee = endpoint
    }
}

// MARK: Ranges

/// Beats from one up to, not including, another; the end of a track is beyond all events.
private func range(_ start: MusicTimeStamp, _ end: MusicTimeStamp) throws(StatusError) -> Range<Double> {
    guard start <= end, start.isFinite else { throw StatusError(kAudio_ParamError) }
    return start..<min(end, MIDITrack.beats.upperBound.nextUp)
}

/// Moves the events of a range by some beats. `kAudio_ParamError` for a range that ends before it begins, as in all of
/// these functions.
@discardableResult
public func MusicTrackMoveEvents(
    _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp, _ inMoveTime: MusicTimeStamp
) -> OSStatus {
    withTrack(inTrack) { track throws(StatusError) in
        let range = try range(inStartTime, inEndTime)
        try StatusError.sequence { () throws(SequenceError) in try track.moveEvents(in: range, by: inMoveTime) }
    }
}

/// Takes the events of a range out, and leaves a gap.
@discardableResult
public func MusicTrackClear(
    _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp
) -> OSStatus {
    withTrack(inTrack) { track throws(StatusError) in track.clearEvents(in: try range(inStartTime, inEndTime)) }
}

/// Takes a range out, and closes the gap.
@discardableResult
public func MusicTrackCut(
    _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp
) -> OSStatus {
    withTrack(inTrack) { track throws(StatusError) in track.cutEvents(in: try range(inStartTime, inEndTime)) }
}

/// Copies a range to a beat of another track, whose events from there on make room.
@discardableResult
public func MusicTrackCopyInsert(
    _ inSourceTrack: MusicTrack, _ inSourceStartTime: MusicTimeStamp, _ inSourceEndTime: MusicTimeStamp,
    _ inDestTrack: MusicTrack, _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
    copy(inSourceTrack, (inSourceStartTime, inSourceEndTime), to: inDestTrack, at: inDestInsertTime, isInserted: true)
}

/// Copies a range to a beat of another track, among the events that are there.
@discardableResult
public func MusicTrackMerge(
    _ inSourceTrack: MusicTrack, _ inSourceStartTime: MusicTimeStamp, _ inSourceEndTime: MusicTimeStamp,
    _ inDestTrack: MusicTrack, _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
    copy(inSourceTrack, (inSourceStartTime, inSourceEndTime), to: inDestTrack, at: inDestInsertTime, isInserted: false)
}

private func copy(
    _ source: MusicTrack, _ bounds: (start: Double, end: Double), to target: MusicTrack, at beat: Double,
    isInserted: Bool
) -> OSStatus {
    withTrack(target) { target throws(StatusError) in
        guard let source = SequenceHandles.tracks.object(of: source) else {
            throw StatusError(kAudioToolboxErr_TrackNotFound)
        }
        let range = try range(bounds.start, bounds.end)
        try StatusError.sequence { () throws(SequenceError) in
            try target.copyEvents(in: range, from: source, to: beat, isInserted: isInserted)
        }
    }
}

// MARK: New events

private func add(_ type: MusicEventType, _ memory: UnsafeRawPointer, to track: MusicTrack, at beat: Double) -> OSStatus
{
    withTrack(track) { track throws(StatusError) in
        let kind = try TrackEvent.Kind(type, memory)
        try StatusError.sequence { () throws(SequenceError) in _ = try track.add(TrackEvent(beat: beat, kind)) }
    }
}

/// Adds a note. `kAudioToolboxErr_InvalidEventType` in the tempo track, `kAudio_ParamError` for values out of range, as
/// in all of these functions.
@discardableResult
public func MusicTrackNewMIDINoteEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inMessage: UnsafePointer<MIDINoteMessage>
) -> OSStatus { add(kMusicEventType_MIDINoteMessage, inMessage, to: inTrack, at: inTimeStamp) }

/// Adds another channel message.
@discardableResult
public func MusicTrackNewMIDIChannelEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inMessage: UnsafePointer<MIDIChannelMessage>
) -> OSStatus { add(kMusicEventType_MIDIChannelMessage, inMessage, to: inTrack, at: inTimeStamp) }

/// Adds bytes, such as a system exclusive message with 0xF0 and 0xF7.
@discardableResult
public func MusicTrackNewMIDIRawDataEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inRawData: UnsafePointer<MIDIRawData>
) -> OSStatus { add(kMusicEventType_MIDIRawData, inRawData, to: inTrack, at: inTimeStamp) }

/// Adds a note whose pitch and velocity may be fractions; players round them for MIDI.
@discardableResult
public func MusicTrackNewExtendedNoteEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inInfo: UnsafePointer<ExtendedNoteOnEvent>
) -> OSStatus { add(kMusicEventType_ExtendedNote, inInfo, to: inTrack, at: inTimeStamp) }

/// Adds a value of a parameter of the track's unit.
@discardableResult
public func MusicTrackNewParameterEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inInfo: UnsafePointer<ParameterEvent>
) -> OSStatus { add(kMusicEventType_Parameter, inInfo, to: inTrack, at: inTimeStamp) }

/// Adds a tempo in beats per minute, above 0, to the tempo track. `kAudioToolboxErr_InvalidEventType` in another.
@discardableResult
public func MusicTrackNewExtendedTempoEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inBPM: Float64
) -> OSStatus {
    var tempo = ExtendedTempoEvent(bpm: inBPM)
    return add(kMusicEventType_ExtendedTempo, &tempo, to: inTrack, at: inTimeStamp)
}

/// Adds a meta event. Tempi, time signatures and SMPTE offsets belong to the tempo track.
@discardableResult
public func MusicTrackNewMetaEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inMetaEvent: UnsafePointer<MIDIMetaEvent>
) -> OSStatus { add(kMusicEventType_Meta, inMetaEvent, to: inTrack, at: inTimeStamp) }

/// Adds bytes for the sequence's callback.
@discardableResult
public func MusicTrackNewUserEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inUserData: UnsafePointer<MusicEventUserData>
) -> OSStatus { add(kMusicEventType_User, inUserData, to: inTrack, at: inTimeStamp) }

/// Adds a preset of the track's unit, which the track keeps.
@discardableResult
public func MusicTrackNewAUPresetEvent(
    _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inPresetEvent: UnsafePointer<AUPresetEvent>
) -> OSStatus { add(kMusicEventType_AUPreset, inPresetEvent, to: inTrack, at: inTimeStamp) }
