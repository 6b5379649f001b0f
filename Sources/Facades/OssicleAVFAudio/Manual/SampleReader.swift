import OssicleCoreAudioTypes

/// Reads samples of any linear PCM form into planes of 32-bit floats. Allocates nothing; any thread.
struct SampleReader {
    private let form: AVAudioCommonFormat
    private let channels: Int
    private let isInterleaved: Bool
    private let bytes: Int

    init(_ format: AVAudioFormat) {
        form = format.commonFormat
        channels = Int(format.channelCount)
        isInterleaved = format.isInterleaved
        bytes =
            switch form {
            case .pcmFormatFloat64: 8
            case .pcmFormatInt16: 2
            default: 4
            }
    }

    /// - Parameter stride: samples from one channel's plane to the next.
    /// - Returns: frames read: as many as the list holds, at most `frames`.
    func read(
        _ list: UnsafePointer<AudioBufferList>, _ frames: Int, to planes: UnsafeMutablePointer<Float>, stride: Int
    ) -> Int {
        let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        guard buffers.count >= (isInterleaved ? 1 : channels) else { return 0 }
        var held = frames
        for buffer in buffers.prefix(isInterleaved ? 1 : channels) {
            guard buffer.mData != nil else { return 0 }
            held = min(held, Int(buffer.mDataByteSize) / (bytes * (isInterleaved ? channels : 1)))
        }
        for channel in 0..<channels {
            guard let data = buffers[isInterleaved ? 0 : channel].mData else { return 0 }
            let step = isInterleaved ? channels : 1
            convert(data + (isInterleaved ? channel * bytes : 0), step, planes + channel * stride, held)
        }
        return held
    }

    private func convert(
        _ data: UnsafeMutableRawPointer, _ step: Int, _ plane: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        switch form {
        case .pcmFormatFloat32:
            let samples = data.assumingMemoryBound(to: Float.self)
            for frame in 0..<frames { plane[frame] = samples[frame * step] }
        case .pcmFormatFloat64:
            let samples = data.assumingMemoryBound(to: Double.self)
            for frame in 0..<frames { plane[frame] = Float(samples[frame * step]) }
        case .pcmFormatInt16:
            let samples = data.assumingMemoryBound(to: Int16.self)
            for frame in 0..<frames { plane[frame] = Float(samples[frame * step]) * 0x1p-15 }
        case .pcmFormatInt32:
            let samples = data.assumingMemoryBound(to: Int32.self)
            for frame in 0..<frames { plane[frame] = Float(samples[frame * step]) * 0x1p-31 }
        case .otherFormat:
            plane.update(repeating: 0, count: frames)
        }
    }
}
