// Sequences: tracks, time and callbacks, in the C interface's spelling. Any thread but the audio thread. A handle that
// is not there gives `kAudio_ParamError`, that of a track `kAudioToolboxErr_TrackNotFound`, in all of these functions.

import OssicleMIDI
import OssicleProperties

/// Makes an empty sequence and writes its handle.
@discardableResult
public func NewMusicSequence(_ outSequence: UnsafeMutablePointer<MusicSequence?>) -> OSStatus {
    outSequence.pointee = SequenceHandles.sequences.add(MIDISequence())
    return noErr
}

/// Ends a sequence's handle and those of its tracks. A player that plays it plays on.
@discardableResult
public func DisposeMusicSequence(_ inSequence: MusicSequence) -> OSStatus {
    SequenceHandles.remove(inSequence) ? noErr : kAudio_ParamError
}

// MARK: Tracks

/// Adds an empty track behind the others and writes its handle.
@discardableResult
public func MusicSequenceNewTrack(
    _ inSequence: MusicSequence, _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
    outTrack.pointee = nil
    return withSequence(inSequence) { outTrack.pointee = SequenceHandles.tracks.add($0.addTrack()) }
}

/// Takes a track out and ends its handle. `kAudioToolboxErr_TrackNotFound` for one of another sequence, and for the
/// tempo track, which stays.
@discardableResult
public func MusicSequenceDisposeTrack(_ inSequence: MusicSequence, _ inTrack: MusicTrack) -> OSStatus {
    withSequence(inSequence) { sequence throws(StatusError) in
        guard let track = SequenceHandles.tracks.object(of: inTrack), sequence.remove(track) else {
            throw StatusError(kAudioToolboxErr_TrackNotFound)
        }
        SequenceHandles.tracks.remove(inTrack)
    }
}

/// Writes the number of tracks, without the tempo track.
@discardableResult
public func MusicSequenceGetTrackCount(
    _ inSequence: MusicSequence, _ outNumberOfTracks: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    withSequence(inSequence) { outNumberOfTracks.pointee = UInt32(clamping: $0.tracks.count) }
}

/// Writes the handle of a track by its number, from 0. `kAudioToolboxErr_TrackIndexError` for a number there is not.
@discardableResult
public func MusicSequenceGetIndTrack(
    _ inSequence: MusicSequence, _ inTrackIndex: UInt32, _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
    outTrack.pointee = nil
    return withSequence(inSequence) { sequence throws(StatusError) in
        let tracks = sequence.tracks
        guard inTrackIndex < tracks.count else { throw StatusError(kAudioToolboxErr_TrackIndexError) }
        outTrack.pointee = SequenceHandles.tracks.add(tracks[Int(inTrackIndex)])
    }
}

/// Writes the number of a track. `kAudioToolboxErr_TrackNotFound` for one of another sequence, and for the tempo track.
@discardableResult
public func MusicSequenceGetTrackIndex(
    _ inSequence: MusicSequence, _ inTrack: MusicTrack, _ outTrackIndex: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    withSequence(inSequence) { sequence throws(StatusError) in
        guard let track = SequenceHandles.tracks.object(of: inTrack),
            let index = sequence.tracks.firstIndex(where: { $0 === track })
        else { throw StatusError(kAudioToolboxErr_TrackNotFound) }
        outTrackIndex.pointee = UInt32(clamping: index)
    }
}

/// Writes the handle of the tempo track.
@discardableResult
public func MusicSequenceGetTempoTrack(
    _ inSequence: MusicSequence, _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
    outTrack.pointee = nil
    return withSequence(inSequence) { outTrack.pointee = SequenceHandles.tracks.add($0.tempoTrack) }
}

/// Has all tracks played at a MIDI endpoint.
@discardableResult
public func MusicSequenceSetMIDIEndpoint(_ inSequence: MusicSequence, _ inEndpoint: MIDIEndpointRef) -> OSStatus {
    withSequence(inSequence) { sequence in
        sequence.endpoint = inEndpoint
        for track in sequence.tracks { track.set(\.destination, .endpoint(inEndpoint)) }
    }
}

// MARK: Time

/// Says what beats are. Default `.beats`.
@discardableResult
public func MusicSequenceSetSequenceType(_ inSequence: MusicSequence, _ inType: MusicSequenceType) -> OSStatus {
    withSequence(inSequence) { $0.timeKind = MIDISequence.TimeKind(rawValue: inType.rawValue) ?? .beats }
}

/// Writes what beats are.
@discardableResult
public func MusicSequenceGetSequenceType(
    _ inSequence: MusicSequence, _ outType: UnsafeMutablePointer<MusicSequenceType>
) -> OSStatus {
    withSequence(inSequence) { outType.pointee = MusicSequenceType(rawValue: $0.timeKind.rawValue) ?? .beats }
}

