import OssicleDevices
import Synchronization

/// The devices of an I/O unit: an output from the beginning, an input that each run opens anew.
///
///     output only    output's thread ─▶ cycle
///     both           input's thread ─▶ DeviceCapture ─▶ output's thread ─▶ cycle
///     input only     input's thread ─▶ cycle
///
/// Any thread, one call of `start` or `stop` at a time. Errors are the devices'.
package final class UnitDevices: Sendable {
    package typealias OpenInput = @Sendable (_ sampleRate: Double) throws -> any InputDevice

    private let output: any OutputDevice
    private let openInput: OpenInput
    private let current = Mutex<Run?>(nil)
    private let lossHandler = Mutex<@Sendable () -> Void>({})

    /// From a start to its stop.
    private final class Run: Sendable {
        let isOn = Atomic(true)
        let stop: @Sendable () -> Void

        init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

        /// Follows the device whose thread runs the cycles.
        func follow(_ event: DeviceEvent) {
            switch event {
            case .stopped, .lost: isOn.store(false, ordering: .releasing)
            case .started, .routeChanged, .formatChanged: break
            }
        }
    }

    /// - Parameter openInput: opens the input at a rate; the default input where nothing is said.
    package init(
        _ output: any OutputDevice, openInput: @escaping OpenInput = { try DefaultInput.open(sampleRate: $0) }
    ) {
        (self.output, self.openInput) = (output, openInput)
    }

    deinit { stop() }

    /// Hz and channels of the output.
    package var sampleRate: Double { output.sampleRate }
    package var channelCount: Int { output.channelCount }
    /// Frames of the output's blocks.
    package var quantum: Int { output.quantum }
    /// Seconds from when the output takes a frame until it is at the loudspeaker.
    package var latency: Double { output.latency }
    package var isRunning: Bool { current.withLock { $0?.isOn.load(ordering: .acquiring) ?? false } }

    /// Has `handler` called when the device whose thread runs the cycles is lost, on that thread, which ends.
    package func onLoss(_ handler: @escaping @Sendable () -> Void) { lossHandler.withLock { $0 = handler } }

    package func start(render: @escaping RenderCallback) throws {
        let output = output
        try begin(Run { output.stop() }) { try output.start(render: render, events: $0) }
    }

    /// Only the input, at `inputRate` Hz.
    package func start(inputRate: Double, receive: @escaping ReceiveCallback) throws {
        let input = try openInput(inputRate)
        try begin(Run { input.stop() }) { try input.start(receive: receive, events: $0) }
    }

    /// Both: the output's thread reads what the input has captured, at `inputRate` Hz. An input that is lost is
    /// silence from then on.
    /// - Parameter render: makes the output's callback.
    package func start(inputRate: Double, render: (DeviceCapture) -> RenderCallback) throws {
        let quantum = Double(output.quantum) * inputRate / output.sampleRate
        let capture = DeviceCapture(try openInput(inputRate), outputQuantum: Int(quantum.rounded(.up)))
        let output = output
        let run = Run {
            output.stop()
            capture.halt()
        }
        try begin(run) { events in
            try capture.start { _ in }
            do {
                try output.start(render: render(capture), events: events)
            } catch {
                capture.halt()
                throw error
            }
        }
    }

    private func begin(_ run: Run, _ start: (@escaping @Sendable (DeviceEvent) -> Void) throws -> Void) throws {
        stop()
        current.withLock { $0 = run }
        do {
            try start { [weak self] event in
                run.follow(event)
                if case .lost = event { self?.lossHandler.withLock { $0 }() }
            }
        } catch {
            current.withLock { $0 = nil }
            throw error
        }
    }

    /// Returns when no cycle runs any more, unless a cycle calls this.
    package func stop() {
        let run = current.withLock { run in
            defer { run = nil }
            return run
        }
        run?.stop()
    }
}
