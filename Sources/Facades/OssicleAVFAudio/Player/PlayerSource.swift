import OssicleRender

/// Where a scheduled sound's samples lie, and who keeps them there.
package struct PlayerSource {
    let samples: SampleSource
    let keeper: AnyObject
}

extension PlayerSource {
    /// The valid frames of a buffer. Deinterleaved 32-bit floats are played where they are, anything else from a copy
    /// in that form; `nil` for samples of no common form.
    package init?(_ buffer: AVAudioPCMBuffer, loops: Bool) {
        guard buffer.format.commonFormat != .otherFormat,
            let standard = buffer.converted(to: buffer.format.standardCounterpart),
            let channels = standard.floatChannelData
        else { return nil }
        let table = UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafePointer<Float>.self)
        self.init(
            samples: SampleSource(
                channels: table, channelCount: Int(standard.format.channelCount),
                frameCount: Int64(standard.frameLength), loops: loops),
            keeper: standard)
    }
}

extension AVAudioPCMBuffer {
    /// A buffer over the memory of one that never changes, which it keeps.
    convenience init?(viewing buffer: AVReadOnlyAudioPCMBuffer) {
        guard
            let list = buffer.withUnsafeAudioBufferList({ list in list.pointee.mBuffers.mDataByteSize > 0 ? list : nil }
            )
        else {
            self.init(pcmFormat: buffer.format, frameCapacity: 0)
            return
        }
        self.init(pcmFormat: buffer.format, bufferListNoCopy: list) { _ in withExtendedLifetime(buffer) {} }
    }
}
