import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import OssiclePlayback
import OssicleRender
import Synchronization

/// A player of slices, or of regions of files, by itself: a player node in an engine of its own, which the unit's host
/// drives.
///
///     slices, regions ─▶ AVAudioPlayerNode ─▶ manual rendering in real time ─▶ host's buffers
final class PlayerBody: UnitBody {
    /// What is said of files before regions of them are scheduled.
    struct FileSettings {
        /// Addresses of `AudioFileID`s.
        var files: [UInt] = []
        var bufferFrames: UInt32 = 65_536
        var bufferCount: UInt32 = 2
    }

    let inputs: [AVAudioFormat] = []
    let outputs = [AVAudioFormat.initial]
    /// Files instead of slices.
    let playsFiles: Bool
    let fileSettings = Mutex(FileSettings())
    private let isOffline = SharedFlag()
    private var rig: PlayerRig?

    init(playsFiles: Bool) { self.playsFiles = playsFiles }

    func allocate(_ shape: UnitShape) throws {
        guard let output = shape.outputs.first else { return }
        rig = try PlayerRig(output, maximumFrames: shape.maximumFrames, isOffline)
    }

    func deallocate() {
        rig?.stop()
        rig = nil
    }

    func setOffline(_ isOffline: Bool) { self.isOffline.isOn = isOffline }

    /// Slices and regions are dropped, and the player stands until it is started again.
    func reset() { rig?.player.stop() }

    func makeRenderBlock() -> AUInternalRenderBlock {
        guard let rig else { return { _, _, _, _, _, _, _ in kAudioUnitErr_Uninitialized } }
        return { _, time, frames, _, list, _, _ in rig.render(time, frames, list) }
    }

    /// What plays; throws `kAudioUnitErr_Uninitialized` while there are no resources.
    func playing() throws -> PlayerRig {
        guard let rig else { throw AUFault.notAllocated("a slice") }
        return rig
    }
}

/// What a player needs while it is allocated. Any thread, but for `render`.
final class PlayerRig: @unchecked Sendable {
    let player = AVAudioPlayerNode()
    private let engine = AVAudioEngine()
    private let format: AVAudioFormat
    private let block: AVAudioEngineManualRenderingBlock
    /// The next frame of the engine.
    private let position = Atomic<Int64>(0)
    /// Frames by which the host's time is ahead of the engine's.
    private let offset = Atomic<Int64>(0)
    /// Whether files are waited for.
    private let isOffline: SharedFlag

    init(_ format: AVAudioFormat, maximumFrames: Int, _ isOffline: SharedFlag) throws {
        (self.format, self.isOffline) = (format, isOffline)
        try engine.enableManualRenderingMode(
            .realtime, format: format, maximumFrameCount: AVAudioFrameCount(maximumFrames))
        engine.attach(player)
        engine.connect(player, to: engine.outputNode, format: format.standardCounterpart)
        try engine.start()
        block = engine.manualRenderingBlock
    }

    func stop() {
        player.stop()
        engine.stop()
    }

