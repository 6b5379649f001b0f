import OssicleDevices
import OssicleRender

/// An engine at its devices: the output's thread renders, the input's brings what it captures.
package final class DeviceSession: @unchecked Sendable {
    /// There if the engine has live input.
    package private(set) var capture: DeviceCapture?
    /// Has the frames of an input that is gone which were not read yet, until another is opened.
    private var remainder: DeviceCapture?
    private let device: any OutputDevice
    private let executor: Executor
    private let gate: RenderGate
    private let clock: RenderClock
    private let captureClock: RenderClock
    private let lag = DeviceLag()
    /// Of its blocks.
    package let load = DeviceLoad()
    private let report: Report
    private var isStarted = false

    /// Receives what becomes of a session's output or input; on that device's thread.
    package typealias Report = @Sendable (DeviceSession, DeviceInfo.Direction, DeviceEvent) -> Void

    package init(_ device: any OutputDevice, of session: RenderSession, report: @escaping Report) {
        (self.device, self.report) = (device, report)
        (executor, gate) = (session.executor, session.gate)
        (clock, captureClock) = (session.clock, session.captureClock)
    }

    package var sampleRate: Double { device.sampleRate }
    package var channelCount: Int { device.channelCount }
    /// How the thread that renders is scheduled.
    package var scheduling: DeviceScheduling { device.scheduling }
    /// Whether a silent clock stands in for an output that is not there.
    package var isSilent: Bool { device.isSilent }

    /// Times that the output ran out of sound since it was started.
    package var dropoutCount: Int { device.dropoutCount }

    /// Seconds from a frame's host time, when the device takes it, to the loudspeaker.
    package var latency: Double { device.latency }

    /// Opens the default input; starts it too, if the session has started.
    /// - Parameter losesNothing: as in `CaptureBuffer`.
    package func openCapture(losesNothing: Bool = false) throws {
        guard capture == nil else { return }
        let opened = DeviceCapture(
            try DefaultInput.open(sampleRate: device.sampleRate), outputQuantum: device.quantum,
            losesNothing: losesNothing, after: remainder)
        if isStarted { try opened.start(events(of: .input)) }
        (capture, remainder) = (opened, nil)
    }

    /// The input is gone; another may be opened.
    package func closeCapture() {
        capture?.halt()
        (capture, remainder) = (nil, captured)
    }

    /// What is captured, or was when there was an input.
    package var captured: DeviceCapture? { capture ?? remainder }

    /// Takes over what the input of a halted session captured and was not read, where the rates are the same.
    package func inherit(from old: DeviceSession) {
        if old.sampleRate == sampleRate { remainder = old.captured }
    }

    private func events(of direction: DeviceInfo.Direction) -> @Sendable (DeviceEvent) -> Void {
        { [weak self] event in if let self { report(self, direction, event) } }
    }

    package func start() throws {
        for clock in [clock, captureClock] {
            clock.presume(frame: executor.position, rate: device.sampleRate, hostTime: HostClock.now)
        }
        try capture?.start(events(of: .input))
        do {
            try startOutput()
        } catch {
            capture?.halt()
            throw error
        }
        isStarted = true
    }

    private func startOutput() throws {
        let (executor, gate, clock, rate) = (executor, gate, clock, device.sampleRate)
        try device.start(
            render: { [lag, load] block in
                let begin = HostClock.now
                lag.note(due: block.hostTime, now: begin)
                guard gate.enter() else { return }
                clock.anchor(frame: executor.position, rate: rate, hostTime: block.hostTime)
                executor.render(block.frameCount, into: block.channels, channels: block.channelCount)
                gate.leave()
                load.note(nanoseconds: HostClock.now &- begin, frames: block.frameCount)
            }, events: events(of: .output))
    }

    /// Looks whether the engine keeps up.
    /// - Returns: whether an overload begins.
    package func check(_ watch: inout OverloadWatch) -> Bool {
        watch.follow(lag: lag.seconds, dropouts: device.dropoutCount, at: Double(HostClock.now) / 1e9)
    }

    /// Returns when the last callback has; the session may be started again. The clocks keep their anchors, for the
    /// times of what has been rendered.
    package func halt() {
        isStarted = false
        device.stop()
        capture?.halt()
        lag.clear()
    }
}

