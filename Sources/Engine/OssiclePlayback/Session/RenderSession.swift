import Dispatch
import OssicleDevices
import OssicleRender

/// What renders an engine's sound, driven by a device's thread or a render call of the client's.
///
///     device ─┐
///     block ──┼─▶ gate ─▶ executor ─▶ output
///     offline ┘            │ clock: host time of each frame
///
/// The variables are under the engine's lock.
package final class RenderSession: @unchecked Sendable {
    package let executor = Executor()
    /// Closed while rendering is not allowed.
    package let gate = RenderGate()
    /// When the device takes each frame; in manual rendering, rendered time.
    package let clock = RenderClock()
    /// When each frame of the input was captured; in manual rendering, rendered time.
    package let captureClock = RenderClock()
    /// The client's handlers and tap blocks, for which offline rendering waits.
    package let callbacks = CallbackFence()
    /// Tap blocks that have not returned, also of taps that have been removed since.
    package let deliveries = DispatchGroup()
    /// Where changes of devices are carried out, one after the other; under no lock.
    package let changes = DispatchQueue(label: "ossicle.devices")

    /// Beside a device's thread, workers are scheduled as it is; that of a silent clock is an ordinary one.
    package var device: DeviceSession? {
        didSet {
            let (isHeard, wasHeard) = (device?.isSilent == false, oldValue?.isSilent == false)
            if isHeard != wasHeard { executor.workerSetting = isHeard ? .atDevice : nil }
        }
    }
    /// There while what is captured is processed.
    package var voice: VoiceProcessor?
    /// For devices that are missing.
    package var searches = DeviceSearches()
    /// Since the engine was made.
    package var breaks: [DeviceBreak] = []
    /// Whether rendering keeps up with the device.
    package var overload = OverloadWatch()
    /// Looks after the engine while another thread renders.
    package var ticker: Ticker?
    /// Seconds an offline call waits for a handler, unless the client sets others.
    package var callbackLimit = 10.0

    package init() {}

    /// Manual rendering begins: host time is rendered time.
    package func releaseClocks() {
        clock.release()
        captureClock.release()
    }

    /// Follows the device's load.
    /// - Returns: what an overload is, when it begins.
    package func newOverload() -> String? {
        guard let device, device.check(&overload) else { return nil }
        return overload.finding
    }

    /// Has a tap's block called on `queue`, behind what is due there, and counts it until it has returned.
    package func runTapBlock(_ name: String, on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
        let deliveries = deliveries
        deliveries.enter()
        callbacks.run(name, on: queue) {
            block()
            deliveries.leave()
        }
    }
}

extension RenderWorkers.Setting {
    fileprivate static var atDevice: Self {
        Self(begin: { _ = DeviceScheduling.obtain() }, end: { DeviceScheduling.leave() })
    }
}

/// Time in which an engine that stays on had no output, between two of its frames.
package struct DeviceBreak: Sendable {
    /// The engine's first frame behind it.
    package let frame: Int64
    package let seconds: Double

    package init(frame: Int64, seconds: Double) { (self.frame, self.seconds) = (frame, seconds) }
}

/// Whether a render call may take its time: offline nothing is late, at a device nothing waits.
package enum RenderMode { case offline, device }

/// What has to be looked after between render calls: files read ahead, completions and taps delivered.
package protocol RenderAttendant: AnyObject {
    /// - Parameter framesAhead: frames of its node's clock that the next render call may take.
    func attend(framesAhead: Int, mode: RenderMode)
    /// Waits until the client's code has returned from everything handed to it so far.
    func drain()
}

/// Calls back at a steady pace on a queue of its own.
package final class Ticker {
    private let timer: any DispatchSourceTimer

    /// - Parameter body: called until the ticker is gone.
    package init(label: String, milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: label, qos: .userInitiated))
        timer.schedule(deadline: .now(), repeating: .milliseconds(milliseconds), leeway: .milliseconds(1))
        timer.setEventHandler(handler: body)
        timer.resume()
    }

    deinit { timer.cancel() }
}

/// An engine whose render loop RealtimeSanitizer can watch, where it is part of the program.
package protocol RealTimeWatched: AnyObject {
    /// Whether the sanitizer watches. Not while the engine renders.
    var watchesRealTime: Bool { get set }
}
