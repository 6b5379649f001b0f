// Additions to Apple's buffers.

import OssicleCoreAudioTypes

extension AVAudioBuffer: OssicleAdditions {}

extension OssicleAdditions where Self: AVAudioCompressedBuffer {
    /// Why the buffer has no room; `nil` if it was made as asked.
    public var lastError: (any Error)? { refusal }
}

extension OssicleAdditions where Self: AVAudioPCMBuffer {
    /// The same frames in another form of samples, without dither: another type, interleaved or not. The buffer itself
    /// if the form is its own; nil if the rate or the number of channels differ, or a form is not linear PCM.
    public func converted(to other: AVAudioFormat) -> AVAudioPCMBuffer? {
        if other == format { return self }
        guard other.sampleRate == format.sampleRate, other.channelCount == format.channelCount, packing != nil,
            let copy = AVAudioPCMBuffer(pcmFormat: other, frameCapacity: max(frameLength, 1)), copy.packing != nil
        else { return nil }
        let frames = Int(frameLength)
        let planes = (0..<Int(format.channelCount)).map { _ in
            UnsafeMutablePointer<Double>.allocate(capacity: max(frames, 1))
        }
        defer { planes.forEach { $0.deallocate() } }
        load(planes, at: 0, frames: frames)
        copy.store(planes, at: 0, frames: frames)
        copy.frameLength = frameLength
        return copy
    }
}
