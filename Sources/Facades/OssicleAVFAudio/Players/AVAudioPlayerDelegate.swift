/// Receives what becomes of a player: on the main queue, or where `OfflineAudioDevice` renders it on the thread that
/// renders. Every method may be left out.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// The sound has come to its end, its loops included; not after `stop()` or `pause()`. `flag` is false where the
    /// file broke off.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    /// The file could not be decoded any further; `audioPlayerDidFinishPlaying` follows.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
    /// The session was interrupted, and the player paused. Apple has deprecated it for the session's notifications.
    func audioPlayerBeginInterruption(_ player: AVAudioPlayer)
    /// The interruption is over; `flags` is 1 where playing may go on. Apple has deprecated it for the session's notifications.
    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int)
}

extension AVAudioPlayerDelegate {
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
    public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {}
    public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {}
}
