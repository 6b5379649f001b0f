import OssicleCodecs
import OssicleCoreAudioTypes

/// Writes planes of 32-bit floats as samples of any linear PCM form. Allocates nothing; any thread.
struct SampleWriter {
    private let form: AVAudioCommonFormat
    private let channels: Int
    private let isInterleaved: Bool
    private let quantizer16 = SampleQuantizer(bits: 16)
    private let quantizer32 = SampleQuantizer(bits: 32)

    init(_ format: AVAudioFormat) {
        form = format.commonFormat
        channels = Int(format.channelCount)
        isInterleaved = format.isInterleaved
    }

    /// Bytes of one sample.
    var bytes: Int {
        switch form {
        case .pcmFormatFloat64: 8
        case .pcmFormatInt16: 2
        default: 4
        }
    }

    /// Writes `frames` frames of one channel into the buffer that holds it.
    func write(_ plane: UnsafePointer<Float>, channel: Int, to data: UnsafeMutableRawPointer, frames: Int) {
        let step = isInterleaved ? channels : 1
        let start = data + (isInterleaved ? channel * bytes : 0)
        switch form {
        case .pcmFormatFloat32:
            let samples = start.assumingMemoryBound(to: Float.self)
            for frame in 0..<frames { samples[frame * step] = plane[frame] }
        case .pcmFormatFloat64:
            let samples = start.assumingMemoryBound(to: Double.self)
            for frame in 0..<frames { samples[frame * step] = Double(plane[frame]) }
        case .pcmFormatInt16:
            let samples = start.assumingMemoryBound(to: Int16.self)
            for frame in 0..<frames {
                samples[frame * step] = Int16(truncatingIfNeeded: quantizer16.quantize(Double(plane[frame])))
            }
        case .pcmFormatInt32:
            let samples = start.assumingMemoryBound(to: Int32.self)
            for frame in 0..<frames { samples[frame * step] = quantizer32.quantize(Double(plane[frame])) }
        case .otherFormat:
            break
        }
    }
}
