// Additions to Apple's tracks: recording.

import OssicleCoreAudioTypes
import OssicleMIDI

extension AVMusicTrack: OssicleAdditions {}

extension OssicleAdditions where Self: AVMusicTrack {
    /// Takes a MIDI 1.0 message that was just played into the track, at the beat its sequencer is at. A note is there
    /// once its note-off has come. What is no message is recorded as an error.
    public func record(_ message: [UInt8]) { recordMessage(message, at: nil) }

    /// Takes a MIDI 1.0 message into the track, at the beat that is played at a host time; while its sequencer does not
    /// play, at the beat it is at.
    public func record(_ message: [UInt8], atHostTime hostTime: UInt64) { recordMessage(message, at: hostTime) }

    /// Ends the notes that are still held, at the beat the sequencer is at.
    public func finishRecording() { finishMessages() }
}
