import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Synchronization
import Testing
@testable import OssicleAVFAudio

/// The client's code may wait for another thread that asks the engine something: were it called under the engine's lock, both would wait for ever.
@Suite("Engine: no code of the client's under the lock", .serialized)
struct EngineLockTests {
    /// An engine that another thread looks at.
    private final class Watched: @unchecked Sendable {
        private weak var engine: AVAudioEngine?
        init(_ engine: AVAudioEngine) { self.engine = engine }

        /// Has another thread look, and waits for it.
        func look() {
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                _ = (self.engine?.isRunning, self.engine?.attachedNodes.count)
                done.signal()
            }
            done.wait()
        }
    }

    @Test("An error handler may wait for another thread, whatever call recorded the error", arguments: [AVAudioEngineManualRenderingMode.offline, .realtime])
    func errorHandler(_ mode: AVAudioEngineManualRenderingMode) throws {
        let engine = AVAudioEngine()
        let format = OfflineRig.format(4000, 2)
        try engine.enableManualRenderingMode(mode, format: format, maximumFrameCount: 512)
        let count = Mutex(0)
        let watched = Watched(engine)
        engine.errorHandler = { _ in
            watched.look()
            count.withLock { $0 += 1 }
        }
        // An environment has no table of ears for 4 kHz, and says so whenever a plan is made.
        let (environment, source) = (AVAudioEnvironmentNode(), OfflineRig.source { _, _ in 0 })
        for node in [environment, source] as [AVAudioNode] { engine.attach(node) }
        engine.connect(source, to: environment, format: OfflineRig.format(4000, 1))
        engine.connect(environment, to: engine.mainMixerNode, format: format)
        try engine.start()
        let errors = { count.withLock { $0 } }
        #expect(errors() > 0)
        func expectAnError(_ call: () throws -> Void) throws {
            let before = errors()
            try call()
            if mode == .offline {
                let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
                try engine.renderOffline(64, to: buffer)
            }
            #expect(errors() > before)
        }
        try expectAnError { source.installTap(onBus: 0, bufferSize: 64, format: nil) { _, _ in } }
        try expectAnError { source.removeTap(onBus: 0) }
        try expectAnError { engine.disconnectNodeOutput(source) }
        try expectAnError { engine.detach(source) }
        try expectAnError { engine.connect(environment, to: environment, format: nil) }
        engine.stop()
    }

    @Test("A hosted unit may wait for another thread while it allocates, whether the engine starts or runs")
    func hostedUnit() throws {
        AUAudioUnit.registerSubclass(WaitingUnit.self, as: WaitingUnit.component, name: "Tests: Wait", version: 1)
        for isRunning in [false, true] {
            let rig = try OfflineRig()
            let unit = AVAudioUnitEffect(audioComponentDescription: WaitingUnit.component)
            let hosted = try #require(unit.auAudioUnit as? WaitingUnit)
            hosted.wait = Watched(rig.engine).look
            let source = OfflineRig.source { _, _ in 0.5 }
            for node in [source, unit] as [AVAudioNode] { rig.engine.attach(node) }
            _ = rig.engine.mainMixerNode
            if isRunning { try rig.engine.start() }
            rig.engine.connect(source, to: unit, format: rig.format)
            rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
            if !isRunning { try rig.engine.start() }
            #expect(try rig.render(128)[0].allSatisfy { $0 == 0.5 }, "it sounds from the first frame")
            #expect(hosted.allocations == 1)
            rig.engine.detach(unit)
            #expect(!hosted.renderResourcesAllocated)
            #expect(rig.engine.lastError == nil)
        }
    }

    @Test("The last reference to an object of the client's may be in a plan: it ends under no lock")
    func endOfAnObject() throws {
        let rig = try OfflineRig()
        _ = rig.engine.mainMixerNode
        try rig.engine.start()
        let hasEnded = Mutex(false)
        do {
            let watched = Watched(rig.engine)
            let guest = Guest {
                watched.look()
                hasEnded.withLock { $0 = true }
            }
            let source = AVAudioSourceNode { _, _, _, _ in
                withExtendedLifetime(guest) {}
                return noErr
            }
            rig.engine.attach(source)
            rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
            _ = try rig.render(64)
            rig.engine.detach(source)
        }
        _ = try rig.render(64)
        #expect(hasEnded.withLock { $0 })
    }

    private final class Guest: Sendable {
        private let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }
}

/// Passes sound on; waits while it allocates.
private final class WaitingUnit: AUAudioUnit {
    static let component = AudioComponentDescription(componentType: kAudioUnitType_Effect, componentSubType: 0x7761_6974, componentManufacturer: 0x7465_7374,
                                                     componentFlags: 0, componentFlagsMask: 0)
    var wait: () -> Void = {}
    var allocations = 0
    private var inputs: AUAudioUnitBusArray!
    private var outputs: AUAudioUnitBusArray!

    override init(componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []) throws {
        try super.init(componentDescription: componentDescription, options: options)
        let format = OfflineRig.format(44_100, 2)
        inputs = AUAudioUnitBusArray(audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
        outputs = AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
    }

    override var inputBusses: AUAudioUnitBusArray { inputs }
    override var outputBusses: AUAudioUnitBusArray { outputs }

    override func allocateRenderResources() throws {
        wait()
        allocations += 1
        try super.allocateRenderResources()
    }

    override func deallocateRenderResources() {
        wait()
        super.deallocateRenderResources()
    }

    override var internalRenderBlock: AUInternalRenderBlock {
        { flags, time, frames, _, list, _, pull in pull?(flags, time, frames, 0, list) ?? kAudioUnitErr_NoConnection }
    }
}
