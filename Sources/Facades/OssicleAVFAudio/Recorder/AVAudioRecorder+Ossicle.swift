// Additions to Apple's recorder.

extension AVAudioRecorder: OssicleAdditions {}

extension OssicleAdditions where Self: AVAudioRecorder {
    /// Why the last call that answered false did so, or what could not be written; `nil` if nothing went wrong, or
    /// after it was set to `nil`. It also goes to standard error.
    public var lastError: (any Error)? {
        get { take.errors.last }
        set { take.errors.last = newValue }
    }
}
