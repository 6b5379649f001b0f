// Moving samples between a buffer of any common form and planes of double precision.

import OssicleCoreAudioTypes
import OssicleFiles

extension AVAudioPCMBuffer {
    /// Writes `frames` frames of `planes` from frame `start` on. Integers follow Apple's rule: -1 is the smallest. The caller
    /// keeps within the capacity.
    func store(_ planes: [UnsafeMutablePointer<Double>], at start: Int, frames: Int) {
        switch format.commonFormat {
        case .pcmFormatFloat32: each(floatChannelData, planes, start, frames) { $0 = Float($1) }
        case .pcmFormatFloat64: each(doubleChannelData, planes, start, frames) { $0 = $1 }
        case .pcmFormatInt16:
            let quantizer = SampleQuantizer(bits: 16)
            each(int16ChannelData, planes, start, frames) { $0 = Int16(truncatingIfNeeded: quantizer.quantize($1)) }
        case .pcmFormatInt32:
            let quantizer = SampleQuantizer(bits: 32)
            each(int32ChannelData, planes, start, frames) { $0 = quantizer.quantize($1) }
        case .otherFormat: break
        }
    }

    /// Reads `frames` frames from frame `start` on into `planes`.
    func load(_ planes: [UnsafeMutablePointer<Double>], at start: Int, frames: Int) {
        switch format.commonFormat {
        case .pcmFormatFloat32: each(floatChannelData, planes, start, frames) { $1 = Double($0) }
        case .pcmFormatFloat64: each(doubleChannelData, planes, start, frames) { $1 = $0 }
        case .pcmFormatInt16:
            let quantizer = SampleQuantizer(bits: 16)
            each(int16ChannelData, planes, start, frames) { $1 = quantizer.sample(Int32($0)) }
        case .pcmFormatInt32:
            let quantizer = SampleQuantizer(bits: 32)
            each(int32ChannelData, planes, start, frames) { $1 = quantizer.sample($0) }
        case .otherFormat: break
        }
    }

    private func each<Sample>(_ channels: UnsafePointer<UnsafeMutablePointer<Sample>>?, _ planes: [UnsafeMutablePointer<Double>], _ start: Int,
                              _ frames: Int, _ move: (inout Sample, inout Double) -> Void) {
        guard let channels else { return }
        let step = stride
        for (channel, plane) in planes.prefix(Int(format.channelCount)).enumerated() {
            let samples = channels[channel]
            for frame in 0..<frames { move(&samples[(start + frame) * step], &plane[frame]) }
        }
    }
}
