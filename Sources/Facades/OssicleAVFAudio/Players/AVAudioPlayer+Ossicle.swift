// Additions to Apple's player.

extension AVAudioPlayer: OssicleAdditions {}

extension OssicleAdditions where Self: AVAudioPlayer {
    /// Why the last call that answered false did so, or why the file broke off; `nil` if nothing went wrong, or after
    /// it was set to `nil`. It also goes to standard error.
    public var lastError: (any Error)? {
        get { voice.errors.last }
        set { voice.errors.last = newValue }
    }
}
