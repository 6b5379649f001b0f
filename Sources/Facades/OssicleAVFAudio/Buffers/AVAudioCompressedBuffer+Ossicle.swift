// Additions to Apple's buffer of packets.

import OssicleCoreAudioTypes

extension AVAudioBuffer: OssicleAdditions {}

extension OssicleAdditions where Self: AVAudioCompressedBuffer {
    /// Why the buffer has no room; `nil` if it was made as asked.
    public var lastError: (any Error)? { refusal }
}
