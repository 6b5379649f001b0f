import Foundation

/// A device without a loudspeaker or microphone: throws sound away, or brings silence, at the pace of the monotonic
/// clock.
///
/// No block is ever skipped: after a callback that was late, the next ones come at once until the clock is caught up
/// with.
final class SilentPort: DevicePort {
    let name: String
    let format: DeviceFormat
    let meters = DeviceMeters()
    private let thread: DeviceThread

    init(_ direction: DeviceInfo.Direction, _ wishes: FormatWishes) throws(DeviceError) {
        name = direction == .output ? "null device" : "null input"
        format = try wishes.format(of: name)
        thread = DeviceThread(label: "ossicle.null", device: name)
    }

    func start(_ callback: BlockCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws(DeviceError) {
        let format = format
        try thread.start(within: DeviceThread.patience, events: events) { SilentLoop(callback, format) }
    }

    func stop() -> Bool { thread.stop() }
}

private final class SilentLoop: DeviceLoop {
    private let callback: BlockCallback
    private let sampleRate: Double
    private let buffers: BlockBuffers
    private let begin = HostClock.now
    private var frame = 0

    init(_ callback: BlockCallback, _ format: DeviceFormat) {
        (self.callback, sampleRate) = (callback, format.sampleRate)
        buffers = BlockBuffers(channelCount: format.channelCount, frameCount: format.quantum)
    }

    func turn(_ goOn: DeviceThread.GoOn) {
        let (first, next) = (time(of: frame), time(of: frame + buffers.frameCount))
        switch callback {
        case .play(let render):
            buffers.render(render, hostTime: first)
            HostClock.sleep(until: next)
        case .record(let receive):
            // A block is there when its last frame is.
            HostClock.sleep(until: next)
            guard goOn() else { return }
            buffers.deliver(nil, count: buffers.frameCount, to: receive, hostTime: first)
        }
        frame += buffers.frameCount
    }

    private func time(of frame: Int) -> UInt64 { HostClock.time(begin, movedBy: Double(frame) / sampleRate) }
}
