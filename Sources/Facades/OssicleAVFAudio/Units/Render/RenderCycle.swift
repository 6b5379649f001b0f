import COssicle
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender

/// What stands between a unit's `renderBlock` and its `internalRenderBlock`: checks, events, observers, and memory for
/// who brings none.
///
///     renderBlock ──▶ allocated? frames? bus? list? ──▶ observers ──▶ internalRenderBlock(events) ──▶ observers
///
/// It outlives the unit as long as somebody holds the block, which then answers that nothing is allocated.
final class RenderCycle: @unchecked Sendable {
    let events = EventQueue()
    let observers = RenderObservers()
    private let gate = RenderGate()
    // Written while the gate is closed.
    private var outputs: [LentMemory] = []
    private var maximumFrames = 0
    // Behind the gate.
    private var internalBlock: AUInternalRenderBlock?
    private var position: Int64 = 0
    /// Where the internal block comes from, if nobody fetched it ahead of rendering.
    private var source: () -> AUInternalRenderBlock? = { nil }

    /// Any thread; the gate must be closed.
    func prepare(outputs: [AVAudioFormat], maximumFrames: Int, from source: @escaping () -> AUInternalRenderBlock?) {
        guard gate.isClosed else { return }
        self.outputs = outputs.map { LentMemory($0, frames: maximumFrames) }
        (self.maximumFrames, self.source, internalBlock, position) = (maximumFrames, source, nil, 0)
        events.clear()
    }

    /// Fetches the internal block ahead of rendering, as long as nothing is rendered.
    func fetch() {
        guard gate.enter() else { return }
        if internalBlock == nil { internalBlock = source() }
        gate.leave()
    }

    var isOpen: Bool { !gate.isClosed }
    /// Whether the calling thread is inside a cycle.
    var isRendering: Bool { gate.isOnRenderThread }

    func open() { gate.openUp() }

    /// Waits for the cycle under way, and returns at once on its own thread. Not under a lock that a cycle may need.
    func close() {
        if !isRendering { gate.close() }
    }

    func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>,
        _ frames: AUAudioFrameCount,
        _ bus: Int, _ list: UnsafeMutablePointer<AudioBufferList>, _ pull: AURenderPullInputBlock?
    ) -> AUAudioUnitStatus {
        guard gate.enter() else {
            return gate.isClosed ? kAudioUnitErr_Uninitialized : kAudioUnitErr_CannotDoInCurrentContext
        }
        defer { gate.leave() }
        guard Int(frames) <= maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
        guard outputs.indices.contains(bus) else { return kAudioUnitErr_InvalidElement }
        guard outputs[bus].complete(list, frames: Int(frames)) else { return kAudio_ParamError }
        if internalBlock == nil { internalBlock = source() }
        guard let internalBlock else { return kAudioUnitErr_Uninitialized }
        observers.call(flags.pointee.union(.unitRenderAction_PreRender), time, frames, bus, list)
        let start = Self.frame(time.pointee) ?? position
        position = start + Int64(frames)
        let floatState = ossicle_flush_denormals()
        let status = ClientCode.run {
            internalBlock(flags, time, frames, bus, list, events.take(from: start, frames: Int(frames)), pull)
        }
        ossicle_restore_float_state(floatState)
        let after: AudioUnitRenderActionFlags =
            status == noErr
            ? .unitRenderAction_PostRender : [.unitRenderAction_PostRender, .unitRenderAction_PostRenderError]
        observers.call(flags.pointee.union(after), time, frames, bus, list)
        return status
    }

    /// The frame a time stamp names, if it names one.
    static func frame(_ time: AudioTimeStamp) -> Int64? {
        guard time.mFlags.contains(.sampleTimeValid), time.mSampleTime.magnitude < 0x1p53 else { return nil }
        return Int64(time.mSampleTime)
    }
}