/// Sound from an input on its way to the render side, which runs at the same nominal rate.
package final class DeviceCapture: Sendable {
    private let input: any InputDevice
    private let line: Line
    /// Of an input that is gone: what waits in it is read first.
    private let earlier: Line?

    private struct Line {
        let buffer: CaptureBuffer
        /// When the frames in the buffer were captured, in the order of their capture.
        let clock = RenderClock()
    }

    /// - Parameters:
    ///   - outputQuantum: the most frames read at a time.
    ///   - losesNothing: as in `CaptureBuffer`.
    ///   - earlier: the one before, whose input is gone; what waits in it is read first.
    package init(
        _ input: any InputDevice, outputQuantum: Int, losesNothing: Bool = false, after earlier: DeviceCapture? = nil
    ) {
        self.input = input
        self.earlier = earlier?.line
        line = Line(
            buffer: CaptureBuffer(
                channelCount: input.channelCount, sampleRate: input.sampleRate, inputQuantum: input.quantum,
                outputQuantum: outputQuantum, losesNothing: losesNothing))
    }

    /// How it went so far. Any thread.
    package var report: CaptureReport { line.buffer.report }

    /// Times that the input said it lost frames.
    package var dropoutCount: Int { input.dropoutCount }

    /// Seconds from the microphone to the render side.
    package var latency: Double { input.latency + Double(line.buffer.targetFrames) / line.buffer.sampleRate }

    /// When what is read now was at the microphone, in nanoseconds of `HostClock`. Any thread.
    package var hostTime: UInt64 { HostClock.time(HostClock.now, movedBy: -latency) }

    package func start(_ events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        let (buffer, clock) = (line.buffer, line.clock)
        try input.start(
            receive: { block in
                if block.followsBreak { buffer.bridge() }
                clock.anchor(frame: buffer.writtenFrames, rate: buffer.sampleRate, hostTime: block.hostTime)
                buffer.write(block)
            }, events: events)
    }

    package func halt() { input.stop() }

    package var channelCount: Int { input.channelCount }

    /// Frames that the next reads give if no block comes. While there is no reader.
    package var readableFrames: Int { source.buffer.readableFrames }

    /// Render side: where the next frames are.
    private var source: Line {
        guard let earlier, earlier.buffer.readableFrames > 0 else { return line }
        return earlier
    }

    /// Render side: fills `frameCount` frames of every channel, with silence where nothing was captured.
    /// - Parameters:
    ///   - hostTime: of the first frame, on the render side's clock.
    ///   - voice: what processes these frames next, to which a break in them is reported; nil for none.
    /// - Returns: how many frames were captured; they come first.
    package func read(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int,
        hostTime: UInt64, for voice: VoiceProcessor?
    ) -> Int {
        let buffer = source.buffer
        let count = buffer.read(
            into: channels, channelCount: channelCount, frameCount: frameCount, hostTime: hostTime)
        if buffer.hasBreak { voice?.noteBreak() }
        return count
    }

    /// Render side, as a step of a graph.
    /// - Parameters:
    ///   - voice: as in `read`; `ports` are its `captured` then.
    ///   - outputClock: when the output takes the frames of the engine.
    ///   - captureClock: is set to when what they contain was captured.
    package func render(
        _ ports: Ports, _ context: RenderContext, for voice: VoiceProcessor?, by outputClock: RenderClock,
        setting captureClock: RenderClock
    ) {
        let (rate, source) = (line.buffer.sampleRate, source)
        let count = read(
            into: ports.outputs, channelCount: ports.outputCount, frameCount: context.frames,
            hostTime: outputClock.hostTime(of: context.position, rate), for: voice)
        if count == 0 { return ports.markSilent(0) }
        captureClock.anchor(
            frame: context.position, rate: rate,
            hostTime: source.clock.hostTime(of: source.buffer.firstReadFrame, rate))
    }
}
