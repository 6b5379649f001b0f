import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback

/// Starting and stopping, and the devices that this opens.
extension EngineMachine {
    func prepare() throws {
        guard try locked({ try makeEnds() }) else { return }
        try allocateHostedUnits()
        try locked {
            if state == .stopped { try install() }
        }
    }

    func start() throws {
        // Who renders, runs.
        if session.gate.isOnRenderThread { return }
        guard try life.locked({ try locked { try openEnds() } }) else { return }
        do {
            try allocateHostedUnits()
            try life.locked { try locked { try beginRendering() } }
        } catch {
            life.locked { locked { giveUpStart() } }
            throw error
        }
    }

    /// Whether there is something left to start.
    private func makeEnds() throws -> Bool {
        guard state == .stopped else { return false }
        try requireEnds()
        adaptMainMixer()
        return true
    }

    private func openEnds() throws -> Bool {
        guard state != .running else { return false }
        try requireEnds()
        if manual == nil { try openDevices() }
        adaptMainMixer()
        return true
    }

    private func beginRendering() throws {
        // Something may have changed while the units allocated.
        guard try openEnds() else { return }
        try install()
        session.overload = OverloadWatch()
        autoShutdown.wake(at: session.executor.position)
        if manual == nil { try startDevice() }
        noteStart()
        state = .running
        DeviceChanges(self).search()
        session.gate.openUp()
        if manual?.mode != .offline {
            session.ticker = Ticker(label: "ossicle.engine", milliseconds: 5) { [weak self] in self?.tick() }
        }
    }

    private func startDevice() throws {
        do {
            try session.device?.start()
        } catch {
            throw OssicleError.avfaudio(
                kAudioUnitErr_FailedInitialization, "AVAudioEngine", value: "\(error)",
                rule: "Its devices have to start.",
                cure: "Look after the sound server, or use manual rendering.")
        }
    }

    /// Leaves nothing of a start that failed. What was paused stays paused.
    private func giveUpStart() {
        guard state != .running else { return }
        session.device = nil
        if state == .stopped { forgetPlan() }
    }

    /// Rendering has ended, and no thread waits for the plan.
    private func forgetPlan() {
        letGo(session.executor.abandon())
        planning = Planning(isInspected: planning.isInspected)
    }

    private func requireEnds() throws {
        guard output != nil || input != nil else {
            throw OssicleError.avfaudio(
                kAudio_ParamError, "AVAudioEngine", value: "no input or output node",
                rule: "An engine needs an end: an input or an output.",
                cure: "Connect something to mainMixerNode or outputNode first.")
        }
    }

    func pause() {
        // A client's block on the render thread: its call is the last.
        if session.gate.isOnRenderThread { return halt() }
        life.locked {
            halt()
            session.gate.close()
        }
    }

    private func halt() {
        let device: DeviceSession? = locked {
            guard state == .running else { return nil }
            note(.pause)
            state = .paused
            session.ticker = nil
            return session.device
        }
        device?.halt()
        endDucking()
    }

    func stop() {
        if session.gate.isOnRenderThread {
            // A client's block on the render thread asks for it: what is being rendered is finished first.
            locked { stopsAfterRendering = true }
            return
        }
        life.locked { haltForGood() }
    }

    private func haltForGood() {
        let (wasStopped, device): (Bool, DeviceSession?) = locked {
            let result = (state == .stopped, session.device)
            if state != .stopped { note(.stop) }
            state = .stopped
            stopsAfterRendering = false
            session.device = nil
            session.searches.end()
            session.ticker = nil
            return result
        }
        if wasStopped { return }
        device?.halt()
        endDucking()
        session.gate.close()
        let nodes = locked {
            forgetPlan()
            return model.nodes
        }
        for node in nodes {
            node.engineDidStop()
            node.taps.flush()
        }
    }

    /// Every node forgets, and manual time begins again.
    func resetAll() {
        let nodes = locked { model.nodes }
        for node in nodes { node.reset() }
        // Without the lock: the call under way may need it to come to its end.
        guard locked({ manual != nil }), !session.gate.isOnRenderThread else { return }
        note(.reset)
        life.locked {
            session.gate.close()
            locked {
                // The resets above are carried out here.
                session.executor.resetTime()
                for wire in model.wires { wire.passage.restart() }
                for node in nodes { node.timeChange?.passage.restart() }
                if state == .running { session.gate.openUp() }
            }
        }
    }

    /// The facade is gone.
    func shutDown() {
        locked { inspection }?.end()
        stop()
        locked {
            inspection = nil
            for node in model.nodes { node.home.machine = nil }
            letGo(model.nodes)
            model = GraphModel()
            implicit = ImplicitNodes()
        }
    }

    // MARK: Devices. Under the lock, except where a comment says otherwise

    /// The format sound comes in with; 0 Hz and 0 channels where nothing can be captured.
    var captureFormat: AVAudioFormat {
        learnHardware()
        return hardware.capture
    }

    /// Reads once what devices there are. In manual rendering none is looked for.
    func learnHardware() {
        if manual == nil { hardware.learn() }
    }

    /// Opens the output that was chosen, or the default; a machine without one plays to a silent clock. The input is
    /// opened if something listens to it.
    func openDevices() throws {
        let old = session.device
        do {
            if session.device == nil {
                let opened = try openOutput()
                session.device = deviceSession(opened)
                hardware.adopt(opened)
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

    private func openOutput() throws -> any OutputDevice {
        if let words = hardware.outputDevice { return try Devices.output(words) }
        return try DefaultDevice.open(fallback: .silence)
    }

    /// The input is opened once something listens to it; never without permission. An engine that stays on goes on
    /// without one, and looks for it.
    func openCaptureIfHeard() throws {
        guard hearsInput, let device = session.device else { return }
        do {
            try device.openCapture(losesNothing: hardware.recordsAll)
        } catch let error as DeviceError where hardware.staysOnWhenDevicesChange && state == .running {
            if !error.meansNoDevice { errors.record(error) }
        }
    }

    /// Whether something listens to the input, and may.
    var hearsInput: Bool {
        guard let input, !RecordAccess.shared.isDenied else { return false }
        return !model.wires(from: input).isEmpty || !input.taps.all.isEmpty
    }

    func deviceSession(_ device: any OutputDevice) -> DeviceSession {
        let changes = DeviceChanges(self)
        return DeviceSession(device, of: session) { changes.hear($2, of: $0, $1) }
    }
}
