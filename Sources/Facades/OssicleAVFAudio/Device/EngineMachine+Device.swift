import Dispatch
import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback

/// Sound through the machine's devices. Everything here is under the lock, unless it says otherwise.
extension EngineMachine {
    /// The format sound comes in with; 0 Hz and 0 channels where nothing can be captured.
    var captureFormat: AVAudioFormat {
        learnHardware()
        return hardware.capture
    }

    /// Reads once what devices there are. In manual rendering none is looked for.
    func learnHardware() {
        if manual == nil { hardware.learn() }
    }

    /// Opens the default output; a machine without one plays to a silent clock. The input is opened if something
    /// listens to it.
    func openDevices() throws {
        let old = session.device
        do {
            if session.device == nil {
                let opened = try DefaultDevice.open(fallback: .silence)
                session.device = deviceSession(opened)
                hardware.adopt(sampleRate: opened.sampleRate, channelCount: opened.channelCount)
            }
            try openCaptureIfHeard()
        } catch let error as DeviceError {
            session.device = old
            throw OssicleError.avfaudio(
                kAudioUnitErr_FailedInitialization, "AVAudioEngine", value: "\(error)",
                rule: "Its devices have to open.",
                cure: "Look after the sound server, disconnect the input node, or use manual rendering.")
        }
    }

    /// The input is opened once something listens to it.
    func openCaptureIfHeard() throws {
        if let input, !model.wires(from: input).isEmpty || !input.taps.all.isEmpty { try session.device?.openCapture() }
    }

    func deviceSession(_ device: any OutputDevice) -> DeviceSession {
        DeviceSession(device, of: session, clockPoint: .rendered) { [weak self] in self?.deviceTold($1) }
    }

    /// Any thread. Every few milliseconds, while somebody else's thread renders.
    func tick() {
        settle()
        attend(frames: Int(locked { renderFormat.sampleRate }))
        collect()
        checkLoad()
        if locked({ stopsAfterRendering }) { stop() }
        // A source may have been connected, and the switch been set, without a call that wakes.
        if locked({ autoShutdown.isIdle && mayBeHeard }) { wakeUp() }
        shutDownIfIdle()
    }

    /// Records the beginning of an overload.
    private func checkLoad() {
        let finding = locked { state == .running ? session.newOverload() : nil }
        guard let finding else { return }
        errors.record(
            OssicleError.avfaudio(
                kAudioUnitErr_CannotDoInCurrentContext, "AVAudioEngine", value: finding,
                rule: "A device plays in real time, and what comes too late is heard as a gap.",
                cure: "Use fewer nodes or cheaper effects, or render manually."))
    }

    /// A device thread tells what became of its device.
    func deviceTold(_ event: DeviceEvent) {
        switch event {
        case .started, .stopped, .routeChanged: break
        case .lost(let error):
            errors.record(error)
            changeConfiguration(to: nil)
        case .formatChanged(let rate, let channels):
            changeConfiguration(to: (rate, channels))
        }
    }

    /// Stops the engine, unless it is to go on and the device still plays, and tells about it on a queue of its own.
    private func changeConfiguration(to new: (rate: Double, channels: Int)?) {
        DispatchQueue(label: "ossicle.configuration").async { [weak self] in
            guard let self else { return }
            let old = locked { hardware.output }
            if new == nil || !locked({ hardware.staysOnWhenDevicesChange }) { stop() }
            locked {
                if let new {
                    hardware.adopt(sampleRate: new.rate, channelCount: new.channels)
                } else {
                    hardware.isKnown = false
                }
                adaptMainMixer()
            }
            guard let facade else { return }
            NotificationCenter.default.post(
                name: .AVAudioEngineConfigurationChange, object: facade,
                userInfo: [AVAudioEngine.oldFormatKey: old, AVAudioEngine.newFormatKey: locked { hardware.output }])
        }
    }

    // MARK: Shutting down by itself

    /// Any thread. With auto shutdown, the device is halted after a while of silence, and started when there is
    /// something to hear again.
    private func shutDownIfIdle() {
        life.locked {
            let device: DeviceSession? = locked {
                guard state == .running, let device = session.device, !mayBeHeard else { return nil }
                let position = session.executor.position
                return autoShutdown.beginsIdling(at: position, rate: hardware.output.sampleRate) ? device : nil
            }
            device?.halt()
        }
    }

    /// Whether the device has to run: something plays or records, or auto shutdown is off. Under the lock.
    private var mayBeHeard: Bool {
        guard autoShutdown.isEnabled, session.device?.capture == nil, !model.nodes.contains(where: { $0.isAwake })
        else {
            autoShutdown.lastAwake = session.executor.position
            return true
        }
        return false
    }

    /// Any thread. A node has something to play again.
    func wakeUp() {
        // While somebody renders, the device is awake.
        guard !session.gate.isOnRenderThread, locked({ autoShutdown.isIdle }) else { return }
        life.locked {
            locked {
                guard autoShutdown.isIdle, state == .running else { return }
                autoShutdown.wake(at: session.executor.position)
                errors.recording { try session.device?.start() }
            }
        }
    }
}
