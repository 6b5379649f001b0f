import OssicleRender

/// What host time it is when a frame is rendered. Written by the thread that drives the engine, read from any thread,
/// the audio thread included.
///
/// Offline host time is rendered time itself, so that nothing depends on when it was rendered.
package final class RenderClock: @unchecked Sendable {
    /// Odd while an anchor is being set: whoever reads then reads again.
    private let version = RendererBox(PublishedPosition())
    private let anchorTime = RendererBox(PublishedPosition())
    private let anchorFrame = RendererBox(PublishedPosition())
    private let anchorRate = RendererBox(PublishedPosition())

    package init() {}

    /// From here on, frame `frame` at `rate` is rendered at `hostTime`.
    package func anchor(frame: Int64, rate: Double, hostTime: UInt64) {
        let next = version.pointer.pointee.load() + 2
        _ = version.pointer.pointee.exchange(next - 1)
        defer { version.pointer.pointee.store(next) }
        anchorFrame.pointer.pointee.store(frame)
        anchorRate.pointer.pointee.store(Int64(bitPattern: rate.bitPattern))
        anchorTime.pointer.pointee.store(Int64(bitPattern: hostTime))
    }

    /// Back to rendered time.
    package func release() { anchor(frame: 0, rate: 1, hostTime: 0) }

    /// Host time of a frame counted at `rate`, in nanoseconds.
    package func hostTime(of frame: Int64, _ rate: Double) -> UInt64 {
        let anchor = anchor
        let origin = Double(anchor.frame) / max(anchor.rate, 1)
        let seconds = Double(frame) / max(rate, 1) - origin
        let base = anchor.time
        let ticks = Self.ticks(seconds.magnitude)
        return seconds < 0 ? base - min(base, ticks) : base &+ ticks
    }

    /// Nanoseconds of a positive number of seconds, to the nearest; everything else is 0, what is too much the most.
    private static func ticks(_ seconds: Double) -> UInt64 {
        let ticks = (seconds * 1e9).rounded()
        return ticks > 0 ? UInt64(exactly: ticks) ?? .max : 0
    }

    /// The three that belong together. Setting them takes a few instructions; on the audio thread one does not wait
    /// longer than that.
    private var anchor: (frame: Int64, rate: Double, time: UInt64) {
        var read = (frame: Int64(0), rate: 1.0, time: UInt64(0))
        for _ in 0..<1000 {
            let before = version.pointer.pointee.load()
            read = (
                anchorFrame.pointer.pointee.load(),
                Double(bitPattern: UInt64(bitPattern: anchorRate.pointer.pointee.load())),
                UInt64(bitPattern: anchorTime.pointer.pointee.load())
            )
            if before & 1 == 0, version.pointer.pointee.load() == before { break }
        }
        return read
    }
}
