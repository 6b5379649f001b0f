// I/O units: sound to a device and from one.

import OssicleAudioToolbox

extension AUAudioUnit {
    var hardware: UnitHardware? { (body as? DeviceBody)?.hardware }

    /// Gives the sound for the output, in the format of `inputBusses[0]`, on a device's thread; set before
    /// `startHardware()`.
    public var outputProvider: AURenderPullInputBlock? {
        get { lock.withLock { settings }.outputProvider }
        set { lock.withLock { settings.outputProvider = newValue } }
    }

    /// Is called when sound has come in, on a device's thread; set before `startHardware()`. Within the call,
    /// `renderBlock` gives the frames on bus 1, in the format of `outputBusses[1]`. With the output on it comes before
    /// each call of `outputProvider`, with as many frames, and that may fetch them as well.
    public var inputHandler: AUInputHandler? {
        get { lock.withLock { settings }.inputHandler }
        set { lock.withLock { settings.inputHandler = newValue } }
    }

    /// Whether sound from the device is wanted, from the next `startHardware()` on. Default false.
    public var isInputEnabled: Bool {
        get { setting(\.isInputEnabled) }
        set { set(\.isInputEnabled, newValue) }
    }

    /// Whether sound goes to the device, from the next `startHardware()` on. Default true.
    public var isOutputEnabled: Bool {
        get { setting(\.isOutputEnabled) }
        set { set(\.isOutputEnabled, newValue) }
    }

    /// Whether a device runs.
    public var isRunning: Bool { hardware?.isRunning ?? false }

    /// Starts the devices of the sides that are enabled; while they run, and with neither, it does nothing.
    ///
    /// Throws without resources, with the output on but no `outputProvider`, with the input on in a unit that has none,
    /// with both on and two sample rates in `inputBusses[0]` and `outputBusses[1]`, for a unit that has no device, and
    /// what the devices throw.
    public func startHardware() throws {
        guard let hardware else { throw AUFault.noHardware }
        guard renderResourcesAllocated else { throw AUFault.notAllocated("startHardware()") }
        if hardware.isRunning { return }
        let wanted = lock.withLock { settings }
        if wanted.isInputEnabled, hardware.input == nil { throw AUFault.noInput }
        if wanted.isOutputEnabled, wanted.outputProvider == nil { throw AUFault.noProvider }
        cycle.fetch()
        var run = UnitHardware.Run(handler: wanted.inputHandler, hasInput: wanted.isInputEnabled)
        if wanted.isOutputEnabled { run.provider = wanted.outputProvider }
        run.startTime = wanted.startTime
        try hardware.start(run)
    }

    /// Stops the devices; returns when no block is called any more, unless one of them calls this.
    public func stopHardware() { hardware?.stop() }
}
