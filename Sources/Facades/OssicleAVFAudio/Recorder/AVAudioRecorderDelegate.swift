/// Receives what becomes of a recorder: on the main queue, or where `OfflineAudioDevice` renders it on the thread that
/// renders or stops it. Every method may be left out.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
    /// The recording is over and its file is closed, after `stop()`, at the end of its duration, or after an error.
    /// `flag` is false where not all could be written.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
    /// Something could not be written, for instance on a full disk; what was written until then stays.
    /// `audioRecorderDidFinishRecording` follows.
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
    /// The session was interrupted, and the recorder paused. Apple has deprecated it for the session's notifications.
    func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder)
    /// The interruption is over; `flags` is 1 where recording may go on. Apple has deprecated it for the session's notifications.
    func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int)
}

extension AVAudioRecorderDelegate {
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
    public func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder) {}
    public func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int) {}
}
