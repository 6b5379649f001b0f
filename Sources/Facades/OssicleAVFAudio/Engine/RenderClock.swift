import OssicleRender

/// What host time it is when a frame is rendered. Written by whoever drives the engine, read from any thread, the audio thread included.
///
/// Offline host time is rendered time itself, so that nothing depends on when it was rendered.
final class RenderClock: @unchecked Sendable {
    private let anchorTime = RendererBox(PublishedPosition())
    private let anchorFrame = RendererBox(PublishedPosition())
    private let anchorRate = RendererBox(PublishedPosition())

    /// From here on, frame `frame` at `rate` is rendered at `hostTime`.
    func anchor(frame: Int64, rate: Double, hostTime: UInt64) {
        anchorFrame.pointer.pointee.store(frame)
        anchorRate.pointer.pointee.store(Int64(bitPattern: rate.bitPattern))
        anchorTime.pointer.pointee.store(Int64(bitPattern: hostTime))
    }

    /// Back to rendered time.
    func release() { anchor(frame: 0, rate: 1, hostTime: 0) }

    /// Host time of a frame counted at `rate`, in nanoseconds.
    func hostTime(of frame: Int64, _ rate: Double) -> UInt64 {
        let anchorRate = Double(bitPattern: UInt64(bitPattern: anchorRate.pointer.pointee.load()))
        let origin = Double(anchorFrame.pointer.pointee.load()) / max(anchorRate, 1)
        let seconds = Double(frame) / max(rate, 1) - origin
        let base = UInt64(bitPattern: anchorTime.pointer.pointee.load())
        let ticks = AVAudioTime.hostTime(forSeconds: seconds.magnitude)
        return seconds < 0 ? base - min(base, ticks) : base &+ ticks
    }
}