/// Turns the music around, tempi included.
@discardableResult
public func MusicSequenceReverse(_ inSequence: MusicSequence) -> OSStatus {
    withSequence(inSequence) { $0.reverse() }
}

/// Writes the time of a beat in seconds, by the tempo track.
@discardableResult
public func MusicSequenceGetSecondsForBeats(
    _ inSequence: MusicSequence, _ inBeats: MusicTimeStamp, _ outSeconds: UnsafeMutablePointer<Float64>
) -> OSStatus {
    withSequence(inSequence) { outSeconds.pointee = $0.tempoMap.seconds(at: inBeats) }
}

/// Writes the beat at a time in seconds, by the tempo track.
@discardableResult
public func MusicSequenceGetBeatsForSeconds(
    _ inSequence: MusicSequence, _ inSeconds: Float64, _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
    withSequence(inSequence) { outBeats.pointee = $0.tempoMap.beat(at: inSeconds) }
}

/// Writes the bar, note and part of a note at a beat, by the time signatures. `kAudio_ParamError` for a divisor that is
/// not 1 … 65,535.
@discardableResult
public func MusicSequenceBeatsToBarBeatTime(
    _ inSequence: MusicSequence, _ inBeats: MusicTimeStamp, _ inSubbeatDivisor: UInt32,
    _ outBarBeatTime: UnsafeMutablePointer<CABarBeatTime>
) -> OSStatus {
    withSequence(inSequence) { sequence throws(StatusError) in
        guard let divisor = UInt16(exactly: inSubbeatDivisor), divisor > 0 else { throw StatusError(kAudio_ParamError) }
        let position = sequence.meterMap.position(of: inBeats)
        let part = (position.fraction * Double(divisor) + 1e-9).rounded(.down)
        outBarBeatTime.pointee = CABarBeatTime(
            bar: Int32(clamping: position.bar), beat: UInt16(clamping: position.note),
            subbeat: UInt16(min(part, Double(divisor) - 1)), subbeatDivisor: divisor, reserved: 0)
    }
}

/// Writes the beat of a bar, note and part of a note.
@discardableResult
public func MusicSequenceBarBeatTimeToBeats(
    _ inSequence: MusicSequence, _ inBarBeatTime: UnsafePointer<CABarBeatTime>,
    _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
    withSequence(inSequence) { sequence in
        let time = inBarBeatTime.pointee
        let fraction = time.subbeatDivisor > 0 ? Double(time.subbeat) / Double(time.subbeatDivisor) : 0
        outBeats.pointee = sequence.meterMap.beat(
            of: MeterMap.Position(bar: Int(time.bar), note: Int(time.beat), fraction: fraction))
    }
}

/// SMPTE time as a file's resolution: frames per second (24, 25, 29 or 30, with either sign) and ticks of a frame.
public func MusicSequenceSetSMPTEResolution(_ fps: Int8, _ ticks: UInt8) -> Int16 {
    let frames = fps > 0 ? -Int16(fps) : Int16(fps)
    return Int16(truncatingIfNeeded: Int(frames) << 8 | Int(ticks))
}

/// Writes the frames per second, below 0, and the ticks of a frame.
public func MusicSequenceGetSMPTEResolution(
    _ inRes: Int16, _ fps: UnsafeMutablePointer<Int8>, _ ticks: UnsafeMutablePointer<UInt8>
) {
    fps.pointee = Int8(truncatingIfNeeded: inRes >> 8)
    ticks.pointee = UInt8(truncatingIfNeeded: inRes)
}

// MARK: Callbacks and facts

/// Has a function called for every user event that is played; `nil` for none.
@discardableResult
public func MusicSequenceSetUserCallback(
    _ inSequence: MusicSequence, _ inCallback: MusicSequenceUserCallback?,
    _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    withSequence(inSequence) { sequence in
        guard let inCallback else {
            sequence.userCallback = nil
            return
        }
        nonisolated(unsafe) let (data, handle, callback) = (inClientData, inSequence, inCallback)
        sequence.userCallback = { track, bytes, beat, slice in
            let event = TrackEvent.Kind.user(bytes).memory.bytes + [0, 0, 0, 0]
            event.withUnsafeBytes { memory in
                guard let head = memory.baseAddress?.assumingMemoryBound(to: MusicEventUserData.self) else { return }
                callback(
                    data, handle, SequenceHandles.tracks.add(track), beat, head, slice.lowerBound, slice.upperBound)
            }
        }
    }
}

/// Title, tempo, length and the like, by `kAFInfoDictionary_`… keys; empty for a handle that is not there.
public func MusicSequenceGetInfoDictionary(_ inSequence: MusicSequence) -> CFDictionary {
    let dictionary = NSMutableDictionary()
    guard let sequence = SequenceHandles.sequences.object(of: inSequence) else { return dictionary }
    let info = SequenceInfo(sequence)
    for (key, value) in info.texts { dictionary[key as NSString] = value as NSString }
    return dictionary
}
