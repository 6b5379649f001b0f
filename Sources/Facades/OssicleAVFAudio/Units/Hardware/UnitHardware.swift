import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDevices
import OssicleRender
import Synchronization

/// The device behind an output unit: asks a provider for sound in the unit's format, at the device's pace.
final class UnitHardware: @unchecked Sendable {
    private let device: any OutputDevice
    private let lock = NSLock()
    private var converter: PullConverter?
    private let running = Atomic(false)

    init(_ device: any OutputDevice) { self.device = device }

    deinit { device.stop() }

    var format: AVAudioFormat {
        AVAudioFormat(standardFormatWithSampleRate: device.sampleRate, channels: AVAudioChannelCount(device.channelCount)) ?? .initial
    }

    /// Seconds from rendering to the ear.
    var latency: TimeInterval { device.latency }
    var isRunning: Bool { running.load(ordering: .acquiring) }

    func prepare(_ input: AVAudioFormat, maximumFrames: Int, map: [Int]?) throws {
        let made = PullConverter(from: input, to: format, exit: RateExit.exit(from: input, to: format), capacity: maximumFrames, map: map)
        lock.withLock { converter = made }
    }

    /// Throws if it already runs, and what the device throws.
    func start(_ provider: @escaping AURenderPullInputBlock) throws {
        guard let converter = lock.withLock({ converter }) else { throw AUFault.notAllocated("startHardware()") }
        let pull = Provider(block: provider)
        running.store(true, ordering: .releasing)
        do {
            try device.start(render: { block in
                guard block.channelCount >= converter.outputChannels else { return }
                _ = converter.render(block.frameCount, into: block.channels, hostTime: block.hostTime, pull.block)
            }, events: { [weak self] event in
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
