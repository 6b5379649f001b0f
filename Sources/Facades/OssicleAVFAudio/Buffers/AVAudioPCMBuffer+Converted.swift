import OssicleCoreAudioTypes

extension AVAudioPCMBuffer {
    /// The same frames in another form of samples; nil if the rate or the number of channels differ, or a form is not known.
    func converted(to other: AVAudioFormat) -> AVAudioPCMBuffer? {
        if other == format { return self }
        guard other.sampleRate == format.sampleRate, other.channelCount == format.channelCount, packing != nil,
              let copy = AVAudioPCMBuffer(pcmFormat: other, frameCapacity: max(frameLength, 1)), copy.packing != nil else { return nil }
        let frames = Int(frameLength)
        let planes = (0..<Int(format.channelCount)).map { _ in UnsafeMutablePointer<Double>.allocate(capacity: max(frames, 1)) }
        defer { planes.forEach { $0.deallocate() } }
        load(planes, at: 0, frames: frames)
        copy.store(planes, at: 0, frames: frames)
        copy.frameLength = frameLength
        return copy
    }
}
