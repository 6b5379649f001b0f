import COssicle
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleRender

/// What stands between a unit's `renderBlock` and its `internalRenderBlock`: checks, events, observers, and memory for
/// who brings none.
///
///     renderBlock ──▶ allocated? frames? bus? list? ──▶ observers ──▶ internalRenderBlock(events) ──▶ observers
///
/// It outlives the unit as long as somebody holds the block, which then answers that nothing is allocated.
final class RenderCycle: @unchecked Sendable {
    let events = EventQueue<AURenderEvent>()
    let observers = ObserverList<RenderObserver>()
    private let gate = RenderGate()
    // Written while the gate is closed.
    private var outputs: [LentMemory] = []
    private var maximumFrames = 0
    // Behind the gate.
    private var internalBlock: AUInternalRenderBlock?
    private var position: Int64 = 0
    /// Where the internal block comes from, if nobody fetched it ahead of rendering.
    private var source: () -> AUInternalRenderBlock? = { nil }
    /// Whether the internal block is the client's to answer for.
    private var isClients = true

    /// Any thread; the gate must be closed.
    func prepare(
        outputs: [AVAudioFormat], maximumFrames: Int, isClients: Bool,
        from source: @escaping () -> AUInternalRenderBlock?
    ) {
        guard gate.isClosed else { return }
        self.isClients = isClients
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

    /// Render side.
    func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>,
        _ frames: AUAudioFrameCount,
        _ bus: Int, _ list: UnsafeMutablePointer<AudioBufferList>, _ pull: AURenderPullInputBlock?
    ) -> AUAudioUnitStatus {
        ClientCode.callBack { renderWatched(flags, time, frames, bus, list, pull) }
    }

    private func renderWatched(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>,
        _ frames: AUAudioFrameCount,
        _ bus: Int, _ list: UnsafeMutablePointer<AudioBufferList>, _ pull: AURenderPullInputBlock?
    ) -> AUAudioUnitStatus {
        guard gate.enter() else {
            return gate.isClosed ? kAudioUnitErr_Uninitialized : kAudioUnitErr_CannotDoInCurrentContext
        }
        defer { gate.leave() }
        guard Int(frames) <= maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
        // A MIDI processor may have no output at all.
        guard outputs.indices.contains(bus) || (outputs.isEmpty && bus == 0) else {
            return kAudioUnitErr_InvalidElement
        }
        guard outputs.isEmpty || outputs[bus].complete(UnsafeMutableAudioBufferListPointer(list), frames: Int(frames))
        else { return kAudio_ParamError }
        if internalBlock == nil { internalBlock = source() }
        guard let internalBlock else { return kAudioUnitErr_Uninitialized }
        let before = flags.pointee.union(.unitRenderAction_PreRender)
        observers.forEach { $0.call(before, time, frames, bus, list) }
        let start = Self.frame(time.pointee) ?? position
        position = start + Int64(frames)
        let floatState = ossicle_flush_denormals()
        let due = events.take(from: start, frames: Int(frames))
        let status =
            isClients
            ? ClientCode.run { internalBlock(flags, time, frames, bus, list, due, pull) }
            : internalBlock(flags, time, frames, bus, list, due, pull)
        ossicle_restore_float_state(floatState)
        var after = flags.pointee.union(.unitRenderAction_PostRender)
        if status != noErr { after.formUnion(.unitRenderAction_PostRenderError) }
        observers.forEach { [after] in $0.call(after, time, frames, bus, list) }
        return status
    }

    /// The frame a time stamp names, if it names one.
    static func frame(_ time: AudioTimeStamp) -> Int64? {
        guard time.mFlags.contains(.sampleTimeValid), time.mSampleTime.magnitude < 0x1p53 else { return nil }
        return Int64(time.mSampleTime)
    }
}

/// What is called before and after each cycle of a unit.
enum RenderObserver {
    case block(AURenderObserver)
    case callback(AURenderCallback, UnsafeMutableRawPointer?)

    /// Render side.
    func call(
        _ flags: AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>, _ frames: AUAudioFrameCount,
        _ bus: Int, _ data: UnsafeMutablePointer<AudioBufferList>
    ) {
        switch self {
        case .block(let block): block(flags, time, frames, bus)
        case .callback(let function, let reference):
            var own = flags
            _ = function(CReference.pass(reference), &own, time, UInt32(truncatingIfNeeded: bus), frames, data)
        }
    }
}

/// The first argument of C callbacks, which is declared to be there, and which clients leave out.
enum CReference {
    static func pass(_ reference: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        unsafeBitCast(reference, to: UnsafeMutableRawPointer.self)
    }

    /// What tells callbacks apart: the addresses of code and captured values, and the reference. By way of the
    /// structure, because a generic function takes a bare function wrapped anew each time.
    static func bits(
        _ function: @escaping AURenderCallback, _ reference: UnsafeMutableRawPointer?
    ) -> InlineArray<3, UInt> {
        unsafeBitCast(
            AURenderCallbackStruct(inputProc: function, inputProcRefCon: reference), to: InlineArray<3, UInt>.self)
    }
}
