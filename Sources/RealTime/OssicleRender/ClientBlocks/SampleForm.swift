import OssicleCore

/// The form of linear PCM samples in a client's buffers.
package struct SampleForm: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case float32, float64, int16, int32
        /// Samples of so many bytes, which are read as silence and not written.
        case other(bytes: Int)
    }

    package let kind: Kind
    package let channels: Int
    /// One buffer holds all channels; otherwise each has one of its own.
    package let isInterleaved: Bool

    package init(_ kind: Kind, channels: Int, isInterleaved: Bool) {
        self.kind = kind
        self.channels = channels
        self.isInterleaved = isInterleaved
    }

    /// Bytes of one sample.
    package var bytes: Int {
        switch kind {
        case .float64: 8
        case .float32, .int32: 4
        case .int16: 2
        case .other(let bytes): bytes
        }
    }

    package var bufferCount: Int { isInterleaved ? 1 : channels }

    package var channelsPerBuffer: Int { isInterleaved ? channels : 1 }

    /// Samples from one frame of a channel to the next.
    fileprivate var step: Int { isInterleaved ? channels : 1 }

    /// Bytes of one frame in each buffer.
    package var bytesPerFrame: Int { bytes * step }

    /// Offset of a channel's first sample in its buffer, in bytes.
    fileprivate func offset(of channel: Int) -> Int { isInterleaved ? channel * bytes : 0 }
}

/// A client's format of linear PCM.
package protocol SampleFormat {
    var sampleForm: SampleForm { get }
}

/// A client's buffers of samples, one after the other.
package protocol SampleBufferList {
    var bufferCount: Int { get }
    /// Memory of a buffer; nil where the client brings none.
    func samples(ofBuffer index: Int) -> UnsafeMutableRawPointer?
    /// Bytes in a buffer.
    func byteCount(ofBuffer index: Int) -> Int
    /// Changes what a buffer holds.
    func setBuffer(_ index: Int, channels: Int, samples: UnsafeMutableRawPointer, byteCount: Int)
}

/// Reads samples of any linear PCM form into planes of 32-bit floats. Allocates nothing; any thread.
package struct SampleReader {
    private let form: SampleForm

    package init(_ format: any SampleFormat) { form = format.sampleForm }

    /// - Parameter stride: samples from one channel's plane to the next.
    /// - Returns: frames read: as many as the list holds, at most `frames`.
    package func read(
        _ list: some SampleBufferList, _ frames: Int, to planes: UnsafeMutablePointer<Float>, stride: Int
    ) -> Int {
        guard list.bufferCount >= form.bufferCount else { return 0 }
        var held = frames
        for buffer in 0..<form.bufferCount {
            guard list.samples(ofBuffer: buffer) != nil else { return 0 }
            held = min(held, list.byteCount(ofBuffer: buffer) / max(form.bytesPerFrame, 1))
        }
        for channel in 0..<form.channels {
            guard let data = list.samples(ofBuffer: form.isInterleaved ? 0 : channel) else { return 0 }
            convert(data + form.offset(of: channel), form.step, planes + channel * stride, held)
        }
        return held
    }

    private func convert(
        _ data: UnsafeMutableRawPointer, _ step: Int, _ plane: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        switch form.kind {
        case .float32:
            let samples = data.assumingMemoryBound(to: Float.self)
            for frame in 0..<frames { plane[frame] = samples[frame * step] }
        case .float64:
            let samples = data.assumingMemoryBound(to: Double.self)
            for frame in 0..<frames { plane[frame] = Float(samples[frame * step]) }
        case .int16:
            let samples = data.assumingMemoryBound(to: Int16.self)
            for frame in 0..<frames { plane[frame] = Float(samples[frame * step]) * 0x1p-15 }
        case .int32:
            let samples = data.assumingMemoryBound(to: Int32.self)
            for frame in 0..<frames { plane[frame] = Float(samples[frame * step]) * 0x1p-31 }
        case .other:
            plane.update(repeating: 0, count: frames)
        }
    }
}

/// Writes planes of 32-bit floats as samples of any linear PCM form. Allocates nothing; any thread.
package struct SampleWriter {
    private let form: SampleForm
    private let quantizer16 = SampleQuantizer(bits: 16)
    private let quantizer32 = SampleQuantizer(bits: 32)

    package init(_ format: any SampleFormat) { form = format.sampleForm }

    /// Writes `frames` frames of one channel into the buffer that holds it.
    package func write(
        _ plane: UnsafePointer<Float>, channel: Int, to data: UnsafeMutableRawPointer, frames: Int
    ) {
        let step = form.step, start = data + form.offset(of: channel)
        switch form.kind {
        case .float32:
            let samples = start.assumingMemoryBound(to: Float.self)
            for frame in 0..<frames { samples[frame * step] = plane[frame] }
        case .float64:
            let samples = start.assumingMemoryBound(to: Double.self)
            for frame in 0..<frames { samples[frame * step] = Double(plane[frame]) }
        case .int16:
            let samples = start.assumingMemoryBound(to: Int16.self)
            for frame in 0..<frames {
                samples[frame * step] = Int16(truncatingIfNeeded: quantizer16.quantize(Double(plane[frame])))
            }
        case .int32:
            let samples = start.assumingMemoryBound(to: Int32.self)
            for frame in 0..<frames { samples[frame * step] = quantizer32.quantize(Double(plane[frame])) }
        case .other:
            break
        }
    }
}
