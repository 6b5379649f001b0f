import OssicleDevices
import OssicleRender

/// An engine at its devices: the output's thread renders, the input's brings what it captures.
package final class DeviceSession: @unchecked Sendable {
    /// The moment of a frame that the engine's clock gives as its host time.
    package enum ClockPoint {
        /// When it is rendered.
        case rendered
        /// When it is at the loudspeaker.
        case heard
    }

    /// There if the engine has live input.
    package private(set) var capture: DeviceCapture?
    private let device: any OutputDevice
    private let executor: Executor
    private let gate: RenderGate
    private let clock: RenderClock
    private let clockPoint: ClockPoint
    private let lag = DeviceLag()
    private let report: Report
    private var isStarted = false

    /// Receives what becomes of a session's output or input; on that device's thread.
    package typealias Report = @Sendable (DeviceSession, DeviceInfo.Direction, DeviceEvent) -> Void

    package init(
        _ device: any OutputDevice, of session: RenderSession, clockPoint: ClockPoint, report: @escaping Report
    ) {
        (self.device, self.clockPoint, self.report) = (device, clockPoint, report)
        (executor, gate, clock) = (session.executor, session.gate, session.clock)
    }

    package var sampleRate: Double { device.sampleRate }
    package var channelCount: Int { device.channelCount }
    /// How the thread that renders is scheduled.
    package var scheduling: DeviceScheduling { device.scheduling }
    /// Whether a silent clock stands in for an output that is not there.
    package var isSilent: Bool { device is NullDevice }

    /// Seconds from rendering to the ear.
    package var latency: Double { device.latency }

    /// Opens the default input; starts it too, if the session has started.
    package func openCapture() throws {
        guard capture == nil else { return }
        let opened = try DeviceCapture(sampleRate: device.sampleRate, outputQuantum: device.quantum, clock: clock)
        if isStarted { try opened.start(events(of: .input)) }
        capture = opened
    }

    /// The input is gone; another may be opened.
    package func closeCapture() {
        capture?.halt()
        capture = nil
    }

    private func events(of direction: DeviceInfo.Direction) -> @Sendable (DeviceEvent) -> Void {
        { [weak self] event in if let self { report(self, direction, event) } }
    }

    package func start() throws {
        clock.anchor(frame: executor.position, rate: device.sampleRate, hostTime: HostClock.now)
        try capture?.start(events(of: .input))
        do {
            try startOutput()
        } catch {
            capture?.halt()
            releaseClock()
            throw error
        }
        isStarted = true
    }

    private func startOutput() throws {
        let (executor, gate, clock, lag, rate) = (executor, gate, clock, lag, device.sampleRate)
        let isStampedWhenHeard = clockPoint == .heard
        try device.start(
            render: { block in
                lag.note(due: block.hostTime)
                guard gate.enter() else { return }
                clock.anchor(
                    frame: executor.position, rate: rate,
                    hostTime: isStampedWhenHeard ? block.hostTime : HostClock.now)
                executor.render(block.frameCount, into: block.channels, channels: block.channelCount)
                gate.leave()
            }, events: events(of: .output))
    }

    /// Looks whether the engine keeps up.
    /// - Returns: whether an overload begins.
    package func check(_ watch: inout OverloadWatch) -> Bool {
        watch.follow(lag: lag.seconds, dropouts: device.dropoutCount, at: Double(HostClock.now) / 1e9)
    }

    /// Returns when the last callback has; the session may be started again.
    package func halt() {
        isStarted = false
        device.stop()
        capture?.halt()
        releaseClock()
        lag.clear()
    }

    /// A clock of what is heard continues while nothing is rendered: a time that a client gives then lies ahead of now.
    private func releaseClock() {
        if clockPoint == .rendered { clock.release() }
    }
}

/// Sound from the default input, on its way to the render side.
package final class DeviceCapture: @unchecked Sendable {
    private let input: any InputDevice
    private let buffer: CaptureBuffer
    private let clock: RenderClock

    /// Opens the default input at the engine's rate. Throws `DeviceError` where there is none.
    fileprivate init(sampleRate: Double, outputQuantum: Int, clock: RenderClock) throws {
        input = try DefaultInput.open(sampleRate: sampleRate)
        self.clock = clock
        buffer = CaptureBuffer(
            channelCount: input.channelCount, sampleRate: input.sampleRate, inputQuantum: input.quantum,
            outputQuantum: outputQuantum)
    }

    /// Seconds from the microphone to the render side.
    package var latency: Double { input.latency + Double(buffer.targetFrames) / buffer.sampleRate }

    fileprivate func start(_ events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        let buffer = buffer
        try input.start(receive: { buffer.write($0) }, events: events)
    }

    fileprivate func halt() { input.stop() }

    /// Render side.
    package func render(_ ports: Ports, _ context: RenderContext) {
        let time = clock.hostTime(of: context.position, buffer.sampleRate)
        let count = buffer.read(
            into: ports.outputs, channelCount: ports.outputCount, frameCount: context.frames, hostTime: time)
        if count == 0 { ports.markSilent(0) }
    }
}
