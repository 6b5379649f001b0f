import Foundation
import OssicleCoreAudioTypes
import OssicleDevices
import Synchronization
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: devices that refuse, rest and wake")
struct DeviceStartTests {
    /// Refuses as often as it is told to, then is a silent clock.
    private final class StubbornDevice: OutputDevice {
        private let clock: PortOutput
        private let refusals: Mutex<Int>
        init(refusals: Int) throws {
            clock = try PortOutput(.silence)
            self.refusals = Mutex(refusals)
        }

        let name = "stubborn device"
        var sampleRate: Double { clock.sampleRate }
        var channelCount: Int { clock.channelCount }
        var quantum: Int { clock.quantum }
        let latency = 0.0
        let dropoutCount = 0

        func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
            let refuses = refusals.withLock { left in
                left -= 1
                return left >= 0
            }
            if refuses { throw DeviceError.refused(device: name, code: 1) }
            try clock.start(render: render, events: events)
        }

        @discardableResult func stop() -> Bool { clock.stop() }
    }

    private func engine(_ device: StubbornDevice, with source: AVAudioSourceNode) -> AVAudioEngine {
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: OfflineRig.format(48_000, 2))
        engine.machine.locked { engine.machine.session.device = engine.machine.deviceSession(device) }
        return engine
    }

    @Test("A start that fails leaves neither an open gate nor a plan, and the next one works")
    func failedStart() throws {
        weak var guest: AnyObject?
        let engine: AVAudioEngine
        let device = try StubbornDevice(refusals: 1)
        do {
            let object = NSObject()
            guest = object
            let source = AVAudioSourceNode { _, _, _, _ in
                withExtendedLifetime(object) {}
                return noErr
            }
            engine = self.engine(device, with: source)
            #expect(throws: OssicleError.self) { try engine.start() }
            #expect(!engine.isRunning && engine.machine.session.gate.isClosed)
            #expect(engine.machine.locked { engine.machine.places.isEmpty && engine.machine.session.device == nil })
            engine.detach(source)
        }
        #expect(guest == nil, "no plan holds the source's block")
        engine.machine.locked { engine.machine.session.device = engine.machine.deviceSession(device) }
        try engine.start()
        #expect(engine.isRunning && !engine.machine.session.gate.isClosed)
        engine.stop()
    }

    @Test("A paused engine whose device refuses stays paused, with its plan, and goes on when the device does")
    func failedResumption() throws {
        let device = try StubbornDevice(refusals: 0)
        let engine = engine(device, with: OfflineRig.source { _, _ in 0 })
        try engine.start()
        engine.pause()
        engine.machine.locked {
            engine.machine.session.device = (try? StubbornDevice(refusals: 1)).map { engine.machine.deviceSession($0) }
        }
        #expect(throws: OssicleError.self) { try engine.start() }
        #expect(!engine.isRunning && engine.machine.session.gate.isClosed)
        #expect(engine.machine.locked { engine.machine.state == .paused && !engine.machine.places.isEmpty })
        engine.machine.locked { engine.machine.session.device = engine.machine.deviceSession(device) }
        try engine.start()
        #expect(engine.isRunning)
        engine.stop()
    }

    @Test("A device that rests wakes when a source is connected, and when nobody wants it to rest any more")
    func waking() async throws {
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        engine.isAutoShutdownEnabled = true
        _ = engine.mainMixerNode
        try engine.start()
        func wait(untilIdle isIdle: Bool) async throws {
            while engine.machine.locked({ engine.machine.autoShutdown.isIdle }) != isIdle {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        try await wait(untilIdle: true)
        let asked = DispatchSemaphore(value: 0)
        let source = AVAudioSourceNode { _, _, _, _ in
            asked.signal()
            return noErr
        }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: OfflineRig.format(48_000, 2))
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                asked.wait()
                continuation.resume()
            }
        }
        #expect(!engine.machine.locked { engine.machine.autoShutdown.isIdle })
        engine.detach(source)
        try await wait(untilIdle: true)
        engine.isAutoShutdownEnabled = false
        try await wait(untilIdle: false)
        engine.stop()
        #expect(engine.lastError == nil)
    }
}
