import Dispatch
import OssicleDevices
import OssiclePlayback

/// What an engine does when a device changes, goes or comes: stop and notify, as Apple's, or stay on and notify.
///
///     lost ──────────▶ stop, notify ──────▶ the client starts it: at a device or, where none is, at a silent clock
///     no device ──▶ a device comes ──▶ stop, notify
///
/// With `staysOnWhenDevicesChange` the engine moves to the device there is, in the format it renders, and notifies.
struct DeviceChanges: Sendable {
    private weak let machine: EngineMachine?

    init(_ machine: EngineMachine) { self.machine = machine }

    /// A device's thread.
    func hear(_ event: DeviceEvent, of device: DeviceSession, _ direction: DeviceInfo.Direction) {
        switch event {
        case .started, .stopped, .routeChanged: break
        case .lost(let error):
            let time = HostClock.now
            carryOut { lose(device, direction, error, at: time) }
        case .formatChanged(let rate, let channels):
            if direction == .output { formatChanged(to: (rate, channels)) }
        }
    }

    /// The output works in another format now. Any thread.
    func formatChanged(to new: (rate: Double, channels: Int)) {
        carryOut {
            guard let machine else { return }
            let old = machine.locked { machine.hardware.output }
            var formats = machine.locked { machine.hardware }
            formats.adopt(
                sampleRate: new.rate, channelCount: new.channels, labels: DeviceChannels.rendered(new.channels))
            // What stays on renders in the format it has, and the server converts.
            if !machine.locked({ machine.state == .running && machine.hardware.staysOnWhenDevicesChange }) {
                machine.stop()
                machine.locked {
                    machine.hardware.output = formats.output
                    machine.adaptMainMixer()
                }
            }
            notify(from: old, to: formats.output)
        }
    }

    // MARK: On the queue for changes

    private func carryOut(_ change: @escaping @Sendable () -> Void) {
        machine?.session.changes.async(execute: change)
    }

    private func lose(
        _ device: DeviceSession, _ direction: DeviceInfo.Direction, _ error: DeviceError, at time: UInt64
    ) {
        guard let machine, machine.locked({ machine.session.device === device }) else { return }
        machine.errors.record(error)
        change {
            switch direction {
            case .output: move(to: nil, since: time)
            case .input: replaceInput()
            }
        }
        if machine.locked({ machine.state == .stopped && machine.manual == nil }) { searchWhileStopped(machine) }
    }

    /// Has `stayingOn` change the devices of a running engine that stays on, stops any other, and notifies.
    private func change(_ stayingOn: () -> Void) {
        guard let machine else { return }
        let old = machine.locked { machine.hardware.output }
        if machine.locked({ machine.state != .stopped && machine.hardware.staysOnWhenDevicesChange }) {
            stayingOn()
        } else {
            machine.stop()
            machine.locked {
                machine.session.searches.end()
                machine.hardware.isKnown = false
                machine.learnHardware()
                machine.adaptMainMixer()
            }
        }
        notify(from: old, to: machine.locked { machine.hardware.output })
    }

    func notify(from old: AVAudioFormat, to new: AVAudioFormat) {
        guard let facade = machine?.facade else { return }
        NotificationCenter.default.post(
            name: .AVAudioEngineConfigurationChange, object: facade,
            userInfo: [AVAudioEngine.oldFormatKey: old, AVAudioEngine.newFormatKey: new])
    }

    // MARK: Staying on

    /// Continues at another output, in the format that is rendered.
    /// - Parameters:
    ///   - found: nil for the default.
    ///   - time: when the old one ended, in nanoseconds of `HostClock`.
    private func move(to found: (any OutputDevice)?, since time: UInt64) {
        guard let machine else { return }
        machine.life.locked {
            let old = machine.locked { machine.session.device }
            // Without the lock: a client's block may be under way that needs it to come to its end.
            old?.halt()
            machine.locked {
                // What was captured and not rendered yet comes first.
                let frame = machine.session.executor.position + Int64(old?.captured?.readableFrames ?? 0)
                machine.errors.recording { try restart(found, machine) }
                let missed = Double(HostClock.now - time) * 1e-9
                machine.session.breaks.append(DeviceBreak(frame: frame, seconds: missed))
            }
        }
    }

    private func restart(_ found: (any OutputDevice)?, _ machine: EngineMachine) throws {
        guard machine.state != .stopped else { return }
        let (session, format) = (machine.session, machine.hardware.output)
        let old = session.device
        if machine.state == .paused || machine.autoShutdown.isIdle {
            session.device = machine.deviceSession(
                try found
                    ?? DefaultDevice.open(
                        sampleRate: format.sampleRate, channelCount: Int(format.channelCount),
                        channelLabels: format.channelLabels, fallback: .silence))
        } else {
            try session.startOutput(
                found, sampleRate: format.sampleRate, channelCount: Int(format.channelCount),
                channelLabels: format.channelLabels, session: machine.deviceSession)
        }
        if let old { session.device?.inherit(from: old) }
        try machine.openCaptureIfHeard()
        machine.reinstall()
        search()
    }

    private func replaceInput() {
        guard let machine else { return }
        machine.life.locked {
            let device = machine.locked { machine.session.device }
            device?.closeCapture()
            machine.locked {
                machine.errors.recording { try machine.openCaptureIfHeard() }
                machine.reinstall()
                search()
            }
        }
    }
}

/// Looking for what is missing.
extension DeviceChanges {
    /// Looks for devices that an engine does without. Under the engine's lock.
    func search() {
        guard let machine else { return }
        machine.session.searches.end()
        guard machine.manual == nil, let device = machine.session.device else { return }
        if device.isSilent {
            let isKept = machine.hardware.staysOnWhenDevicesChange
            let format = isKept ? machine.hardware.output : nil
            let (rate, channels) = (format?.sampleRate, format.map { Int($0.channelCount) })
            let labels = format?.channelLabels
            machine.session.searches.findOutput(outputCame) {
                try DefaultDevice.open(sampleRate: rate, channelCount: channels, channelLabels: labels)
            }
        } else if machine.hearsInput, device.capture == nil {
            machine.session.searches.findInput(inputCame)
        }
    }

    /// The same for an engine that was stopped because a device went. Under no lock: it asks the server first.
    private func searchWhileStopped(_ machine: EngineMachine) {
        let hasOutput = (try? DefaultDevice.open()) != nil
        let lacksInput = machine.locked { machine.hearsInput } && (try? DefaultInput.open()) == nil
        machine.locked {
            guard machine.state == .stopped else { return }
            if !hasOutput {
                machine.session.searches.findOutput(outputCame)
            } else if lacksInput {
                machine.session.searches.findInput(inputCame)
            }
        }
    }

    /// The search's thread.
    private func outputCame(_ found: any OutputDevice) {
        carryOut {
            guard let machine else { return }
            let isWanted = machine.locked {
                machine.manual == nil && (machine.state == .stopped || machine.session.device?.isSilent == true)
            }
            if isWanted { change { move(to: found, since: HostClock.now) } }
        }
    }

    /// The search's thread.
    private func inputCame() {
        carryOut {
            guard let machine, machine.locked({ machine.manual == nil }) else { return }
            change(replaceInput)
        }
    }
}
