#if FFmpeg
import CFFmpeg
import COssicle

/// Planes of samples that grow, filled from frames of FFmpeg in whatever form they come.
final class FFmpegPlanes {
    private(set) var count = 0
    private var planes: [UnsafeMutablePointer<Double>] = []
    private var capacity = 0

    deinit { planes.forEach { $0.deallocate() } }

    /// What is there, for as long as nothing is added.
    var frames: PlanarFrames {
        count > 0 ? PlanarFrames(planes: planes.map { UnsafePointer($0) }, count: count) : .none
    }

    func removeAll() { count = 0 }

    /// Appends a decoded frame, the channel at `places[i]` as plane i. False when the form of its samples is not known.
    ///
    /// - Parameter peak: the largest magnitude of a floating-point sample.
    func append(_ frame: UnsafePointer<AVFrame>, places: [Int], peak: Double) -> Bool {
        let frames = Int(frame.pointee.nb_samples), channels = places.count
        guard frames > 0 else { return true }
        makeRoom(for: count + frames, channels: channels)
        let format = AVSampleFormat(frame.pointee.format), isPlanar = av_sample_fmt_is_planar(format) == 1
        guard let data = frame.pointee.extended_data else { return false }
        for (plane, place) in places.enumerated() {
            guard let source = data[isPlanar ? place : 0] else { return false }
            let samples = UnsafeRawPointer(source), start = isPlanar ? 0 : place, stride = isPlanar ? 1 : channels
            guard
                Self.convert(
                    samples, format, start: start, stride: stride, into: planes[plane] + count, frames: frames,
                    peak: peak)
            else { return false }
        }
        count += frames
        return true
    }

    private func makeRoom(for frames: Int, channels: Int) {
        guard frames > capacity || channels > planes.count else { return }
        let size = max(frames, 2 * capacity)
        let grown = (0..<max(channels, planes.count)).map { channel in
            let plane = UnsafeMutablePointer<Double>.allocate(capacity: size)
            if channel < planes.count { plane.update(from: planes[channel], count: count) }
            return plane
        }
        planes.forEach { $0.deallocate() }
        planes = grown
        capacity = size
    }

    private static func convert(
        _ source: UnsafeRawPointer, _ format: AVSampleFormat, start: Int, stride: Int,
        into plane: UnsafeMutablePointer<Double>,
        frames: Int, peak: Double
    ) -> Bool {
        func each<Sample>(_ type: Sample.Type, _ value: (Sample) -> Double) {
            let samples = source.assumingMemoryBound(to: type) + start
            // A stride that the compiler knows lets it take several at once.
            guard stride > 1 else {
                for frame in 0..<frames { plane[frame] = value(samples[frame]) }
                return
            }
            for frame in 0..<frames { plane[frame] = value(samples[frame &* stride]) }
        }
        switch format {
        case AV_SAMPLE_FMT_FLTP where stride == 1:
            ossicle_widen_clamped(source.assumingMemoryBound(to: Float.self), plane, frames, peak)
        case AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT: each(Float.self) { DecodedRange.clamp(Double($0), to: peak) }
        case AV_SAMPLE_FMT_DBLP, AV_SAMPLE_FMT_DBL: each(Double.self) { DecodedRange.clamp($0, to: peak) }
        case AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S16: each(Int16.self) { Double($0) / 32_768 }
        case AV_SAMPLE_FMT_S32P, AV_SAMPLE_FMT_S32: each(Int32.self) { Double($0) / 2_147_483_648 }
        case AV_SAMPLE_FMT_U8P, AV_SAMPLE_FMT_U8: each(UInt8.self) { (Double($0) - 128) / 128 }
        default: return false
        }
        return true
    }
}
#endif
