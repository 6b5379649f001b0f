// Output units: sound to a device.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDevices
import OssicleNodes
import OssicleRender
import Synchronization

extension AUAudioUnit {
    var hardware: UnitHardware? { (body as? DeviceOutputBody)?.hardware }

    /// Gives the sound for the device, in the format of `inputBusses[0]`, on the device's thread; set before
    /// `startHardware()`.
    public var outputProvider: AURenderPullInputBlock? {
        get { setting(\.outputProvider) }
        set { set(\.outputProvider, newValue) }
    }

    /// Is told of sound from the device. Kept, and not called: there is no input yet.
    public var inputHandler: AUInputHandler? {
        get { setting(\.inputHandler) }
        set { set(\.inputHandler, newValue) }
    }

    /// Whether sound from the device is wanted. Default false; with true `startHardware()` throws, because there is no
    /// input yet.
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

    /// Starts the device; starting twice does nothing. Throws without resources, without `outputProvider`, for a unit
    /// that has no device, and what the device throws.
    public func startHardware() throws {
        guard let hardware else { throw AUFault.noHardware }
        guard renderResourcesAllocated else { throw AUFault.notAllocated("startHardware()") }
        if isInputEnabled {
            throw notImplemented(
                "Input through an output unit", "Use AVAudioEngine's inputNode, and leave isInputEnabled false.")
        }
        if hardware.isRunning || !isOutputEnabled { return }
        guard let outputProvider else { throw AUFault.noProvider }
        try hardware.start(outputProvider)
    }

    /// Stops the device; returns when the provider is called no more, unless it is the provider that calls this.
    public func stopHardware() { hardware?.stop() }
}

/// The device behind an output unit: asks a provider for sound in the unit's format, at the device's pace.
final class UnitHardware: @unchecked Sendable {
    private let device: any OutputDevice
    private let lock = NSLock()
    private var converter: ConvertedInput?
    private let running = Atomic(false)

    init(_ device: any OutputDevice) { self.device = device }

    deinit { device.stop() }

    var format: AVAudioFormat {
        AVAudioFormat(
            standardFormatWithSampleRate: device.sampleRate, channels: AVAudioChannelCount(device.channelCount))
            ?? .initial
    }

    /// Seconds from rendering to the ear.
    var latency: TimeInterval { device.latency }
    var isRunning: Bool { running.load(ordering: .acquiring) }

    func prepare(_ input: AVAudioFormat, maximumFrames: Int, map: [Int]?) throws {
        let made = ConvertedInput(
            from: input, to: format, exit: RateExit.exit(from: input, to: format), capacity: maximumFrames, map: map)
        lock.withLock { converter = made }
    }

    /// Throws if it already runs, and what the device throws.
    func start(_ provider: @escaping AURenderPullInputBlock) throws {
        guard let converter = lock.withLock({ converter }) else { throw AUFault.notAllocated("startHardware()") }
        let pull = Provider(block: provider)
        running.store(true, ordering: .releasing)
        do {
            try device.start(
                render: { block in
                    guard block.channelCount >= converter.outputChannels else { return }
                    _ = converter.render(block.frameCount, into: block.channels, hostTime: block.hostTime, pull.block)
                },
                events: { [weak self] event in
                    switch event {
                    case .stopped, .lost: self?.running.store(false, ordering: .releasing)
                    case .started, .routeChanged, .formatChanged: break
                    }
                })
        } catch let error as DeviceError {
            running.store(false, ordering: .releasing)
            throw AUFault.device(error)
        }
    }

    /// Returns when the provider is called no more, unless it is the provider that calls this.
    func stop() {
        device.stop()
        running.store(false, ordering: .releasing)
    }

    private struct Provider: @unchecked Sendable {
        let block: AURenderPullInputBlock
    }
}
