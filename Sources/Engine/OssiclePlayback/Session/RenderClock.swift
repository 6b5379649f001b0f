import OssicleRender

/// The host time of each frame: when the device takes it. The device's latency more, and it is heard.
///
///     host time = anchor's time + frame / rate − anchor's frame / anchor's rate
///
/// Every block anchors it anew; that the times of blocks have no jitter is the devices' affair. Offline, host time is
/// rendered time itself, so that nothing depends on when it was rendered. Written by the thread that drives the engine,
/// read from any thread, the audio thread included.
package final class RenderClock: @unchecked Sendable {
    /// A frame whose host time is known.
    private struct Anchor {
        var frame: Int64 = 0
        var rate = 1.0
        var time: UInt64 = 0
    }

    /// Odd while an anchor is being set: who reads then reads again.
    private let version = RendererBox(PublishedPosition())
    private let anchorTime = RendererBox(PublishedPosition())
    private let anchorFrame = RendererBox(PublishedPosition())
    private let anchorRate = RendererBox(PublishedPosition())
    private let source = RendererBox(PublishedPosition())

    private enum Source: Int64 { case rendered, presumed, measured }

    package init() { release() }

    // MARK: The thread that drives the engine

    /// The device takes frame `frame`, counted at `rate` in Hz, at `hostTime`.
    package func anchor(frame: Int64, rate: Double, hostTime: UInt64) {
        set(Anchor(frame: frame, rate: rate, time: hostTime), .measured)
    }

    /// A device is about to take frame `frame`; what it states replaces `hostTime`.
    package func presume(frame: Int64, rate: Double, hostTime: UInt64) {
        set(Anchor(frame: frame, rate: rate, time: hostTime), .presumed)
    }

    /// Back to rendered time.
    package func release() { set(Anchor(), .rendered) }

    private func set(_ anchor: Anchor, _ origin: Source) {
        let next = version.pointer.pointee.load() + 2
        _ = version.pointer.pointee.exchange(next - 1)
        defer { version.pointer.pointee.store(next) }
        anchorFrame.pointer.pointee.store(anchor.frame)
        anchorRate.pointer.pointee.store(Int64(bitPattern: anchor.rate.bitPattern))
        anchorTime.pointer.pointee.store(Int64(bitPattern: anchor.time))
        source.pointer.pointee.store(origin.rawValue)
    }

    // MARK: Any thread

    /// Whether a device was started that has not stated a time yet: a frame's host time may change by what the device
    /// takes to begin.
    package var isPresumed: Bool { source.pointer.pointee.load() == Source.presumed.rawValue }

    /// Host time of a frame counted at `rate`, in nanoseconds.
    package func hostTime(of frame: Int64, _ rate: Double) -> UInt64 {
        let anchor = anchor
        let origin = Double(anchor.frame) / max(anchor.rate, 1)
        let seconds = Double(frame) / max(rate, 1) - origin
        let ticks = Self.ticks(seconds.magnitude)
        return seconds < 0 ? anchor.time - min(anchor.time, ticks) : anchor.time + min(ticks, .max - anchor.time)
    }

    /// The frame, counted at `rate` in Hz, whose host time is nearest; within ±2^60.
    package func frame(at hostTime: UInt64, _ rate: Double) -> Int64 {
        let anchor = anchor
        let isAhead = hostTime >= anchor.time
        let ticks = Double(isAhead ? hostTime - anchor.time : anchor.time - hostTime)
        let seconds = (isAhead ? ticks : -ticks) * 1e-9
        let frame = ((Double(anchor.frame) / max(anchor.rate, 1) + seconds) * max(rate, 1)).rounded()
        return Int64(min(max(frame, -0x1p60), 0x1p60))
    }

    /// Nanoseconds of a positive number of seconds, to the nearest; everything else is 0, what is too much the most.
    private static func ticks(_ seconds: Double) -> UInt64 {
        let ticks = (seconds * 1e9).rounded()
        return ticks > 0 ? UInt64(exactly: ticks) ?? .max : 0
    }

    /// The values that belong together. Setting them takes a few instructions; on the audio thread one does not wait
    /// longer than that.
    private var anchor: Anchor {
        var read = Anchor()
        for _ in 0..<1000 {
            let before = version.pointer.pointee.load()
            read = Anchor(
                frame: anchorFrame.pointer.pointee.load(),
                rate: Double(bitPattern: UInt64(bitPattern: anchorRate.pointer.pointee.load())),
                time: UInt64(bitPattern: anchorTime.pointer.pointee.load()))
            if before & 1 == 0, version.pointer.pointee.load() == before { break }
        }
        return read
    }
}
