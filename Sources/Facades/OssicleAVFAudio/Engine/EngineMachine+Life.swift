import OssicleCoreAudioTypes

/// Starting and stopping.
extension EngineMachine {
    func prepare() throws {
        try locked {
            guard state == .stopped else { return }
            try requireEnds()
            adaptMainMixer()
            try install()
        }
    }

    func start() throws {
        // Who renders, runs.
        if gate.isOnRenderThread { return }
        life.lock()
        defer { life.unlock() }
        try locked {
            guard state != .running else { return }
            try requireEnds()
            if manual == nil { try openDevices() }
            adaptMainMixer()
            try install()
            state = .running
            gate.openUp()
            if manual == nil { try startDevice() }
            if manual?.mode != .offline {
                ticker = Ticker(label: "ossicle.engine", milliseconds: 5) { [weak self] in self?.tick() }
            }
        }
    }

    private func startDevice() throws {
        do {
            isIdle = false
            try device?.start()
        } catch {
            state = .stopped
            device = nil
            throw OssicleError.avfaudio(kAudioUnitErr_FailedInitialization, "AVAudioEngine", value: "\(error)", rule: "Its devices have to start.",
                                        cure: "Look after the sound server, or use manual rendering.")
        }
    }

    private func requireEnds() throws {
        guard output != nil || input != nil else {
            throw OssicleError.avfaudio(kAudio_ParamError, "AVAudioEngine", value: "no input or output node",
                                        rule: "An engine needs an end: an input or an output.", cure: "Connect something to mainMixerNode or outputNode first.")
        }
    }

    func pause() {
        // A client's block on the render thread: its call is the last.
        if gate.isOnRenderThread { return halt() }
        life.lock()
        defer { life.unlock() }
        halt()
        gate.close()
    }

    private func halt() {
        let device: DeviceSession? = locked {
            guard state == .running else { return nil }
            state = .paused
            ticker = nil
            return self.device
        }
        device?.halt()
    }

    func stop() {
        if gate.isOnRenderThread {
            // A client's block on the render thread asks for it: what is being rendered is finished first.
            locked { stopsAfterRendering = true }
            return
        }
        life.lock()
        defer { life.unlock() }
        let (wasStopped, device): (Bool, DeviceSession?) = locked {
            let result = (state == .stopped, self.device)
            state = .stopped
            stopsAfterRendering = false
            self.device = nil
            ticker = nil
            return result
        }
        if wasStopped { return }
        device?.halt()
        gate.close()
        let nodes = locked {
            executor.abandon()
            places = [:]
            dismissAttendants()
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
        guard locked({ manual != nil }), !gate.isOnRenderThread else { return }
        life.lock()
        defer { life.unlock() }
        gate.close()
        locked {
            executor.resetTime()
            for wire in model.wires { wire.passage.restart() }
            for node in nodes { node.timeChange?.passage.restart() }
            if state == .running { gate.openUp() }
        }
    }

    /// The facade is gone.
    func shutDown() {
        stop()
        locked {
            for node in model.nodes { node.home.machine = nil }
            model = GraphModel()
            (output, input, mainMixer) = (nil, nil, nil)
        }
    }
}