    /// Render side.
    func render(
        _ time: UnsafePointer<AudioTimeStamp>, _ frames: AUAudioFrameCount,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> AUAudioUnitStatus {
        let start = position.load(ordering: .relaxed)
        if isOffline.isOn { player.prepare(withFrameCount: frames) }
        if let frame = RenderCycle.frame(time.pointee) { offset.store(frame - start, ordering: .relaxed) }
        var status = noErr
        guard block(frames, list, &status) == .success else { return status == noErr ? kAudio_ParamError : status }
        position.store(start + Int64(frames), ordering: .relaxed)
        return noErr
    }

    /// Player time 0 is at a sample time of the host, or with the next cycle.
    func start(at time: AudioTimeStamp) {
        guard let frame = RenderCycle.frame(time), frame >= 0 else { return player.play() }
        let own = frame - offset.load(ordering: .relaxed)
        player.play(at: AVAudioTime(sampleTime: max(own, 0), atRate: format.sampleRate))
    }

    /// Player time of the next frame; `nil` before the start.
    var currentFrame: Int64? {
        let next = AVAudioTime(sampleTime: position.load(ordering: .relaxed), atRate: format.sampleRate)
        return player.playerTime(forNodeTime: next)?.sampleTime
    }

    /// Throws for a slice whose sound does not fit the output bus.
    func schedule(_ slice: UnsafeMutablePointer<ScheduledAudioSlice>) throws {
        let wanted = slice.pointee
        // The client's memory may hold 0 where Swift believes in a pointer.
        let place = MemoryLayout<ScheduledAudioSlice>.offset(of: \.mBufferList) ?? 0
        guard UnsafeRawPointer(slice).load(fromByteOffset: place, as: UInt.self) != 0,
            let buffer = AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: wanted.mBufferList),
            wanted.mNumberFrames <= buffer.frameCapacity
        else { throw AUFault.slice(wanted, format) }
        buffer.frameLength = wanted.mNumberFrames
        let start = RenderCycle.frame(wanted.mTimeStamp)
        let isLate = start.flatMap { start in currentFrame.map { $0 > start } } ?? false
        nonisolated(unsafe) let slice = slice
        let completion = SegmentCompletion(.dataRendered) { [weak self] _, reason in
            let began = reason == .finished || start.map { (self?.currentFrame ?? -1) > $0 } ?? false
            slice.pointee.mFlags.insert(.scheduledAudioSliceFlag_Complete)
            if began { slice.pointee.mFlags.insert(.scheduledAudioSliceFlag_BeganToRender) }
            if began, isLate { slice.pointee.mFlags.insert(.scheduledAudioSliceFlag_BeganToRenderLate) }
            slice.pointee.mCompletionProc?(slice.pointee.mCompletionProcUserData, slice)
        }
        slice.pointee.mFlags.subtract([
            .scheduledAudioSliceFlag_Complete, .scheduledAudioSliceFlag_BeganToRender,
            .scheduledAudioSliceFlag_BeganToRenderLate,
        ])
        player.schedule(
            buffer, start.map { AVAudioTime(sampleTime: $0, atRate: format.sampleRate) },
            Self.options(wanted.mFlags), completion)
    }

    /// Throws for a file that cannot be read and a start outside it.
    func schedule(_ region: UnsafeMutablePointer<ScheduledAudioFileRegion>) throws {
        let wanted = region.pointee
        let stream = try FileRegion.stream(wanted, format)
        nonisolated(unsafe) let region = region
        let completion = SegmentCompletion(.dataRendered) { _, reason in
            let status =
                stream.takeFailure() != nil
                ? kAudioUnitErr_InvalidFile : reason == .finished ? noErr : kAudioUnitErr_CannotDoInCurrentContext
            region.pointee.mCompletionProc?(region.pointee.mCompletionProcUserData, region, status)
        }
        let start = RenderCycle.frame(wanted.mTimeStamp).flatMap { $0 < 0 ? nil : $0 }
        player.queue.schedule(ScheduledSegment(stream, at: start, completion: completion))
        if stream.request(ahead: Int(min(format.sampleRate, 1e6))) { FileStream.readers.wake() }
    }

    /// Reads so many frames of what is scheduled, 0 for half a second.
    func prime(_ frames: UInt32) {
        player.prepare(withFrameCount: frames > 0 ? frames : AVAudioFrameCount(format.sampleRate / 2))
    }

    private static func options(_ flags: AUScheduledAudioSliceFlags) -> AVAudioPlayerNodeBufferOptions {
        var options = AVAudioPlayerNodeBufferOptions()
        if flags.contains(.scheduledAudioSliceFlag_Loop) { options.insert(.loops) }
        if flags.contains(.scheduledAudioSliceFlag_Interrupt) { options.insert(.interrupts) }
        if flags.contains(.scheduledAudioSliceFlag_InterruptAtLoop) { options.insert(.interruptsAtLoop) }
        return options
    }
}
