import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Synchronization
import Testing
@testable import OssicleAVFAudio

/// The client's code may wait for another thread that asks the engine something: were it called under the engine's
/// lock, both would wait for ever.
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

    @Test(
        "An error handler may wait for another thread, whatever call recorded the error",
        arguments: [AVAudioEngineManualRenderingMode.offline, .realtime])
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

    @Test("A hosted unit is not called any more once it has been told to let go of what it renders with")
    func unitThatGoes() throws {
        AUAudioUnit.registerSubclass(WaitingUnit.self, as: WaitingUnit.component, name: "Tests: Wait", version: 1)
        let engine = AVAudioEngine()
        let format = OfflineRig.format(48_000, 2)
        try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 512)
        let mixer = engine.mainMixerNode
        try engine.start()
        let isOver = WaitingUnit.Count()
        let (rendering, calls) = (DispatchGroup(), WaitingUnit.Count())
        nonisolated(unsafe) let block = engine.manualRenderingBlock
        DispatchQueue.global().async(group: rendering) {
            let list = AudioBufferList.allocate(maximumBuffers: 2)
            defer { free(list.unsafeMutablePointer) }
            while isOver.value == 0 {
                for index in 0..<2 { list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil) }
                _ = block(512, list.unsafeMutablePointer, nil)
            }
        }
        for _ in 0..<50 {
            let unit = AVAudioUnitEffect(audioComponentDescription: WaitingUnit.component)
            let hosted = try #require(unit.auAudioUnit as? WaitingUnit)
            let source = OfflineRig.source { _, _ in 0.5 }
            for node in [source, unit] as [AVAudioNode] { engine.attach(node) }
            engine.connect(source, to: unit, format: format)
            engine.connect(unit, to: mixer, format: format)
            while hosted.calls.value == 0 { Thread.sleep(forTimeInterval: 0.0005) }
            engine.detach(unit)
            engine.detach(source)
            #expect(hosted.lateCalls.value == 0)
            calls.add(hosted.calls.value)
        }
        isOver.add(1)
        rendering.wait()
        engine.stop()
        #expect(calls.value >= 50)
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
private final class WaitingUnit: PassingUnit {
    static let component = PassingUnit.effect(0x7761_6974)
    final class Count: Sendable {
        private let number = Atomic(0)
        var value: Int { number.load(ordering: .acquiring) }
        func add(_ amount: Int) { number.add(amount, ordering: .acquiringAndReleasing) }
    }

    var wait: () -> Void = {}
    var allocations = 0
    /// Calls of the render block, and those after the unit was told to let go.
    let calls = Count()
    let lateCalls = Count()
    private let ends = Count()

    override func allocateRenderResources() throws {
        wait()
        allocations += 1
        try super.allocateRenderResources()
    }

    override func deallocateRenderResources() {
        wait()
        if allocations > 0 { ends.add(1) }
        super.deallocateRenderResources()
    }

    override var internalRenderBlock: AUInternalRenderBlock {
        let pass = super.internalRenderBlock
        return { [calls, lateCalls, ends] flags, time, frames, bus, list, events, pull in
            if ends.value > 0 { lateCalls.add(1) }
            defer {
                if ends.value > 0 { lateCalls.add(1) }
                calls.add(1)
            }
            return pass(flags, time, frames, bus, list, events, pull)
        }
    }
}
