// Moving samples between a buffer of linear PCM and planes of double precision.

import OssicleCodecs
import OssicleConversion

extension AVAudioPCMBuffer {
    /// Writes `frames` frames of `planes` from frame `start` on. Integers follow Apple's rule: -1 is the smallest. The caller
    /// keeps within the capacity.
    func store(_ planes: [UnsafeMutablePointer<Double>], at start: Int, frames: Int) {
        packing?.pack(planes.map { UnsafePointer($0) }, count: frames, into: lists.whole.compactMap(\.mData), from: start)
    }

    /// Reads `frames` frames from frame `start` on into `planes`.
    func load(_ planes: [UnsafeMutablePointer<Double>], at start: Int, frames: Int) {
        packing?.unpack(lists.whole.compactMap { $0.mData.map { UnsafeRawPointer($0) } }, from: start, count: frames, into: planes)
    }

    /// `nil` for samples no codec knows.
    var packing: SamplePacking? {
        guard case .pcm(let form)? = format.stream else { return nil }
        return try? SamplePacking(form)
    }
}
