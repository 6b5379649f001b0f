// Iterators, in the C interface's spelling. Any thread but the audio thread. A handle that is not there gives
// `kAudio_ParamError`.

import OssicleMIDI
import OssicleProperties

private func withIterator(
    _ handle: MusicEventIterator, _ body: (inout EventIterator) throws(StatusError) -> Void
) -> OSStatus {
    guard let iterator = MusicIterator.table.object(of: handle) else { return kAudio_ParamError }
    return status { () throws(StatusError) in try iterator.alone(body) }
}

/// Makes an iterator at a track's first event and writes its handle.
@discardableResult
public func NewMusicEventIterator(
    _ inTrack: MusicTrack, _ outIterator: UnsafeMutablePointer<MusicEventIterator?>
) -> OSStatus {
    outIterator.pointee = nil
    return withTrack(inTrack) { outIterator.pointee = MusicIterator.table.add(MusicIterator($0)) }
}

/// Ends an iterator.
@discardableResult
public func DisposeMusicEventIterator(_ inIterator: MusicEventIterator) -> OSStatus {
    MusicIterator.table.remove(inIterator) == nil ? kAudio_ParamError : noErr
}

/// Moves to the first event at a beat or later, or behind the last.
@discardableResult
public func MusicEventIteratorSeek(_ inIterator: MusicEventIterator, _ inTimeStamp: MusicTimeStamp) -> OSStatus {
    withIterator(inIterator) { place throws(StatusError) in
        guard !inTimeStamp.isNaN else { throw StatusError(kAudio_ParamError) }
        place.seek(inTimeStamp)
    }
}

/// Moves to the next event, or behind the last; `kAudioToolboxErr_EndOfTrack` where it stands there already.
@discardableResult
public func MusicEventIteratorNextEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    withIterator(inIterator) { place throws(StatusError) in
        guard place.next() else { throw StatusError(kAudioToolboxErr_EndOfTrack) }
    }
}

/// Moves to the event before; `kAudioToolboxErr_StartOfTrack` where there is none.
@discardableResult
public func MusicEventIteratorPreviousEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    withIterator(inIterator) { place throws(StatusError) in
        guard place.back() else { throw StatusError(kAudioToolboxErr_StartOfTrack) }
    }
}

/// Writes beat, kind, address and size of the event it stands at. The memory is valid until the next such call with
/// this iterator. `kAudioToolboxErr_EndOfTrack` behind the last event.
@discardableResult
public func MusicEventIteratorGetEventInfo(
    _ inIterator: MusicEventIterator, _ outTimeStamp: UnsafeMutablePointer<MusicTimeStamp>,
    _ outEventType: UnsafeMutablePointer<MusicEventType>, _ outEventData: UnsafeMutablePointer<UnsafeRawPointer?>,
    _ outEventDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    guard let iterator = MusicIterator.table.object(of: inIterator) else { return kAudio_ParamError }
    return status { () throws(StatusError) in
        let event = try iterator.give()
        outTimeStamp.pointee = event.beat
        outEventType.pointee = event.type
        outEventData.pointee = event.bytes.baseAddress
        outEventDataSize.pointee = UInt32(clamping: event.bytes.count)
    }
}

/// Replaces the event it stands at, also by one of another kind. Errors as in `MusicTrackNewMIDINoteEvent`.
@discardableResult
public func MusicEventIteratorSetEventInfo(
    _ inIterator: MusicEventIterator, _ inEventType: MusicEventType, _ inEventData: UnsafeRawPointer
) -> OSStatus {
    withIterator(inIterator) { place throws(StatusError) in
        let kind = try TrackEvent.Kind(inEventType, inEventData), iterator = place
        guard iterator.current != nil else { throw StatusError(kAudioToolboxErr_EndOfTrack) }
        try StatusError.sequence { () throws(SequenceError) in try iterator.replace(with: kind) }
    }
}

/// Moves the event it stands at to another beat, and goes along.
@discardableResult
public func MusicEventIteratorSetEventTime(_ inIterator: MusicEventIterator, _ inTimeStamp: MusicTimeStamp) -> OSStatus
{
    withIterator(inIterator) { place throws(StatusError) in
        guard place.current != nil else { throw StatusError(kAudioToolboxErr_EndOfTrack) }
        try StatusError.sequence { () throws(SequenceError) in try place.move(to: inTimeStamp) }
    }
}

/// Takes the event it stands at out, and stands at the next.
@discardableResult
public func MusicEventIteratorDeleteEvent(_ inIterator: MusicEventIterator) -> OSStatus {
    withIterator(inIterator) { place throws(StatusError) in
        guard place.current != nil else { throw StatusError(kAudioToolboxErr_EndOfTrack) }
        try StatusError.sequence { () throws(SequenceError) in try place.remove() }
    }
}

/// Writes whether there is an event before the place.
@discardableResult
public func MusicEventIteratorHasPreviousEvent(
    _ inIterator: MusicEventIterator, _ outHasPrevEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    withIterator(inIterator) { outHasPrevEvent.pointee = DarwinBoolean($0.previous != nil) }
}

/// Writes whether there is an event after the one it stands at.
@discardableResult
public func MusicEventIteratorHasNextEvent(
    _ inIterator: MusicEventIterator, _ outHasNextEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    withIterator(inIterator) { outHasNextEvent.pointee = DarwinBoolean($0.following != nil) }
}

/// Writes whether it stands at an event.
@discardableResult
public func MusicEventIteratorHasCurrentEvent(
    _ inIterator: MusicEventIterator, _ outHasCurEvent: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    withIterator(inIterator) { outHasCurEvent.pointee = DarwinBoolean($0.current != nil) }
}
