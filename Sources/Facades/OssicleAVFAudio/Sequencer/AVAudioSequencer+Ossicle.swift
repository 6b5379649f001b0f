// Additions to Apple's sequencer.

import OssicleCoreAudioTypes

extension AVAudioSequencer: OssicleAdditions {}

extension OssicleAdditions where Self: AVAudioSequencer {
    /// What the last call that cannot throw had to say; with an engine, the engine's `lastError`.
    public var lastError: (any Error)? {
        get { errors.last }
        set { errors.last = newValue }
    }
}
