// Players of sequences, in the C interface's spelling. Any thread but the audio thread. A handle that is not there
// gives `kAudio_ParamError`, a player without a sequence `kAudioToolboxErr_NoSequence`.

import OssicleMIDI
import OssicleProperties

private let players = HandleTable<SequencePlayer>()

private func withPlayer(_ handle: MusicPlayer, _ body: (SequencePlayer) throws(StatusError) -> Void) -> OSStatus {
    guard let player = players.object(of: handle) else { return kAudio_ParamError }
    return status { () throws(StatusError) in try body(player) }
}

extension SequencePlayer {
    fileprivate func requireSequence() throws(StatusError) {
        guard sequence != nil else { throw StatusError(kAudioToolboxErr_NoSequence) }
    }
}

/// Makes a player and writes its handle. It follows the engine of its sequence (`AVAudioEngine.musicSequence`), and the
/// machine's clock where there is none.
@discardableResult
public func NewMusicPlayer(_ outPlayer: UnsafeMutablePointer<MusicPlayer?>) -> OSStatus {
    outPlayer.pointee = players.add(SequencePlayer())
    return noErr
}

/// Stops a player and ends it.
@discardableResult
public func DisposeMusicPlayer(_ inPlayer: MusicPlayer) -> OSStatus {
    guard let player = players.remove(inPlayer) else { return kAudio_ParamError }
    player.sequence = nil
    return noErr
}

/// Gives a player its sequence, or none. Not while it plays: `kAudioToolboxErr_InvalidPlayerState`.
@discardableResult
public func MusicPlayerSetSequence(_ inPlayer: MusicPlayer, _ inSequence: MusicSequence?) -> OSStatus {
    withPlayer(inPlayer) { player throws(StatusError) in
        guard !player.isPlaying else { throw StatusError(kAudioToolboxErr_InvalidPlayerState) }
        guard let inSequence else {
            player.sequence = nil
            return
        }
        guard let sequence = SequenceHandles.sequences.object(of: inSequence) else {
            throw StatusError(kAudioToolboxErr_NoSequence)
        }
        player.sequence = sequence
    }
}

/// Writes the handle of a player's sequence; `nil` and `kAudioToolboxErr_NoSequence` without one.
@discardableResult
public func MusicPlayerGetSequence(
    _ inPlayer: MusicPlayer, _ outSequence: UnsafeMutablePointer<MusicSequence?>
) -> OSStatus {
    outSequence.pointee = nil
    return withPlayer(inPlayer) { player throws(StatusError) in
        guard let sequence = player.sequence, let handle = SequenceHandles.sequences.handle(of: sequence) else {
            throw StatusError(kAudioToolboxErr_NoSequence)
        }
        outSequence.pointee = handle
    }
}

/// Moves to a beat, also while it plays.
@discardableResult
public func MusicPlayerSetTime(_ inPlayer: MusicPlayer, _ inTime: MusicTimeStamp) -> OSStatus {
    withPlayer(inPlayer) { player throws(StatusError) in
        guard MIDITrack.beats.contains(inTime) else { throw StatusError(kAudio_ParamError) }
        player.beat = inTime
    }
}

/// Writes the beat it is at.
@discardableResult
public func MusicPlayerGetTime(_ inPlayer: MusicPlayer, _ outTime: UnsafeMutablePointer<MusicTimeStamp>) -> OSStatus {
    withPlayer(inPlayer) { outTime.pointee = $0.beat }
}

/// Writes the host time at which a beat is played. `kAudioToolboxErr_InvalidPlayerState` while it does not play.
@discardableResult
public func MusicPlayerGetHostTimeForBeats(
    _ inPlayer: MusicPlayer, _ inBeats: MusicTimeStamp, _ outHostTime: UnsafeMutablePointer<UInt64>
) -> OSStatus {
    outHostTime.pointee = 0
    return withPlayer(inPlayer) { player throws(StatusError) in
        try player.requireSequence()
        guard let time = player.hostTime(of: inBeats) else { throw StatusError(kAudioToolboxErr_InvalidPlayerState) }
        outHostTime.pointee = time
    }
}

/// Writes the beat that is played at a host time. `kAudioToolboxErr_InvalidPlayerState` while it does not play.
@discardableResult
public func MusicPlayerGetBeatsForHostTime(
    _ inPlayer: MusicPlayer, _ inHostTime: UInt64, _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
    outBeats.pointee = 0
    return withPlayer(inPlayer) { player throws(StatusError) in
        try player.requireSequence()
        guard let beat = player.beat(at: inHostTime) else { throw StatusError(kAudioToolboxErr_InvalidPlayerState) }
        outBeats.pointee = beat
    }
}

/// Makes ready what `MusicPlayerStart` would otherwise make.
@discardableResult
public func MusicPlayerPreroll(_ inPlayer: MusicPlayer) -> OSStatus {
    withPlayer(inPlayer) { player throws(StatusError) in
        try player.requireSequence()
        player.prepare()
    }
}

/// Plays from the beat it is at. Starting twice does nothing.
@discardableResult
public func MusicPlayerStart(_ inPlayer: MusicPlayer) -> OSStatus {
    withPlayer(inPlayer) { player throws(StatusError) in
        try StatusError.sequence { () throws(SequenceError) in try player.start() }
    }
}

/// Stops, ends what sounds, and keeps the beat.
@discardableResult
public func MusicPlayerStop(_ inPlayer: MusicPlayer) -> OSStatus {
    withPlayer(inPlayer) { player throws(StatusError) in
        try player.requireSequence()
        player.stop()
    }
}

/// Writes whether it was started and not stopped since, also behind the last event.
@discardableResult
public func MusicPlayerIsPlaying(
    _ inPlayer: MusicPlayer, _ outIsPlaying: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    withPlayer(inPlayer) { outIsPlaying.pointee = DarwinBoolean($0.isPlaying) }
}

/// Plays faster or slower than the tempo track says, from the next frame on. `kAudio_ParamError` for what is not above
/// 0.
@discardableResult
public func MusicPlayerSetPlayRateScalar(_ inPlayer: MusicPlayer, _ inScaleRate: Float64) -> OSStatus {
    withPlayer(inPlayer) { player throws(StatusError) in
        guard inScaleRate.isFinite, inScaleRate > 0 else { throw StatusError(kAudio_ParamError) }
        player.rate = inScaleRate
    }
}

/// Writes how much faster than the tempo track it plays. Default 1.
@discardableResult
public func MusicPlayerGetPlayRateScalar(
    _ inPlayer: MusicPlayer, _ outScaleRate: UnsafeMutablePointer<Float64>
) -> OSStatus {
    withPlayer(inPlayer) { outScaleRate.pointee = $0.rate }
}
