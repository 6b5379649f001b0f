// Output units: sound to a device.

import OssicleAudioToolbox
import OssicleCoreAudioTypes

extension AUAudioUnit {
    var hardware: UnitHardware? { (body as? DeviceOutputBody)?.hardware }

    /// Gives the sound for the device, in the format of `inputBusses[0]`, on the device's thread; set before `startHardware()`.
    public var outputProvider: AURenderPullInputBlock? {
        get { setting(\.outputProvider) }
        set { set(\.outputProvider, newValue) }
    }

    /// Is told of sound from the device. Kept, and not called: there is no input yet.
    public var inputHandler: AUInputHandler? {
        get { setting(\.inputHandler) }
        set { set(\.inputHandler, newValue) }
    }

    /// Whether sound from the device is wanted. Default false; with true `startHardware()` throws, because there is no input yet.
    public var isInputEnabled: Bool {
        get { setting(\.isInputEnabled) }
        set { set(\.isInputEnabled, newValue) }
    }

    /// Whether sound goes to the device. Default true.
    public var isOutputEnabled: Bool {
        get { setting(\.isOutputEnabled) }
        set { set(\.isOutputEnabled, newValue) }
    }

    /// Whether the device runs.
    public var isRunning: Bool { hardware?.isRunning ?? false }

    /// Starts the device; starting twice does nothing. Throws without resources, without `outputProvider`, for a unit that has no device, and
    /// what the device throws.
    public func startHardware() throws {
        guard let hardware else { throw AUFault.noHardware }
        guard renderResourcesAllocated else { throw AUFault.notAllocated("startHardware()") }
        if isInputEnabled { throw notImplemented("Input through an output unit", "Use AVAudioEngine's inputNode, and leave isInputEnabled false.") }
        if hardware.isRunning || !isOutputEnabled { return }
        guard let outputProvider else { throw AUFault.noProvider }
        try hardware.start(outputProvider)
    }

    /// Stops the device; returns when the provider is called no more, unless it is the provider that calls this.
    public func stopHardware() { hardware?.stop() }
}
